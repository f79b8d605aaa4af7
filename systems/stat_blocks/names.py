"""Names in a stat block: that of the creature, and those at the start of a paragraph."""

import re
from collections.abc import Iterator

from systems.frozen import evolve
from systems.stat_blocks.figures import ABILITY
from systems.stat_blocks.pieces import BlockPiece

_SMALL = (
    "of|the|and|in|to|with|from|for|on|at|by|a|an|or|as|into|its|per|vs|without|over|under|through|beyond"
    "|upon|against|before|after"
)
_WORD = rf"(?:[A-Z0-9][\w'\u00c0-\u024f/-]{{0,24}}|{_SMALL}|\+[0-9])"
_MARKS = r"(?: ?\([^()]{1,60}\)){0,2}"
_NAME = rf"[A-Z][\w'\u00c0-\u024f/-]{{0,24}},?(?: {_WORD},?){{0,7}}"
_LAZY_NAME = rf"[A-Z][\w'\u00c0-\u024f/-]{{0,24}},?(?: {_WORD},?){{0,7}}?"
_STARTS = re.compile(rf"(?P<name>{_NAME}{_MARKS})[.!](?: ?\N{{EM DASH}})?(?= |$)")
_STARTS_WITH_COLON = re.compile(rf"(?P<name>{_NAME}{_MARKS}):(?= |$)")
_STRONG = r"(?:\*?(?:Melee|Ranged)\b|[+-][0-9]{1,2}\b|DC [0-9]|\{@(?:atk|h|act|hit|damage|dc)"
_STARTS_STRONG = re.compile(
    rf"(?P<name>{_LAZY_NAME}{_MARKS})(?:[.:]|,| -| \N{{EM DASH}})? ?"
    rf"(?={_STRONG}|(?:Strength|Dexterity|Constitution|Intelligence|Wisdom|Charisma) Saving Throw:))"
)
_SHORT = re.compile(
    r"(?P<name>(?:[0-9] ?x )?[A-Za-z][\w' /-]{1,40}?(?: \([^()]{1,30}\))?)[:,.]? "
    r"(?=[+-][0-9]{1,2}\b[^.]{0,40}?[0-9]{1,2}d[0-9]|DC ?[0-9]{1,2}\b"
    r"|[0-9]{1,2}d[0-9]{1,2}[^.]{0,30}\bDC ?[0-9])",
)
_NOT_NAMES = re.compile(
    rf"(?:hit|miss|hit or miss|failure|success|failure or success|(?:first|second) failure|trigger"
    rf"|response|melee|ranged|(?:melee|ranged|melee or ranged) (?:weapon |spell )?attack(?: roll)?"
    rf"|half damage|(?:{ABILITY}) (?:saving throw|check)s?|at will|cantrips?|[0-9](?:st|nd|rd|th) level"
    rf"|[0-9]/day(?: each)?|(?:the|an?|it|if|each|when|while|until|any|this|that|these|in|on|at|by|as|for"
    rf"|once|one|two|three|its|their)|ft|dc|hp|ac|cr|xp|pb|effect|damage|range|area|duration|note|special"
    rf"|level [0-9]|blinded|charmed|deafened|frightened|grappled|incapacitated|invisible|paralyzed"
    rf"|petrified|poisoned|prone|restrained|stunned|unconscious|exhaustion|acid|bludgeoning|cold|fire"
    rf"|force|lightning|necrotic|piercing|poison|psychic|radiant|slashing|thunder|strength|dexterity"
    rf"|constitution|intelligence|wisdom|charisma|legendary action uses|proficiency bonus|hit points"
    rf"|armor class|feet|foot|short rest|long rest|advantage|disadvantage)",
    re.IGNORECASE,
)
_FIRST_WORDS = re.compile(
    r"(?:the|an?|it|if|each|when|while|until|any|this|that|these|those|on|once|its|their|they|he|she"
    r"|otherwise|instead|additionally|creatures?|for|as|at|by|in|after|before|during|hit|failure|success"
    r"|melee|ranged)\b",
    re.IGNORECASE,
)
_BARE_TRAITS = re.compile(
    r"(?:pack tactics|magic resistance|evasion|undead fortitude|amphibious|spider climb|flyby"
    r"|siege monster|sunlight sensitivity|keen (?:senses|smell|sight|hearing)[a-z ]{0,20}"
    r"|legendary resistance(?: \([^()]{1,30}\))?|regeneration [0-9]{1,3}[^.]{0,40}|nimble escape|hover)\.?",
    re.IGNORECASE,
)
_STOPPED_NAME = re.compile(r"[A-Z][\w'-]{1,24}(?: [A-Z][\w'-]{1,24}){0,3}\.")
# No word of a name in shorthand.
_FUNCTION_WORDS = re.compile(
    r"\b(?:a|an|the|on|in|it|makes?|must|succeeds?|takes?|taking|or|and|that|is|are|by|be|target|saving"
    r"|against)\b"
)
_AFTER_SENTENCE = re.compile(r"[.!?)](?<!ft\.)['\"]? (?=[A-Z])")


def without_stop(text: str) -> str:
    """Return a name such as `Cave Squid.` without its full stop."""
    return text.removesuffix(".") if _STOPPED_NAME.fullmatch(text) else text


def is_like_a_name(text: str) -> bool:
    words = text.split()
    return (
        0 < len(words) <= 8 and len(text) <= 70 and not text.rstrip('"').endswith((".", ";", ":", ","))
    ) or (len(words) <= 6 and text.endswith((":", ",", ";", " -", "\N{EM DASH}")))


def sentences_with_names(piece: BlockPiece) -> Iterator[BlockPiece]:
    """Yield the paragraphs of a text whose line ends are lost."""
    cuts = [0]
    for found in _AFTER_SENTENCE.finditer(piece.text):
        place = found.end()
        after = piece.text[place : place + 140]
        match = _STARTS.match(after) or _STARTS_STRONG.match(after)
        if match is None:
            continue
        bare = re.sub(r"\([^()]*\)", "", match["name"]).strip(" ,")
        follows = after[match.end() :].lstrip()
        if _NOT_NAMES.fullmatch(bare) or _FIRST_WORDS.match(bare) or not follows[:1].strip():
            continue
        if follows[0].isupper() or follows[0] in "+-{(" or follows[0].isdigit():
            cuts.append(place)
    for at, start in enumerate(cuts):
        end = cuts[at + 1] if at + 1 < len(cuts) else len(piece.text)
        text = piece.text[start:end].strip()
        if text:
            yield evolve(
                piece,
                text=text,
                after_blank=start > 0 or piece.after_blank,
                named=piece.named if start == 0 else "",
                is_rest=False,
            )


def is_shorthand(text: str) -> bool:
    """Return whether a text begins like `bite +4 1d6+2 piercing`."""
    return bool(_SHORT.match(text))


def paragraph_name(piece: BlockPiece, open: str, ended: bool, unfinished: bool) -> tuple[str, str] | None:
    """Return the name and the text of a paragraph that begins with this piece, or None.

    `open`: what the piece may continue. `ended`: whether the text before ends a sentence. `unfinished`:
    whether the paragraph before ends in the middle of a sentence.
    """
    begins = piece.after_blank or ended
    if piece.named and not _NOT_NAMES.fullmatch(piece.named.strip(" .:")):
        return _marked_name(piece)
    if found := _name_with_stop(piece.text, begins, begins or open in ("label", "introduction")):
        return found
    if _BARE_TRAITS.fullmatch(piece.text) and piece.text[0].isupper():
        name, blank, more = piece.text.strip(" .").partition(" ")
        return (name, more) if name.casefold() == "regeneration" else (name + blank + more, "")
    continues = unfinished and piece.text[:1].islower() and not piece.is_rest
    if continues or not (begins or piece.is_rest or open != "paragraph"):
        return None
    return _shorthand_name(piece.text)


def _marked_name(piece: BlockPiece) -> tuple[str, str]:
    """Return the name that bold letters mark, with the brackets after it, and the text."""
    name = piece.named.strip(" .:")
    rest = piece.text.removeprefix(name)
    marks = re.match(rf"({_MARKS})[.:,]?", rest)
    assert marks is not None  # the pattern also matches nothing
    return f"{name}{marks[1]}", rest[marks.end() :].lstrip(" .:")


def _name_with_stop(text: str, before_colon: bool, before_stop: bool) -> tuple[str, str] | None:
    """Return the name before an attack, a full stop or a colon, and the text.

    `before_colon` and `before_stop`: whether a name may come before them.
    """
    for pattern, may_begin in (
        (_STARTS_STRONG, True),
        (_STARTS, before_stop),
        (_STARTS_WITH_COLON, before_colon),
    ):
        found = pattern.match(text) if may_begin else None
        if found is None:
            continue
        name = found["name"].strip(" ,")
        bare = re.sub(r"\([^()]*\)", "", name).strip()
        if not (_NOT_NAMES.fullmatch(bare) or (_FIRST_WORDS.match(bare) and len(bare.split()) > 3)):
            return name, text[found.end() :].strip(" :")
    return None


def _shorthand_name(text: str) -> tuple[str, str] | None:
    found = _SHORT.match(text)
    if found is None:
        return None
    name = found["name"]
    if _FUNCTION_WORDS.search(name) or _FIRST_WORDS.match(name) or _NOT_NAMES.fullmatch(name):
        return None
    return name.strip(" ,:"), text[found.end() :].strip()
