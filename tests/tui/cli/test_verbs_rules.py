"""`affray resolve` and `affray odds`: one line out for any line in."""

import json
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from systems import built_in
from tests.command import ROOT, affray, start, talking
from tests.laws import examples

KEYS = ("action", "actor", "target", "options", "house", "dice")
STATUS = {"action": "status"}


def written_examples(game):
    """Yield the written examples of a game: each request, and the sides of its dice."""
    book = tomllib.loads((ROOT / "tests" / "vectors" / f"{game}.toml").read_text())
    return [({key: one[key] for key in KEYS if key in one}, one["sides"]) for one in book["vector"]]


def asked(game, *requests, verb="resolve"):
    given = "".join(f"{one if isinstance(one, str) else json.dumps(one)}\n" for one in requests)
    ran = affray(verb, game, given=given)
    assert (ran.status, ran.err) == (int(any("error" in answer for answer in ran.answers)), "")
    return ran.answers


def error(game, request, verb="resolve"):
    [answer] = asked(game, request, verb=verb)
    assert list(answer) == ["error", "field"], answer
    assert len(answer["error"]) < 1000
    assert answer["error"].isprintable()
    assert answer["field"].isprintable()
    return answer


@pytest.mark.parametrize("game", built_in())
def test_the_started_command_answers_every_example_in_order_on_a_line_of_its_own(game):
    requests = [one for one, _ in written_examples(game)]
    ran = start("resolve", game, given="".join(json.dumps(one) + "\n" for one in requests).encode())
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.isascii()
    assert ran.out.count("\n") == len(requests)
    for (request, sides), answer in zip(written_examples(game), ran.answers, strict=True):
        target = ["target"] if "target" in answer else []
        assert list(answer) == ["facts", "actor", *target, "rolls", "terms", "text", "asks"]
        assert [one["sides"] for one in answer["rolls"]] == sides
        assert [one["face"] for one in answer["rolls"]] == request["dice"]
        assert all(list(one) == ["sides", "face", "why"] for one in answer["rolls"])
        assert all({"label", "value"} <= set(one) for one in answer["terms"])
        assert all(one["text"] for one in answer["asks"])
        assert answer["text"].isprintable()
        assert answer["text"]
        assert answer["actor"]["status"]


@pytest.mark.parametrize("game", built_in())
def test_a_sheet_from_an_answer_can_be_used_in_a_request(game):
    requests = [one for one, _ in written_examples(game)]
    sheets = [
        (answer[role], request.get("house", {}))
        for request, answer in zip(requests, asked(game, *requests), strict=True)
        for role in ("actor", "target")
        if role in answer
    ]
    again = asked(game, *({**STATUS, "actor": sheet, "house": house} for sheet, house in sheets))
    assert [one["actor"] for one in again] == [sheet for sheet, _ in sheets]


@pytest.mark.parametrize("game", built_in())
def test_odds_are_chances_under_texts(game):
    requests = [{key: one[key] for key in one if key != "dice"} for one, _ in written_examples(game)]
    for answer in asked(game, *requests, verb="odds"):
        assert list(answer) == ["facts"]
        assert "attempts" not in answer["facts"]
        for chances in answer["facts"].values():
            assert all(0 < chance <= 1 for chance in chances.values())
            assert sum(chances.values()) < 1 + 1e-9


def test_odds_write_texts_unchanged_and_everything_else_as_json():
    [answer] = asked(
        "waygate", {"action": "test", "options": {"attribute": "str", "threshold": 11}}, verb="odds"
    )
    assert answer["facts"]["passed"] == {"true": pytest.approx(0.5), "false": pytest.approx(0.5)}
    [answer] = asked("xcom", STATUS, verb="odds")
    assert answer["facts"] == {"can_act": {"true": 1.0}, "psi_value": {"0": 1.0}}


WRONG = (
    ("nonsense", ""),
    ("[]", ""),
    ("3", ""),
    ("null", ""),
    ('"status"', ""),
    ("{}", "action"),
    ('{"action": null}', "action"),
    ('{"action": true}', "action"),
    ('{"action": ""}', "action"),
    ('{"action": "Status"}', "action"),
    ('{"action": "status", "extra": 1}', "extra"),
    ('{"action": "status", "": 1}', ""),
    ('{"action": "status", "actor": null}', "actor"),
    ('{"action": "status", "actor": []}', "actor"),
    ('{"action": "status", "target": "okado"}', "target"),
    ('{"action": "status", "target": {"zz": 1}}', "target.zz"),
    ('{"action": "status", "options": null}', "options"),
    ('{"action": "status", "options": {"zz": 1}}', "options.zz"),
    ('{"action": "status", "house": []}', "house"),
    ('{"action": "status", "house": {"zz": true}}', "house.zz"),
    ('{"action": "status", "actor": {"name": ""}}', "actor.name"),
    ('{"action": "status", "actor": {"name": 7}}', "actor.name"),
    ('{"action": "status", "actor": {"notes": null}}', "actor.notes"),
    ('{"action": "status", "actor": {"status": ""}}', "actor.status"),
    ('{"action": "status", "actor": {"status": 1}}', "actor.status"),
    ('{"action": "status", "actor": {"weapons": {}}}', "actor.weapons"),
    ('{"action": "status", "actor": {"weapons": [1]}}', "actor.weapons[0]"),
    ('{"action": "status", "dice": null}', "dice"),
    ('{"action": "status", "dice": "1"}', "dice"),
    ('{"action": "status", "dice": [1.0]}', "dice[0]"),
    ('{"action": "status", "dice": [true]}', "dice[0]"),
    ('{"action": "status", "dice": ["1"]}', "dice[0]"),
    ('{"action": "status", "dice": [1]}', "dice"),
    ('{"action": "status", "action": "status"}', "action"),
    ('{"action": "status", "actor": {"name": "a", "name": "b"}}', "name"),
    ('{"action": "status", "actor": {"name": NaN}}', ""),
    ('{"action": "status", "dice": [Infinity]}', ""),
    ('{"action": "status"} {"action": "status"}', ""),
    ("{'action': 'status'}", ""),
    ('{"action": "status", "dice": [' + "9" * 5000 + "]}", ""),
    ('{"action": ' + "9" * 4000 + "}", "action"),
)


def test_a_face_of_four_thousand_digits_is_not_repeated_in_the_error():
    (answer,) = asked("atlantis", '{"action": "attack", "dice": [' + "9" * 4000 + "]}")
    assert answer["field"] == "dice[0]"
    assert len(answer["error"]) < 100


def test_a_number_that_python_cannot_read_has_a_clear_error():
    (answer,) = asked("atlantis", '{"action": "status", "dice": [' + "9" * 5000 + "]}")
    assert answer["error"] == "a number in the line has too many digits"


@pytest.mark.parametrize("game", built_in())
@pytest.mark.parametrize("verb", ["resolve", "odds"])
def test_errors_name_the_field(game, verb):
    gear = "attacks" if game == "srd5" else "weapons"
    wrong = [(request.replace("weapons", gear), field.replace("weapons", gear)) for request, field in WRONG]
    answers = asked(game, *(request for request, _ in wrong), verb=verb)
    for (request, field), answer in zip(wrong, answers, strict=True):
        assert list(answer) == ["error", "field"], request
        assert answer["field"] == field, request
        assert 0 < len(answer["error"]) < 1000
        assert answer["error"].isprintable()


@pytest.mark.parametrize(
    ("game", "field"),
    [
        ("atlantis", "life"),
        ("arden", "hp"),
        ("waygate", "hp"),
        ("simple", "hp"),
        ("atomic_d20", "hearts"),
        ("xcom", "health"),
    ],
)
def test_a_whole_number_is_nothing_but_a_whole_number(game, field):
    values = ("true", "2.0", '"2"', "null", "[]", "{}", "1e2", "-0.0", "9" * 400)
    requests = (f'{{"action": "status", "actor": {{"{field}": {one}}}}}' for one in values)
    for answer in asked(game, *requests):
        assert list(answer) == ["error", "field"]
        assert answer["field"] == f"actor.{field}"


def test_dice_are_all_used_and_possible():
    test = {"action": "test", "options": {"attribute": "str", "threshold": 11}}
    assert error("waygate", {**test, "dice": []})["field"] == "dice"
    assert error("waygate", {**test, "dice": [10, 10]})["field"] == "dice"
    assert error("waygate", {**test, "dice": [21]})["field"] == "dice[0]"
    assert error("waygate", {**test, "dice": [0]})["field"] == "dice[0]"
    assert error("waygate", {**test, "dice": [10**300]})["field"] == "dice[0]"
    assert asked("waygate", {**test, "dice": [10]})[0]["rolls"][0]["face"] == 10


def test_dice_for_a_refused_action_are_too_many():
    refused = {"action": "move", "actor": {"actions_left": 0}, "options": {"steps": ["o"]}}
    [answer] = asked("xcom", refused)
    assert set(answer["facts"]) == {"refused"}
    assert (answer["rolls"], answer["actor"]["actions_left"]) == ([], 0)
    assert asked("xcom", {**refused, "dice": []}) == [answer]
    assert "too many dice" in error("xcom", {**refused, "dice": [1]})["error"]


def test_an_error_is_found_before_a_refusal():
    refused = {"action": "move", "actor": {"actions_left": 0}, "options": {"steps": ["o"]}}
    assert error("xcom", {**refused, "house": {"zz": 1}})["field"] == "house.zz"
    assert error("xcom", {**refused, "dice": [None]})["field"] == "dice[0]"


def test_odds_take_no_dice():
    assert error("xcom", {**STATUS, "dice": []}, verb="odds")["field"] == "dice"


def test_a_target_that_an_action_does_not_take_is_checked_and_ignored():
    [without] = asked("xcom", {**STATUS, "actor": {"name": "Mara"}})
    [ignored] = asked("xcom", {**STATUS, "actor": {"name": "Mara"}, "target": {"name": "Brute", "health": 3}})
    assert ignored == without
    assert error("xcom", {**STATUS, "target": {"health": "3"}})["field"] == "target.health"


def test_without_dice_they_are_random():
    test = {"action": "test", "options": {"attribute": "str", "threshold": 11}}
    faces = {one["rolls"][0]["face"] for one in asked("waygate", *[test] * 200)}
    assert len(faces) > 10


def test_a_name_stays_unchanged_on_the_sheet_and_is_harmless_in_texts():
    name = "a\u001b[31m\n\u007f\u0085\u202eb [bold] 🐉" + "x" * 300
    [answer] = asked("waygate", {"action": "harm", "actor": {"name": name}, "options": {"amount": 3}})
    assert answer["actor"]["name"] == name
    assert answer["text"].isprintable()
    assert answer["text"].startswith("a [31m b [bold] 🐉xxx")


def test_names_of_keys_are_harmless_in_errors():
    answer = error("waygate", {**STATUS, "\u001b[31m\n" + "x" * 5000: 1})
    assert answer["field"].startswith("[31m xxx")
    assert len(answer["field"]) < 200


@pytest.mark.parametrize("depth", [100, 400, 900, 5000, 200_000])
def test_deep_nesting_is_an_error(depth):
    nested = '{"action": "status", "actor": {"name": ' + "[" * depth + "]" * depth + "}}"
    error("xcom", nested)
    error("xcom", '{"a":' * depth + "1" + "}" * depth)


def test_only_a_line_feed_ends_a_line_and_blank_lines_are_skipped():
    given = (
        b'\n  \n\t\r\n{"action": "status"}\r\n\x0b\n{"action":\x0c"status"}\n\xff\xfe\n{"action": "status"}'
    )
    ran = affray("resolve", "xcom", given=given)
    good, formfeed, bytes_, last = ran.answers
    assert good == last
    assert formfeed["field"] == ""
    assert bytes_ == {"error": "the line is not UTF-8", "field": ""}


def test_a_line_that_is_too_long_is_an_error_and_the_next_is_answered(monkeypatch):
    monkeypatch.setattr("tui.cli.output.LONGEST_LINE", 1000)
    fits = json.dumps(STATUS) + " " * (1000 - len(json.dumps(STATUS)))
    answers = asked("xcom", fits, fits + " ", STATUS, " " * 5000, fits)
    assert [one.get("error") for one in answers] == [None, "the line is too long", None, None]


def test_a_long_line_is_read():
    name = "x" * 3_000_000
    [answer] = asked("xcom", {**STATUS, "actor": {"notes": name}})
    assert answer["actor"]["notes"] == name


@pytest.mark.parametrize("verb", ["resolve", "odds"])
def test_each_answer_comes_before_the_next_request(verb):
    with talking(verb, "atlantis") as talk:
        for _ in range(3):
            assert "facts" in talk.say(b'{"action": "status"}')
            assert "error" in talk.say(b"nonsense")
        talk.send(b'\n\n{"action"')
        assert "facts" in talk.say(b': "status"}')


def test_an_unknown_game_is_one_sentence():
    for verb in ("resolve", "odds"):
        ran = affray(verb, "chess")
        assert ran.status == 1
        assert ran.complaint.startswith('no game is called "chess"')


def test_an_error_that_nobody_foresaw_costs_one_answer(monkeypatch):
    monkeypatch.setattr("tui.cli.resolve.resolve", lambda *_: {"facts": object()})
    assert [one["error"][:20] for one in asked("xcom", STATUS, STATUS)] == ["unexpected TypeError"] * 2


STRANGE = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2000, 2000),
    st.sampled_from(
        [2.0, 10**30, "", "2", "2d6", "1d7", "\x1b[31m\x7f\x85", "é" * 500, [1], [None], {"": 1}, [[]]]
    ),
    st.recursive(st.integers() | st.text(max_size=3), lambda one: st.lists(one, max_size=3), max_leaves=5),
)


def places(value, path=()):
    """Yield the path of every value inside a request."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, one in inside:
        yield (*path, name)
        yield from places(one, (*path, name))


@pytest.mark.parametrize("game", built_in())
@examples(10)
@given(data=st.data())
def test_any_request_has_an_answer_or_an_error(game, data):
    request = json.loads(json.dumps(data.draw(st.sampled_from(written_examples(game)))[0]))
    *path, last = data.draw(st.sampled_from(list(places(request))))
    inside = request
    for name in path:
        inside = inside[name]
    what = data.draw(st.sampled_from(["replaced", "removed", "added"]))
    if what == "removed":
        del inside[last]
    elif what == "added" and isinstance(inside, dict):
        inside[data.draw(st.text(max_size=8))] = data.draw(STRANGE)
    else:
        inside[last] = data.draw(STRANGE)
    [answer] = asked(game, request)
    if "error" in answer:
        assert list(answer) == ["error", "field"]
        assert len(answer["error"]) < 1000
        assert not answer["error"].startswith("unexpected")
    elif "refused" in answer["facts"]:
        assert not answer["rolls"]
