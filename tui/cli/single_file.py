"""Start the single-file program, which unpacks elsewhere and keeps its campaigns next to itself."""

import os
import sys
from pathlib import Path


def main() -> int:
    """Store the path of the started file for this program and those it starts, then run `affray`."""
    from tui.campaign.folders import PROGRAM_FILE
    from tui.cli.main import main as run_affray

    os.environ[PROGRAM_FILE] = str(Path(sys.argv[0]).resolve())
    return run_affray()
