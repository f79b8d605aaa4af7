"""The six abilities of a stat block, in a row, in a table or one below the other."""

import re
from collections.abc import Sequence

from systems.contract.stat_block import ABILITIES
from systems.stat_blocks.figures import ABILITY, FoundFigures, ability

_Number = tuple[bool, int]  # whether it is a score, and the number
_NAME = rf"(?P<name>{ABILITY})"
_TOKEN = re.compile(
    rf"[\s|/:,;=]{{0,8}}(?:{_NAME}|(?P<bracket>[\[(]\s?[+-]?\s?[0-9]{{1,2}}\s?[\])])"
    r"|(?P<signed>[+-]\s?[0-9]{1,2}\b)|(?P<score>[0-9]{1,2}\b)|(?P<word>(?:mod(?:ifier)?|save|score|ability|abilities)s?\b))",
    re.IGNORECASE,
)
BEGINS = re.compile(
    rf"\b{ABILITY}(?=[\s|:=]{{0,6}}(?:[0-9]{{1,2}}\b|[+-][0-9]|\(|mod\b|score\b|{ABILITY}[\s|:=]))",
    re.IGNORECASE,
)
# In a line with other figures the abilities begin with the first one.
INSIDE = re.compile(
    r"(?<!hrows )(?<!aves )(?<!aves: )(?<!ave )(?<![0-9] )\b(?:STR|Str|STRENGTH|Strength)\b"
    r"(?=[\s|:=]{0,6}(?:[0-9]{1,2}\b|\([+-]?[0-9]|(?:DEX|Dex|MOD|Mod)|[+-][0-9]{1,2}[,; ]{1,3}(?:DEX|Dex)))"
)
_ALONE = re.compile(rf"(?:{ABILITY}[\s|/]{{0,6}}){{1,6}}", re.IGNORECASE)


def tokens_end(text: str) -> int:
    """Return where names and numbers of abilities at the beginning of a text end."""
    place = 0
    while match := _TOKEN.match(text, place):
        place = match.end()
    return place


def is_ability_line(text: str) -> bool:
    """Return whether a line holds nothing but names and numbers of abilities."""
    return bool(text.strip(" .|;,")) and tokens_end(text) == len(text.rstrip(" .|;,"))


def begins_abilities(text: str) -> bool:
    """Return whether a line begins with the abilities."""
    return bool(BEGINS.match(text) or _ALONE.fullmatch(text))


def read_abilities(found: FoundFigures, text: str) -> None:
    """Keep the scores of a text that holds names and numbers of abilities, and the saves next to them."""
    figures: dict[str, list[_Number]] = {}
    names: list[str] = []
    numbers: list[_Number] = []
    place = 0
    while match := _TOKEN.match(text, place):
        place = match.end()
        if match["name"]:
            if numbers:
                _spread(names, numbers, figures)
                names, numbers = [], []
            names.append(ability(match["name"]))
        elif not match["word"]:
            kind = "score" if match["score"] else "bracket" if match["bracket"] else "signed"
            written = re.sub(r"[\s()\[\]]", "", match[kind])
            is_score = kind == "score" or (written.isdigit() and int(written) > 10)
            numbers.append((is_score, int(written)))
    _spread(names, numbers, figures)
    if figures.pop("", None):
        found.miss(text, "not as many scores as names of abilities")
    for name in ABILITIES:
        if name in figures:
            _keep(found, name, figures[name])


def _spread(names: Sequence[str], numbers: Sequence[_Number], figures: dict[str, list[_Number]]) -> None:
    """Give numbers to the names above them: the scores in order, then the modifiers, then the saves."""
    scores = sum(is_score for is_score, _ in numbers)
    if len(names) > 1 and scores not in (0, len(names)):
        # A name is missing, so nothing says which score belongs to which ability.
        figures.setdefault("", []).extend(numbers)
        return
    for wanted in (True, False):
        for at, number in enumerate(each for each in numbers if each[0] is wanted):
            if names:
                figures.setdefault(names[at % len(names)], []).append(number)


def _keep(found: FoundFigures, name: str, numbers: Sequence[_Number]) -> None:
    score = next((number for is_score, number in numbers if is_score), None)
    others = [number for is_score, number in numbers if not is_score]
    label = name[:3].upper()
    if score is None:
        score, source = 10 + 2 * others[0], f"{label} {others[0]:+d}"
        found.assume(source, "the lowest score with this modifier", f"{name} {score}")
    else:
        source = f"{label} {score}" + (f" ({others[0]:+d})" if others else "")
        if others and others[0] != (score - 10) // 2:
            usual = f"{(score - 10) // 2:+d}"
            found.assume(source, f"the score counts; its modifier is {usual}", f"{name} {score}")
    found.keep("abilities", {name: score}, source)
    if len(others) > 1:
        found.keep("saves", {name: others[1]}, f"{label} save {others[1]:+d}")
