"""Functions that are compiled as parts of others.

Numba makes machine code of every function by itself, with all that it calls put in, and optimizes it all again in each
of its callers. Only a driver's few functions are ever called from Python. What they call goes no further here than the
optimizer's door, so that each of the few is optimized once, as a whole: half the time to compile or less, and code that
is as quick or quicker, for the optimizer sees what is called where.
"""

from __future__ import annotations

from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler


class Part(JITCodeLibrary):
    """What Numba keeps of one function, for its callers to link: no machine code, and no address to call."""

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        self._ensure_finalized()
        return 0

    @property
    def codegen(self) -> Part:
        """Asked only to set a Python environment, which nothing has that Python cannot call."""
        return self

    def set_env(self, name: str, env: Any) -> None:
        pass


class PartCompiler(Compiler):
    """Numba's own, but that it keeps a Part."""

    def define_pipelines(self) -> Any:
        self.state.library = Part(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
        return super().define_pipelines()
