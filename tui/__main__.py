"""Run `affray` as `python -m tui`."""

import sys

from tui.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
