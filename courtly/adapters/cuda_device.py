"""NVIDIA's graphics cards: kernels, memory, and arrays that other libraries share.

Needs `pip install "courtly[cuda]"` and NVIDIA's driver; no CUDA toolkit. Everything runs in the card's default stream,
as PyTorch's work does unless told otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from courtly.engine.game import Game
from courtly.engine.native.compiler.cuda_kernel import KernelParameters, LocalRow, compile_kernel, kernel_name
from courtly.engine.native.compiler.types import UNKNOWN_LENGTH, RowType

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray

THREADS_PER_BLOCK = 64  # two warps: each thread needs many registers and much local memory
DEFAULT_STREAMS = (None, -1, 1)  # in DLPack: the legacy default stream, or no synchronization


class DeviceArray(Protocol):
    """An array in the memory of a device."""

    shape: tuple[int, ...]

    def read(self) -> NDArray[Any]:
        """Return a copy in this process's memory. Waits for the device."""

    def write(self, content: NDArray[Any]) -> None:
        """Overwrite the array with one of the same shape and dtype."""

    def transposed(self) -> Any:
        """Return a view of the same memory with the axes in reverse order, for other libraries."""


class Kernel(Protocol):
    """A function that runs in many threads of a device."""

    def __call__(self, threads: int, *arguments: Any) -> None:
        """Start the threads 0 to `threads` - 1, or some more.

        Args:
            threads: Their number.
            arguments: Whole numbers and arrays, one for each parameter that is neither constant nor in local memory.
        """


class Device(Protocol):
    """What adapters need of a graphics card. Tests replace it by the processor."""

    def zeros(self, shape: tuple[int, ...], dtype: DTypeLike) -> DeviceArray:
        """Return a new array of zeros."""

    def load_kernel(self, game: Game, driver: str, function: str, parameters: KernelParameters) -> Kernel:
        """Return a kernel (courtly.engine.native.compiler.cuda_kernel), compiled if need be."""

    def import_integers(self, numbers: Any, length: int) -> Any:
        """Return an argument of kernels for a row of int64 numbers that another library owns.

        Raises:
            ValueError: It has another length or dtype, has gaps, or is in another device's memory.
        """

    def synchronize(self) -> None:
        """Wait until the device has done everything that was started."""


def why_unavailable() -> str:
    """Return one line on why no graphics card can be used here, or ""."""
    try:
        from cuda.core import Device as Card
    except ImportError:
        return 'cuda-core is not installed: pip install "courtly[cuda]"'
    try:
        Card().set_current()
    except Exception as error:  # each version of the driver has its own
        return f"no graphics card that CUDA can use was found: {str(error).splitlines()[0]}"
    return ""


def flatten_arguments(parameters: KernelParameters, arguments: Sequence[Any]) -> list[Any]:
    """Return what a kernel takes: whole numbers, and arrays, each followed by the lengths that its type leaves open."""
    flat: list[Any] = []
    kinds = [kind for kind in parameters.values() if not isinstance(kind, LocalRow | int)]
    for kind, argument in zip(kinds, arguments, strict=True):
        flat.append(argument)
        if isinstance(kind, RowType):
            flat += [n for n, length in zip(argument.shape, kind.lengths, strict=True) if length == UNKNOWN_LENGTH]
    return flat


class CudaDevice:
    """The current graphics card.

    Raises:
        RuntimeError: There is none; the message says why.
    """

    def __init__(self) -> None:
        if reason := why_unavailable():
            raise RuntimeError(reason)
        from cuda.core import LEGACY_DEFAULT_STREAM
        from cuda.core import Device as Card

        self.card, self.stream = Card(), LEGACY_DEFAULT_STREAM

    def zeros(self, shape: tuple[int, ...], dtype: DTypeLike) -> CudaArray:
        """Return a new array of zeros."""
        return CudaArray(self, shape, np.dtype(dtype))

    def load_kernel(self, game: Game, driver: str, function: str, parameters: KernelParameters) -> CudaKernel:
        """Return a kernel, compiled if need be."""
        return CudaKernel(self, compile_kernel(game, driver, function, parameters), kernel_name(function), parameters)

    def import_integers(self, numbers: Any, length: int) -> SharedRow:
        """Return an argument of kernels for a row of int64 numbers on this card that another library owns."""
        return SharedRow(numbers, length, int(self.stream.handle))

    def synchronize(self) -> None:
        """Wait until the card has done everything that was started in the default stream."""
        self.stream.sync()


class CudaKernel:
    """A kernel on a card.

    Args:
        device: The card.
        ptx: The program.
        name: The name of the kernel in it.
        parameters: Its parameters, as for `compile_kernel`.
    """

    def __init__(self, device: CudaDevice, ptx: bytes, name: str, parameters: KernelParameters):
        from cuda.core import ObjectCode

        self.device, self.parameters = device, parameters
        self.kernel = ObjectCode.from_ptx(ptx, name=name).get_kernel(name)

    def __call__(self, threads: int, *arguments: Any) -> None:
        """Start the threads 0 to `threads` - 1, or some more."""
        from cuda.core import LaunchConfig, launch

        flat = [
            argument.pointer if hasattr(argument, "pointer") else np.int64(argument)
            for argument in flatten_arguments(self.parameters, arguments)
        ]
        blocks = -(-threads // THREADS_PER_BLOCK)
        launch(self.device.stream, LaunchConfig(grid=blocks, block=THREADS_PER_BLOCK), self.kernel, *flat)


class SharedRow:
    """A row of int64 numbers on the card that another library owns.

    Args:
        numbers: An object with `__dlpack__` or `__cuda_array_interface__`, such as a tensor.
        length: How many numbers it must have.
        stream: The stream that reads it.

    Raises:
        ValueError: It has another length or dtype, has gaps, or is not on the card.
    """

    def __init__(self, numbers: Any, length: int, stream: int):
        from cuda.core.utils import StridedMemoryView

        try:
            view = StridedMemoryView.from_any_interface(numbers, stream_ptr=stream)
        except Exception as error:
            raise ValueError(f"expected an array on the card, found {type(numbers).__name__}: {error}") from error
        if not view.is_device_accessible:
            raise ValueError("expected an array on the card, found one in the memory of the processor")
        strides = view.strides or (1,)
        if view.shape != (length,) or view.dtype != np.dtype(np.int64) or strides != (1,):
            raise ValueError(
                f"expected {length} int64 numbers side by side, found {view.dtype} of shape {view.shape} and strides "
                f"{strides}"
            )
        self.shape, self.pointer, self.owner = view.shape, view.ptr, view


class CudaArray:
    """An array in a card's memory, which PyTorch, JAX and others share by DLPack:
    `torch.from_dlpack(array)`.

    Attributes:
        shape: Its lengths.
        dtype: Its NumPy dtype.

    Args:
        device: The card.
        shape: Its lengths.
        dtype: Its dtype.
        buffer: The memory, for views; None for new memory, filled with zeros.
        strides: In elements; None for rows one after the other.
    """

    def __init__(
        self,
        device: CudaDevice,
        shape: tuple[int, ...],
        dtype: np.dtype[Any],
        buffer: Any = None,
        strides: tuple[int, ...] | None = None,
    ):
        self.device, self.shape, self.dtype, self.strides = device, shape, dtype, strides
        self.size_bytes = int(np.prod(shape)) * dtype.itemsize
        if buffer is None:
            buffer = device.card.allocate(max(self.size_bytes, 1), stream=device.stream)
            buffer.fill(0, stream=device.stream)
        self.buffer = buffer

    @property
    def pointer(self) -> Any:
        """The memory, as an argument of kernels."""
        return self.buffer

    def read(self) -> NDArray[Any]:
        """Return a copy in this process's memory. Waits for the card."""
        pinned, content = self._pinned()
        self.buffer.copy_to(pinned, stream=self.device.stream)
        self.device.synchronize()
        return content.copy()

    def write(self, content: NDArray[Any]) -> None:
        """Overwrite the array with one of the same shape and dtype."""
        if content.shape != self.shape or content.dtype != self.dtype:
            raise ValueError(f"expected {self.dtype} {self.shape}, found {content.dtype} {content.shape}")
        pinned, target = self._pinned()
        target[...] = content
        self.buffer.copy_from(pinned, stream=self.device.stream)
        self.device.synchronize()  # the copy reads the pinned memory

    def _pinned(self) -> tuple[Any, NDArray[Any]]:
        """Return memory of this process that the card can copy, and the same memory as an array."""
        from cuda.core import LegacyPinnedMemoryResource

        pinned = LegacyPinnedMemoryResource().allocate(max(self.size_bytes, 1))
        content = np.from_dlpack(pinned).view(np.uint8)[: self.size_bytes].view(self.dtype)
        is_view = self.strides is not None
        return pinned, content.reshape(self.shape[::-1]).T if is_view else content.reshape(self.shape)

    def transposed(self) -> CudaArray:
        """Return a view of the same memory with the axes in reverse order."""
        strides = tuple(int(np.prod(self.shape[k + 1 :])) for k in range(len(self.shape)))
        return CudaArray(self.device, self.shape[::-1], self.dtype, self.buffer, strides[::-1])

    def _view(self) -> Any:
        from cuda.core.utils import StridedMemoryView

        return StridedMemoryView.from_buffer(self.buffer, self.shape, self.strides, dtype=self.dtype)

    def __dlpack__(self, *, stream: int | None = None, **requests: Any) -> Any:
        """Share the memory. A reader in another stream than the default one gets finished contents."""
        if stream not in DEFAULT_STREAMS:
            self.device.synchronize()
        return self._view().__dlpack__(stream=-1, **requests)

    def __dlpack_device__(self) -> tuple[int, int]:
        """Return DLPack's kind and number of the device."""
        kind, number = self._view().__dlpack_device__()
        return int(kind), int(number)
