"""Text that knows its highlights: the actor, health before and after, and a status.

An author writes `as_actor`, `as_health` and `as_status` into any text, such as an f-string. Each puts
characters around its words that nothing else uses. `Explanation` and `Sentence` remove them and keep their
places (`marked`). `Ask` and `Step` only remove them (`unmarked`). The name of a combatant that players cannot
see is marked too (`as_unseen`), so that they read other words instead.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal

from systems.frozen import frozen
from systems.text import before_and_after, spaced, spoken

MarkMeaning = Literal["actor", "grew", "shrank", "status", "unseen", "unseen_owner"]
SOMETHING_UNSEEN = "something unseen"
# Unicode reserves these code points for the internal use of programs.
_BEGINS: Mapping[str, MarkMeaning] = {
    "\ufdd0": "actor",
    "\ufdd1": "grew",
    "\ufdd2": "shrank",
    "\ufdd3": "status",
    "\ufdd4": "unseen",
    "\ufdd5": "unseen_owner",
}
_ACTOR, _GREW, _SHRANK, _STATUS, _UNSEEN, _UNSEEN_OWNER = _BEGINS
_NAMED, _ENDS = "\ufdd6", "\ufdd7"
_OURS = re.compile(f"[{_ACTOR}-{_ENDS}]")
_PART = re.compile(
    f"(?P<begins>[{_ACTOR}{_GREW}{_SHRANK}]|[{_STATUS}{_UNSEEN}{_UNSEEN_OWNER}](?P<status>[^{_ACTOR}-{_ENDS}]*){_NAMED})"
    f"(?P<words>[^{_ACTOR}-{_ENDS}]*){_ENDS}"
)


@frozen
class TextMark:
    """A highlight from `start` to `end` of a text.

    `status`: the name of a status of the game, or the id of an unseen combatant.
    """

    start: int
    end: int
    what: MarkMeaning
    status: str = ""

    def after(self, characters: int) -> "TextMark":
        """Return the mark of the same words after this many more characters."""
        return TextMark(self.start + characters, self.end + characters, self.what, self.status)

    def plain(self) -> list[Any]:
        """Return the mark as the log stores it: `[9, 13, "status", "dead"]`."""
        return [self.start, self.end, self.what, *([self.status] if self.status else [])]


class MarkedText(str):
    """Text with its marks, in order and without overlaps.

    It equals the same text without marks. A part of it, or a text joined from it, has no marks.
    """

    __slots__ = ("marks",)
    marks: tuple[TextMark, ...]

    def __new__(cls, text: str, marks: Iterable[TextMark] = ()) -> "MarkedText":
        found = super().__new__(cls, text)
        found.marks = tuple(marks)
        return found

    def changed(self, change: Callable[[str], str]) -> "MarkedText":
        """Return the text after a change, with its marks in the new places of their words.

        `change` may replace characters, remove some and cut the end, such as `systems.text.clean`.
        """
        text = change(self)
        if text == self:
            return self

        def place(at: int) -> int:
            return max(0, len(change(f"{self[:at]}x")) - 1)

        marks: list[TextMark] = []
        for mark in self.marks:
            start, end = place(mark.start), min(place(mark.end - 1) + 1, len(text))
            if start < end:
                marks.append(TextMark(start, end, mark.what, mark.status))
        return MarkedText(text, marks)


def as_actor(name: str) -> str:
    """Return the actor's name, which is highlighted in the log."""
    return f"{_ACTOR}{name}{_ENDS}"


def as_health(before: int, after: int) -> str:
    """Return `45 → 4` for a health value; in the log it has the colour of a gain or a loss."""
    words = before_and_after(before, after)
    return words if before == after else f"{_GREW if after > before else _SHRANK}{words}{_ENDS}"


def as_change(pool: str, before: int, after: int) -> str:
    """Return ` (life 45 → 4)`, or "" if nothing changed."""
    return f" ({pool} {as_health(before, after)})" if before != after else ""


def as_status(name: str, words: str = "") -> str:
    """Return a status, which has its colour in the log. `words`: other words for it than its name."""
    return f"{_STATUS}{name}{_NAMED}{words or spoken(name)}{_ENDS}"


def as_unseen(who: str, name: str) -> str:
    """Return the name of a combatant that players cannot see; they read "something unseen". `who`: its id."""
    return f"{_UNSEEN}{who}{_NAMED}{name}{_ENDS}"


def possessive(name: str) -> str:
    """Return the possessive of a name, which may be marked: `Mira's`, `Vault rats'`.

    Whether a name is a plural is not known, so its ending decides. An apostrophe alone follows an s, as in
    plurals: `Swarm of Ravens'`, `Wolves'`; people's names may have it, too: `James'`. But -ss, -us and -is
    end singulars, and they get 's as it is spoken: `Goblin Boss's`, `Pegasus's`, `Idris's`. So does every
    other name, also one with x, z or a number at its end: `Rex's`, `Vault rats 2's`.
    """
    end = name[-3:].rstrip(_ENDS).casefold()
    ending = "'" if end.endswith("s") and not end.endswith(("ss", "us", "is")) else "'s"
    before, unseen, words = name.rpartition(_UNSEEN)
    if unseen and words.endswith(_ENDS):
        return f"{before}{_UNSEEN_OWNER}{words.removesuffix(_ENDS)}{ending}{_ENDS}"
    return f"{name}{ending}"


_INSTEAD: Mapping[MarkMeaning, str] = {
    "unseen": SOMETHING_UNSEEN,
    "unseen_owner": possessive(SOMETHING_UNSEEN),
}


def without_unseen(text: MarkedText) -> tuple[MarkedText, MarkedText, tuple[str, ...]]:
    """Return a text without marks of unseen combatants, the text for other viewers, and those combatants."""
    unseen = [mark for mark in text.marks if mark.what in _INSTEAD]
    if not unseen:
        return text, text, ()
    rest = [mark for mark in text.marks if mark.what not in _INSTEAD]
    words: list[str] = []
    moved = list(rest)
    done = 0
    for mark in unseen:
        begins = not text[: mark.start].rstrip() or text[: mark.start].rstrip()[-1] in ".!?"
        instead = _INSTEAD[mark.what]
        name = instead.capitalize() if begins else instead
        words += (text[done : mark.start], name)
        longer = len(name) - (mark.end - mark.start)
        moved = [
            new.after(longer) if old.start >= mark.end else new for old, new in zip(rest, moved, strict=True)
        ]
        done = mark.end
    public = MarkedText("".join((*words, text[done:])), moved)
    return MarkedText(text, rest), public, tuple(dict.fromkeys(mark.status for mark in unseen))


def marked(text: str) -> MarkedText:
    """Return a text with the marking characters replaced by marks."""
    if isinstance(text, MarkedText):
        return text
    if text.isascii():
        # Nearly every text is, and this is found out far faster than by the pattern.
        return MarkedText(text)
    words: list[str] = []
    marks: list[TextMark] = []
    at = done = 0
    for part in _PART.finditer(text):
        words += (text[done : part.start()], part["words"])
        at += part.start() - done
        seen = spaced(part["words"])
        if seen.strip():
            start, end = at + len(seen) - len(seen.lstrip()), at + len(seen.rstrip())
            marks.append(TextMark(start, end, _BEGINS[part["begins"][0]], part["status"] or ""))
        at, done = at + len(seen), part.end()
    # Any other such character came from a name or an outside text: replace each with a space.
    return MarkedText(_OURS.sub(" ", "".join((*words, text[done:]))), marks)


def unmarked(text: str) -> str:
    """Return a text without marks."""
    return text if text.isascii() else str(marked(text))


def joined(parts: Iterable[str], between: str = " ") -> MarkedText:
    """Return texts joined into one, with the marks of all."""
    marks: list[TextMark] = []
    texts = list(parts)
    at = 0
    for text in texts:
        if isinstance(text, MarkedText):
            marks += [mark.after(at) for mark in text.marks]
        at += len(text) + len(between)
    return MarkedText(between.join(texts), marks)


def with_marks(text: str, given: object) -> MarkedText:
    """Return a text with the marks that a log stores for it; marks that do not fit are left out."""
    return MarkedText(text, read_marks(given, len(text)) if given else ())


def read_marks(given: object, length: int, at: int = 0) -> list[TextMark]:
    """Return the marks that a log stores for a text of this length, which begins at `at` of another."""
    marks: list[TextMark] = []
    done = 0
    for item in given if isinstance(given, list | tuple) else ():
        match item:
            case [int(start), int(end), "actor" | "grew" | "shrank" as what]:
                status = ""
            case [int(start), int(end), "status" as what, str(status)]:
                pass
            case _:
                continue
        if done <= start < end <= length:
            marks.append(TextMark(at + start, at + end, what, status))
            done = end
    return marks
