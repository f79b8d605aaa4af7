"""Fields of a sheet that only the rules use: they count, and no screen or form has them."""

from systems.contract import sheet as contract
from systems.frozen import evolve
from systems.language.paths import paths_of
from systems.schema.fields import declare, fields_of, whole
from systems.visibility.card import card
from tests.systems.fight import Entry, Fight
from tests.systems.toy import TOY
from tui.display.details import details_of
from tui.display.form import rows_of
from tui.display.sheet import sheet_rows
from tui.terminal.symbols import PLAIN


def test_an_internal_field_counts_and_no_screen_or_form_has_it() -> None:
    @declare
    class Beast(contract.Sheet):
        hp: int = whole(0, 9, 5)
        rage: int = whole(0, 9, 0, internal=True)

    game = evolve(TOY, sheet=Beast, actions=TOY.actions[1:4], default_action="again", conditions=())
    fight = Fight(game, style="manual")
    fight.roster = {"bear": Entry("Bear", "foes", Beast())}
    fight.do("add bear")
    fight.do("start")
    event = fight.do("set bear rage 4")
    bear = fight.encounter.combatants["bear"]
    assert bear.sheet.rage == 4
    shown = [
        " ".join(label for label, _ in card(fight.encounter, bear).fields),
        "".join(text for row in sheet_rows(fight.encounter, bear, [], 80, PLAIN) for text, _ in row.row),
        " ".join(place.text for place in paths_of(bear.sheet)),
        " ".join(f"{line.label} {line.note}" for line in details_of(event, {}, game)),
    ]
    form = rows_of(fields_of(Beast), {}, Beast(), game.sections)
    shown.append(" ".join(row.label for row in form))
    assert not any("rage" in text for text in shown)
    assert fight.folded() == fight.plain
