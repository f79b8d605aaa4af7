"""The log as a document."""

import json
from html.parser import HTMLParser

import pytest

from systems.codec.events import plain_event
from systems.visibility.viewer import Shown
from tests.systems.effects.creatures import effect_fight
from tests.tui.table import at_the_gate
from tui.display.export import FORMATS, default_readers, export

NIGHT = (
    "attack guard-1 dice=15",
    "note <script>alert('x')</script> *not* bold | `code` & more",
    "roll 2d6 secret dice=2,3",
    "next",
    "undo",
)


def exported(session, format):
    return export(session.log, session.encounter, "", format)


class Tags(HTMLParser):
    """Which tags a page has, and whether each is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()
        self.text = ""

    def handle_starttag(self, tag, attrs):
        self.seen.add(tag)
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


def test_a_page_is_well_formed_and_shows_typed_markup_as_text():
    page = exported(at_the_gate(*NIGHT), "html")
    tags = Tags()
    tags.feed(page)
    assert tags.open == []
    assert "script" not in tags.seen
    assert "<script>alert('x')</script>" in tags.text
    assert "<details>" in page


def test_markdown_has_rounds_as_headings_and_nothing_of_a_note_is_markup():
    text = exported(at_the_gate(*NIGHT), "md")
    assert text.startswith("# North gate\n")
    assert "\n## Round 1\n" in text
    assert r"\<script\>" in text
    assert r"\*not\* bold \| \`code\` \& more" in text


@pytest.mark.parametrize("format", ["md", "html"])
def test_secret_rolls_notes_and_undone_lines_are_marked(format):
    text = exported(at_the_gate(*NIGHT), format)
    for mark in ("(secret)", "(note)", "(undone)"):
        assert mark in text


def test_json_lines_are_the_events_in_order_and_mark_undone_ones():
    here = at_the_gate(*NIGHT)
    found = [json.loads(line) for line in exported(here, "jsonl").splitlines()]
    assert [one["n"] for one in found] == list(range(1, len(here.log.events) + 1))
    assert [one["n"] for one in found if one.get("undone")] == [len(here.log.events) - 1]
    assert found[6] == plain_event(here.log.events[6])


@pytest.mark.parametrize("format", FORMATS)
def test_no_document_holds_a_control_character(format):
    here = at_the_gate("note bell \x07 and \x9b31m and \x1b]0;title\x07 and \u2028 end")
    text = exported(here, format)
    assert all(one.isprintable() or one == "\n" for one in text)


@pytest.mark.parametrize("format", FORMATS)
def test_a_fight_in_which_nothing_happened_is_a_document_too(format):
    from tests.tui.table import session

    assert isinstance(exported(session(), format), str)


def test_players_get_only_public_events() -> None:
    session = at_the_gate("add guard as Shade hidden", *NIGHT, "attack shade dice=15", "note tea for all")
    for format in FORMATS:
        whole = export(session.log, session.encounter, "", format)
        public = export(session.log, session.encounter, "", format, "players")
        assert "Shade" in whole
        assert "Shade" not in public
        assert "secret" not in public
        assert "script" not in public
        assert "tea" in public
        assert "resistance" not in public


def test_the_players_document_stays_in_order_if_a_hidden_combatant_has_the_first_turn() -> None:
    lines = ("add mira", "add troll hidden", "start dice=2,20", "attack mira by troll dice=15,3,4", "next")
    fight = effect_fight(*lines)
    public = export(fight.log, fight.encounter, "", "md", "players")
    headings = [line for line in public.splitlines() if line.startswith("## ")]
    assert headings == ["## Before the fight", "## Round 1"]
    begins, strikes = public.index("The fight begins"), public.index("Something unseen strikes")
    assert begins < strikes


def test_a_web_page_shows_the_hit_points_as_curves_of_those_whose_figures_are_seen() -> None:
    session = at_the_gate("damage okado 5", "damage guard-1 5", "add guard as Shade hidden", "damage shade 3")
    whole = export(session.log, session.encounter, "", "html")
    public = export(session.log, session.encounter, "", "html", "players")
    assert whole.count("<polyline") == 3
    assert public.count("<polyline") == 1
    assert "■ Okado" in public
    figures = export(session.log, session.encounter, "", "html", "players", Shown(foes="figures"))
    assert figures.count("<polyline") == 2


def test_the_curves_of_a_web_page_show_the_rounds_and_the_lowest_points() -> None:
    session = at_the_gate("damage okado 70", *["next"] * 5, "damage tamsin 3")
    page = export(session.log, session.encounter, "", "html")
    assert (">R1</text>" in page, ">R2</text>" in page, ">−18</text>" in page) == (True, True, True)


def test_the_arithmetic_is_a_dimmed_line_below_what_happened() -> None:
    session = at_the_gate("attack guard-1 dice=15", "undo")
    arithmetic = "68 against 36, success 32, 45 damage, armour 4."
    page = export(session.log, session.encounter, "", "html")
    assert f'<span class="arithmetic">{arithmetic}</span>' in page
    text = export(session.log, session.encounter, "", "md")
    assert f"hurt −10.~~ (undone)\\\n  ~~*{arithmetic}*~~\n" in text
    seen = export(session.log, session.encounter, "", "jsonl", "players", Shown(foes="figures"))
    assert any(json.loads(line)["text"].endswith(f"hurt −10. {arithmetic}") for line in seen.splitlines())
    for format in FORMATS:
        assert arithmetic not in export(session.log, session.encounter, "", format, "players")


def test_a_web_page_has_actors_in_bold_results_in_colour_and_turns_dimmed() -> None:
    session = at_the_gate("attack guard-1 dice=15", "next")
    page = export(session.log, session.encounter, "", "html")
    assert "<b>Okado</b> hits Guard 1" in page
    assert '<span class="shrank">45 → 4</span>' in page
    assert '<li class="quiet">' in page
    public = export(session.log, session.encounter, "", "html", "players")
    assert "<b>Okado</b>" in public
    assert "quiet" not in public.partition("</style>")[2]


def test_curves_of_the_players_page_leave_out_unseen_events() -> None:
    hidden = "add guard as Shade hidden"
    plain = at_the_gate(hidden, "damage okado 5", "next")
    busy = at_the_gate(hidden, "heal shade 1", "damage okado 5", "damage shade 1", "note x", "next")
    undone = at_the_gate("damage okado 5", hidden, "next", "attack okado by shade dice=15", "undo")
    pages = [export(each.log, each.encounter, "", "html", "players") for each in (plain, busy, undone)]
    assert "<polyline" in pages[0]
    assert len(set(pages)) == 1


def test_a_web_page_is_for_the_players_unless_something_else_is_said() -> None:
    assert [default_readers(format) for format in FORMATS] == ["table", "players", "table"]
