"""Interpreted drivers for programs that call compiled ones: they take and fill the same NumPy arrays and
memoryviews."""

import ctypes
from functools import partial

import numpy as np

from courtly.engine.native import loader


class Records(list):
    """States as a driver sees them: an assignment copies the contents."""

    def __setitem__(self, index, state):
        type(state)._copy_to(state, self[index])


class InterpretedFunction:
    """A driver's function, with the interface of a compiled one."""

    def __init__(self, state_type, function):
        self.state_type, self.interpreted = state_type, function

    def __call__(self, *arguments):
        arguments = [np.asarray(x) if isinstance(x, memoryview) else x for x in arguments]  # the same memory
        converted = [self.convert(argument) for argument in arguments]
        result = self.interpreted(*converted)
        for argument, content in zip(arguments, converted, strict=True):
            if isinstance(content, Records):
                self.record_bytes(argument)[:] = [[*state.pack()] for state in content]
            elif isinstance(content, self.state_type):
                ctypes.memmove(argument.__array_interface__["data"][0], content.pack(), content.packing.size)
            elif isinstance(content, list) and content:
                argument[...] = content
        return result

    def convert(self, argument):
        """Return lists for states and for rows of wide integers, whose sums NumPy would compute with a warning."""
        if is_row_of_states(argument):
            return Records(self.state_type.unpack(row.tobytes()) for row in self.record_bytes(argument))
        if isinstance(argument, np.void) or isinstance(argument, np.ndarray) and argument.dtype == np.uint8:
            return self.state_type.unpack(argument.tobytes())
        if isinstance(argument, np.ndarray) and argument.dtype in (np.int32, np.int64):
            return argument.tolist()
        return argument

    def record_bytes(self, states):
        """Return the bytes of the stored fields, a row for each state; they share the states' memory."""
        return states.view(np.uint8).reshape(len(states), -1)[:, : self.state_type.packing.size]

    def bind(self, *arguments):
        return partial(self, *arguments)

    def function(self, *_):
        """Compile nothing."""


def is_row_of_states(argument):
    """Return True for an array of records, and for a view of the bytes of several states."""
    return isinstance(argument, np.ndarray) and bool(
        argument.dtype.names or argument.dtype == np.uint8 and argument.ndim == 2
    )


def load_interpreted(game, backend=None, driver=loader.PLAYOUT_DRIVER, load=loader.load_driver, **_):
    """Return what `loader.load_driver` would, except that nothing is compiled."""
    functions = vars(load(game, loader.InterpretedBackend(), driver)).items()
    return loader.Driver(
        **{
            name: InterpretedFunction(game.State, value) if callable(value) and value is not game else value
            for name, value in functions
        }
    )
