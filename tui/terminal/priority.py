"""The priority of helper processes."""

import os
from contextlib import suppress
from pathlib import Path

_LOWEST = 19
# Linux may first divide the processors between sessions. At this niceness a session gets half of a usual
# share on a busy machine; at 19 a forecast would hardly be played there.
_OF_SESSION, _SESSION = Path("/proc/self/autogroup"), 3


def lower_priority() -> None:
    """Give way to the screens at once, and to everything else on the machine as far as possible.

    The process must have a session of its own: in that of the screens it would use up their share.
    """
    with suppress(OSError):
        _OF_SESSION.write_text(str(_SESSION))
    with suppress(OSError, AttributeError):
        os.nice(_LOWEST)
    with suppress(OSError, AttributeError):
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
