"""The first file of the single-file program, which any version of Python may run."""

import ast
import subprocess
import sys
from pathlib import Path

START = Path(__file__).parents[3] / ".ci" / "start.py"


def test_a_python_that_is_too_old_gets_one_line() -> None:
    old = "import sys; sys.version_info = (3, 9, 2, 'final', 0); exec(open(sys.argv[1]).read())"
    ran = subprocess.run([sys.executable, "-c", old, str(START)], capture_output=True, text=True, check=False)
    assert ran.returncode == 1
    assert ran.stderr == "affray: it needs Python 3.11 or later, and python3 is 3.9 here\n"


def test_the_first_file_is_written_so_that_every_python_can_read_it() -> None:
    ast.parse(START.read_text(encoding="utf-8"), feature_version=(3, 4))
