"""The priority of helper processes."""

import os
from contextlib import suppress
from pathlib import Path

_LOWEST = 19
# Linux may divide processors between sessions first, by the priority of each session.
_OF_SESSION = Path("/proc/self/autogroup")


def lower_priority() -> None:
    """Let everything else on the machine go first: this process runs only while a processor is free.

    The process must have a session of its own.
    """
    with suppress(OSError):
        _OF_SESSION.write_text(str(_LOWEST))
    with suppress(OSError, AttributeError):
        os.nice(_LOWEST)
    with suppress(OSError, AttributeError):
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
