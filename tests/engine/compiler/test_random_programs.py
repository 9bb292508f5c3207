"""Random programs of the dialect do the same interpreted, compiled, and compiled with checks."""

import os
import random

import numpy as np
import pytest
from compiler_harness import Both, pack
from program_generator import CONSTANTS, ROW_LENGTH, Generator, WrappingState, make_arguments, make_wrapping_state

PROGRAMS = int(os.environ.get("COURTLY_RANDOM_PROGRAMS", "40"))


def run_compiled(form, state, a, b, row):
    """Return what a form returns, and the state and the row afterwards."""
    record, numbers = pack(state), np.array(row)
    result = form.compiled(record.ctypes.data, a, b, numbers.ctypes.data, len(row))
    return result, record.tobytes()[: len(state.pack())], numbers.tolist()


def check_program(number, with_checks=True):
    """Assert that all forms of a random program do the same for several arguments."""
    generator = Generator(number)
    source = generator.source()
    examples = "state", 0, 0, np.zeros(ROW_LENGTH, np.int64)
    constants = CONSTANTS | ({"__name__": "courtly.engine.rng"} if generator.wraps else {})
    try:
        plain = Both(source, examples=examples, constants=constants)
        checked = None
        if with_checks and not generator.wraps:
            checked = Both(source, examples=examples, constants=constants, is_checked=True)
        values = random.Random(number)
        for _ in range(6):
            state, a, b, row = arguments = make_arguments(values)
            interpreted, numbers = make_wrapping_state(state), list(row)
            result = plain.interpreted(interpreted, a, b, numbers)
            expected = result, interpreted.pack(), numbers
            assert run_compiled(plain, *arguments) == expected, arguments
            if checked and WrappingState.wrapped:
                with pytest.raises(OverflowError):
                    run_compiled(checked, *arguments)
            elif checked:
                assert run_compiled(checked, *arguments) == expected, arguments
    except (Exception, pytest.fail.Exception) as error:
        raise AssertionError(f"program {number}:\n{source}") from error


@pytest.mark.parametrize("first", range(0, PROGRAMS, 10))
def test_random_programs_do_the_same_in_every_form(first):
    for number in range(first, min(first + 10, PROGRAMS)):
        check_program(number)
