"""FuseSoC, with stand-ins for the tools of vendors."""

import os
import subprocess
import sys
from pathlib import Path

from sim import verilator

#: A program in the place of a vendor's tool; it prints its name and its arguments.
SPY = '#!/bin/sh\necho "called: $0 $*" | sed "s|$PWD/||"\n'


class FuseSoc:
    """FuseSoC on the files of a design, with a home of its own."""

    def __init__(self, directory):
        self.root = directory
        self.work = directory / "work"
        (directory / "home").mkdir()
        (directory / "bin").mkdir()
        tool = verilator.find()
        environment = tool.environment(dict(os.environ))
        self.environment = environment | {
            "HOME": str(directory / "home"),
            "XDG_CONFIG_HOME": str(directory / "home"),
            "XDG_DATA_HOME": str(directory / "home"),
            "XDG_CACHE_HOME": str(directory / "home"),
            "PATH": f"{directory / 'bin'}:{Path(sys.executable).parent}:{environment['PATH']}",
            "OBJCACHE": "",
        }

    def spy(self, tool):
        path = self.root / "bin" / tool
        path.write_text(SPY)
        path.chmod(0o755)

    def run(self, cores, name, *arguments):
        """Runs a core of the design, and returns the exit code and the whole output."""
        call = "import sys; from fusesoc.main import main; sys.exit(main())"
        command = [sys.executable, "-c", call, "--cores-root", str(cores), "run"]
        command += ["--work-root", str(self.work), *arguments, f"sluice:engine:{name}:1.0"]
        process = subprocess.run(
            command,
            cwd=self.root,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        return process.returncode, process.stdout
