"""Mistakes of other authors' games while they run, for whoever wants to see their tracebacks."""

from collections.abc import Callable

Listener = Callable[[Exception, str], None]
_listeners: list[Listener] = []


def listen(listener: Listener) -> Callable[[], None]:
    """Call `listener` with each mistake and its sentence from now on; return what ends that."""
    _listeners.append(listener)
    return lambda: _listeners.remove(listener)


def report(error: Exception, sentence: str) -> None:
    """Tell the listeners of a mistake, and the sentence that is shown of it."""
    for listener in _listeners:
        listener(error, sentence)
