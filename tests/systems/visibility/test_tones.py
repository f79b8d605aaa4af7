"""Green, amber and red are for health: what else a game marks is told in the quiet tone of conditions."""

import pytest

from systems import load, names
from systems.contract.condition import Condition
from systems.contract.display import Mark, StatusWord
from systems.contract.marked_text import MarkedText, TextMark
from systems.frozen import evolve
from systems.visibility.parts import highlights
from systems.visibility.rows import condition_tone, mark_tone
from tests.systems.toy import TOY

# The conditions that can kill whoever has them.
DEADLY = {"bleeding", "bleeding_out", "burned", "burning", "poisoned", "unconscious"}


@pytest.mark.parametrize(
    ("declared", "painted"),
    [
        ("plain", ""),
        ("muted", "muted"),
        ("good", "condition"),
        ("accent", "condition"),
        ("notice", "condition"),
        ("warning", "warning"),
        ("danger", "danger"),
    ],
)
def test_a_mark_is_painted_by_what_it_tells(declared: str, painted: str) -> None:
    assert mark_tone(Mark("words", declared)) == painted


@pytest.mark.parametrize("name", names())
def test_only_what_kills_is_painted_as_danger(name: str) -> None:
    found = {condition.name for condition in load(name).conditions if condition_tone(condition) == "danger"}
    assert found <= DEADLY


def test_a_condition_that_no_game_knows_is_as_quiet_as_the_others() -> None:
    assert condition_tone(None) == condition_tone(Condition("odd", "")) == "condition"


@pytest.mark.parametrize(
    ("tone", "shown"),
    [
        ("plain", ""),
        ("muted", "danger"),
        ("good", "good"),
        ("accent", "condition"),
        ("notice", "condition"),
        ("warning", "warning"),
        ("danger", "danger"),
    ],
)
def test_a_status_in_the_log_has_the_tone_of_its_declaration(tone: str, shown: str) -> None:
    game = evolve(TOY, statuses=(StatusWord("up"), StatusWord("dead", tone=tone)))
    text = MarkedText("Ada is dead.", (TextMark(7, 11, "status", "dead"),))
    assert [what for _, _, what in highlights(text, game)] == [shown] * bool(shown)
