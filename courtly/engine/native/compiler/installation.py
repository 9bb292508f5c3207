"""Whether this installation can compile: llvmlite, its version, and a target for this processor."""

from __future__ import annotations

import importlib.util
import os
import re
from functools import cache
from typing import Any

from courtly.engine.errors import CourtlyError

SUPPORTED_LLVMLITE = (0, 45), (0, 51)  # the least version, and the first that is too new, as in pyproject.toml
INSTALLATION_COMMAND = 'pip install "courtly[native]"'


class CompilerUnavailableError(CourtlyError, RuntimeError):
    """Nothing can be compiled here. The message says why, and what to do about it."""


def find_obstacle(*, loads_llvm: bool = False) -> str:
    """Return why rules cannot be compiled here, and what to do about it, in one line; "" if they can.

    Args:
        loads_llvm: True to load LLVM and look for a target for this processor, as programs do which compile next.
            Otherwise only the installation is examined, without LLVM's tens of megabytes.
    """
    if os.environ.get("COURTLY_NATIVE") == "0":
        return "COURTLY_NATIVE=0 turns the compiler off: unset it"
    if loads_llvm:
        from courtly.engine.native.compiler.machine_code import host_machine

        try:
            host_machine()
        except CompilerUnavailableError as error:
            return str(error)
    return _examine_llvmlite()


@cache
def _examine_llvmlite() -> str:
    """Return what is wrong with the installed llvmlite; "" if nothing is."""
    if importlib.util.find_spec("llvmlite") is None:
        return f"llvmlite is not installed: {INSTALLATION_COMMAND}"
    try:
        import llvmlite

        version = str(getattr(llvmlite, "__version__", "of unknown version"))
    except Exception as error:
        return f"llvmlite cannot be imported ({type(error).__name__}: {error}): {INSTALLATION_COMMAND}"
    least, end = SUPPORTED_LLVMLITE
    number = re.match(r"(\d+)\.(\d+)", version)
    if number is None or not least <= (int(number[1]), int(number[2])) < end:
        wanted = f"{least[0]}.{least[1]} or newer, and older than {end[0]}.{end[1]}"
        return f"expected llvmlite {wanted}, found {version} ({llvmlite.__file__}): {INSTALLATION_COMMAND}"
    return ""


def import_llvm() -> Any:
    """Return `llvmlite.binding`.

    Raises:
        CompilerUnavailableError: llvmlite is missing or unsupported, or LLVM cannot be loaded.
    """
    if obstacle := _examine_llvmlite():
        raise CompilerUnavailableError(obstacle)
    try:
        import llvmlite.binding as llvm
    except (ImportError, OSError, AttributeError) as error:
        reason = f"llvmlite is installed, but does not load ({type(error).__name__}: {error})"
        raise CompilerUnavailableError(f"{reason}: {INSTALLATION_COMMAND} --force-reinstall") from error
    return llvm
