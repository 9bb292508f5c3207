"""The processor in the place of a graphics card: kernels, compiled for this machine, run thread by thread."""

import ctypes
from functools import cache

import numpy as np

from courtly.adapters.cuda_device import THREADS_PER_BLOCK, flatten_arguments
from courtly.engine.native.compiler import machine_code
from courtly.engine.native.compiler.cuda_kernel import kernel_name, write_kernel


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
