"""Random dice, and dice that were rolled elsewhere."""

import pickle
import random
import subprocess
import sys
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from systems.dice.scripted import ScriptedDice, WrongFace
from systems.dice.sources import DieRequest, NeedsFace, RandomDice, Roll


@given(st.integers(0, 2**32), st.integers(1, 1_000_000))
def test_a_random_face_is_a_face_of_the_die(seed: int, sides: int) -> None:
    dice = RandomDice(random.Random(seed))
    assert all(1 <= dice.face(sides) <= sides for _ in range(20))


def test_random_faces_are_fair_and_all_appear() -> None:
    dice = RandomDice(random.Random(1))
    seen = Counter(dice.face(6) for _ in range(60_000))
    assert set(seen) == {1, 2, 3, 4, 5, 6}
    assert all(9_500 < times < 10_500 for times in seen.values())


def test_the_same_seed_rolls_the_same_faces() -> None:
    one, other = RandomDice(random.Random(7)), RandomDice(random.Random(7))
    assert [one.face(20) for _ in range(50)] == [other.face(20) for _ in range(50)]


def test_two_generators_do_not_disturb_one_another_nor_the_global_one() -> None:
    before = random.getstate()
    alone = RandomDice(random.Random(7))
    expected = [alone.face(20) for _ in range(10)]
    one, other = RandomDice(random.Random(7)), RandomDice(random.Random(8))
    mixed = []
    for _ in range(10):
        mixed.append(one.face(20))
        other.face(20)
    assert mixed == expected
    assert random.getstate() == before


def test_a_die_without_sides_is_refused() -> None:
    with pytest.raises(ValueError, match="0 sides"):
        RandomDice(random.Random(1)).face(0)


@given(st.lists(st.integers(1, 20)))
def test_scripted_faces_come_out_in_the_order_given_and_are_counted(faces: list[int]) -> None:
    dice = ScriptedDice(faces)
    for used, face in enumerate(faces):
        assert dice.left == len(faces) - used
        assert dice.face(20, "attack", "okado") == face
    assert dice.left == 0


def test_a_scripted_source_does_not_see_its_list_change() -> None:
    faces = [3]
    dice = ScriptedDice(faces)
    faces.append(4)
    assert dice.left == 1


def test_an_empty_source_names_the_missing_die_its_reason_and_owner() -> None:
    dice = ScriptedDice([5])
    dice.face(6)
    with pytest.raises(NeedsFace) as caught:
        dice.face(20, "attack", "okado")
    wanted = caught.value.request
    assert (wanted.sides, wanted.why, wanted.of) == (20, "attack", "okado")
    assert str(caught.value) == "the face of a d20 (attack) of okado is missing"


@pytest.mark.parametrize("face", [0, -1, 21, 10**30])
def test_an_impossible_face_is_refused_with_its_position(face: int) -> None:
    dice = ScriptedDice([5, face])
    dice.face(20, "initiative")
    with pytest.raises(WrongFace) as caught:
        dice.face(20, "attack")
    wrong = caught.value
    assert (wrong.index, wrong.face, wrong.sides, wrong.why) == (1, face, 20, "attack")
    assert str(wrong) == f"die 2 (attack): a d20 cannot show {face}"


def test_sentences_without_a_reason_have_no_empty_brackets() -> None:
    assert str(WrongFace(0, 7, 6)) == "die 1: a d6 cannot show 7"
    assert str(NeedsFace(DieRequest(6))) == "the face of a d6 is missing"


@pytest.mark.parametrize(
    "error", [NeedsFace(DieRequest(20, "attack", "okado")), WrongFace(1, 23, 20, "attack")]
)
def test_errors_can_be_copied(error: Exception) -> None:
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is type(error)
    assert vars(copy) == vars(error)
    assert str(copy) == str(error)


def test_a_request_for_a_die_never_changes() -> None:
    bare = NeedsFace(DieRequest(20, "attack", "okado"))
    full = bare.knowing(passes_at=12, over=True)
    assert full.request == DieRequest(20, "attack", "okado", passes_at=12, over=True)
    assert bare.request == DieRequest(20, "attack", "okado")
    with pytest.raises(AttributeError):
        full.request.note = "twice"  # type: ignore[misc]


def test_a_roll_is_a_value() -> None:
    assert Roll(20, 13, "attack", "okado") == Roll(20, 13, "attack", "okado")
    with pytest.raises(AttributeError):
        Roll(20, 13).face = 14  # type: ignore[misc]


def test_dice_alone_do_not_load_the_notation() -> None:
    code = "import sys, systems.dice.sources; print([name for name in sys.modules if 'notation' in name])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
