"""Changes to Numba that make it compile rules faster, without changing what the machine code computes.

Numba compiles every function separately, with everything that it calls inlined, and optimizes the same code again in
each caller. Python only ever calls the few entry points of a driver. So the functions that they call are not optimized
here, only lowered to LLVM code, and each entry point is optimized once, as a whole. The optimizer then knows all
callers of each function. Most of the remaining time is type inference: its results are cached, and the passes are
skipped that handle features outside of the dialect.

The code is also faster: indexes in the dialect are never negative (sanitizer.py checks it), so the code that wraps
negative indexes is not generated.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import binding
from llvmlite.ir import Constant
from numba.core import ir, typed_passes, untyped_passes
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.compiler_machinery import PassManager
from numba.core.dispatcher import Dispatcher
from numba.core.postproc import PostProcessor, VariableLifetime
from numba.core.sigutils import normalize_signature
from numba.core.targetconfig import ConfigStack
from numba.core.transforms import canonicalize_cfg
from numba.core.types import Boolean, Integer, Literal, intp, unliteral
from numba.core.types.functions import BaseFunction
from numba.np import arrayobj

DIALECT_PASSES = (  # all that the dialect needs: it has no closures, no inlining at this level, no array expressions
    untyped_passes.TranslateByteCode,
    untyped_passes.FixupArgs,
    untyped_passes.IRProcessing,
    untyped_passes.GenericRewrites,
    untyped_passes.ReconstructSSA,
    typed_passes.NopythonTypeInference,
    typed_passes.PreLowerStripPhis,
    typed_passes.IRLegalization,
    typed_passes.NativeLowering,
    typed_passes.NoPythonBackend,
)


class RegistersOnlyLibrary(JITCodeLibrary):
    """The code of a function, with a minimum of optimization."""

    def _optimize_functions(self, module: Any) -> None:
        """Only move variables into registers; the whole program is optimized later."""
        passes = binding.create_new_function_pass_manager()
        passes.add_sroa_pass()
        passes.add_simplify_cfg_pass()
        builder = binding.create_pass_builder(self._codegen._tm, binding.create_pipeline_tuning_options())
        module.data_layout = self._codegen._data_layout
        for function in module.functions:
            passes.run(function, builder)


class LinkOnlyLibrary(RegistersOnlyLibrary):
    """The code of a function for linking into entry points: it has no machine code and no address."""

    def finalize(self) -> None:
        """Finish the library without generating machine code."""
        self._raise_if_finalized()
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """Return 0: the function has no address."""
        self._ensure_finalized()
        return 0

    @property
    def codegen(self) -> LinkOnlyLibrary:
        """The library itself. Numba asks only in order to set a Python environment, which these functions do not
        need."""
        return self

    def set_env(self, name: str, env: Any) -> None:
        """Do nothing: these functions have no Python environment."""


class EntryPointLibrary(RegistersOnlyLibrary):
    """The code of an entry point, with all functions that it calls."""

    def finalize(self) -> None:
        """Link all functions that it calls, directly or indirectly, and generate machine code."""
        libraries: dict[Any, None] = {}

        def add(library: Any) -> None:
            if library not in libraries:
                libraries[library] = None
                if isinstance(library, LinkOnlyLibrary):
                    for called in library._linking_libraries:
                        add(called)

        for library in self._linking_libraries:
            add(library)
        self._linking_libraries = list(libraries)
        super().finalize()

    def _optimize_final_module(self) -> None:
        """Optimize the whole. The called functions become internal to it, so that LLVM can remove unused arguments and
        the paths for errors that cannot occur.

        Loops in rules are short, over a few seats or cards: interleaving, which pays off in long loops, costs more than
        it saves.
        """
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == binding.Linkage.linkonce_odr:
                function.linkage = "internal"
        tuning = binding.create_pipeline_tuning_options(speed_level=2)
        tuning.loop_vectorization = True
        tuning.slp_vectorization = True
        tuning.loop_interleaving = False
        builder = binding.create_pass_builder(self._codegen._tm, tuning)
        builder.getModulePassManager().run(self._final_module, builder)


class EntryPointCompiler(Compiler):
    """Numba's compiler, which stores the result in an EntryPointLibrary."""

    def define_pipelines(self) -> Any:
        """Return Numba's pipelines, without the wrapping of negative indexes."""
        self.state.library = EntryPointLibrary(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
        self.state.library.enable_object_caching()
        self.state.targetctx.no_negative_indices = True
        return super().define_pipelines()


class LinkOnlyCompiler(Compiler):
    """A compiler with only the passes for the dialect, which stores the result in a LinkOnlyLibrary."""

    def __init__(self, typingctx: Any, targetctx: Any, *arguments: Any):
        # do not look for new type extensions for each function or operator; the entry point does that once
        contexts = typingctx, targetctx
        for context in contexts:
            context.refresh = lambda: None
        super().__init__(*contexts, *arguments)  # this copies targetctx
        for context in contexts:
            del context.refresh
        self.state.targetctx.no_negative_indices = True

    def define_pipelines(self) -> Any:
        """Return the one pipeline with the passes for the dialect."""
        # a function can declare that the rows it writes do not overlap those it reads: then copies are vectorized
        self.state.flags.noalias = hasattr(self.state.func_id.func, "no_alias")
        self.state.library = LinkOnlyLibrary(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
        passes = DialectPassManager("part")
        for step in DIALECT_PASSES:
            passes.add_pass(step, step._name)
        passes.finalize()
        return [passes]


class DialectPassManager(PassManager):
    """Runs the passes one after the other, without notifying listeners."""

    def _runPass(self, index: int, step: Any, state: Any) -> None:
        step.analysis = self._analysis
        step.run_pass(state)


def restrict_to_compiled_callers(dispatcher: Dispatcher) -> Dispatcher:
    """Restrict a function to compiled callers: skip the timing of each compilation, and raise TypeError if Python calls
    it, which would crash because it has no Python wrapper."""

    def refuse(self: Any, *_args: Any) -> Any:
        raise TypeError(
            f"{self.__name__} can only be called by compiled code: "
            "it is not in ENTRY_POINTS of the driver that was loaded"
        )

    def compile(self: Any, sig: Any) -> Any:  # its callers hold the compiler's lock
        args, return_type = normalize_signature(sig)
        if args not in self.overloads:
            with self._compiling_counter:
                self.add_overload(self._compiler.compile(args, return_type))
        return self.overloads[args].entry_point

    dispatcher.__class__ = type("CompiledCallersOnly", (type(dispatcher),), {"__call__": refuse, "compile": compile})
    return dispatcher


def cache_call_types(resolve: Callable[..., Any]) -> Callable[..., Any]:
    """Cache the result type of each operator by its argument types. For whole numbers, only the type is significant,
    not a literal value."""
    cached_types: dict[Any, Any] = {}

    def get_call_type(self: Any, context: Any, args: Any, kws: Any) -> Any:
        if kws:
            return resolve(self, context, args, kws)
        if any(not isinstance(a, Literal) for a in args):
            plain = tuple(unliteral(a) for a in args)
            if all(isinstance(a, Integer | Boolean) for a in plain):
                args = plain
        flags = ConfigStack.top_or_none()
        key = self, args, flags and str(flags._values)
        if key not in cached_types:
            cached_types[key] = resolve(self, context, args, kws)
        return cached_types[key]

    return get_call_type


def skip_lifetime_analysis(run: Callable[..., Any]) -> Callable[..., Any]:
    """Compute the lifetimes of variables only when the `del` instructions are emitted, not after every pass."""

    def post_process(self: Any, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
        if emit_dels or self.func_ir.is_generator:
            run(self, emit_dels, extend_lifetimes)
        else:
            self.func_ir.blocks = canonicalize_cfg(self.func_ir.blocks)
            self.func_ir.variable_lifetime = VariableLifetime(self.func_ir.blocks)

    return post_process


def skip_plain_parts(look: Callable[..., Any]) -> Callable[..., Any]:
    """Find the variables in a part of an instruction without a search through parts of plain types."""
    plain = {str, int, bool, type(None), ir.Loc}

    def variables(self: Any, part: Any) -> Any:
        kind = type(part)
        return [part] if kind is ir.Var else [] if kind in plain else look(self, part)

    return variables


def skip_negative_indices(fix: Callable[..., Any]) -> Callable[..., Any]:
    """Skip the wrapping of negative indexes for indexes that are not constants."""

    def fix_integer_index(context: Any, builder: Any, kind: Any, index: Any, size: Any) -> Any:
        if hasattr(context, "no_negative_indices") and not isinstance(index, Constant):
            return context.cast(builder, index, kind, intp)
        return fix(context, builder, kind, index, size)

    return fix_integer_index


patched_function_types: Any = BaseFunction
patched_function_types.get_call_type = cache_call_types(patched_function_types.get_call_type)
patched_post_processor: Any = PostProcessor
patched_post_processor.run = skip_lifetime_analysis(patched_post_processor.run)
patched_instructions: Any = ir.Inst
patched_instructions._rec_list_vars = skip_plain_parts(patched_instructions._rec_list_vars)
patched_array_indexing: Any = arrayobj
patched_array_indexing.fix_integer_index = skip_negative_indices(patched_array_indexing.fix_integer_index)
