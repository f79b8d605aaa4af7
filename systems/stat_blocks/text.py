"""The creatures in pasted text: stat blocks of the layouts of 2014 and 2024, and shorthand.

The lines of a paste are divided at labels and names, creatures begin at a line of size and type or at an
armour class, and the text between the labels is paragraphs.
"""

from collections.abc import Iterator, Sequence

from systems.contract.stat_block import BlockLine, StatBlock
from systems.frozen import evolve
from systems.stat_blocks.cleaning import MOST_BYTES, cleaned
from systems.stat_blocks.creature import creature_of
from systems.stat_blocks.names import is_like_a_name, without_stop
from systems.stat_blocks.pieces import ALIGNMENT, BlockPiece, divided
from systems.stat_blocks.tags import without_tags

MOST_CREATURES = 60  # in one paste


def creatures(text: str) -> tuple[StatBlock, ...]:
    """Return the creatures that a pasted text describes, in order; none if it is no stat block.

    Raises Wrong if the text is too long.
    """
    clean_text = cleaned(without_tags(text) if "{@" in text[:MOST_BYTES] else text)
    pieces = list(divided(clean_text.lines))
    starts = _starts(pieces)[:MOST_CREATURES]
    ends = [*starts[1:], len(pieces)]
    parts = [pieces[start:end] for start, end in zip(starts, ends, strict=False)]
    before = pieces[: starts[0]] if starts else pieces
    if not starts:
        parts = [pieces]
    elif before:
        # A column that was copied before the name of the creature.
        belongs = any(piece.section or piece.label or piece.is_abilities for piece in before)
        if belongs:
            parts[0] = [*parts[0], *_as_later_column(before)]
    blocks = [block for block in (creature_of(part) for part in parts) if block is not None]
    if blocks and clean_text.left_out:
        headers = tuple(
            BlockLine(each, problem="left out as the header of a page") for each in clean_text.left_out
        )
        blocks[0] = evolve(blocks[0], lines=(*blocks[0].lines, *headers))
    return tuple(blocks)


def _as_later_column(pieces: Sequence[BlockPiece]) -> Iterator[BlockPiece]:
    for at, piece in enumerate(pieces):
        if at == 0 and piece.section is None and piece.label is None:
            yield evolve(piece, after_blank=True)
        else:
            yield piece


def _starts(pieces: Sequence[BlockPiece]) -> list[int]:
    """Return the places at which creatures begin: at the name, else at the type or the figures."""
    found: list[int] = []
    seen = set[str]()
    for at, piece in enumerate(pieces):
        kind = "type" if piece.is_type else piece.label.kind if piece.label else ""
        if kind not in ("type", "armour_class"):
            continue
        if kind == "type" and not _is_anchor(pieces, at):
            continue
        is_new = not found or kind in seen or (kind == "type" and "armour_class" in seen)
        if kind == "armour_class" and found and is_new:
            near = {each.label.kind for each in pieces[at + 1 : at + 5] if each.label}
            is_new = "hit_points" in near and _name_before(pieces, at, found[-1] + 1) is not None
        if is_new:
            least = found[-1] + 1 if found else 0
            name = _name_before(pieces, at, least)
            found.append(at if name is None else name)
            seen = set()
        seen.add(kind)
    return found


def _is_anchor(pieces: Sequence[BlockPiece], at: int) -> bool:
    near = pieces[max(0, at - 3) : at + 8]
    return any(piece.label or piece.is_abilities for piece in near) or bool(ALIGNMENT.search(pieces[at].text))


def _name_before(pieces: Sequence[BlockPiece], at: int, least: int) -> int | None:
    """Return the place of the creature's name before its type or its armour class, or None."""
    candidates: list[int] = []
    for place in range(at - 1, max(least, at - 4) - 1, -1):
        piece = pieces[place]
        if piece.section or piece.is_abilities or piece.is_type:
            break
        if piece.label and piece.label.kind in ("challenge", "initiative"):
            continue
        if piece.label or not is_like_a_name(without_stop(piece.text)):
            break
        candidates.append(place)
    if not candidates:
        return None
    if pieces[at].is_type:
        return candidates[0]
    marked = [place for place in candidates if pieces[place].is_heading or pieces[place].named]
    return (
        marked[0]
        if marked
        else next((place for place in candidates if pieces[place].after_blank), candidates[0])
    )
