"""Meters and conditions of a campaign are added to its game, or refused with the place of the mistake."""

import pytest

from systems import load
from systems.encounter.campaign_rules import with_campaign_rules
from systems.errors import Wrong

GAME = load("simple")


@pytest.mark.parametrize("name", ["my mana!", "2nd", "größe"])
def test_a_meter_needs_a_word_for_a_name(name):
    with pytest.raises(Wrong, match=rf'^meter\[0\].name: expected a word such as mana, got "{name}"$'):
        with_campaign_rules(GAME, {"meter": [{"name": name}]})


def test_a_condition_without_help_has_an_empty_one():
    assert with_campaign_rules(GAME, {"condition": [{"name": "hexed"}]}).condition("hexed").help == ""
