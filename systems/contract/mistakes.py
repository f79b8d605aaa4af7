"""Report mistakes of other authors' games while they run, to listeners that show tracebacks."""

from collections.abc import Callable

HearMistake = Callable[[Exception, str], None]
_listeners: list[HearMistake] = []


def listen(listener: HearMistake) -> Callable[[], None]:
    """Call `listener` with each mistake and its sentence from now on; return a function that stops it."""
    _listeners.append(listener)
    return lambda: _listeners.remove(listener)


def report(error: Exception, sentence: str) -> None:
    """Report a mistake to the listeners, with the sentence shown for it."""
    for listener in _listeners:
        listener(error, sentence)
