"""Undo and redo in words: several steps are one sentence, and several in a row read as one line.

The event of an undo or a redo holds in `titles` what its commands are called: all of a few, else the first
and the last. So the words for a run of such events need no other event.
"""

from collections.abc import Iterable, Iterator, Sequence

from systems.encounter.events import Event, Sentence, continues
from systems.frozen import evolve

_WORDS = {"undo": ("Undone", " back to "), "redo": ("Redone", " to ")}
MOST_NAMED = 3


def steps_in_words(kind: str, count: int, titles: Sequence[str]) -> str:
    """Return `Undone: 10 commands, from 3 damage to Guard 1 back to the end of Mira's turn.`

    `titles`: those of all commands if these are few, else at least the first and the last.
    """
    word, until = _WORDS[kind]
    if count <= MOST_NAMED:
        return f"{word}: {'; '.join(titles)}."
    return f"{word}: {count} commands, from {titles[0]}{until}{titles[-1]}."


def in_one_line(events: Sequence[Event], first: int = 0) -> Iterator[Event]:
    """Yield events from an index on, an undo or redo with the words of its whole run up to there.

    If the next event `continues` such an event, its words say all of it.
    """
    before = events[first - 1] if first else None
    run = _run_before(events, first) if before is not None and before.kind in _WORDS else []
    for at in range(first, len(events)):
        event = events[at]
        if not continues(event, before):
            run = []
        run.append(event)
        before = event
        yield _as_one(run) if len(run) > 1 else event


def _run_before(events: Sequence[Event], end: int) -> list[Event]:
    """Return the events before an index that are one run of undo or redo."""
    found = [events[end - 1]]
    for at in range(end - 2, -1, -1):
        if not continues(found[-1], events[at]):
            break
        found.append(events[at])
    return found[::-1]


def _as_one(run: Sequence[Event]) -> Event:
    """Return the last event of a run with the words of all of it."""
    last = run[-1]
    titles = [title for event in run for title in event.titles]
    count = sum(len(event.refs) for event in run)
    text = steps_in_words(last.kind, count, titles)
    about = dict.fromkeys(who for event in run for who in _about(event))
    return evolve(last, text=text, sentences=(Sentence(text, tuple(about), "gm"),))


def _about(event: Event) -> Iterable[str]:
    return (who for sentence in event.sentences for who in sentence.about)
