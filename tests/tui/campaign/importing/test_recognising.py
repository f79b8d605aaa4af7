"""What a file holds is recognised by its content; bad files are refused in one sentence."""

import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.systems.stat_blocks.other_trackers import (
    BLOCK,
    CHARACTER,
    ENCOUNTER,
    FIGHT_CLUB,
    IMPROVED_INITIATIVE,
    LIBRARY,
    OPEN5E,
    PAGE,
    TAGGED_2014,
    TAGGED_2024,
)
from tui.campaign.importing.recognising import NothingKnown, recognised, recognised_text
from tui.campaign.problems import FileProblem

TAGGED = [TAGGED_2014, {"monster": [TAGGED_2014, TAGGED_2024]}, [TAGGED_2024]]
BOMB = '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x "a"><!ENTITY y "&x;&x;">]><monster>&y;</monster>'


@pytest.mark.parametrize(
    ("text", "kind", "count"),
    [
        *((json.dumps(data), "tagged", count) for data, count in zip(TAGGED, (1, 2, 1), strict=True)),
        *((json.dumps(data, indent=1), "open5e", 1) for data in (OPEN5E, PAGE, [OPEN5E])),
        *(
            (json.dumps(data), "improved_initiative", 1)
            for data in (IMPROVED_INITIATIVE, CHARACTER, ENCOUNTER)
        ),
        (json.dumps(LIBRARY), "improved_initiative", 2),
        (FIGHT_CLUB, "fight_club", 1),
        (BLOCK, "stat_block", 0),
        ("".join(BLOCK.splitlines(keepends=True)[:5]), "stat_block", 0),
        (BLOCK[BLOCK.index("Actions") :], "stat_block", 0),
        (BLOCK.replace("\n", " "), "stat_block", 0),
        ("Gnarl, small goblinoid\nAC 15 HP 22 Speed 30\nBite +5 to hit (1d6+3)\n", "stat_block", 0),
        ('[[creatures]]\nname = "Mira"\n', "toml", 0),
        ('# mine\nname = "Mira"\nmax_hp = 7\n', "toml", 0),
        ("Name;max_hp\nMira;7\n", "csv", 0),
        ('format = 1\npack = "Gate"\nsystem = "simple"\n', "pack", 0),
    ],
)
def test_the_kind_is_known_by_the_content_and_not_by_the_ending(text, kind, count):
    found = recognised(text.encode(), "notes.md")
    assert (found.kind, len(found.creatures)) == (kind, count)
    assert recognised(text.encode("utf-16"), "notes").kind == kind


def test_a_file_of_creatures_in_a_line_each_is_read_as_shorthand():
    text = "Gnarl, AC 15, HP 30 (4d8+12), bite +5 2d6+3 piercing\nSnik; AC 13; HP 9; knife +4 1d4+2\n"
    assert recognised(text.encode(), "notes.txt").kind == "stat_block"
    with pytest.raises(NothingKnown):
        recognised_text(text, "the paste")


@pytest.mark.parametrize(
    "text", ["Mira fighter 5, ac 18, hp 44\nBram wizard 5, ac 12, hp 22", "Sera", "Mira; Bo"]
)
def test_a_list_of_typed_lines_is_no_stat_block(text):
    with pytest.raises(NothingKnown):
        recognised_text(text, "the paste")


NOISE = random.Random(1).randbytes(2_000_000)
TEXT_NOISE = NOISE.translate(bytes(b"ab cdxyz\n.,;-(12"[byte % 16] for byte in range(256)))


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (json.dumps(TAGGED_2014)[:400].encode(), "file: ends in the middle; all of it is needed"),
        (b'{"name": "x", }', "file:1: is not JSON: "),
        (b'{"name": NaN}', "file: is not JSON: NaN is not a number"),
        (b"[" * 100_000, "file: is nested more than 50 deep"),
        (b'{"name": "x", "ac": ' + b"[" * 60 + b"]" * 60 + b"}", "file: is nested more than 50 deep"),
        (b'{"a": 1}', "file: is JSON without a creature in a known form; use "),
        (BOMB.encode(), "file: is XML that defines entities, which are refused"),
        (FIGHT_CLUB[:300].encode(), "file: ends in the middle; all of it is needed"),
        (FIGHT_CLUB.replace("</ac>", "</hp>").encode(), "file:4: is not XML: mismatched tag"),
        (b"<?xml version='1.0'?>" + b"<a>" * 60 + b"</a>" * 60, "file: is nested more than 50 deep"),
        (b"<?xml version='1.0'?><a/>", "file: is XML without a monster of Fight Club; use "),
        (b"%PDF-1.7 rest", "file: is a PDF, which cannot be imported; use "),
        (NOISE, "file:1: is not UTF-8 text; save it as UTF-8"),
        (TEXT_NOISE, "file: holds nothing that can be imported; use "),
        (b" \n", "file: is empty"),
        (b"x" * (20 * 1024 * 1024 + 1), "file: is larger than 20 MB"),
    ],
)
def test_a_file_that_cannot_be_imported_is_refused_in_one_sentence(data, says):
    with pytest.raises(FileProblem) as refused:
        recognised(data, "file")
    assert str(refused.value).startswith(says)
    assert len(str(refused.value)) < 300


@given(data=st.binary(max_size=300) | st.text(alphabet='{}[]":,<>/a1\\u0 \n', max_size=60).map(str.encode))
def test_any_bytes_are_recognised_or_refused(data):
    try:
        said = recognised(data, "file").kind
    except FileProblem as problem:
        said = str(problem)
    assert said.isprintable()


def test_control_characters_in_json_never_reach_a_sheet():
    hostile = json.dumps({**TAGGED_2014, "name": "Gn\x1b[31mash", "senses": ["da\x07rk\nness"]})
    (found,) = recognised(hostile.encode(), "file").creatures
    assert found["name"] == "Gn [31mash"
    assert found["senses"] == ["da rk\nness"]
