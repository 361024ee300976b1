"""The cases of a header, and what only a kernel can say, on the real GPIO path of a virtual Raspberry Pi."""

from __future__ import annotations

import subprocess
import sys

import pytest

from .virtual_pi import ROOT, CannotBuild, results

CASES = ("tests/devices/test_header.py", "tests/devices/on_the_kernel.py")
NOT_THERE = {
    "test_header::test_a_press_asks_for_what_its_button_is_for": (
        "skipped: QEMU's model of the Pi's GPIO raises no interrupts, so nobody is told of a press"
    )
}


@pytest.mark.slow
def test_lamps_buttons_and_busy_pins_on_the_kernels_own_chip():
    try:
        outcomes, said = results(CASES)
    except CannotBuild as error:
        pytest.skip(f"no virtual Pi: {error}")
    assert "Raspberry Pi 3 Model B" in said.splitlines(), said
    collected = subprocess.run(
        [sys.executable, "-m", "pytest", "--collect-only", *CASES],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    names = [line.rsplit("/", 1)[-1].replace(".py::", "::") for line in collected.stdout.splitlines() if "::" in line]
    assert names
    assert outcomes == dict.fromkeys(names, "passed") | NOT_THERE, said
