"""Mistakes of other authors' games while they run, for whoever wants to see their tracebacks."""

from collections.abc import Callable

Listener = Callable[[Exception], None]
_listeners: list[Listener] = []


def listen(listener: Listener) -> Callable[[], None]:
    """Call `listener` with each mistake from now on; return what ends that."""
    _listeners.append(listener)
    return lambda: _listeners.remove(listener)


def report(error: Exception) -> None:
    """Tell the listeners of a mistake. The sentence about it is shown elsewhere."""
    for listener in _listeners:
        listener(error)
