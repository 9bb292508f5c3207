"""How Numba is made to compile quickly, without a change to what it makes.

It makes machine code of every function by itself, with all that it calls put in, and optimizes it all again in each
of its callers. Only a driver's few functions are ever called from Python. What they call goes no further here than the
optimizer's door, so that each of the few is optimized once, as a whole: the optimizer sees what is called where, and
that nobody else calls it. What remains is mostly types: these are asked for once, and the passes are left out that look
for what the dialect lacks.

And quick: in the dialect no index is below 0 (sanitizer.py looks), so that none is turned round to the end of its row.
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

DIALECT_PASSES = (  # all that the dialect needs: it has no closures, nothing to inline, no arrays to reckon with
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
    """What Numba keeps of a function."""

    def _optimize_functions(self, module: Any) -> None:
        """Variables are put into registers, and no more: all is optimized as a whole later."""
        passes = binding.create_new_function_pass_manager()
        passes.add_sroa_pass()
        passes.add_simplify_cfg_pass()
        builder = binding.create_pass_builder(self._codegen._tm, binding.create_pipeline_tuning_options())
        module.data_layout = self._codegen._data_layout
        for function in module.functions:
            passes.run(function, builder)


class LinkOnlyLibrary(RegistersOnlyLibrary):
    """One for the wholes to link: no machine code, and no address to call."""

    def finalize(self) -> None:
        self._raise_if_finalized()
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        self._ensure_finalized()
        return 0

    @property
    def codegen(self) -> LinkOnlyLibrary:
        """Asked only to set a Python environment, which nothing has that Python cannot call."""
        return self

    def set_env(self, name: str, env: Any) -> None:
        pass


class EntryPointLibrary(RegistersOnlyLibrary):
    """A function that Python may call, with all its parts."""

    def finalize(self) -> None:
        found: dict[Any, None] = {}

        def add(library: Any) -> None:
            if library not in found:
                found[library] = None
                if isinstance(library, LinkOnlyLibrary):
                    for called in library._linking_libraries:
                        add(called)

        for library in self._linking_libraries:
            add(library)
        self._linking_libraries = list(found)
        super().finalize()

    def _optimize_final_module(self) -> None:
        """Its parts are its own: what nobody else calls needs no arguments that are not used, nor a place to tell of
        errors that never come. Loops in rules are short, over a few seats or cards: what prepares them for many rounds
        costs more than it brings."""
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
    """Numba's own, but that it keeps a Whole."""

    def define_pipelines(self) -> Any:
        self.state.library = EntryPointLibrary(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
        self.state.library.enable_object_caching()
        self.state.targetctx.no_negative_indices = True
        return super().define_pipelines()


class LinkOnlyCompiler(Compiler):
    """Its passes for the dialect. It keeps a Part."""

    def __init__(self, typingctx: Any, targetctx: Any, *more: Any):
        # new extensions are looked for once, for the whole, and not for a part or an operator that is none of theirs
        contexts = typingctx, targetctx
        for context in contexts:
            context.refresh = lambda: None
        super().__init__(*contexts, *more)  # copies targetctx
        for context in contexts:
            del context.refresh
        self.state.targetctx.no_negative_indices = True

    def define_pipelines(self) -> Any:
        # a function may say that what it writes to lies apart from what it reads: so numbers are copied side by side
        self.state.flags.noalias = hasattr(self.state.func_id.func, "no_alias")
        self.state.library = LinkOnlyLibrary(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
        passes = DialectPassManager("part")
        for step in DIALECT_PASSES:
            passes.add_pass(step, step._name)
        passes.finalize()
        return [passes]


class DialectPassManager(PassManager):
    """One after the other, without telling whoever may listen all about the function at each."""

    def _runPass(self, index: int, step: Any, state: Any) -> None:
        step.analysis = self._analysis
        step.run_pass(state)


def restrict_to_compiled_callers(made: Dispatcher) -> Dispatcher:
    """For compiled callers alone: made without a clock at each depth, and not to be called from Python, which has no
    way in and would end the process."""

    def refuse(self: Any, *_args: Any) -> Any:
        raise TypeError(
            f"{self.__name__} is compiled for compiled callers alone: "
            "it is not in ENTRY_POINTS of the driver that was loaded"
        )

    def compile(self: Any, sig: Any) -> Any:  # its callers hold the compiler's lock
        args, return_type = normalize_signature(sig)
        if args not in self.overloads:
            with self._compiling_counter:
                self.add_overload(self._compiler.compile(args, return_type))
        return self.overloads[args].entry_point

    made.__class__ = type("CompiledCallersOnly", (type(made),), {"__call__": refuse, "compile": compile})
    return made


def cache_call_types(resolve: Callable[..., Any]) -> Callable[..., Any]:
    """What an operator makes of which types: asked once, not at every use. Of whole numbers the type counts, never
    which number it is."""
    known: dict[Any, Any] = {}

    def get_call_type(self: Any, context: Any, args: Any, kws: Any) -> Any:
        if kws:
            return resolve(self, context, args, kws)
        if any(not isinstance(a, Literal) for a in args):
            plain = tuple(unliteral(a) for a in args)
            if all(isinstance(a, Integer | Boolean) for a in plain):
                args = plain
        flags = ConfigStack.top_or_none()
        key = self, args, flags and str(flags._values)
        if key not in known:
            known[key] = resolve(self, context, args, kws)
        return known[key]

    return get_call_type


def skip_lifetime_analysis(run: Callable[..., Any]) -> Callable[..., Any]:
    """How long a variable lives is asked once, where it is written down when it is forgotten; not after every pass."""

    def post_process(self: Any, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
        if emit_dels or self.func_ir.is_generator:
            run(self, emit_dels, extend_lifetimes)
        else:
            self.func_ir.blocks = canonicalize_cfg(self.func_ir.blocks)
            self.func_ir.variable_lifetime = VariableLifetime(self.func_ir.blocks)

    return post_process


def skip_plain_parts(look: Callable[..., Any]) -> Callable[..., Any]:
    """Which variables are named in a part of an instruction: most parts are plain, and are not looked through."""
    plain = {str, int, bool, type(None), ir.Loc}

    def variables(self: Any, part: Any) -> Any:
        kind = type(part)
        return [part] if kind is ir.Var else [] if kind in plain else look(self, part)

    return variables


def skip_negative_indices(fix: Callable[..., Any]) -> Callable[..., Any]:
    """An index that is not known when it is compiled counts from the start of its row, in what is compiled here."""

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
