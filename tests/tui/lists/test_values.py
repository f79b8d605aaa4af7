"""The values that lists hand to prompts."""

import inspect
from importlib import import_module

from systems.frozen import fields, has
from tests.command import ROOT

MOST_FIELDS = 14


def test_a_prompt_gets_values_with_few_fields() -> None:
    found = {
        name: len(fields(each))
        for path in (ROOT / "tui" / "lists").glob("*.py")
        for name, each in inspect.getmembers(import_module(f"tui.lists.{path.stem}"), has)
        if each.__module__.startswith("tui.lists")
    }
    assert {"Asked", "TargetList", "ActionList", "CommandHelp"} <= set(found)
    assert {name: fields for name, fields in found.items() if fields > MOST_FIELDS} == {}
