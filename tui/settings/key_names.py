"""Names of keys: the program's (`question_mark`) and the reader's (`?`)."""

from textual.binding import Binding
from textual.keys import format_key

# Keys for which Textual would show a symbol.
_WORDS = {"enter": "enter", "backspace": "backspace", "space": "space", "tab": "tab"}

_ARROWS = {"←": "left", "→": "right", "↑": "up", "↓": "down"}


def shown_key(key: str) -> str:
    """Return a key for the reader: `a`, `Enter`, `Ctrl+P`."""
    shown = _WORDS.get(key.strip()) or format_key(key.strip())
    *held, last = shown.split("+") if len(shown) > 1 else [shown]
    named = len(last) > 1 or held
    return "+".join([*(part.capitalize() for part in held), last.capitalize() if named else last])


def pressed_key(shown: str) -> tuple[str, str | None]:
    """Return the program's name and the character of a key, given as it is shown to the reader."""
    first = shown.split(", ", maxsplit=1)[0] or shown
    if len(first) == 1 and first not in _ARROWS:
        return next(iter(keys_in(first)), first), first
    name = first.lower()
    return _ARROWS.get(first) or {"esc": "escape", "del": "delete"}.get(name, name), None


def shown_keys_of(keys: str) -> str:
    """Return a list of keys for the reader."""
    return ", ".join(shown_key(key) for key in keys.split(","))


def keys_in(keys: str) -> set[str]:
    """Return the key names of a list such as `ctrl+s, ?`, each in its long form."""
    if not keys:
        return set()
    return {key for binding in Binding.make_bindings([Binding(keys, "x")]) for key in [binding.key]}
