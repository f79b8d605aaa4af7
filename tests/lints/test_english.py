"""The project's English: habits of a translation stay rare in documents, strings, docstrings and comments.

A finding is a place to look at, not a mistake: "who is next" is right in an indirect question. So each kind
of text may have one finding in 1,000 words. Reword a sentence only if that makes it easier to read.
"""

import ast
import io
import re
import subprocess
import tokenize
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from tests.lints.test_source import nodes, tree

ROOT = Path(__file__).resolve().parents[2]
KINDS = ("document", "string", "docstring", "comment")
MOST = 1.0  # findings in 1,000 words

_AFTER = r"(?:^|[.;:,(] *|\b(?:and|but|that|of|by|to|for|with|than|from) )"
_VERB = (
    r"(?:is|are|was|has|have|had|can|cannot|may|must|do|does|will|would|acts?|waits?|stands?|comes?|falls?|knocks?"
    r"|sits?|rolls?|looks?|shares?|gets?|takes?|begins?|leaves?|holds?|enters?|dies|resists?|makes?|plays?|asks?)"
)
_NOUN = (
    r"(?:the|an?|it|there|no|some|any|nobody|somebody|nothing|you|they|he|she|several|all|both|one|that|this|which"
    r"|who|neither|each)"
)
# Each habit with a sentence that has it, and the same sentence rewritten.
HABITS = {
    "a clause without a noun": (
        rf"{_AFTER}(?:who|whom|what)(?:ever)? {_VERB}\b",
        "Who has acted waits.",
        "A combatant that has acted waits.",
    ),
    "a pronoun for a noun": (
        r"\b(?:ones?|those|somebody|anybody|nobody|everybody) (?:who|that|which|of whom)\b",
        "one that is down",
        "a combatant that is down",
    ),
    "where for if or when": (
        rf"(?:^|[.;:,(] *|\b(?:and|but|or) )where {_NOUN}\b",
        "Where there is no target",
        "Without a target",
    ),
    "stand for be": (
        r"\b(?:stands?|stood|standing) (?:in|on|at|there|behind|besides?|above|below|apart|alone|between"
        r"|before|under|with|for|as|open|first|last)\b",
        "The name stands in a file.",
        "The name is in a file.",
    ),
    "behind and beside for order": (
        r"\b(?:behind|besides?)\b",
        "Options go behind the target.",
        "Options go after the target.",
    ),
    "somebody": (
        r"\b(?:somebody|whomever|whosoever|whichever|wherever)\b",
        "Somebody falls.",
        "A combatant falls.",
    ),
    "an old-fashioned word": (
        r"\b(?:mend(?:s|ed|ing)?|reckon(?:s|ed|ing)?|anew|afresh|but for|so many|for want of|as it was"
        r"|as they were|the like|thereof|therein|hence|whence|hither|lest|befalls?|betimes|of old)\b",
        "It is drawn anew.",
        "It is drawn again.",
    ),
    "tell and ask in the passive": (
        r"\b(?:is|are|was|were|be|been|being) (?:told|said|asked for|looked at|listened to|called for)\b",
        "The reason is told.",
        "Affray reports the reason.",
    ),
    "there is before a list": (
        r"\bthere is [\w\"' -]+, [\w\"' -]+ (?:and|or) ",
        "there is arden, atlantis and xcom",
        "Games: arden, atlantis, xcom.",
    ),
    "a space before per cent": (r"\d[  ]%", "99 %", "99%"),
    "come to": (
        r"\b(?:comes?|came) to (?:be|what|nothing|an? end)\b|\bwhat (?:it|they|becomes?) (?:comes? to|of)\b",
        "what it comes to",
        "the result",
    ),
    "a sentence without a verb": (
        r"^(?:By|Of|In|On|At|With|Whose|Whom|To|For) (?:which|what|whom|whose)\b",
        "By which rule it came.",
        "Return the rule that caused it.",
    ),
}
FOUND = {habit: re.compile(pattern, re.IGNORECASE | re.MULTILINE) for habit, (pattern, *_) in HABITS.items()}
# Texts that may have a habit: the part of a path, the text, and why.
EXCEPT: tuple[tuple[str, str, str], ...] = ()


@cache
def texts() -> dict[str, list[tuple[str, str]]]:
    """Return kind of text -> place and text, for every document and source outside the tests."""
    names = subprocess.run(
        ["git", "ls-files", "-z", "*.md", "*.py"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split("\0")
    found = defaultdict(list)
    for name in names:
        path = ROOT / name
        if name and not name.startswith("tests/") and path.exists():
            parts = _document(path) if path.suffix == ".md" else _source(path)
            for kind, line, text in parts:
                if not any(part in name and excepted in text for part, excepted, _ in EXCEPT):
                    found[kind].append((f"{name}:{line}", text))
    return found


def _document(path: Path) -> Iterator[tuple[str, int, str]]:
    is_code = False
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.lstrip().startswith("```"):
            is_code = not is_code
        elif line.strip() and not is_code:
            yield "document", number, line


def _source(path: Path) -> Iterator[tuple[str, int, str]]:
    source, module = path.read_text(encoding="utf-8"), tree(path)
    docstrings = set()
    for node in nodes(module):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and (
            text := ast.get_docstring(node)
        ):
            docstrings.add(id(node.body[0].value))
            yield "docstring", node.body[0].lineno, " ".join(text.split())
    for node in nodes(module):
        is_string = isinstance(node, ast.Constant) and isinstance(node.value, str)
        if is_string and id(node) not in docstrings and len(node.value.split()) > 2:
            yield "string", node.lineno, node.value
    for line, comment in _comments(source, module):
        if len(comment.split()) > 3:
            yield "comment", line, comment.lstrip("# ")


def _comments(source: str, module: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the comments. Most statements have none, and are not split into tokens."""
    lines = io.StringIO(source).readlines()
    starts = [
        min(each.lineno for each in (node, *getattr(node, "decorator_list", ()))) - 1 for node in module.body
    ]
    for first, end in pairwise((0, *starts, len(lines))):
        part = "".join(lines[first:end])
        if "#" in part:
            for token in tokenize.generate_tokens(io.StringIO(part).readline):
                if token.type == tokenize.COMMENT:
                    yield first + token.start[0], token.string


def findings(text: str) -> list[str]:
    return [habit for habit, pattern in FOUND.items() for _ in pattern.finditer(text)]


@pytest.mark.parametrize("habit", HABITS)
def test_each_habit_is_found_but_not_its_rewrite(habit: str) -> None:
    _, has_it, rewritten = HABITS[habit]
    assert habit in findings(has_it)
    assert findings(rewritten) == []


@pytest.mark.parametrize("kind", KINDS)
def test_a_text_has_at_most_one_finding_in_1000_words(kind: str) -> None:
    words = sum(len(text.split()) for _, text in texts()[kind])
    found = [f"{place}: {habit}: {text[:100]}" for place, text in texts()[kind] for habit in findings(text)]
    assert len(found) <= MOST * words / 1000, (
        f"{len(found)} findings in {words} words of {kind}s:\n" + "\n".join(found)
    )


def test_every_exception_is_still_needed() -> None:
    for part, excepted, why in EXCEPT:
        assert why
        assert findings(excepted), f"{part}: {excepted!r} has no finding any more"


def possessives_by_hand(module: ast.Module) -> Iterator[int]:
    """Yield the line of each f-string in which `'s` follows a value, instead of using `possessive`."""
    for node in nodes(module):
        for value, after in pairwise(node.values if isinstance(node, ast.JoinedStr) else ()):
            match value, after:
                case ast.FormattedValue(), ast.Constant(value=str(text)) if re.match(r"['’]s\b", text):
                    yield value.lineno


def test_one_function_writes_the_possessive_of_a_name() -> None:
    by_hand = 'f"{name}\'s turn"', "f'It is {name}’s.'", 'f"{possessive(name)} turn, the side\'s {name}"'
    assert [[*possessives_by_hand(ast.parse(text))] for text in by_hand] == [[1], [1], []]
    assert not [
        f"{path.relative_to(ROOT)}:{line}"
        for folder in ("systems", "tui")
        for path in sorted((ROOT / folder).rglob("*.py"))
        for line in possessives_by_hand(tree(path))
    ]
