"""The LLVM code of a function's expressions."""

from __future__ import annotations

import ast
import math
import operator
import struct
from typing import TYPE_CHECKING, Any, NoReturn

from courtly.engine.enums import NamedIntType
from courtly.engine.errors import CourtlyError
from courtly.engine.moves import Moves
from courtly.engine.native.compiler.faults import Fault, encode_fault
from courtly.engine.native.compiler.types import (
    BOOL,
    ELEMENT_BYTES,
    FLOAT,
    FLOAT32,
    INT,
    NUMBERS,
    SHARED,
    UNKNOWN_LENGTH,
    UNKNOWN_ROOT,
    VOID,
    CompileError,
    ConstantTable,
    RecordType,
    RowType,
    Type,
    Value,
    argument_type,
    describe_type,
    is_literal,
    is_pointer,
    llvm_type,
    wrap,
)

if TYPE_CHECKING:
    from courtly.engine.native.compiler.program import DialectFunction, Program

INT_OPERATIONS = {
    ast.Add: ("add", operator.add),
    ast.Sub: ("sub", operator.sub),
    ast.Mult: ("mul", operator.mul),
    ast.BitAnd: ("and", operator.and_),
    ast.BitOr: ("or", operator.or_),
    ast.BitXor: ("xor", operator.xor),
    ast.LShift: ("shl", operator.lshift),
    ast.RShift: ("ashr", operator.rshift),
    ast.FloorDiv: ("sdiv", operator.floordiv),
    ast.Mod: ("srem", operator.mod),
}
OVERFLOWING_OPERATIONS = ("add", "sub", "mul", "shl")
FLOAT_OPERATIONS = {ast.Add: "fadd", ast.Sub: "fsub", ast.Mult: "fmul", ast.Div: "fdiv"}
INT_COMPARISONS = {ast.Eq: "eq", ast.NotEq: "ne", ast.Lt: "slt", ast.LtE: "sle", ast.Gt: "sgt", ast.GtE: "sge"}
FLOAT_COMPARISONS = {ast.Eq: "oeq", ast.NotEq: "une", ast.Lt: "olt", ast.LtE: "ole", ast.Gt: "ogt", ast.GtE: "oge"}
FLOAT_FUNCTIONS = {math.sqrt: "sqrt", math.exp: "exp"}
FLOAT_SUFFIXES = {FLOAT: "f64", FLOAT32: "f32"}
MAX_SHIFT = 63


class RetryError(CourtlyError):
    """A variable or result has another type than assumed: the function has to be written again."""


class Place:
    """A place in memory: the address of a number, a state or a row.

    Attributes:
        address: The operand of the address.
        row: Its type as a row; without dimensions for a single element.
        lengths: The operands of its unknown lengths.
        root: The argument that it lies in.
    """

    def __init__(self, address: str, row: RowType, lengths: tuple[str, ...] = (), root: int = UNKNOWN_ROOT):
        self.address, self.row, self.lengths, self.root = address, row, lengths, root


class ExpressionWriter:
    """Writes instructions into the current block of a function.

    Attributes:
        program: The program that the function belongs to.
        function: The function.
        scope: The number of the node that describes it to debuggers, None without lines.
        result_type: The type of what it returns.
        lines: The instructions.
    """

    def __init__(self, program: Program, function: DialectFunction, scope: int | None):
        self.program, self.function, self.scope = program, function, scope
        self.known_types: dict[str, Type] = {}
        self.result_type: str = VOID
        self._no_wrap = "" if function.wraps else " nsw"
        self.checked_file = program.checked_files.get(function.file)  # its place among the game's modules
        self.is_checked = self.checked_file is not None
        self.reset()

    def reset(self) -> None:
        """Forget everything that was written."""
        self.lines: list[str] = []
        self.slot_lines: list[str] = []
        self.variables: dict[str, tuple[Type, list[str], int]] = {}
        self.arguments: dict[str, Value] = {}
        self.begin_statement(self.function.tree)
        self.registers = self.labels = 0
        self.block, self.is_open = "entry", True
        self.jump_targets: set[str] = set()

    def begin_statement(self, node: ast.stmt) -> None:
        """Begin a statement, to whose line the following instructions belong."""
        self.statement = node
        self.location = self.program.location(self.scope, node.lineno)

    def error(self, node: Any, reason: str) -> CompileError:
        """Return the error for a node that cannot be compiled. None stands for the current statement."""
        line = getattr(node, "lineno", self.statement.lineno)
        return CompileError(self.function.file, line, self.function.name, reason)

    def unsupported(self, node: Any, part: Any = None) -> NoReturn:
        """Raise CompileError for a construct outside of the dialect: a node, or a part of it without a line."""
        raise self.error(node, f"{type(part or node).__name__} is not in the dialect")

    # --- instructions and blocks ------------------------------------------------------------------------------------

    def put(self, line: str) -> None:
        """Append an instruction without a result."""
        self.lines.append(f"{line}{self.location}")

    def emit(self, instruction: str) -> str:
        """Append an instruction, and return the register with its result."""
        self.registers += 1
        self.lines.append(f"%t{self.registers} = {instruction}{self.location}")
        return f"%t{self.registers}"

    def new_label(self) -> str:
        """Return the name of a new block."""
        self.labels += 1
        return f"L{self.labels}"

    def begin_block(self, label: str) -> None:
        """Begin a block; the previous one continues there if it is still open."""
        if self.is_open:
            self.jump(label)
        self.lines.append(f"{label}:")
        self.block, self.is_open = label, True

    def jump(self, label: str) -> None:
        """End the block with a jump, unless it has ended already."""
        if self.is_open:
            self.put(f"br label %{label}")
            self.jump_targets.add(label)
            self.is_open = False

    def branch(self, condition: str, yes: str, no: str) -> None:
        """End the block with a conditional jump."""
        if condition in ("true", "false"):
            self.jump(yes if condition == "true" else no)
            return
        self.put(f"br i1 {condition}, label %{yes}, label %{no}")
        self.jump_targets |= {yes, no}
        self.is_open = False

    # --- checks -----------------------------------------------------------------------------------------------------

    def check(self, is_right: str, kind: Fault, node: Any) -> None:
        """Return from the function with a fault unless a condition holds."""
        assert self.checked_file is not None
        fault = encode_fault(kind, self.checked_file, getattr(node, "lineno", self.statement.lineno))
        right, wrong = self.new_label(), self.new_label()
        self.branch(is_right, right, wrong)
        self.begin_block(wrong)
        self.put(f"store i64 {fault}, ptr @fault")
        self.return_nothing()
        self.begin_block(right)

    def propagate_fault(self) -> None:
        """Return from the function if a called one found a fault."""
        fault = self.emit("load i64, ptr @fault")
        right, wrong = self.new_label(), self.new_label()
        self.branch(self.emit(f"icmp eq i64 {fault}, 0"), right, wrong)
        self.begin_block(wrong)
        self.return_nothing()
        self.begin_block(right)

    def return_nothing(self) -> None:
        """Return from the function with any result."""
        result = str(self.result_type)
        zero = "" if result == VOID else " 0" if result == INT else " 0.0" if result == FLOAT else " zeroinitializer"
        self.put(f"ret {result}{zero}")
        self.is_open = False

    # --- variables --------------------------------------------------------------------------------------------------

    def declare(self, name: str, type: Type, root: int = UNKNOWN_ROOT) -> None:
        """Reserve memory for a variable, which LLVM turns into registers."""
        type = self.known_types.get(name, type)
        slot = f"%v.{name}" if name.isascii() else f"%v{len(self.variables)}"
        slots = [slot]
        self.slot_lines.append(f"{slot} = alloca {llvm_type(type)}")
        if not is_pointer(type):
            self.slot_lines.append(f"store {type} {'0' if type == INT else '0.0'}, ptr {slot}")
        if isinstance(type, RowType):
            for k in range(type.lengths.count(UNKNOWN_LENGTH)):
                slots.append(f"{slot}.{k}")
                self.slot_lines.append(f"{slot}.{k} = alloca i64")
        self.variables[name] = type, slots, root

    def assign(self, name: str, value: Value) -> None:
        """Assign a value to a variable."""
        if value.type == VOID or value.type not in NUMBERS and not is_pointer(value.type):
            raise self.error(None, f"{name} is assigned {describe_type(value.type)}")
        type = INT if value.type == BOOL else value.type
        if name not in self.variables:
            is_fixed = self.function.stores.get(name, 0) == 1 and name not in self.function.parameters
            self.declare(name, type, value.root if is_fixed else UNKNOWN_ROOT)
        known, slots, _ = self.variables[name]
        if known != type:
            common = self.common_type(name, known, type)
            if common != known:
                self.known_types[name] = common
                raise RetryError
        value = self.convert(value, known)
        self.put(f"store {llvm_type(known)} {value.operand}, ptr {slots[0]}")
        for slot, length in zip(slots[1:], value.lengths, strict=True):
            self.put(f"store i64 {length}, ptr {slot}")

    def common_type(self, name: str, a: Type, b: Type) -> Type:
        """Return the type of a variable that holds values of two types."""
        if a in NUMBERS and b in NUMBERS:
            return FLOAT if FLOAT in (a, b) or {a, b} == {INT, FLOAT32} else a if a == b else INT
        if (
            isinstance(a, RowType)
            and isinstance(b, RowType)
            and a.element == b.element
            and len(a.lengths) == len(b.lengths)
        ):
            lengths = tuple(x if x == y else UNKNOWN_LENGTH for x, y in zip(a.lengths, b.lengths, strict=True))
            field = a.field if a.field == b.field else SHARED if SHARED in (a.field, b.field) else ""
            return RowType(a.element, lengths, field)
        raise self.error(None, f"{name} holds {describe_type(a)} here and {describe_type(b)} there")

    def convert(self, value: Value, type: Type) -> Value:
        """Return the same value as one of another type."""
        if value.type == type:
            return value
        if isinstance(type, RowType) and isinstance(value.type, RowType):
            unknown = iter(value.lengths)
            every = [next(unknown) if n == UNKNOWN_LENGTH else str(n) for n in value.type.lengths]
            kept = tuple(x for x, n in zip(every, type.lengths, strict=True) if n == UNKNOWN_LENGTH)
            return value._replace(type=type, lengths=kept)
        if type == INT and value.type == BOOL:
            if value.operand in ("true", "false"):
                return Value(INT, "1" if value.operand == "true" else "0")
            return Value(INT, self.emit(f"zext i1 {value.operand} to i64"))
        if type == FLOAT and value.type == FLOAT32:
            return Value(FLOAT, self.emit(f"fpext float {value.operand} to double"))
        if type == FLOAT32 and value.type == FLOAT:
            return Value(FLOAT32, self.emit(f"fptrunc double {value.operand} to float"))
        if type in (FLOAT, FLOAT32) and value.type in (INT, BOOL):
            number = self.convert(value, INT).operand
            return Value(type, self.emit(f"sitofp i64 {number} to {llvm_type(type)}"))
        raise self.error(None, f"expected {describe_type(type)}, found {describe_type(value.type)}")

    def read_name(self, node: ast.Name) -> Value | Any:
        """Return the value of a variable or constant, or the object that a global name stands for."""
        name = node.id
        if name in self.arguments:
            return self.arguments[name]
        if name in self.function.stores:
            if name not in self.variables:  # it is assigned further below, in a loop
                self.declare(name, INT)
            type, slots, root = self.variables[name]
            operand = self.emit(f"load {llvm_type(type)}, ptr {slots[0]}")
            return Value(type, operand, tuple(self.emit(f"load i64, ptr {slot}") for slot in slots[1:]), root)
        if name not in self.function.scope:
            raise self.error(node, f"the name {name} is not defined")
        found = self.function.scope[name]
        if is_number(found):
            return literal(found)
        if isinstance(found, ConstantTable):
            return Value(found.row, found.name)
        return found

    # --- conditions -------------------------------------------------------------------------------------------------

    def branch_on(self, node: ast.expr, yes: str, no: str) -> None:
        """End the block with a jump to `yes` if an expression is true, else to `no`."""
        if isinstance(node, ast.BoolOp):
            for part in node.values[:-1]:
                further = self.new_label()
                is_and = isinstance(node.op, ast.And)
                self.branch_on(part, further if is_and else yes, no if is_and else further)
                if further not in self.jump_targets:  # the result is known already
                    return
                self.begin_block(further)
            self.branch_on(node.values[-1], yes, no)
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            self.branch_on(node.operand, no, yes)
        elif isinstance(node, ast.Compare) and len(node.ops) > 1:
            self.check_comparisons(node)
            left = self.value(node.left)
            for i, (comparison, right_node) in enumerate(zip(node.ops, node.comparators, strict=True)):
                right = self.value(right_node)
                further = yes if i == len(node.ops) - 1 else self.new_label()
                self.branch(self.compare(node, comparison, left, right), further, no)
                if further != yes:
                    self.begin_block(further)
                left = right
        else:
            self.branch(self.truth(self.value(node), node), yes, no)

    def check_comparisons(self, node: ast.Compare) -> None:
        """Raise CompileError unless all comparisons are in the dialect."""
        for comparison in node.ops:
            if type(comparison) not in INT_COMPARISONS:
                self.unsupported(node, comparison)

    def truth(self, value: Value, node: Any) -> str:
        """Return the operand of whether a value is true."""
        if value.type == BOOL:
            return value.operand
        if value.type == INT and is_literal(value.operand):
            return "false" if int(value.operand) == 0 else "true"
        if value.type == INT:
            return self.emit(f"icmp ne i64 {value.operand}, 0")
        if value.type in (FLOAT, FLOAT32):
            return self.emit(f"fcmp une {llvm_type(value.type)} {value.operand}, 0.0")
        raise self.error(node, f"{describe_type(value.type)} is neither true nor false")

    def compare(self, node: Any, comparison: ast.cmpop, left: Value, right: Value) -> str:
        """Return the operand of a comparison's result."""
        common = self.operand_type(node, left, right)
        a, b = self.convert(left, common).operand, self.convert(right, common).operand
        if common != INT:
            return self.emit(f"fcmp {FLOAT_COMPARISONS[type(comparison)]} {llvm_type(common)} {a}, {b}")
        return self.emit(f"icmp {INT_COMPARISONS[type(comparison)]} i64 {a}, {b}")

    def operand_type(self, node: Any, left: Value, right: Value) -> str:
        """Return the type that two numbers are converted to before an operation."""
        types = {left.type, right.type}
        if not types <= {*NUMBERS}:
            wrong = left.type if left.type not in NUMBERS else right.type
            raise self.error(node, f"expected a number, found {describe_type(wrong)} in {ast.unparse(node)}")
        return FLOAT if FLOAT in types else FLOAT32 if types == {FLOAT32} else FLOAT if FLOAT32 in types else INT

    # --- expressions ------------------------------------------------------------------------------------------------

    def value(self, node: ast.expr) -> Value:
        """Write an expression, and return its value."""
        evaluate: Any = getattr(self, f"evaluate_{type(node).__name__}", self.unsupported)
        value = evaluate(node)
        if not isinstance(value, Value):
            raise self.error(node, f"{ast.unparse(node)} is not a value")
        return value

    def number(self, node: ast.expr) -> str:
        """Write an expression, and return its operand as a whole number."""
        value = self.value(node)
        if value.type not in (INT, BOOL):
            raise self.error(node, f"expected a whole number, found {describe_type(value.type)}: {ast.unparse(node)}")
        return self.convert(value, INT).operand

    def evaluate_Constant(self, node: ast.Constant) -> Value:
        """Return a number or truth value."""
        if not is_number(node.value):
            raise self.error(node, f"constant {node.value!r}: expected a number")
        if type(node.value) is int and node.value != wrap(node.value):
            raise self.error(node, f"the constant {node.value} does not fit into 64 bits")
        number: Any = node.value
        return Value(BOOL, str(number).lower()) if type(number) is bool else literal(number)

    def evaluate_Name(self, node: ast.Name) -> Value | Any:
        """Return the value of a variable or constant."""
        return self.read_name(node)

    def evaluate_Attribute(self, node: ast.Attribute) -> Value:
        """Return a named number, or what a field holds."""
        if isinstance(node.value, ast.Name):
            owner = self.read_name(node.value)
            if isinstance(owner, NamedIntType | Moves):
                number = getattr(owner, node.attr, None)
                if type(number) is not int:
                    raise self.error(node, f"there is no {ast.unparse(node)}")
                return literal(number)
        return self.load(self.find_place(node))

    def evaluate_Subscript(self, node: ast.Subscript) -> Value:
        """Return what an element holds, or one length of an array's `shape`."""
        if isinstance(node.value, ast.Attribute) and node.value.attr == "shape":
            row = self.value(node.value.value)
            dimension: Any = node.slice.value if isinstance(node.slice, ast.Constant) else None
            if not isinstance(row.type, RowType) or dimension not in range(len(row.type.lengths)):
                raise self.error(node, f"there is no {ast.unparse(node)}")
            return self.length(row, dimension)
        return self.load(self.find_place(node))

    def length(self, row: Value, dimension: int = 0) -> Value:
        """Return the length of a row in one dimension."""
        assert isinstance(row.type, RowType)
        n = row.type.lengths[dimension]
        if n != UNKNOWN_LENGTH:
            return literal(n)
        return Value(INT, row.lengths[row.type.lengths[:dimension].count(UNKNOWN_LENGTH)])

    def find_place(self, node: ast.expr) -> Place:
        """Write the address of a field, or of an element of a row."""
        if isinstance(node, ast.Attribute):
            record = self.value(node.value)
            layout = self.program.layouts[record.type.name] if isinstance(record.type, RecordType) else {}
            if node.attr not in layout:
                raise self.error(node, f"there is no {ast.unparse(node)}")
            field, offset = layout[node.attr]
            address = self.emit(f"getelementptr inbounds i8, ptr {record.operand}, i64 {offset}")
            return Place(address, field, (), record.root)
        if not isinstance(node, ast.Subscript) or isinstance(node.slice, ast.Slice | ast.Tuple):
            raise self.error(node, f"{ast.unparse(node)} is not a place in memory; use one index in each bracket")
        row = self.value(node.value)
        if not isinstance(row.type, RowType) or not row.type.lengths:
            raise self.error(node, f"expected a row, found {describe_type(row.type)}: {ast.unparse(node.value)}")
        index = self.number(node.slice)
        if index.startswith("-"):  # a constant, counted from the end
            n = self.length(row).operand
            index = str(int(n) + int(index)) if is_literal(n) else self.emit(f"add nsw i64 {n}, {index}")
        if self.is_checked:
            self.check(self.emit(f"icmp ult i64 {index}, {self.length(row).operand}"), Fault.INDEX, node)
        inner = row.type.lengths[1:]
        lengths = row.lengths[1:] if row.type.lengths[0] == UNKNOWN_LENGTH else row.lengths
        size = math.prod(n for n in inner if n != UNKNOWN_LENGTH)
        for length in lengths:
            index = self.emit(f"mul nsw i64 {index}, {length}")
        element = row.type.element
        name = f"[{element.size} x i8]" if isinstance(element, RecordType) else memory_type(element)
        name = f"[{size} x {name}]" if size > 1 else name
        flags = "inbounds" if self.function.wraps else "inbounds nuw"
        address = self.emit(f"getelementptr {flags} {name}, ptr {row.operand}, i64 {index}")
        return Place(address, row.type._replace(lengths=inner), lengths, row.root)

    def load(self, place: Place) -> Value:
        """Return what a place holds: a number, or a state or a row, which are passed by their address."""
        row = place.row
        if row.lengths:
            return Value(row, place.address, place.lengths, place.root)
        if isinstance(row.element, RecordType):
            return Value(row.element, place.address, (), place.root)
        kind, access = memory_type(row.element), self.program.access_metadata(row.element, row.field)
        if row.element in (FLOAT, FLOAT32):
            return Value(row.element, self.emit(f"load {kind}, ptr {place.address}{access}"))
        operand = self.emit(f"load {kind}, ptr {place.address}{access}{self.program.range_metadata(row)}")
        if row.element == INT:
            return Value(INT, operand)
        return Value(INT, self.emit(f"{'zext' if row.element == 'u8' else 'sext'} {kind} {operand} to i64"))

    def store(self, node: Any, place: Place, value: Value) -> None:
        """Write a number or a state to a place."""
        row = place.row
        if row.lengths:
            raise self.error(node, "a row cannot be assigned; assign its elements one by one")
        if isinstance(row.element, RecordType):
            if not isinstance(value.type, RecordType):
                raise self.error(node, f"expected a state, found {describe_type(value.type)}")
            operands = f"ptr {place.address}, ptr {value.operand}, i64 {row.element.size}"
            self.put(f"call void @llvm.memmove.p0.p0.i64({operands}, i1 false)")
            return
        kind = memory_type(row.element)
        if row.element in (FLOAT, FLOAT32):
            operand = self.convert(value, row.element).operand
        else:
            if value.type not in (INT, BOOL):
                raise self.error(node, f"expected a whole number, found {describe_type(value.type)}")
            operand = self.convert(value, INT).operand
            if self.is_checked:
                self.check_range(node, row, operand)
            if row.element != INT and is_literal(operand):
                operand = str(wrap(int(operand), 8 * ELEMENT_BYTES[row.element]))
            elif row.element != INT:
                operand = self.emit(f"trunc i64 {operand} to {kind}")
        self.put(f"store {kind} {operand}, ptr {place.address}{self.program.access_metadata(row.element, row.field)}")

    def check_range(self, node: Any, row: RowType, operand: str) -> None:
        """Check that a number is within the declared range of its field, or else fits into its bits."""
        assert isinstance(row.element, str)
        limit = 1 << 8 * ELEMENT_BYTES[row.element] - 1
        least, most = (-limit, limit - 1) if row.least is None or row.most is None else (row.least, row.most)
        if limit < 1 << 63:
            above = self.emit(f"icmp sge i64 {operand}, {least}")
            below = self.emit(f"icmp sle i64 {operand}, {most}")
            self.check(self.emit(f"and i1 {above}, {below}"), Fault.RANGE, node)

    # --- operators --------------------------------------------------------------------------------------------------

    def evaluate_UnaryOp(self, node: ast.UnaryOp) -> Value:
        """Return the result of `not`, `-`, `+` or `~`."""
        if isinstance(node.op, ast.Not):
            return Value(BOOL, self.emit(f"xor i1 {self.truth(self.value(node.operand), node)}, true"))
        if isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
            number: Any = node.operand.value
            if is_number(number):
                return literal(-number)
        value = self.value(node.operand)
        if value.type in (FLOAT, FLOAT32) and isinstance(node.op, ast.UAdd):
            return value
        if value.type in (FLOAT, FLOAT32) and isinstance(node.op, ast.USub):
            return Value(value.type, self.emit(f"fneg {llvm_type(value.type)} {value.operand}"))
        if value.type not in (INT, BOOL):
            raise self.error(node, f"expected a number, found {describe_type(value.type)}")
        operand = self.convert(value, INT).operand
        if isinstance(node.op, ast.UAdd):
            return Value(INT, operand)
        if is_literal(operand):
            return literal(wrap(-int(operand) if isinstance(node.op, ast.USub) else ~int(operand)))
        is_minus = isinstance(node.op, ast.USub)
        if not is_minus:
            return Value(INT, self.emit(f"xor i64 {operand}, -1"))
        return Value(INT, self.write_overflowing(node, "sub", "0", operand))

    def evaluate_BinOp(self, node: ast.BinOp) -> Value:
        """Return the result of an arithmetic operation."""
        return self.operate(node, self.value(node.left), node.op, self.value(node.right))

    def operate(self, node: Any, left: Value, operation: ast.operator, right: Value) -> Value:
        """Return the result of an arithmetic operation."""
        common = self.operand_type(node, left, right)
        if common == INT and isinstance(operation, ast.Div):
            common = FLOAT
        if common != INT:
            if type(operation) not in FLOAT_OPERATIONS:
                raise self.error(node, f"{type(operation).__name__} of floats is not in the dialect")
            a, b = self.convert(left, common).operand, self.convert(right, common).operand
            return Value(common, self.emit(f"{FLOAT_OPERATIONS[type(operation)]} {common} {a}, {b}"))
        if type(operation) not in INT_OPERATIONS:
            self.unsupported(node, operation)
        name, compute = INT_OPERATIONS[type(operation)]
        if left.type == right.type == BOOL and name in ("and", "or", "xor"):
            return Value(BOOL, self.emit(f"{name} i1 {left.operand}, {right.operand}"))
        a, b = self.convert(left, INT).operand, self.convert(right, INT).operand
        is_shift = name in ("shl", "ashr")
        if is_shift and is_literal(b) and not 0 <= int(b) <= MAX_SHIFT:
            raise self.error(node, f"expected a shift by 0 to {MAX_SHIFT} bits, found {b}")
        if is_literal(a) and is_literal(b) and not (name in ("sdiv", "srem") and int(b) == 0):
            return literal(wrap(compute(int(a), int(b))))
        if name in ("sdiv", "srem"):
            if self.is_checked:
                self.check(self.emit(f"icmp ne i64 {b}, 0"), Fault.DIVISION, node)
            return Value(INT, self.divide(a, b, is_remainder=name == "srem"))
        if name in OVERFLOWING_OPERATIONS:
            return Value(INT, self.write_overflowing(node, name, a, b))
        return Value(INT, self.emit(f"{name} i64 {a}, {b}"))

    def write_overflowing(self, node: Any, name: str, a: str, b: str) -> str:
        """Return the operand of a sum, difference, product or left shift, which may need more than 64 bits."""
        if not self.is_checked:
            return self.emit(f"{name}{self._no_wrap} i64 {a}, {b}")
        if name == "shl":
            result = self.emit(f"shl i64 {a}, {b}")
            self.check(self.emit(f"icmp eq i64 {self.emit(f'ashr i64 {result}, {b}')}, {a}"), Fault.OVERFLOW, node)
            return result
        both = self.emit(f"call {{i64, i1}} @llvm.s{name}.with.overflow.i64(i64 {a}, i64 {b})")
        fits = self.emit(f"xor i1 {self.emit(f'extractvalue {{i64, i1}} {both}, 1')}, true")
        self.check(fits, Fault.OVERFLOW, node)
        return self.emit(f"extractvalue {{i64, i1}} {both}, 0")

    def divide(self, a: str, b: str, is_remainder: bool) -> str:
        """Return the operand of a quotient rounded down, or of the remainder with the sign of the divisor, as in
        Python. Both are 0 if the divisor is 0."""
        if is_literal(b) and int(b) > 0 and int(b) & int(b) - 1 == 0:
            return self.emit(
                f"and i64 {a}, {int(b) - 1}" if is_remainder else f"ashr i64 {a}, {int(b).bit_length() - 1}"
            )
        if is_literal(b) and int(b) in (0, -1):
            return "0" if is_remainder or b == "0" else self.emit(f"sub i64 0, {a}")
        divisor = b
        if not is_literal(b):  # the processor cannot divide by 0, nor the least number by -1
            special = self.emit(f"icmp ult i64 {self.emit(f'add i64 {b}, 1')}, 2")
            divisor = self.emit(f"select i1 {special}, i64 1, i64 {b}")
        remainder = self.emit(f"srem i64 {a}, {divisor}")
        is_uneven = self.emit(f"icmp ne i64 {remainder}, 0")
        differs = self.emit(f"icmp slt i64 {self.emit(f'xor i64 {remainder}, {divisor}')}, 0")
        rounds_down = self.emit(f"and i1 {is_uneven}, {differs}")
        if is_remainder:
            lifted = self.emit(f"add i64 {remainder}, {divisor}")
            result = self.emit(f"select i1 {rounds_down}, i64 {lifted}, i64 {remainder}")
        else:
            quotient = self.emit(f"sdiv i64 {a}, {divisor}")
            result = self.emit(f"add i64 {quotient}, {self.emit(f'sext i1 {rounds_down} to i64')}")
        if divisor == b:
            return result
        other = "0" if is_remainder else self.emit(f"mul i64 {a}, {b}")  # by -1 or 0
        return self.emit(f"select i1 {special}, i64 {other}, i64 {result}")

    def evaluate_Compare(self, node: ast.Compare) -> Value:
        """Return the truth value of a comparison, which may be chained."""
        self.check_comparisons(node)
        if len(node.ops) == 1:
            return Value(BOOL, self.compare(node, node.ops[0], self.value(node.left), self.value(node.comparators[0])))
        return self.condition_value(node)

    def condition_value(self, node: ast.expr) -> Value:
        """Return a condition as a truth value."""
        yes, no, end = self.new_label(), self.new_label(), self.new_label()
        self.branch_on(node, yes, no)
        reached = []
        for label, operand in ((yes, "true"), (no, "false")):
            if label in self.jump_targets:
                self.begin_block(label)
                self.jump(end)
                reached.append(f"[{operand}, %{label}]")
        self.begin_block(end)
        return Value(BOOL, self.emit(f"phi i1 {', '.join(reached)}"))

    def evaluate_BoolOp(self, node: ast.BoolOp) -> Value:
        """Return the value of `and` or `or`: that of the part which decides it."""
        if all(map(_is_condition, node.values)):
            return self.condition_value(node)
        end = self.new_label()
        sources: list[tuple[str, str]] = []  # the values that lead to the end, and their blocks
        for part in node.values[:-1]:
            operand, further = self.number(part), self.new_label()
            condition = self.truth(Value(INT, operand), node)
            if condition != "true" if isinstance(node.op, ast.And) else condition != "false":
                sources.append((operand, self.block))
            self.branch(condition, *((further, end) if isinstance(node.op, ast.And) else (end, further)))
            if further not in self.jump_targets:  # the result is known already
                break
            self.begin_block(further)
        else:
            operand = self.number(node.values[-1])
            sources.append((operand, self.block))
        self.begin_block(end)
        return Value(INT, self.emit(f"phi i64 {', '.join(f'[{operand}, %{block}]' for operand, block in sources)}"))

    def evaluate_IfExp(self, node: ast.IfExp) -> Value:
        """Return the value of a conditional expression."""
        yes, no, end = self.new_label(), self.new_label(), self.new_label()
        self.branch_on(node.test, yes, no)
        if no not in self.jump_targets or yes not in self.jump_targets:
            taken = yes if yes in self.jump_targets else no
            self.begin_block(taken)
            return self.value(node.body if taken == yes else node.orelse)
        self.begin_block(yes)
        first = self.value(node.body)
        first_lines, self.lines = self.lines, []
        first_block = self.block
        self.begin_block_closed(no)
        second = self.value(node.orelse)
        second_lines, second_block = self.lines, self.block
        common = self.branch_type(node, first, second)
        self.lines, self.block = first_lines, first_block
        first = self.convert(first, common)
        self.put(f"br label %{end}")
        self.lines += second_lines
        self.block = second_block
        second = self.convert(second, common)
        self.is_open = True
        self.jump(end)
        self.begin_block(end)
        sources = [(first, first_block), (second, second_block)]
        operand = ", ".join(f"[{value.operand}, %{block}]" for value, block in sources)
        lengths = [
            self.emit("phi i64 " + ", ".join(f"[{value.lengths[k]}, %{block}]" for value, block in sources))
            for k in range(len(first.lengths))
        ]
        # all phi instructions stand at the beginning of the block
        result = self.emit(f"phi {llvm_type(common)} {operand}")
        return Value(common, result, tuple(lengths), first.root if first.root == second.root else UNKNOWN_ROOT)

    def begin_block_closed(self, label: str) -> None:
        """Begin a block that the previous one does not continue to."""
        self.is_open = False
        self.begin_block(label)

    def branch_type(self, node: ast.IfExp, first: Value, second: Value) -> Type:
        """Return the type of a conditional expression."""
        if first.type == second.type:
            return first.type
        if VOID in (first.type, second.type):
            raise self.error(node, f"{ast.unparse(node)} is not a value")
        return self.common_type(ast.unparse(node), first.type, second.type)

    # --- calls ------------------------------------------------------------------------------------------------------

    def evaluate_Call(self, node: ast.Call) -> Value:
        """Return the result of a built-in function, an instruction, or a function of the dialect."""
        if node.keywords or not isinstance(node.func, ast.Name):
            raise self.error(
                node, f"calls {ast.unparse(node.func)}: only functions by their names, without keyword arguments"
            )
        name = node.func.id
        if name in BUILTIN_FUNCTIONS and name not in self.function.scope and name not in self.function.stores:
            values = [self.value(argument) for argument in node.args]
            result: Value = BUILTIN_FUNCTIONS[name](self, node, values)
            return result
        found: Any = self.read_name(node.func)
        values = [self.value(argument) for argument in node.args]
        if hasattr(found, "intrinsic"):
            return self.call_intrinsic(node, found.intrinsic, values)
        if found in FLOAT_FUNCTIONS and len(values) == 1:
            number = self.convert(values[0], values[0].type if values[0].type == FLOAT32 else FLOAT)
            kind = llvm_type(number.type)
            call = f"@llvm.{FLOAT_FUNCTIONS[found]}.{FLOAT_SUFFIXES[kind]}({kind} {number.operand})"
            return Value(number.type, self.emit(f"call {kind} {call}"))
        return self.call(node, found, values)

    def call_intrinsic(self, node: ast.Call, name: str, values: list[Value]) -> Value:
        """Write an instruction that the dialect offers as a function: see courtly/adapters/atomic.py."""
        if name == "fence":
            self.put("fence seq_cst")
            return Value(VOID, "")
        row = values[0]
        if not isinstance(row.type, RowType) or row.type.element != INT or len(row.type.lengths) != 1:
            raise self.error(node, f"expected a row of 64-bit numbers, found {describe_type(row.type)}")
        index, *numbers = (self.convert(value, INT).operand for value in values[1:])
        address = self.emit(f"getelementptr inbounds i64, ptr {row.operand}, i64 {index}")
        if name == "load":
            return Value(INT, self.emit(f"load atomic i64, ptr {address} acquire, align 8"))
        if name == "store":
            self.put(f"store atomic i64 {numbers[0]}, ptr {address} release, align 8")
            return Value(VOID, "")
        return Value(INT, self.emit(f"atomicrmw add ptr {address}, i64 {numbers[0]} acq_rel"))

    def call(self, node: ast.Call, function: DialectFunction, values: list[Value]) -> Value:
        """Call another function of the dialect."""
        if not hasattr(function, "parameters"):
            raise self.error(node, f"{ast.unparse(node.func)} is not a function of the dialect")
        if len(values) != len(function.parameters):
            raise self.error(node, f"{function.name} takes {len(function.parameters)} arguments, found {len(values)}")
        if any(value.type == VOID for value in values):
            raise self.error(node, f"an argument of {function.name} is nothing")
        values = [self.convert(value, INT) if value.type == BOOL else value for value in values]
        try:
            types = tuple(argument_type(value.type, self.program.is_checked) for value in values)
            callee = self.program.instance(function, types)
        except CompileError as error:
            error.places.append((self.function.file, node.lineno))
            raise
        operands: list[str] = []
        roots: dict[int, int | str] = {}
        for i, value in enumerate(values):
            operands.append(f"{llvm_type(value.type)} {value.operand}")
            operands += [f"i64 {length}" for length in value.lengths]
            if is_pointer(value.type):
                roots[i] = value.operand if value.operand.startswith("@") else value.root
        callee.calls.append((self, roots))
        call = f"call fastcc {callee.result_type} @{callee.name}({', '.join(operands)})"
        result = Value(callee.result_type, "")
        if callee.result_type == VOID:
            self.put(call)
        else:
            result = result._replace(operand=self.emit(call))
        if self.program.is_checked:
            self.propagate_fault()
        return result

    def check_count(self, node: ast.Call, values: list[Value], counts: range) -> None:
        """Raise CompileError unless a built-in function has a possible number of arguments."""
        if len(values) not in counts:
            raise self.error(node, f"{ast.unparse(node.func)} does not take {len(values)} arguments")


def call_len(writer: ExpressionWriter, node: ast.Call, values: list[Value]) -> Value:
    """Write `len(row)`."""
    writer.check_count(node, values, range(1, 2))
    if not isinstance(values[0].type, RowType):
        raise writer.error(node, f"expected a row, found {describe_type(values[0].type)}")
    return writer.length(values[0])


def call_min(writer: ExpressionWriter, node: ast.Call, values: list[Value], name: str = "min") -> Value:
    """Write `min(a, b, …)`."""
    writer.check_count(node, values, range(2, 256))
    best = values[0] if values[0].type != BOOL else writer.convert(values[0], INT)
    for value in values[1:]:
        common = writer.operand_type(node, best, value)
        a, b = writer.convert(best, common).operand, writer.convert(value, common).operand
        if common == INT:
            best = Value(INT, writer.emit(f"call i64 @llvm.s{name}.i64(i64 {a}, i64 {b})"))
        else:  # as Python: the first one unless the second is less, or greater
            sign = "olt" if name == "min" else "ogt"
            is_better = writer.emit(f"fcmp {sign} {common} {b}, {a}")
            best = Value(common, writer.emit(f"select i1 {is_better}, {common} {b}, {common} {a}"))
    return best


def call_max(writer: ExpressionWriter, node: ast.Call, values: list[Value]) -> Value:
    """Write `max(a, b, …)`."""
    return call_min(writer, node, values, "max")


def call_abs(writer: ExpressionWriter, node: ast.Call, values: list[Value]) -> Value:
    """Write `abs(n)`."""
    writer.check_count(node, values, range(1, 2))
    if values[0].type == FLOAT:
        return Value(FLOAT, writer.emit(f"call double @llvm.fabs.f64(double {values[0].operand})"))
    operand = writer.convert(values[0], INT).operand
    is_poison = "false" if writer.function.wraps else "true"
    return Value(INT, writer.emit(f"call i64 @llvm.abs.i64(i64 {operand}, i1 {is_poison})"))


def call_int(writer: ExpressionWriter, node: ast.Call, values: list[Value]) -> Value:
    """Write `int(x)`, which rounds a float towards 0."""
    writer.check_count(node, values, range(1, 2))
    value = values[0]
    if value.type in (FLOAT, FLOAT32):
        return Value(INT, writer.emit(f"fptosi {llvm_type(value.type)} {value.operand} to i64"))
    return writer.convert(value, INT)


def call_bool(writer: ExpressionWriter, node: ast.Call, values: list[Value]) -> Value:
    """Write `bool(x)`."""
    writer.check_count(node, values, range(1, 2))
    return Value(BOOL, writer.truth(values[0], node))


BUILTIN_FUNCTIONS: dict[str, Any] = {
    "len": call_len,
    "min": call_min,
    "max": call_max,
    "abs": call_abs,
    "int": call_int,
    "bool": call_bool,
}


def _is_condition(node: ast.expr) -> bool:
    """Return True if an expression is certain to give a truth value."""
    if isinstance(node, ast.BoolOp):
        return all(map(_is_condition, node.values))
    return isinstance(node, ast.Compare) or isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)


def is_number(value: Any) -> bool:
    """Return True for an int, a bool or a float."""
    return type(value) in (int, bool, float)


def literal(number: int | float) -> Value:
    """Return a constant; a float as its bits, which LLVM reads exactly."""
    if isinstance(number, float):
        return Value(FLOAT, f"0x{struct.unpack('>Q', struct.pack('>d', number))[0]:016X}")
    return Value(INT, str(int(number)))


def memory_type(element: str) -> str:
    """Return the LLVM type of an element in memory."""
    return "i8" if element == "u8" else element
