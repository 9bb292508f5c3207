"""Random programs of the dialect do the same interpreted, compiled, and compiled with checks."""

import os
import random

import numpy as np
import pytest
from compiler_harness import Both, make_state

PROGRAMS = int(os.environ.get("COURTLY_RANDOM_PROGRAMS", "40"))
MASK = 0xFFF  # numbers are kept small, so that none needs more than 64 bits
ROW_LENGTH, DEPTH, STATEMENTS = 8, 3, 4
FIELDS = {"small": 63, "signed": 255, "wide": 0xFFFF}  # masks that keep numbers within the declared ranges
ROWS = {"row": 8, "s.row": 4, "s.table[1]": 4, "s.hidden": 4, "s.work": 4, "TABLE": 4}


class Generator:
    """Writes one random program."""

    def __init__(self, number):
        self.random = random.Random(number)
        self.helpers = [f"h{k}" for k in range(self.random.randrange(3))]
        self.lines, self.loops = [], 0

    def source(self):
        """Return the text of the program."""
        for k, name in enumerate(self.helpers):
            self.names, self.callable, self.has_state = ["x", "y"], self.helpers[:k], False
            self.lines.append(f"def {name}(x, y, row):")
            self.block(1, 2)
            self.lines += [f"    return {self.expression(2)} & {MASK}", ""]
        self.names, self.callable, self.has_state = ["a", "b", "n", "t"], self.helpers, True
        self.lines += ["def f(s, a, b, row):", "    n = a", "    t = 0"]
        self.block(1, STATEMENTS)
        self.lines += ["    for i in range(8):", "        t = t * 3 & 0xFFFF ^ row[i]", "    return t + n * 65536"]
        return "\n".join(self.lines) + "\n"

    def pick(self, *choices):
        return self.random.choice(choices)

    def block(self, depth, count):
        outside = list(self.names)
        for _ in range(1 + self.random.randrange(count)):
            self.statement(depth)
        if depth > 1:
            self.names = outside  # a variable of a block may not exist behind it

    def put(self, depth, text):
        self.lines.append("    " * depth + text)

    def statement(self, depth):
        kinds = ["assign", "assign", "augment", "store", "store", "row", "pair"]
        kinds += ["field", "field"] * self.has_state + ["if", "for", "while", "return"] * (depth <= DEPTH)
        getattr(self, f"put_{self.pick(*kinds)}")(depth)

    def put_assign(self, depth):
        self.put(depth, f"{self.pick(*self.names)} = {self.expression(3)} & {MASK}")

    def put_augment(self, depth):
        self.put(
            depth, f"{self.pick(*self.names)} {self.pick('+=', '-=', '^=', '|=', '&=')} {self.expression(2)} & {MASK}"
        )

    def put_pair(self, depth):
        one, other = self.random.sample(self.names, 2)
        self.put(depth, f"{one}, {other} = {other} & {MASK}, {self.expression(1)} & {MASK}")

    def put_store(self, depth):
        self.put(depth, f"row[{self.expression(1)} & 7] {self.pick('=', '=', '^=')} {self.expression(3)} & {MASK}")

    def put_row(self, depth):
        name, line = self.pick(*(name for name in ROWS if name.startswith("s.") or name == "row")), f"line{depth}"
        if name == "row" or not self.has_state:
            return self.put_store(depth)
        line = f"{name.replace('.', '_').partition('[')[0]}_line"
        self.put(depth, f"{line} = {name}")
        self.put(depth, f"{line}[{self.expression(1)} & 3] = {self.expression(2)} & 63")
        return None

    def put_field(self, depth):
        name = self.pick(*FIELDS)
        self.put(depth, f"s.{name} {self.pick('=', '=', '^=')} {self.expression(2)} & {FIELDS[name]}")

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
        i = f"i{self.loops}"
        low, high, step = self.random.randrange(-3, 4), self.random.randrange(-3, 7), self.pick(1, 2, -1, -2)
        bounds = self.pick(f"{self.expression(1)} & 3", f"{low}, {high}", f"{low}, {self.expression(1)} & 7, {step}")
        self.put(depth, f"{i} = {self.random.randrange(5)}")
        self.put(depth, f"for {i} in range({bounds}):")
        self.names.append(i)
        self.block(depth + 1, 2)
        if self.random.random() < 0.3:
            self.put(depth + 1, f"if {self.condition(1)}:")
            self.put(depth + 2, self.pick("break", "continue"))
        self.block(depth + 1, 1)

    def put_while(self, depth):
        self.loops += 1
        w = f"w{self.loops}"
        self.put(depth, f"{w} = {self.random.randrange(1, 5)}")
        self.put(depth, f"while {w} > 0 and {self.condition(1)}:" if self.random.random() < 0.7 else f"while {w}:")
        self.put(depth + 1, f"{w} -= 1")
        self.block(depth + 1, 2)

    def put_return(self, depth):
        if depth > 1:
            self.put(depth, f"return {self.expression(1)} & {MASK}")
        else:
            self.put(depth, "pass")

    def condition(self, depth):
        """Return the text of a condition."""
        if depth == 0 or self.random.random() < 0.4:
            comparison = self.pick("==", "!=", "<", "<=", ">", ">=")
            if self.random.random() < 0.2:
                return f"{self.value()} {comparison} {self.value()} {self.pick('<', '<=', '!=')} {self.value()}"
            return f"{self.value()} {comparison} {self.value()}"
        one, other = self.condition(depth - 1), self.condition(depth - 1)
        return self.pick(f"({one} and {other})", f"({one} or {other})", f"not ({one})", f"({one})")

    def value(self):
        """Return the text of a small number."""
        return f"({self.leaf()} & 255)" if self.random.random() < 0.5 else self.pick(*self.names)

    def expression(self, depth):
        """Return the text of an expression in parentheses, which needs at most about 30 bits."""
        if depth == 0 or self.random.random() < 0.2:
            return self.leaf()
        a, b = self.expression(depth - 1), self.expression(depth - 1)
        small = f"({a} & 1023)", f"({b} & 1023)"
        divisor = self.pick(f"({b} % 7 + 9)", f"(-{small[1]} - 1)", "3", "8", "-5", f"({small[1]} + 1)")
        choices = [
            f"({a} + {b})",
            f"({a} - {b})",
            f"({small[0]} * {small[1]} - {self.random.randrange(2000)})",
            f"({a} {self.pick('//', '%')} {divisor})",
            f"({a} {self.pick('&', '|', '^')} {b})",
            f"({small[0]} << {self.random.randrange(9)})",
            f"({a} >> {self.pick(self.random.randrange(9), f'({b} & 15)')})",
            f"({self.pick('-', '~', '+')}{a})",
            f"({self.pick('min', 'max')}({a}, {b}))",
            f"abs({a})",
            f"({a} if {self.condition(1)} else {b})",
            f"({a} {self.pick('and', 'or')} {b})",
            f"(({self.condition(1)}) + ({self.condition(0)}) * 2)",
        ]
        if self.callable:
            choices += [f"{self.pick(*self.callable)}({a} & {MASK}, {b} & {MASK}, row)"] * 2
        return self.pick(*choices)

    def leaf(self):
        """Return the text of a constant, a variable, a field or an element."""
        name = self.pick(*ROWS)
        choices = [f"{self.random.randrange(-300, 300)}", self.pick(*self.names), f"row[{self.pick(*self.names)} & 7]"]
        choices += [f"TABLE[{self.pick(*self.names)} & 3]", f"TABLE[-{self.random.randrange(1, 5)}]"]
        if self.has_state:
            choices += [f"s.{self.pick(*FIELDS)}", f"{name}[{self.pick(*self.names)} & {ROWS[name] - 1}]"]
        return f"({self.pick(*choices)})"


def check_program(number):
    """Assert that all forms of a random program do the same for several arguments."""
    source = Generator(number).source()
    examples = "state", 0, 0, np.zeros(ROW_LENGTH, np.int64)
    constants = {"TABLE": (5, -70, 300, 12)}
    try:
        forms = [Both(source, examples=examples, constants=constants, is_checked=checked) for checked in (False, True)]
        values = random.Random(number)
        for _ in range(6):
            state = make_state(small=values.randrange(64), signed=values.randrange(-200, 200), row=[9, 8, 7, 6, 5])
            row = np.array([values.randrange(-500, 500) for _ in range(ROW_LENGTH)])
            arguments = state, values.randrange(-MASK, MASK), values.randrange(-20, 20), row
            for form in forms:
                form.check(*arguments)
    except Exception as error:
        raise AssertionError(f"program {number}:\n{source}") from error


@pytest.mark.parametrize("first", range(0, PROGRAMS, 10))
def test_random_programs_do_the_same_in_every_form(first):
    for number in range(first, min(first + 10, PROGRAMS)):
        check_program(number)
