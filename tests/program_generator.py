"""Random programs of the dialect, and arguments for which all their forms must do the same.

Numbers are masked, so that none needs more than 64 bits. Numbers that are stored in rows and fields without a declared
range may be too wide for them: then they wrap around, and code with checks reports it.
"""

import math
import random
from typing import ClassVar

from compiler_harness import State, make_state

from courtly.engine.native.compiler.types import wrap

MASK, WIDE_MASK = 0xFFF, (1 << 40) - 1
ROW_LENGTH = 8
CONSTANTS = {"TABLE": (5, -70, 300, 12), "ROWS": ((1, -2, 3, 4), (500, 6, -700, 8)), "K": 9, "sqrt": math.sqrt}
DECLARED_FIELDS = {"small": 63, "signed": 255}  # masks that keep numbers within the declared ranges
ROWS = {  # of the state and of `f`: the name of a variable for rows with these elements, and their length
    "row": ("line64", ROW_LENGTH),
    "s.row": ("line8", 5),
    "s.table[{}]": ("line16", 4),
    "s.hidden": ("line32", 4),
    "s.work": ("line32", 6),
}
SHORTEST_ROW = 4
BUILTINS = ("min", "max", "abs")


class WrappingRow(list):
    """A row of an interpreted state whose numbers wrap around as in machine code."""

    def __init__(self, state, bits, values):
        self.state, self.bits = state, bits
        super().__init__(WrappingRow(state, bits, value) if isinstance(value, list) else value for value in values)

    def __setitem__(self, i, value):
        super().__setitem__(i, wrap(value, self.bits))
        type(self.state).wrapped |= wrap(value, self.bits) != value


class WrappingState(State):
    """An interpreted state whose numbers wrap around as in machine code. `wrapped`: one of them did."""

    wrapped: ClassVar[bool] = False

    def __setattr__(self, name, value):
        bits = 8 * self.fields[name].size
        if isinstance(value, list):
            super().__setattr__(name, WrappingRow(self, bits, value))
        else:
            super().__setattr__(name, wrap(value, bits))
            WrappingState.wrapped |= wrap(value, bits) != value


def make_wrapping_state(state):
    """Return a copy of a state whose numbers wrap around."""
    copy = WrappingState()
    for name in state.fields:
        setattr(copy, name, getattr(state, name))
    WrappingState.wrapped = False
    return copy


def make_arguments(numbers):
    """Return random arguments of a program: a state, two numbers, and the numbers of a row."""
    table = [[numbers.randrange(-500, 500) for _ in range(4)] for _ in range(3)]
    state = make_state(
        small=numbers.randrange(64), signed=numbers.randrange(-200, 200), row=[9, 8, 7, -6, 5], table=table
    )
    row = [numbers.randrange(-500, 500) for _ in range(ROW_LENGTH)]
    return state, numbers.randrange(-MASK, MASK), numbers.randrange(-20, 20), row


class Generator:
    """Writes one random program. Its function is `f(s, a, b, row)`.

    Args:
        number: The program's number.

    Attributes:
        wraps: True if its numbers may exceed 64 bits, as in random generators.
    """

    def __init__(self, number):
        self.random = random.Random(number)
        self.wraps = self.random.random() < 0.15
        self.depth, self.statements = self.pick((1, 2), (2, 2), (2, 4), (3, 4))
        self.lines, self.loops = [], 0
        self.number_helpers, self.state_helpers, self.pair_helpers, self.row_helpers = [], [], [], []

    def source(self):
        """Return the text of the program."""
        for k in range(self.random.randrange(4)):
            self.write_helper(f"h{k}", self.pick("number", "number", "state", "pair", "row", "row"))
        self.begin_function("f", ["s", "a", "b", "row"], ["a", "b"], ["row"], has_state=True)
        self.put(1, "n = a")
        self.put(1, "t = 0")
        self.put(1, "q = b / 8")
        self.names += ["n", "t"]
        self.floats.append("q")
        self.block(1, self.statements)
        self.put(1, "for i in range(8):")
        self.put(2, "t = t * 3 & 0xFFFF ^ row[i] & 0xFFFF")
        self.put(1, f"for i in range({ROWS['s.work'][1]}):")
        self.put(2, "t = t * 3 & 0xFFFF ^ s.work[i]")
        self.put(1, "return t + (n & 0xFFFFFF) * 65536 + int(q)")
        return "\n".join(self.lines) + "\n"

    def write_helper(self, name, kind):
        """Write a function that later ones may call."""
        second = "K" if self.random.random() < 0.2 else "y"  # hides the constant
        parameters = {
            "number": ["x", second, "row"],
            "state": ["s", "x", "row"],
            "pair": ["x", second],
            "row": ["row", "other", "x"],
        }[kind]
        rows = [parameter for parameter in parameters if parameter in ("row", "other")]
        numbers = [parameter for parameter in parameters if parameter in ("x", "y", "K")]
        self.begin_function(name, parameters, numbers, rows, has_state=kind == "state")
        self.block(1, 2)
        if kind == "pair":
            self.put(1, f"return {self.expression(1)} & {MASK}, {self.expression(2)} & {MASK}")
        elif kind == "row":
            self.put(1, f"row[{self.expression(0)} & 3] = other[{self.expression(0)} & 3] + 1")
            self.put(1, "other[0] = row[0] ^ x")
            if self.random.random() < 0.5:
                self.put(1, "return")
        else:
            self.put(1, f"return {self.expression(2)} & {MASK}")
        self.put(0, "")
        getattr(self, f"{kind}_helpers").append(name)

    def begin_function(self, name, parameters, numbers, rows, has_state):
        """Write the first line of a function, and possibly assignments to names that hide others."""
        self.names, self.floats, self.has_state, self.has_early_return = [*numbers], [], has_state, len(rows) != 2
        self.returns_pair = len(parameters) == 2
        self.rows = dict.fromkeys(rows, "line64")
        self.builtins, self.hidden = [*BUILTINS], set()
        self.put(0, f"def {name}({', '.join(parameters)}):")
        if self.random.random() < 0.2:
            self.put(1, '"""Return a number."""')
        if self.random.random() < 0.15:
            self.builtins.remove(hidden := self.pick(*self.builtins))
            self.put(1, f"{hidden} = {self.pick(*self.names)} & {MASK}")
            self.names.append(hidden)
        if "K" not in self.names and self.random.random() < 0.1:
            self.put(1, f"K = {self.pick(*self.names)} & 7")
            self.names.append("K")
        if self.number_helpers and self.random.random() < 0.1:
            self.hidden = {self.pick(*self.number_helpers)}
            [hidden] = self.hidden
            self.put(1, f"{hidden} = {self.pick(*self.names)} & {MASK}")
            self.names.append(hidden)

    def pick(self, *choices):
        """Return one of several choices."""
        return self.random.choice(choices)

    def put(self, depth, text):
        """Write a line."""
        self.lines.append("    " * depth + text)

    # --- statements -------------------------------------------------------------------------------------------------

    def block(self, depth, count):
        """Write a block of statements."""
        outside, rows, floats = list(self.names), dict(self.rows), list(self.floats)
        for _ in range(1 + self.random.randrange(count)):
            self.statement(depth)
        if depth > 1:
            self.names, self.rows, self.floats = outside, rows, floats  # they may not exist behind the block

    def statement(self, depth):
        """Write a statement."""
        kinds = ["assign", "assign", "augment", "pair", "chain", "float"]
        kinds += ["store", "store", "augment_store", "call", "exchange"] * bool(self.rows)
        kinds += ["field", "field", "row", "row"] * self.has_state
        kinds += ["if", "if", "for", "while", "return", "pass"] * (depth <= self.depth)
        getattr(self, f"put_{self.pick(*kinds)}")(depth)

    def put_pass(self, depth):
        self.put(depth, "pass")

    def put_assign(self, depth):
        self.put(depth, f"{self.pick(*self.names)} = {self.expression(3)} & {MASK}")
        if self.random.random() < 0.2:
            name = f"v{depth}"
            self.put(depth, f"{name} = {self.expression(2)} & {MASK}")
            self.names.append(name)

    def put_chain(self, depth):
        target = f"row[{self.expression(0)} & 3]" if "row" in self.rows else self.pick(*self.names)
        self.put(depth, f"{self.pick(*self.names)} = {target} = {self.expression(2)} & 63")

    def put_float(self, depth):
        name = self.pick(*self.floats, "q", "r")
        self.put(depth, f"{name} = {self.float_expression(2)}")
        if name not in self.floats:
            self.floats.append(name)

    def put_augment(self, depth):
        name = self.pick(*self.names)
        operator = self.pick("+=", "-=", "^=", "|=", "&=", "*=", "//=", "%=", "<<=", ">>=")
        value = {
            "*=": f"({self.expression(1)} & 63)",
            "//=": self.divisor(1),
            "%=": self.divisor(1),
            "<<=": f"({self.expression(1)} & 7)",
            ">>=": f"({self.expression(1)} & 15)",
        }.get(operator, f"{self.expression(2)} & {MASK}")
        self.put(depth, f"{name} {operator} {value}")
        if operator in ("*=", "<<=", "+=", "-="):
            self.put(depth, f"{name} %= {self.pick(MASK, 1 << 14, -MASK)}")

    def put_pair(self, depth):
        if self.pair_helpers and self.random.random() < 0.5:
            one, other = self.pick(*self.names), self.pick(*self.names)
            call = f"{self.pick(*self.pair_helpers)}({self.expression(1)} & {MASK}, {self.expression(1)} & {MASK})"
            return self.put(depth, f"{one}, {other} = {call}")
        if len(self.names) < 2:
            return self.put_assign(depth)
        one, other = self.random.sample(self.names, 2)
        if self.rows and self.random.random() < 0.3:
            one = f"{self.element()}"
        return self.put(depth, f"{one}, {other} = {other} & {MASK}, {self.expression(1)} & {MASK}")

    def put_store(self, depth):
        self.put(depth, f"{self.element()} {self.pick('=', '=', '^=')} {self.expression(3)} & {MASK}")

    def put_augment_store(self, depth):
        operator = self.pick("+=", "-=", "^=", "|=", "&=", "//=", "%=", ">>=")
        value = {"//=": self.divisor(1), "%=": self.divisor(1), ">>=": f"({self.expression(1)} & 7)"}.get(
            operator, f"{self.expression(2)} & {MASK}"
        )
        self.put(depth, f"{self.element()} {operator} {value}")

    def put_row(self, depth):
        """Name a row of the state."""
        path = self.pick(*(path for path in ROWS if path.startswith("s.")))
        name, length = ROWS[path]
        name += self.pick("a", "b")
        row = path.format(f"{self.expression(1)} % 3")
        if self.random.random() < 0.3:
            other = self.pick(*(other for other in ROWS if ROWS[other][0] == name[:-1]))
            row = f"{row} if {self.condition(1)} else {other.format(self.random.randrange(3))}"
            length = SHORTEST_ROW
        self.put(depth, f"{name} = {row}")
        self.rows[name] = name[:-1]
        self.put(depth, f"{name}[{self.expression(1)} % {length}] = {self.expression(2)} & {MASK}")

    def put_exchange(self, depth):
        """Exchange two rows with the same kind of elements."""
        pairs = [(a, b) for a in self.rows for b in self.rows if a != b and self.rows[a] == self.rows[b]]
        pairs = [pair for pair in pairs if "line" in "".join(pair)]
        if pairs:
            one, other = self.pick(*pairs)
        elif self.has_state:
            one, other = "line16a", "line16b"
            for name in (one, other):
                self.put(depth, f"{name} = s.table[{self.expression(1)} % 3]")
                self.rows[name] = "line16"
        else:
            return self.put_store(depth)
        self.put(depth, f"{one}, {other} = {other}, {one}")
        return self.put(depth, f"{one}[{self.expression(0)} & 3] = {other}[{self.expression(0)} & 3] + 1")

    def put_call(self, depth):
        """Call a function whose result is not used; it may get the same row twice."""
        if self.row_helpers:
            rows = [self.row_argument(), self.row_argument()]
            self.put(depth, f"{self.pick(*self.row_helpers)}({', '.join(rows)}, {self.expression(1)} & {MASK})")
        else:
            self.put_store(depth)

    def put_field(self, depth):
        if self.random.random() < 0.4:
            value = f"{self.expression(2)} * {self.pick(3, 1 << 20, 1 << 31)} & {WIDE_MASK}"
            return self.put(depth, f"s.wide {self.pick('=', '=', '^=', '+=')} {value}")
        name = self.pick(*DECLARED_FIELDS)
        return self.put(depth, f"s.{name} {self.pick('=', '=', '^=')} {self.expression(2)} & {DECLARED_FIELDS[name]}")

    def put_if(self, depth):
        self.put(depth, f"if {self.condition(2)}:")
        self.block(depth + 1, 2)
        if self.random.random() < 0.4:
            self.put(depth, f"elif {self.condition(1)}:")
            self.block(depth + 1, 2)
        if self.random.random() < 0.5:
            self.put(depth, "else:")
            self.block(depth + 1, 2)

    def put_for(self, depth):
        self.loops += 1
        i, bound = f"i{self.loops}", f"m{self.loops}"
        low, high, step = self.random.randrange(-3, 4), self.random.randrange(-3, 7), self.pick(1, 2, -1, -2)
        self.put(depth, f"{i} = {self.random.randrange(5)}")
        self.put(depth, f"{bound} = {self.expression(1)} & 3")
        bounds = self.pick(
            f"{self.expression(1)} & 3",
            f"{low}, {high}",
            f"{low}, {self.expression(1)} & 7, {step}",
            f"0, {high}, {step} if {self.condition(0)} else {-step}",
            bound,
            f"{bound}, {high}",
            *([f"len({self.pick(*self.rows)})"] if self.rows else []),
        )
        self.put(depth, f"for {i} in range({bounds}):")
        self.names += [i, bound]  # both may be assigned in the loop, which does not change its rounds
        self.block(depth + 1, 2)
        if self.random.random() < 0.3:
            self.put(depth + 1, f"if {self.condition(1)}:")
            self.put(depth + 2, self.pick("break", "continue"))
        self.block(depth + 1, 1)

    def put_while(self, depth):
        self.loops += 1
        w = f"w{self.loops}"
        self.put(depth, f"{w} = {self.random.randrange(1, 5)}")
        condition = self.pick(f"{w} > 0 and {self.condition(1)}", w, f"{w} != 0", "True")
        self.put(depth, f"while {condition}:")
        self.put(depth + 1, f"{w} -= 1")
        if condition == "True":
            self.put(depth + 1, f"if {w} < 0:")
            self.put(depth + 2, self.pick("break", *self.early_return()))
        if self.random.random() < 0.2:
            self.put(depth + 1, f"if {self.condition(1)}:")
            self.put(depth + 2, self.pick("break", "continue"))
        self.block(depth + 1, 2)

    def put_return(self, depth):
        self.put(depth, self.pick(*self.early_return()) if depth > 1 else "pass")

    def early_return(self):
        """Return the text of possible statements that leave the function."""
        if self.returns_pair:
            return [f"return {self.expression(1)} & {MASK}, {self.pick(*self.names)}"]
        return [f"return {self.expression(1)} & {MASK}"] if self.has_early_return else ["return"]

    # --- expressions ------------------------------------------------------------------------------------------------

    def condition(self, depth):
        """Return the text of a condition."""
        if depth == 0 or self.random.random() < 0.4:
            comparison = self.pick("==", "!=", "<", "<=", ">", ">=")
            if self.random.random() < 0.2:
                middle = self.expression(1) if depth else self.value()
                further = f" {self.pick('==', '>=')} {self.value()}" if self.random.random() < 0.3 else ""
                return f"({self.value()} {comparison} {middle} {self.pick('<', '<=', '!=')} {self.value()}{further})"
            if self.floats and self.random.random() < 0.15:
                return f"{self.pick(*self.floats)} {comparison} {self.pick('0', '0.5', self.pick(*self.floats))}"
            if self.random.random() < 0.1:
                return self.value()
            return f"{self.value()} {comparison} {self.value()}"
        parts = [self.condition(depth - 1) for _ in range(self.pick(2, 2, 3))]
        joined = " and ".join(parts), " or ".join(parts)
        return self.pick(f"({joined[0]})", f"({joined[1]})", f"not ({parts[0]})", f"({parts[0]})")

    def value(self):
        """Return the text of a small number."""
        return f"({self.leaf()} & 255)" if self.random.random() < 0.5 else self.pick(*self.names)

    def divisor(self, depth):
        """Return the text of a number other than 0."""
        b = self.expression(depth)
        return self.pick(f"({b} % 7 + 9)", f"(-({b} & 1023) - 1)", "3", "8", "-5", "-8", "1", f"(({b} & 1023) + 1)")

    def expression(self, depth):
        """Return the text of an expression in parentheses, which needs at most about 40 bits."""
        if depth == 0 or self.random.random() < 0.2:
            return self.leaf()
        kinds = (
            ["arithmetic"] * 8 + ["conditional"] * 4 + ["truth"] * 2 + ["builtin"] * 3 + ["float"] * bool(self.floats)
        )
        kinds += ["wide"] * 3 * self.wraps + ["call"] * 3 * bool(self.rows)
        return getattr(self, f"write_{self.pick(*kinds)}")(depth - 1)

    def write_arithmetic(self, depth):
        """Return the text of an arithmetic operation."""
        a, kind = self.expression(depth), self.random.randrange(8)
        if kind == 0:
            return f"({self.pick('-', '~', '+')}{a})"
        if kind == 1:
            return f"({a} {self.pick('//', '%')} {self.divisor(depth)})"
        if kind == 2:
            return f"(({a} & 1023) << {self.random.randrange(9)})"
        if kind == 3:
            return f"({a} >> {self.pick(self.random.randrange(9), f'({self.expression(depth)} & 15)', 63)})"
        b = self.expression(depth)
        if kind == 4:
            return f"(({a} & 1023) * ({b} & 1023) - {self.random.randrange(2000)})"
        return f"({a} {self.pick('+', '-', '&', '|', '^')} {b})"

    def write_conditional(self, depth):
        """Return the text of a conditional expression, or of `and` and `or` as values."""
        a, b = self.expression(depth), self.expression(depth)
        if self.random.random() < 0.4:
            return f"({a} if {self.condition(1)} else {b})"
        further = f" {self.pick('and', 'or')} {self.leaf()}" if self.random.random() < 0.3 else ""
        return f"({a} {self.pick('and', 'or')} {b}{further})"

    def write_truth(self, depth):
        """Return the text of truth values as numbers."""
        if self.random.random() < 0.3:
            return self.pick(f"(not {self.expression(depth)})", f"bool({self.leaf()})", f"int({self.condition(0)})")
        one, other = self.condition(1), self.condition(0)
        return f"(({one}) {self.pick('+', '&', '|', '^')} ({other}){self.pick('', ' * 2')})"

    def write_builtin(self, depth):
        """Return the text of a call of a built-in function."""
        name, a = self.pick(*self.builtins), self.expression(depth)
        if name == "abs":
            return f"abs({a})"
        further = f", {self.leaf()}" if self.random.random() < 0.3 else ""
        return f"{name}({a}, {self.expression(depth)}{further})"

    def write_float(self, _depth):
        """Return the text of a float as a whole number."""
        return f"int({self.float_expression(1)})"

    def write_wide(self, depth):
        """Return the text of an expression that needs more than 64 bits before the lowest are taken."""
        a, b = self.expression(depth), self.expression(depth)
        return f"({a} * 0x2545F4914F6CDD1D + {b} * 0x1E3779B97F4A7C15 & {MASK})"

    def write_call(self, depth):
        """Return the text of a call of another function."""
        numbers = [name for name in self.number_helpers if name not in self.hidden]
        if numbers and self.random.random() < 0.6:
            a, b = self.expression(depth), self.expression(depth)
            return f"{self.pick(*numbers)}({a} & {MASK}, {b} & {MASK}, {self.row_argument()})"
        if self.state_helpers and self.has_state:
            return f"{self.pick(*self.state_helpers)}(s, {self.expression(depth)} & {MASK}, {self.row_argument()})"
        return self.write_arithmetic(depth)

    def float_expression(self, depth):
        """Return the text of a float between -9999 and 9999."""
        known = [*self.floats, f"{self.pick('0.5', '-3.25', '1e3', '0.1')}"]
        if depth == 0:
            return self.pick(*known)
        a, kind = self.float_expression(depth - 1), self.random.randrange(6)
        if kind == 0:
            found = f"({a} {self.pick('+', '-', '*')} {self.float_expression(depth - 1)})"
        elif kind == 1:
            found = f"({self.expression(1)} / {self.divisor(0)})"
        elif kind == 2:
            found = f"({a} / {self.divisor(0)})"
        elif kind == 3:
            found = f"({a} if {self.condition(0)} else {self.float_expression(depth - 1)})"
        elif kind == 4 or "abs" not in self.builtins:
            found = f"(-{a} * {self.value()})"
        else:
            found = self.pick(f"abs({a})", f"sqrt(abs({a}))")
        if {"min", "max"} <= {*self.builtins}:
            return f"min(max({found}, -9999.0), 9999.0)"
        return f"({found} if -9999.0 <= {found} <= 9999.0 else 0.25)"

    def row_argument(self):
        """Return the text of a row to pass to a function."""
        paths = [path for path in ROWS if path.startswith("s.")] if self.has_state else []
        return self.pick(*self.rows, *(path.format(f"{self.pick(*self.names)} % 3") for path in paths))

    def element(self):
        """Return the text of an element that may be written."""
        index = self.pick(f"{self.expression(1)} & 3", f"{self.expression(1)} % {SHORTEST_ROW}", "-1", "-3", "2")
        return f"{self.row_argument()}[{index}]"

    def leaf(self):
        """Return the text of a constant, a variable, a field or an element."""
        name, kind = self.pick(*self.names), self.random.randrange(10)
        if kind < 2:
            return f"({self.random.randrange(-300, 300)})"
        if kind == 2:
            element = self.pick(f"TABLE[{name} & 3]", f"TABLE[-{self.pick(1, 4)}]", f"ROWS[{name} & 1][{name} % 4]")
            return self.pick("True", "False", "K", element, element)
        if kind < 5 and self.rows:
            row = self.row_argument()
            return self.pick(f"({row}[{name} & 3] % 4096)", f"len({row})", f"({row}[-1] % 4096)")
        if kind < 7 and self.has_state:
            fields = (f"s.{field}" for field in DECLARED_FIELDS)
            return self.pick("(s.wide & 4095)", "s.players", "len(s.table)", *fields)
        return name
