"""The LLVM code of a function for one combination of argument types."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from courtly.engine.native.compiler.expression_writer import ExpressionWriter, RetryError
from courtly.engine.native.compiler.faults import Fault
from courtly.engine.native.compiler.types import (
    BOOL,
    FLOAT,
    FLOAT32,
    INT,
    UNKNOWN_LENGTH,
    VOID,
    RowType,
    Type,
    Value,
    describe_type,
    is_literal,
    is_pointer,
    llvm_type,
)

INLINE_ATTRIBUTES = {True: " alwaysinline", False: " noinline", None: ""}
MAX_LOOP_ROUNDS = 1 << 20  # of one `while` loop in checked code, more than any rules need

if TYPE_CHECKING:
    from courtly.engine.native.compiler.program import DialectFunction, Program


class FunctionWriter(ExpressionWriter):
    """A function for arguments of these types.

    Args:
        program: The program that it belongs to.
        function: The function.
        types: The types of its arguments.
        name: Its name in the LLVM module.
        is_exported: True for an entry point.

    Attributes:
        calls: Its callers, each with the root of every pointer argument.
        separate: The pointer arguments that never overlap another one.
    """

    def __init__(
        self, program: Program, function: DialectFunction, types: tuple[Type, ...], name: str, is_exported: bool
    ):
        self.types, self.name, self.is_exported = types, name, is_exported
        self.calls: list[tuple[Any, dict[int, int | str]]] = []
        self.separate: set[int] = set()
        super().__init__(program, function, program.function_scope(function, name))
        results = function.results
        self.result_type = (VOID, INT)[results] if results < 2 else "{" + ", ".join([INT] * results) + "}"

    def write(self) -> None:
        """Write the function: again from the beginning as often as a type turns out to be another."""
        while True:
            self.reset()
            self.parameters: list[tuple[int, str, str]] = []
            self.loops: list[tuple[str, str]] = []
            try:
                self._write_parameters()
                self.write_block(self.function.tree.body)
            except RetryError:
                continue
            if self.is_open:
                self.put("ret void" if self.result_type == VOID else "unreachable")
            return

    def _write_parameters(self) -> None:
        for i, (name, type) in enumerate(zip(self.function.parameters, self.types, strict=True)):
            self.parameters.append((i, llvm_type(type), f"%a{i}"))
            lengths: list[str] = []
            if isinstance(type, RowType):
                lengths = [f"%a{i}.{k}" for k, n in enumerate(type.lengths) if n == UNKNOWN_LENGTH]
                self.parameters += [(-1, "i64", length) for length in lengths]
            value = Value(type, f"%a{i}", tuple(lengths), i)
            if name in self.function.stores:
                self.assign(name, value)
            else:
                self.arguments[name] = value

    def text(self) -> list[str]:
        """Return the lines of the function's definition."""
        parameters = ", ".join(
            f"{type}{' noalias' if i in self.separate else ''} {name}" for i, type, name in self.parameters
        )
        linkage = "internal fastcc "
        if self.is_exported:
            linkage = "internal " if self.program.is_for_gpu else ""  # kernels call it
        inline = "" if self.is_exported else INLINE_ATTRIBUTES[self.function.inline]
        scope = f" !dbg !{self.scope}" if self.scope is not None else ""
        return [
            f"define {linkage}{self.result_type} @{self.name}({parameters}){inline} #0{scope} {{",
            "entry:",
            *self.slot_lines,
            *self.lines,
            "}",
        ]

    # --- statements -------------------------------------------------------------------------------------------------

    def write_block(self, body: list[ast.stmt]) -> None:
        """Write statements, up to the first that leaves the block."""
        for node in body:
            if not self.is_open:
                return
            self.begin_statement(node)
            write: Any = getattr(self, f"write_{type(node).__name__}", self.unsupported)
            write(node)

    def write_Pass(self, node: ast.Pass) -> None:
        """Write nothing."""

    def write_Expr(self, node: ast.Expr) -> None:
        """Write a call whose result is not used; skip a docstring."""
        if isinstance(node.value, ast.Call):
            self.value(node.value)
        elif not isinstance(node.value, ast.Constant):
            raise self.error(node, f"{ast.unparse(node)} has no effect")

    def write_Return(self, node: ast.Return) -> None:
        """Write the return of nothing, a number or several numbers."""
        if node.value is None:
            self.put("ret void")
        elif isinstance(node.value, ast.Tuple):
            result = "undef"
            for i, operand in enumerate([self.number(element) for element in node.value.elts]):
                result = self.emit(f"insertvalue {self.result_type} {result}, i64 {operand}, {i}")
            self.put(f"ret {self.result_type} {result}")
        else:
            self._write_number_result(node, self.value(node.value))
        self.is_open = False

    def _write_number_result(self, node: ast.Return, value: Value) -> None:
        if is_pointer(value.type) or value.type not in (INT, BOOL, FLOAT, FLOAT32):
            raise self.error(node, f"expected to return a number, found {describe_type(value.type)}")
        if value.type in (FLOAT, FLOAT32) and self.result_type == INT:
            self.result_type = FLOAT
            raise RetryError
        self.put(f"ret {self.result_type} {self.convert(value, self.result_type).operand}")

    def write_Assign(self, node: ast.Assign) -> None:
        """Write an assignment to one or several targets."""
        if len(node.targets) == 1 and isinstance(node.targets[0], ast.Tuple):
            targets = node.targets[0].elts
            if isinstance(node.value, ast.Tuple):
                values = [self.value(element) for element in node.value.elts]
            else:
                results = self.value(node.value)
                if results.type != "{" + ", ".join([INT] * len(targets)) + "}":
                    raise self.error(node, f"expected {len(targets)} numbers: {ast.unparse(node)}")
                values = [
                    Value(INT, self.emit(f"extractvalue {results.type} {results.operand}, {i}"))
                    for i in range(len(targets))
                ]
            if len(values) != len(targets):
                raise self.error(node, f"expected {len(targets)} values, found {len(values)}: {ast.unparse(node)}")
            for target, value in zip(targets, values, strict=True):
                self.write_target(target, value)
            return
        value = self.value(node.value)
        for target in node.targets:
            self.write_target(target, value)

    def write_AnnAssign(self, node: ast.AnnAssign) -> None:
        """Write an assignment with an annotation."""
        if node.value is None:
            raise self.error(node, f"{ast.unparse(node)} assigns nothing")
        self.write_target(node.target, self.value(node.value))

    def write_AugAssign(self, node: ast.AugAssign) -> None:
        """Write an assignment such as `+=`, whose target is evaluated once."""
        if isinstance(node.target, ast.Name):
            before = self.read_name(node.target)
            self.assign(node.target.id, self.operate(node, before, node.op, self.value(node.value)))
            return
        place = self.find_place(node.target)
        before = self.load(place)
        self.store(node, place, self.operate(node, before, node.op, self.value(node.value)))

    def write_target(self, target: ast.expr, value: Value) -> None:
        """Assign a value to a variable, a field or an element."""
        if isinstance(target, ast.Name):
            self.assign(target.id, value)
        else:
            self.store(target, self.find_place(target), value)

    def write_If(self, node: ast.If) -> None:
        """Write a conditional statement."""
        yes, no, end = self.new_label(), self.new_label(), self.new_label()
        self.branch_on(node.test, yes, no if node.orelse else end)
        for label, body in ((yes, node.body), (no, node.orelse)):
            if label in self.jump_targets:
                self.begin_block(label)
                self.write_block(body)
                self.jump(end)
        if end in self.jump_targets:
            self.begin_block(end)

    def write_While(self, node: ast.While) -> None:
        """Write a `while` loop."""
        if node.orelse:
            raise self.error(node, "a loop has no else")
        head, body, end = self.new_label(), self.new_label(), self.new_label()
        rounds = f"%rounds.{head}"
        if self.is_checked:
            self.slot_lines.append(f"{rounds} = alloca i64")
            self.put(f"store i64 0, ptr {rounds}")
        self.begin_block(head)
        self.branch_on(node.test, body, end)
        if body in self.jump_targets:
            self.begin_block(body)
            if self.is_checked:
                self._count_round(node, rounds)
            self.loops.append((head, end))
            self.write_block(node.body)
            self.loops.pop()
            self.jump(head)
        if end in self.jump_targets:
            self.begin_block(end)

    def _count_round(self, node: ast.While, counter: str) -> None:
        """Count a round of a loop, and check that there are not too many."""
        rounds = self.emit(f"add i64 {self.emit(f'load i64, ptr {counter}')}, 1")
        self.put(f"store i64 {rounds}, ptr {counter}")
        self.check(self.emit(f"icmp sle i64 {rounds}, {MAX_LOOP_ROUNDS}"), Fault.LOOP, node)

    def write_For(self, node: ast.For) -> None:
        """Write a loop over a range, whose bounds are evaluated once."""
        call: Any = node.iter
        is_range = isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "range"
        if not is_range or node.orelse or not isinstance(node.target, ast.Name) or not 1 <= len(call.args) <= 3:
            raise self.error(node, "expected a loop over a range, with one variable and without else")
        bounds = [self.number(argument) for argument in call.args]
        start, stop, step = (["0", *bounds, "1"] if len(bounds) == 1 else [*bounds, "1"])[:3]
        if step == "0":
            raise self.error(node, "expected a step other than 0")
        head, body, following, end = (self.new_label() for _ in range(4))
        counter = f"%r.{head}"
        self.slot_lines.append(f"{counter} = alloca i64")
        self.put(f"store i64 {start}, ptr {counter}")
        self.begin_block(head)
        i = self.emit(f"load i64, ptr {counter}")
        if is_literal(step):
            goes_on = self.emit(f"icmp {'sgt' if step.startswith('-') else 'slt'} i64 {i}, {stop}")
        else:
            rises = self.emit(f"icmp sgt i64 {step}, 0")
            is_below, is_above = self.emit(f"icmp slt i64 {i}, {stop}"), self.emit(f"icmp sgt i64 {i}, {stop}")
            goes_on = self.emit(f"select i1 {rises}, i1 {is_below}, i1 {is_above}")
        self.branch(goes_on, body, end)
        self.begin_block(body)
        self.assign(node.target.id, Value(INT, i))
        self.loops.append((following, end))
        self.write_block(node.body)
        self.loops.pop()
        self.jump(following)
        if following in self.jump_targets:
            self.begin_block(following)
            self.put(f"store i64 {self.emit(f'add nsw i64 {i}, {step}')}, ptr {counter}")
            self.jump(head)
        self.begin_block(end)

    def write_Break(self, node: ast.Break) -> None:
        """Leave the innermost loop."""
        self.jump(self.loops[-1][1])

    def write_Continue(self, node: ast.Continue) -> None:
        """Go on with the next round of the innermost loop."""
        self.jump(self.loops[-1][0])
