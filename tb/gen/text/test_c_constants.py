"""Checks constants in C: the compiler reads them without a warning, and each has its value."""

import subprocess

import pytest

from gen.text.c_constants import c_constant, c_number

NUMBERS = [
    -(2**63),
    -(2**63) + 1,
    -(2**31),
    -1,
    0,
    1,
    2**31 - 1,
    2**31,
    2**63 - 1,
    2**63,
    2**64 - 1,
]


@pytest.mark.parametrize("written", [c_number, lambda n: c_constant(n, signed=n < 2**63)])
def test_the_compiler_reads_each_number(written, tmp_path):
    texts = [f"(unsigned long long)({written(number)})" for number in NUMBERS]
    lines = [f'printf("%llu\\n", {text});' for text in texts]
    program = tmp_path / "numbers.c"
    program.write_text(
        "#include <stdint.h>\n#include <stdio.h>\nint main(void) {" + "".join(lines) + "return 0;}"
    )
    options = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic"]
    subprocess.run(["gcc", *options, "-o", tmp_path / "numbers", program], check=True)
    out = subprocess.run([tmp_path / "numbers"], check=True, capture_output=True, text=True).stdout
    assert [int(line) for line in out.split()] == [number % 2**64 for number in NUMBERS]


def test_small_numbers_are_digits():
    assert c_number(-60) == "-60"
    assert c_number(2**31 - 1) == "2147483647"


def test_numbers_that_do_not_fit_an_int_are_constants():
    """C reads -2147483648 as the negative of a number that does not fit an int."""
    assert c_number(2**31) == "INT64_C(2147483648)"
    assert c_number(-(2**31)) == "INT64_C(-2147483648)"
    assert c_constant(3, signed=False) == "UINT64_C(3)"
    assert c_constant(-3, signed=True) == "INT64_C(-3)"
