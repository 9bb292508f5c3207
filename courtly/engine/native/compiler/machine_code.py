"""From LLVM code to machine code: optimization, object files, and loading them into the process.

llvmlite is imported by the functions that need it, since most processes never compile.
"""

from __future__ import annotations

import itertools
import os
import sys
import threading
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from courtly.engine.native.compiler.installation import INSTALLATION_COMMAND, CompilerUnavailableError, import_llvm

OPTIMIZATION_LEVEL = 2
WEBASSEMBLY_TRIPLE = "wasm32-unknown-unknown"
WEBASSEMBLY_FEATURES = "+bulk-memory,+mutable-globals,+nontrapping-fptoint,+sign-ext,+simd128"
GPU_TRIPLE = "nvptx64-nvidia-cuda"
GPU_PROCESSOR = "sm_75"  # and all later ones
GPU_FEATURES = "+ptx63"
# JITLink loads the code and the tables of an object file next to each other, so that they reach one another by short
# addresses. It is LLVM's default on Linux.
USES_JIT_LINK = sys.platform == "linux"
_library_numbers = itertools.count()


_lock = threading.Lock()  # llvmlite releases the GIL, and the objects of this module are shared by all threads


def _renew_lock() -> None:
    """Replace the lock in a forked process, where the thread that held it does not exist."""
    global _lock
    _lock = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew_lock)


@cache
def host_machine() -> Any:
    """Return the target machine of this process, with all features of its processor.

    Raises:
        CompilerUnavailableError: llvmlite is missing or unsupported, or has no target for this processor.
    """
    return _make_host_machine()


def _make_host_machine() -> Any:
    llvm = import_llvm()
    try:
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        target = llvm.Target.from_triple(llvm.get_process_triple())
    except RuntimeError as error:
        place = f"{llvm.get_process_triple()}, {llvm.get_host_cpu_name()}"
        raise CompilerUnavailableError(
            f"llvmlite has no target for this machine ({place}): {error}; set COURTLY_NATIVE=0 to use interpreted rules"
        ) from error
    return target.create_target_machine(
        cpu=llvm.get_host_cpu_name(),
        features=llvm.get_host_cpu_features().flatten(),
        opt=OPTIMIZATION_LEVEL,
        reloc="pic",
        codemodel="small" if USES_JIT_LINK else "jitdefault",
        jit=True,
    )


@cache
def webassembly_machine() -> Any:
    """Return the target machine for WebAssembly, with the features that all browsers have had since 2023.

    Raises:
        CompilerUnavailableError: llvmlite is missing or unsupported, or was built without WebAssembly.
    """
    return _find_target(WEBASSEMBLY_TRIPLE, "WebAssembly").create_target_machine(
        cpu="generic", features=WEBASSEMBLY_FEATURES, opt=OPTIMIZATION_LEVEL, reloc="static", codemodel="default"
    )


@cache
def gpu_machine() -> Any:
    """Return the target machine for NVIDIA's graphics cards; none need be present.

    Raises:
        CompilerUnavailableError: llvmlite is missing or unsupported, or was built without graphics cards.
    """
    return _find_target(GPU_TRIPLE, "graphics cards").create_target_machine(
        cpu=GPU_PROCESSOR, features=GPU_FEATURES, opt=OPTIMIZATION_LEVEL
    )


def _find_target(triple: str, description: str) -> Any:
    llvm = import_llvm()
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    try:
        return llvm.Target.from_triple(triple)
    except RuntimeError as error:
        raise CompilerUnavailableError(
            f"llvmlite was built without {description} ({error}); install the one from PyPI: {INSTALLATION_COMMAND}"
        ) from error


def describe_host() -> str:
    """Return the versions and the processor that machine code depends on. Raises CompilerUnavailableError without
    llvmlite."""
    llvm = import_llvm()
    version = ".".join(map(str, llvm.llvm_version_info))
    return f"{version} {llvm.get_process_triple()} {llvm.get_host_cpu_name()} {llvm.get_host_cpu_features().flatten()}"


def compile_module(text: str, machine: Any) -> bytes:
    """Return the object file of an LLVM module for a target machine; for graphics cards PTX, text that their driver
    compiles.

    Raises:
        RuntimeError: The text is not valid LLVM code, which is a fault of this package.
    """
    llvm = import_llvm()
    with _lock:
        module = llvm.parse_assembly(text)
        tuning = llvm.create_pipeline_tuning_options(speed_level=OPTIMIZATION_LEVEL)
        is_for_gpu = machine.triple == GPU_TRIPLE
        tuning.loop_vectorization = tuning.slp_vectorization = not is_for_gpu
        tuning.loop_interleaving = False  # loops in rules are short, over a few seats or cards
        builder = llvm.create_pass_builder(machine, tuning)
        builder.getModulePassManager().run(module, builder)
        data: bytes = machine.emit_assembly(module).encode() if is_for_gpu else machine.emit_object(module)
        return data


@cache
def _jit() -> Any:
    llvm = import_llvm()
    machine = _make_host_machine()  # the compiler becomes its owner
    return llvm.create_lljit_compiler(machine, use_jit_link=USES_JIT_LINK)


def load_object(data: bytes, symbols: Sequence[str], imports: Mapping[str, int]) -> tuple[Any, dict[str, int]]:
    """Load an object file into the process.

    Args:
        data: The object file.
        symbols: The functions to look up.
        imports: The addresses of functions that it calls.

    Returns:
        An object that keeps the code in memory, and the address of each function.

    Raises:
        RuntimeError: The object file is damaged, or a function is missing.
    """
    llvm = import_llvm()
    with _lock:
        builder = llvm.JITLibraryBuilder().add_object_img(data).add_current_process()
        for name in symbols:
            builder.export_symbol(name)
        for name, address in imports.items():
            builder.import_symbol(name, address)
        library = builder.link(_jit(), f"courtly{next(_library_numbers)}")
        return library, {name: library[name] for name in symbols}
