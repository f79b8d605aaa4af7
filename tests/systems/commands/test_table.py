"""The table of commands: each of them can be found, explained and typed."""

import pytest

from systems.commands.declaration import CommandKind
from systems.commands.table import COMMANDS
from systems.language.intents import Intent


@pytest.mark.parametrize("kind", COMMANDS.values(), ids=lambda kind: kind.name)
def test_each_command_says_what_it_does_and_how_it_is_typed(kind: CommandKind) -> None:
    assert COMMANDS[kind.name] is kind
    assert kind.help
    assert kind.forms
    assert all(form.split()[0] == kind.name for form in kind.forms)


@pytest.mark.parametrize("kind", COMMANDS.values(), ids=lambda kind: kind.name)
def test_what_a_seat_may_ask_for_can_be_written_as_a_line_and_described(kind: CommandKind) -> None:
    if kind.own_intent is not None:
        bare = CommandKind(kind.name, kind.forms, kind.help, blank=Intent())
        assert kind.line is not bare.line
        assert kind.words is not bare.words
