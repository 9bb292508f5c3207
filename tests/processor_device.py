"""The processor in the place of a graphics card: kernels, compiled for this machine, run thread by thread."""

import ctypes
from functools import cache

import numpy as np

from courtly.adapters.cuda_device import THREADS_PER_BLOCK, flatten_arguments
from courtly.engine.native.compiler import machine_code
from courtly.engine.native.compiler.cuda_kernel import LocalRow, kernel_name, write_kernel
from courtly.engine.native.compiler.types import FLOAT32
from courtly.engine.native.module_loader import InterpretedBackend, ModuleLoader


class ProcessorArray:
    """An array that looks like one on a card."""

    def __init__(self, content):
        self.content, self.shape = content, content.shape

    def read(self):
        return self.content.copy()

    def write(self, content):
        assert content.shape == self.shape and content.dtype == self.content.dtype
        self.content[...] = content

    def transposed(self):
        return self.content.T

    @property
    def pointer(self):
        return self.content.ctypes.data

    def __dlpack__(self, **requests):
        return self.content.__dlpack__(**requests)

    def __dlpack_device__(self):
        return self.content.__dlpack_device__()


@cache
def load_code(text, name):
    """Return the address of a kernel, compiled for this machine."""
    data = machine_code.compile_module(text, machine_code.host_machine())
    library, addresses = machine_code.load_object(data, [name], {})
    return library, addresses[name]


class ProcessorKernel:
    """A kernel for the processor."""

    def __init__(self, game, driver, function, parameters):
        host = machine_code.host_machine()
        name = kernel_name(function)
        text = write_kernel(game, driver, function, parameters, host.triple, str(host.target_data), on_gpu=False)
        self.library, self.address = load_code(text, name)
        self.parameters = parameters

    def __call__(self, threads, *arguments):
        flat = [
            argument.pointer if hasattr(argument, "pointer") else argument
            for argument in flatten_arguments(self.parameters, arguments)
        ]
        function = ctypes.CFUNCTYPE(None, ctypes.c_int64, *[ctypes.c_int64] * len(flat))(self.address)
        blocks = -(-threads // THREADS_PER_BLOCK)
        for thread in reversed(range(blocks * THREADS_PER_BLOCK)):  # no order is promised
            function(thread, *flat)


class ProcessorDevice:
    """What adapters need of a graphics card, by the processor."""

    def zeros(self, shape, dtype):
        return ProcessorArray(np.zeros(shape, dtype))

    def load_kernel(self, game, driver, function, parameters):
        return ProcessorKernel(game, driver, function, parameters)

    def import_integers(self, numbers, length):
        row = np.asarray(numbers)
        if row.shape != (length,) or row.dtype != np.int64:
            raise ValueError(f"expected {length} int64 numbers side by side, found {row.dtype} of shape {row.shape}")
        return ProcessorArray(row)

    def synchronize(self):
        pass


class Words:
    """The words of a state, for an interpreted kernel. Writing the last one changes the state."""

    def __init__(self, state, count):
        self.state, self.content = state, np.zeros(count, np.int32)

    def __len__(self):
        return len(self.content)

    def __getitem__(self, index):
        packed = self.state.pack()
        self.content.view(np.uint8)[: len(packed)] = [*packed]
        return int(self.content[index])

    def __setitem__(self, index, word):
        self.content[index] = word
        if index == len(self) - 1:
            type(self.state)._copy_to(self.state.unpack(self.content.tobytes()), self.state)


class KernelBackend(InterpretedBackend):
    """Interpreted code, in the form for graphics cards where there is one."""

    def top(self, f):
        return super().top(getattr(f, "gpu", f))


class InterpretedKernel:
    """A kernel that Python interprets, thread by thread."""

    def __init__(self, game, driver, function, parameters):
        self.game, self.parameters = game, parameters
        self.function = getattr(ModuleLoader(game, KernelBackend(), driver).module(driver), function)

    def __call__(self, threads, *arguments):
        contents = [getattr(argument, "content", argument) for argument in arguments]
        lists = [c.tolist() if getattr(c, "dtype", np.float32) != np.float32 else c for c in contents]
        for thread in reversed(range(threads + 1)):  # some more may start
            state, left = self.game.State(), iter(lists)
            self.function(thread, *(self.make_value(name, kind, state, left) for name, kind in self.parameters.items()))
        for content, values in zip(contents, lists, strict=True):
            if isinstance(values, list) and content.size:
                content[...] = values

    def make_value(self, name, kind, state, arguments):
        """Return a constant, a row in a thread's local memory, or the next argument."""
        if isinstance(kind, int):
            return kind
        if not isinstance(kind, LocalRow):
            return next(arguments)
        if name == "states":
            return [state]
        (length,) = kind.row.lengths
        if name == "words":
            return Words(state, length)
        return np.zeros(length, np.float32) if kind.row.element == FLOAT32 else [0] * length


class InterpretedDevice(ProcessorDevice):
    """The processor in the place of a graphics card, without machine code."""

    def load_kernel(self, game, driver, function, parameters):
        return InterpretedKernel(game, driver, function, parameters)
