"""The log as a document."""

import json
from html.parser import HTMLParser

import pytest

from tests.tui.table import at_the_gate
from tui.display.export import FORMATS, export

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


def test_a_page_is_well_formed_and_shows_what_was_typed_as_text():
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
def test_secret_rolls_notes_and_what_was_undone_are_marked(format):
    text = exported(at_the_gate(*NIGHT), format)
    for mark in ("(secret)", "(note)", "(undone)"):
        assert mark in text


def test_json_lines_are_the_events_in_order_and_say_what_was_undone():
    here = at_the_gate(*NIGHT)
    found = [json.loads(line) for line in exported(here, "jsonl").splitlines()]
    assert [one["n"] for one in found] == list(range(1, len(here.log.events) + 1))
    assert [one["n"] for one in found if one.get("undone")] == [len(here.log.events) - 1]
    assert found[6] == here.log.events[6]


@pytest.mark.parametrize("format", FORMATS)
def test_no_document_holds_a_control_character(format):
    here = at_the_gate("note bell \x07 and \x9b31m and \x1b]0;title\x07 and \u2028 end")
    text = exported(here, format)
    assert all(one.isprintable() or one == "\n" for one in text)


@pytest.mark.parametrize("format", FORMATS)
def test_a_fight_in_which_nothing_happened_is_a_document_too(format):
    from tests.tui.table import session

    assert isinstance(exported(session(), format), str)
