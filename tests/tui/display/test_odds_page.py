"""The odds in full: the bars, and the line at what the target has left."""

from fractions import Fraction

import pytest

from systems.commands.preview import Preview
from systems.frozen import evolve
from tests.systems.toy import TOY, toy
from tui.display.odds_page import odds_rows
from tui.display.text import width

HALF = Fraction(1, 2)


def page(found: Preview, cells: int = 80) -> list[tuple[str, set[str]]]:
    """Each row of the page as text, with the tones in it. The target has 10 left."""
    encounter = toy("add ada", "add orc").encounter
    target = encounter.combatants["orc"]
    assert target.sheet.hp == 10
    rows = odds_rows(encounter, TOY.action("strike"), target, found, cells)
    assert all(width(row) <= cells for row in rows)
    return [("".join(text for text, _ in row), {tone for _, tone in row}) for row in rows]


@pytest.mark.parametrize(("drops", "deadly"), [(HALF, ["10 ", "12 "]), (Fraction(1, 4), ["12 "])])
def test_amounts_that_drop_the_target_are_below_the_line(drops, deadly):
    amounts = {0: HALF, 10: Fraction(1, 4), 12: Fraction(1, 4)}
    rows = page(Preview(works=HALF, drops=drops, amounts=amounts))
    line = next(at for at, (text, _) in enumerate(rows) if text.endswith(" drops"))
    assert [text[:3] for text, tones in rows[line + 1 :] if "danger" in tones] == deadly


def test_nothing_is_marked_if_the_amount_alone_does_not_decide():
    amounts = {0: HALF, 10: Fraction(1, 4), 12: Fraction(1, 4)}
    rows = page(Preview(works=HALF, drops=Fraction(1, 20), amounts=amounts))
    assert not any("danger" in tones for _, tones in rows)


def test_the_text_above_the_bars_continues_below_on_a_small_screen():
    found = Preview(works=HALF, drops=HALF, amounts={0: HALF, 11: HALF}, against=12)
    told = " ".join(text.strip() for text, _ in page(found, 40)[:2])
    assert "needs more than 12" in told


def test_the_cause_of_an_amount_follows_the_bars_that_share_it_once():
    amounts = {0: HALF, 4: Fraction(1, 4), 5: Fraction(1, 4)}
    results = {0: ("miss", "fumble"), 4: ("hit",), 5: ("hit",)}
    bars = [
        text for text, _ in page(Preview(works=HALF, amounts=amounts, results=results), 60) if "▇" in text
    ]
    assert [text.split("%")[1].strip() for text in bars] == ["miss or fumble", "hit", ""]


def test_a_check_that_drops_nobody_does_not_say_so():
    encounter = toy("add ada", "add orc").encounter
    for group, told in (("check", False), ("combat", True)):
        action = evolve(TOY.action("strike"), group=group)
        rows = odds_rows(encounter, action, None, Preview(works=HALF, drops=Fraction(0)), 80)
        assert ("drops" in rows[0][0][0]) is told


def test_a_possible_amount_is_never_0_percent_and_an_uncertain_one_never_100():
    amounts = {0: Fraction(2_999, 3_000), 4: Fraction(1, 3_000)}
    rows = page(Preview(works=HALF, amounts=amounts), 60)
    assert [text.split()[2] for text, _ in rows if "▇" in text] == [">99.9%", "<0.1%"]
