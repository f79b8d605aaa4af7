"""Find ids, code words and slips in sentences for users."""

import re
from collections.abc import Iterable, Iterator

QUOTED = re.compile(r'"[^"]*"|“[^”]*”')
# These words are followed by text to type, which may look like code.
EXAMPLE = re.compile(
    r"(such as|is missing:|needs a target:|(?:add|type)(?= \w+=)|type:|; to set the field:).*"
)
WORDS_TO_TYPE = re.compile(r"(; [a-z]+:|takes|could be|needs [a-z ]+:) .*")
SLIPS = {
    "a name with an underscore": re.compile(r"\w_\w"),
    "a place in a list as a file has it": re.compile(r"\w\[\d"),
    "an option as it is typed": re.compile(r"\b[a-z]\w*=\S"),
    "an exclamation mark": re.compile(r"!"),
    "two spaces": re.compile(r"  "),
    "a value of Python": re.compile(r"\b(None|True|False|nan)\b|[\[({]['\"]|\[\]|\{\}|<\w+ object|Error\b"),
    "a lonely mark": re.compile(r" [,.;:](?!\w)|,,|;;|\.\.(?!\.)|^\s|\s$"),
    "a word twice": re.compile(r"\b([a-z]{2,}) \1\b"),
}


def slips(sentence: str, ids: Iterable[str] = ()) -> Iterator[str]:
    """Yield the slips in a sentence. `ids`: the ids in the fight, which differ from the names."""
    if "`" in sentence:
        yield "a backtick"
    said = EXAMPLE.sub("Q", QUOTED.sub("Q", sentence))
    words = WORDS_TO_TYPE.sub("Q", said)
    for what, pattern in SLIPS.items():
        if found := pattern.search(words):
            yield f"{what}, {found[0]!r}"
    for who in ids:
        if re.search(rf"(?<![\w-]){re.escape(who)}(?![\w-])", said):
            yield f"the id {who}"
