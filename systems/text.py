"""Text: matching of typed words (spelling, case, beginning, near miss), and words and numbers for the screen.

`matches` is the one way from a typed word to what it may mean; combatants, fields, conditions, options and
roster entries are all found by it.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import accumulate
from types import ModuleType
from unicodedata import combining, normalize

NO_NAMES: Mapping[str, str] = {}
# The largest total length of the names in an error; further ones are only counted.
LONGEST_LIST = 60
LONGEST_NAME = 80
NEAR = 0.75  # an unknown word at least this similar to a known word counts as a misspelling
_RULE = r"[A-Z]{1,4}-?[A-Z]?[0-9]+"
_RULES = re.compile(rf" \({_RULE}(?:(?:, | to ){_RULE})*\)")
_AMERICAN = (
    ("armor", "armour"),
    ("defense", "defence"),
    ("color", "colour"),
    ("maneuver", "manoeuvre"),
    ("practice", "practise"),
    ("honor", "honour"),
    ("favor", "favour"),
    ("center", "centre"),
    ("gray", "grey"),
    ("ize", "ise"),
    ("yze", "yse"),
)


def json() -> ModuleType:
    """Return the module `json`. Importing it takes a hundredth of a start, which does without it."""
    import json

    return json


@cache
def plain_word(word: str) -> str:
    """Return one form for all spellings: lower case, underscores, British."""
    form = word.strip().casefold().replace("-", "_").replace(" ", "_")
    for american, british in _AMERICAN:
        if british not in form:
            form = form.replace(american, british)
    return form


@cache
def _american(word: str) -> str:
    """Return the form of `plain_word` in American spelling."""
    form = plain_word(word)
    for american, british in _AMERICAN:
        form = form.replace(british, american)
    return form


def spelled(word: str, known: Iterable[str], names: Mapping[str, str] = NO_NAMES) -> tuple[str, ...]:
    """Return the keys of `known` equal to `word` in any case and spelling; `names`: other names of keys.

    A key or name exactly as typed comes before a name in another spelling, and that before a key.
    """
    keys, plain = tuple(known), plain_word(word)
    if word in keys:
        return (word,)
    if not plain:
        return ()
    return (
        tuple(key for key in keys if names.get(key) == word)
        or tuple(key for key in keys if plain_word(names.get(key, "")) == plain)
        or tuple(key for key in keys if plain_word(key) == plain)
    )


def starting_with(word: str, known: Iterable[str], names: Mapping[str, str] = NO_NAMES) -> tuple[str, ...]:
    """Return the keys of `known` that `word` begins: the key or its name, else a later word of the name.

    Never the inside of a word.
    """
    keys, plain, american = tuple(known), plain_word(word), _american(word)
    if not plain:
        return ()
    return tuple(
        key for key in keys if _begins(key, plain, american) or _begins(names.get(key, ""), plain, american)
    ) or tuple(key for key in keys if _begins_word(names.get(key, ""), plain))


def matches(
    word: str, known: Iterable[str], names: Mapping[str, str] = NO_NAMES, *, least: int = 1
) -> tuple[str, ...]:
    """Return the keys of `known` that `word` may mean: none, one, or several on the same level.

    The levels: keys spelled in full, then keys begun with at least `least` characters. Among the latter, a
    key that begins all others is meant: `thr` is threshold, and not threshold_modifier.
    """
    keys = tuple(known)
    found = spelled(word, keys, names)
    if found or len(plain_word(word)) < least:
        return found
    begun = starting_with(word, keys, names)
    return tuple(key for key in begun if _is_in_all(key, begun)) or begun


def _is_in_all(key: str, begun: Sequence[str]) -> bool:
    """Return whether all others are this key and more words."""
    whole = f"{plain_word(key)}_"
    return all(other == key or plain_word(other).startswith(whole) for other in begun)


def _begins(name: str, plain: str, american: str) -> bool:
    """Return whether a name begins with a word, which is given in British and in American spelling."""
    return plain_word(name).startswith(plain) or _american(name).startswith(american)


def _begins_word(name: str, plain: str) -> bool:
    """Return whether a later word of a name, perhaps in brackets, begins like this."""
    form = plain_word(name)
    return any(form.startswith(plain, at + 1) for at, letter in enumerate(form) if letter in "_(")


_PLURALS = (("ies", "y"), ("ves", "f"), ("ves", "fe"), ("men", "man"), ("es", ""), ("s", ""))


def singulars(name: str) -> tuple[str, ...]:
    """Return what a name may be in the singular: `wolf` and `wolve` for `wolves`; () for none."""
    found = (f"{name[: -len(end)]}{singular}" for end, singular in _PLURALS if name.casefold().endswith(end))
    return tuple(word for word in found if word)


def without_accents(text: str) -> str:
    """Return text with its letters bare: `Élodie` as `Elodie`."""
    return "".join(letter for letter in normalize("NFKD", text) if not combining(letter))


def sort_key(name: str) -> str:
    """Return what a name is sorted by in a list: case and accents do not count."""
    return without_accents(name).casefold()


def same_word(word: str, other: str) -> bool:
    """Return whether two words differ only in case, hyphens, or British and American spelling."""
    return plain_word(word) == plain_word(other)


def find_word(word: str, known: Iterable[str]) -> str | None:
    """Return the known word that `word` spells, exactly or in another spelling; or None."""
    known = tuple(known)
    if word in known:
        return word
    return next((candidate for candidate in known if same_word(candidate, word)), None)


def spoken(name: str) -> str:
    """Return a declared name as users read it: without underscores."""
    return name.replace("_", " ")


def without_rules(help: str) -> str:
    """Return a declared help without the ids of rules in round brackets: they are for readers of the code."""
    return _RULES.sub("", help) if "(" in help else help


def as_sentence(error: str) -> str:
    """Return an error as a sentence on a screen: with a capital letter and a full stop.

    An error that begins with a quote, a path or a number keeps its beginning.
    """
    text = error.strip()
    first = text.split(" ", 1)[0].rstrip(",;:")
    if first.replace("'", "").isalpha():
        text = text[0].upper() + text[1:]
    return text if not text or text[-1] in ".?!…" else f"{text}."


def clean(text: str, most: int = 80) -> str:
    """Return `text` on one line, without control characters, cut to `most` characters."""
    safe = " ".join(spaced(text).split())
    return safe if len(safe) <= most else safe[: most - 1] + "…"


def why_too_long(name: str) -> str:
    """Return why a typed name or title is too long, or "". Longer ones in existing files are still read."""
    if len(name) <= LONGEST_NAME:
        return ""
    return f"a name has at most {LONGEST_NAME} characters, and this has {len(name):,}"


def printable(text: str) -> str:
    """Return `text` with a space for each unprintable character, and none at either end."""
    return spaced(text).strip()


def spaced(text: str) -> str:
    """Return `text` in the same length, with a space for each unprintable character."""
    if text.isprintable():
        return text
    return "".join(character if character.isprintable() else " " for character in text)


def with_label(text: str, label: str) -> str:
    """Return a figure with the name of its column, if it does not begin with it: `saves +1 −2`."""
    return text if text.startswith(label) else f"{label} {text}"


def nearest(word: str, known: Iterable[str], alike: float = 0.6) -> str:
    """Return the known word that `word` is probably meant to be; "" when none is near.

    `alike`: how near it has to be, from 0 to 1.
    """
    # difflib is slow to import and only wanted once something is wrong.
    from difflib import get_close_matches

    forms: dict[str, str] = {}
    for candidate in known:
        forms.setdefault(plain_word(candidate), candidate)
    near = get_close_matches(plain_word(word[:80]), list(forms), n=1, cutoff=alike)
    return forms[near[0]] if near else ""


def suggestion(word: str, known: Iterable[str], kind: str = "known", alike: float = 0.6) -> str:
    """Return `; did you mean life?`, or the known words, or "" when there are none.

    `kind`: what these words are, such as `games`. `alike`: see `nearest`.
    """
    words = [str(candidate) for candidate in known]
    near = nearest(word, words, alike)
    return f"; did you mean {near}?" if near else what_there_is(word, words, kind)


def what_there_is(word: str, known: Iterable[str], kind: str = "known") -> str:
    """Return `; known: life, armour`, or "" when there is nothing.

    Of a long list those that are most like the word come first, then how many more there are. `kind`: see
    `suggestion`.
    """
    names = [clean(name, 60) for name in dict.fromkeys(known)]
    if not names:
        return ""
    if len(", ".join(names)) <= LONGEST_LIST:
        return f"; {kind}: {', '.join(names)}"
    names.sort(key=lambda name: -_likeness(word, name))
    ends = accumulate(len(name) + 2 for name in names)
    fitting = max(1, sum(end <= LONGEST_LIST for end in ends))
    return f"; {kind}: {', '.join(names[:fitting])}, {len(names) - fitting} more"


def _likeness(word: str, name: str) -> float:
    """Return how much a name is like a word, from 0 to 1."""
    from difflib import SequenceMatcher

    return SequenceMatcher(None, plain_word(name), plain_word(word[:80])).ratio()


def listed(words: Iterable[str], last: str = "and") -> str:
    """Return `a, b and c`."""
    words = list(words)
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def sentence(*parts: str) -> str:
    """Return the parts that are not empty as one sentence: `72 against 36, success 36.`"""
    words = ", ".join(part for part in parts if part)
    return f"{words}." if words else ""


def several(names: Sequence[str]) -> str:
    """Return up to six names, or five of them and how many more."""
    return listed(names if len(names) <= 6 else [*names[:5], f"{len(names) - 5} more"])


def signed(number: int) -> str:
    """Return `+5`, `−5` or `0`, with a real minus sign."""
    return f"+{number}" if number > 0 else plain_number(number)


def plain_number(number: int) -> str:
    """Return a number with a real minus sign."""
    return str(number) if number >= 0 else f"\N{MINUS SIGN}{-number}"


def before_and_after(before: int | str, after: int | str) -> str:
    """Return `45 → 4`, with real minus signs."""
    words = [value if isinstance(value, str) else plain_number(value) for value in (before, after)]
    return " → ".join(words)


def shown(value: object) -> str:
    """Return a value as an error shows it: one line, no control characters, at most 40 characters."""
    match value:
        case bool():
            return "true" if value else "false"
        case None:
            return "null"
        case str():
            return f'"{clean(value, 40)}"' if value else "an empty text"
        case int() | float():
            return clean(repr(value), 40) if abs(value) < 10**30 else "a huge number"
        case dict():
            return "a table"
        case list() | tuple():
            flat = len(value) <= 4 and not any(isinstance(part, list | tuple) for part in value)
            return "[" + ", ".join(shown(part) for part in value) + "]" if flat else "a list"
        case _:
            return clean(str(value), 40)


def one_line(text: str) -> str:
    """Return a text on one line, without control characters."""
    return text if text.isprintable() else clean(text, len(text))
