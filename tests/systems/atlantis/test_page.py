"""The game's page names what the game has, and nothing that it has not."""

import re
from pathlib import Path

import pytest

import systems
from systems.commands.table import parse
from systems.language.intents import Act
from systems.schema.fields import fields_of

from .asking import GAME

PAGE = (Path(systems.__file__).parent / "atlantis" / "README.md").read_text(encoding="utf-8")


def rows(heading):
    """The cells of the table that begins with that heading."""
    table = re.search(rf"^\| {heading} \|.*\n\|[-|]+\|\n((?:\|.*\n)+)", PAGE, re.MULTILINE).group(1)
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]


@pytest.mark.parametrize(
    ("heading", "names"),
    [
        ("action", [action.name for action in GAME.actions]),
        ("option", fields_of(GAME.action("attack").options)),
        ("key", fields_of(GAME.house)),
        ("condition", [condition.name for condition in GAME.conditions]),
        ("id", [f"R{number}" for number in range(1, 40)]),
    ],
)
def test_each_table_of_the_page_is_complete(heading, names):
    assert sorted(row[0].strip("`") for row in rows(heading)) == sorted(names)


def test_every_option_of_every_action_is_named_in_the_page():
    quoted = set(re.findall(r"`([a-z_]+)`", PAGE))
    for action in GAME.actions:
        assert set(fields_of(action.options)) <= quoted


def test_the_defaults_of_the_house_rules_are_those_of_the_page():
    for name, field in fields_of(GAME.house).items():
        row = re.search(rf"^\| `{name}` \| `?([a-z]+)`? \|", PAGE, re.MULTILINE)
        assert row.group(1) == field.default_text.strip('"')


def test_every_example_is_a_command_that_can_be_read():
    for action, _, example in rows("action"):
        intent = parse(example.split("`")[1], GAME).intent
        if isinstance(intent, Act):
            assert intent.action == action.strip("`")
        else:
            assert example in ("`end`", "`heal okado 6`", "`next`, when everybody has had a turn")


def test_the_author_is_named():
    assert GAME.credit in PAGE
