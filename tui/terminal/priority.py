"""The priority of helper processes."""

import os
from contextlib import suppress

_LOWEST = 19


def lower_priority() -> None:
    """Let everything else on the machine go first: this process runs only while a processor is free."""
    with suppress(OSError, AttributeError):
        os.nice(_LOWEST)
    with suppress(OSError, AttributeError):
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
