"""Errors as data: a code, a path and a suggestion beside the sentence."""

from random import Random
from typing import get_args

import pytest

from systems import NoSuchGame, load
from systems.commands.table import parse
from systems.contract.table import WrongChoice
from systems.dice.expression import DiceError
from systems.dice.notation import roll
from systems.dice.scripted import ScriptedDice, WrongFace
from systems.dice.sources import RandomDice
from systems.errors import Code, InputError, Misread, Refused, Wrong, unknown
from systems.odds import TooManyDice
from tests.systems.toy import TOY, toy


def every_kind(cls: type[InputError]) -> set[type[InputError]]:
    return {cls, *(kind for below in cls.__subclasses__() for kind in every_kind(below))}


def test_every_error_has_its_own_declared_code():
    kinds = every_kind(InputError)
    assert {Wrong, Refused, Misread, DiceError, WrongFace, WrongChoice, TooManyDice, NoSuchGame} <= kinds
    assert {kind.code for kind in kinds} <= set(get_args(Code))


def test_an_unknown_word_gets_a_suggestion():
    error = unknown("options.weapon", 'no weapon "swrod"', "swrod", ["sword", "bow"])
    assert str(error) == 'options.weapon: no weapon "swrod"; did you mean sword?'
    assert (error.code, error.path, error.suggestion) == ("unknown_name", "options.weapon", "sword")
    assert str(error.at("weapon")) == 'weapon: no weapon "swrod"; did you mean sword?'
    assert str(error.at("")) == 'no weapon "swrod"; did you mean sword?'


def test_an_error_in_a_command_line_carries_the_suggested_word():
    with pytest.raises(Misread) as misread:
        parse("nxet", TOY)
    assert (misread.value.code, misread.value.suggestion) == ("misread", "next")
    with pytest.raises(Refused) as refused:
        toy("add ada", "add orc", "start").do("strike adda")
    assert (refused.value.code, refused.value.suggestion) == ("unknown_name", "ada")


def test_a_wrong_die_names_its_number_and_a_notation_its_position():
    with pytest.raises(WrongFace) as face:
        ScriptedDice([7]).face(6, "strike", "ada")
    assert (face.value.code, face.value.path) == ("dice", "dice[0]")
    with pytest.raises(DiceError) as notation:
        roll("2d", RandomDice(Random(1)))
    assert (notation.value.code, notation.value.path) == ("dice", "2")


def test_an_unknown_game_gets_a_suggestion():
    with pytest.raises(NoSuchGame) as error:
        load("atlantiss")
    assert (error.value.code, error.value.suggestion) == ("unknown_name", "atlantis")
