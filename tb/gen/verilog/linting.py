"""Lints shipped Verilog with Verilator."""

import os
import re
import subprocess

from gen.verilog.lint_waivers import waiver
from sim import verilator


def lint(directory, top, text, waived=True):
    """Returns the rule and the text of each warning and error."""
    tool = verilator.find()
    (directory / f"{top}.v").write_text(text)
    (directory / f"{top}.vlt").write_text(waiver(top))
    files = [f"{top}.vlt", f"{top}.v"] if waived else [f"{top}.v"]
    command = [str(tool.program), "--lint-only", "-Wall", "--top-module", top, *files]
    environment = tool.environment(dict(os.environ))
    process = subprocess.run(
        command, cwd=directory, env=environment, capture_output=True, text=True
    )
    messages = re.findall(r"^%(?:Warning|Error)-?(\w*): (.*)", process.stderr, re.MULTILINE)
    assert messages or process.returncode == 0, process.stderr  # a failure without a message
    return messages
