"""A program that runs in the place of `affray`, and tells what is loaded when its first picture is painted.

`python -m tests.bench.loaded FILE TEXT [WORD ...]` starts `affray WORD ...`; when TEXT is painted it writes
JSON into the file: the names of all modules, and of all classes of the program itself.
"""

import json
import sys
from pathlib import Path
from typing import Any

from textual.drivers.linux_driver import LinuxDriver

OWN = ("systems", "tui")


def main(file: str, text: str, *words: str) -> int:
    paint = LinuxDriver.write

    def write(self: Any, data: str) -> None:
        if text in data and not Path(file).exists():
            Path(file).write_text(json.dumps({"modules": sorted(sys.modules), "classes": own_classes()}))
        paint(self, data)

    LinuxDriver.write = write  # type: ignore[method-assign]
    from tui.cli.main import main as affray

    return affray(words)


def own_classes() -> list[str]:
    """Return the names of the program's own classes."""
    found: set[type] = set()
    left: list[type] = [object]
    while left:
        for below in type.__subclasses__(left.pop()):
            if below not in found:
                found.add(below)
                left.append(below)
    # `frozen` makes a class from another one of the same name.
    return sorted({f"{one.__module__}.{one.__qualname__}" for one in found if one.__module__.startswith(OWN)})


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
