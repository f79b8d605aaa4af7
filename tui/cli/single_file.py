"""The start of the single-file program, which unpacks elsewhere and keeps its campaigns beside itself."""

import os
import sys
from pathlib import Path


def main() -> int:
    """Note which file was started, for this program and for those it starts, and go on as `affray` does."""
    from tui.campaign.folders import PROGRAM_FILE
    from tui.cli.main import main as run_affray

    os.environ[PROGRAM_FILE] = str(Path(sys.argv[0]).resolve())
    return run_affray()
