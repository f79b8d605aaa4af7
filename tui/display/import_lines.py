"""Show what each piece of an import became, as rows and as plain text."""

from collections.abc import Iterator, Sequence
from typing import Any, Literal

from systems.text import clean, several
from tui.campaign.importing.proposals import Proposal, Proposals
from tui.display.text import Row, wrapped
from tui.display.typed_lines import reading_lines

RowKind = Literal["head", "read", "assumed", "problem", "here"]
_SIGNS: dict[RowKind, tuple[str, str, str]] = {
    "head": (" ", "", "strong"),
    "read": ("   ", "", ""),
    "assumed": (" ~ ", "warning strong", ""),
    "problem": (" ! ", "danger strong", "danger"),
    "here": (" = ", "accent strong", ""),
}
_LONGEST = 300
_FEW = 12  # creatures that are shown line by line
_MOST = 20  # creatures named of a large import


def said(proposal: Proposal) -> Iterator[tuple[RowKind, str]]:
    """Yield the lines of one creature: its name with counts, then what each piece of text became.

    Text that was not understood comes first, then assumptions, because a small screen cuts the end.
    """
    yield "head", head(proposal)
    if proposal.here is not None:
        yield "here", _compared(proposal)
        for change in proposal.changes:
            yield "here", str(change)
    for problem in proposal.problems:
        yield "problem", clean(problem, _LONGEST)
    for line in sorted(proposal.lines, key=lambda line: (not line.problem, not line.assumed)):
        text = clean(line.text, 120)
        if line.problem:
            kept = f" → {clean(line.becomes, 80)}" if line.becomes else ""
            yield "problem", clean(f"{text}{kept}: {line.problem}", _LONGEST)
        elif line.assumed:
            becomes = f" → {clean(line.becomes, 120)}" if line.becomes else ""
            yield "assumed", clean(f"{text}{becomes} (assumed: {line.assumed})", _LONGEST)
        elif line.becomes:
            yield "read", clean(f"{text} → {line.becomes}", _LONGEST)


def head(proposal: Proposal) -> str:
    """Return a creature's name and how much of it was understood."""
    if proposal.entry is None:
        return f"{clean(proposal.place, 60)}: not read"
    counts = [
        f"{number} {words}"
        for number, words in (
            (sum(1 for line in proposal.lines if line.becomes and not line.problem), "read"),
            (proposal.assumed, "assumed"),
            (proposal.not_understood, "not understood"),
        )
        if number
    ]
    return f"{clean(proposal.name, 60)}{': ' if counts else ''}{', '.join(counts)}"


def _compared(proposal: Proposal) -> str:
    here = proposal.here.name if proposal.here is not None else ""
    if not proposal.changes:
        return f"{clean(here, 60)} is already in the roster, with the same fields"
    return f"{clean(here, 60)} is already in the roster, and differs:"


def import_rows(proposals: Proposals, width: int) -> list[Row]:
    """Return the rows for each line of an import, without the name of a creature that is alone."""
    rows: list[Row] = []
    for kind, words in all_said(proposals):
        sign, mark, tone = _SIGNS[kind]
        if kind == "head" and len(proposals.each) == 1:
            continue
        for number, part in enumerate(wrapped(words, max(10, width - len(sign) - 3), "")):
            first = number == 0
            rows.append([(sign if first else " " * (len(sign) + 2), mark if first else ""), (part, tone)])
    return rows


def all_said(proposals: Proposals) -> Iterator[tuple[RowKind, str]]:
    """Yield the lines of all creatures; of many, only those not read whole, and at most the first."""
    for problem in proposals.problems:
        yield "problem", clean(problem, _LONGEST)
    if len(proposals.each) <= _FEW:
        for proposal in proposals.each:
            yield from said(proposal)
        return
    partly = [each for each in proposals.each if not each.is_whole]
    for proposal in partly[:_MOST]:
        yield "problem", head(proposal)
    if len(partly) > _MOST:
        yield "problem", f"… and {len(partly) - _MOST:,} more that were not read whole"


def summary(proposals: Proposals) -> str:
    """Return how many creatures there are, and how many were read whole."""
    count = len(proposals.each)
    if count == 1:
        return head(proposals.each[0])
    whole = sum(1 for each in proposals.each if each.is_whole)
    unread = sum(1 for each in proposals.each if each.entry is None)
    parts = [f"{whole:,} read whole", f"{count - whole - unread:,} in part", f"{unread:,} not read"]
    here = sum(1 for each in proposals.each if each.here is not None)
    parts += [f"{here:,} already in the roster"] if here else []
    return f"{count:,} creatures: {', '.join(part for part in parts if not part.startswith('0 '))}"


def import_text(proposals: Proposals, *, in_words: bool = False) -> Iterator[str]:
    """Yield the lines of an import as plain text. `in_words`: without signs, to be read aloud."""
    for kind, words in all_said(proposals):
        if in_words:
            yield f"Not understood: {words}" if kind == "problem" else words
        else:
            yield f"{_SIGNS[kind][0]}{words}" if kind != "head" else words


def typed_text(proposals: Proposals) -> Iterator[str]:
    """Yield what the typed lines of a list became, as plain text."""
    for line in reading_lines([each.typed for each in proposals.each if each.typed is not None]):
        yield f"   {clean(line, _LONGEST)}"


def names_of(names: Sequence[str]) -> str:
    """Return some names, or the first and how many more."""
    return several([clean(name, 60) for name in names])


def as_data(proposal: Proposal, *, kept: bool, id: str) -> dict[str, Any]:
    """Return what `affray import --json` prints about one creature."""
    found: dict[str, Any] = {
        "id": id,
        "name": proposal.name,
        "kept": kept,
        "read": [
            {"text": line.text, "becomes": line.becomes}
            for line in proposal.lines
            if line.becomes and not line.problem
        ],
        "assumed": [
            {"text": line.text, "becomes": line.becomes, "assumed": line.assumed}
            for line in proposal.lines
            if line.assumed
        ],
        "not_understood": [
            *(
                {"text": line.text, "becomes": line.becomes, "problem": line.problem}
                for line in proposal.lines
                if line.problem
            ),
            *({"text": proposal.place, "becomes": "", "problem": problem} for problem in proposal.problems),
        ],
    }
    if proposal.changes:
        found["differs"] = [
            {"field": change.label, "here": change.here, "new": change.new} for change in proposal.changes
        ]
    return found
