"""Errors as data: a code, a path and a suggestion beside the sentence."""

from random import Random
from typing import get_args

import pytest

from systems import NoSuchGame, load
from systems.contract.table import WrongChoice
from systems.dice.expression import DiceError
from systems.dice.notation import roll
from systems.dice.scripted import ScriptedDice, WrongFace
from systems.dice.sources import RandomDice
from systems.errors import Code, InputError, Misread, Refused, Wrong, unknown
from systems.language.parser import parse
from systems.odds import TooManyDice
from tests.systems.toy import TOY, toy


def every_kind(cls: type[InputError]) -> set[type[InputError]]:
    return {cls, *(kind for below in cls.__subclasses__() for kind in every_kind(below))}


def test_every_error_has_a_declared_code_of_its_own():
    kinds = every_kind(InputError)
    assert {Wrong, Refused, Misread, DiceError, WrongFace, WrongChoice, TooManyDice, NoSuchGame} <= kinds
    assert {kind.code for kind in kinds} <= set(get_args(Code))


def test_a_word_that_is_not_known_says_what_was_probably_meant():
    error = unknown("options.weapon", 'no weapon "swrod"', "swrod", ["sword", "bow"])
    assert str(error) == 'options.weapon: no weapon "swrod"; did you mean sword?'
    assert (error.code, error.path, error.suggestion) == ("unknown_name", "options.weapon", "sword")
    assert str(error.at("weapon")) == 'weapon: no weapon "swrod"; did you mean sword?'
    assert str(error.at("")) == 'no weapon "swrod"; did you mean sword?'


def test_what_a_line_of_the_language_gets_wrong_carries_the_word_that_was_meant():
    with pytest.raises(Misread) as misread:
        parse("nxet", TOY)
    assert (misread.value.code, misread.value.suggestion) == ("misread", "next")
    with pytest.raises(Refused) as refused:
        toy("add ada", "add orc", "start").do("strike adda")
    assert (refused.value.code, refused.value.suggestion) == ("unknown_name", "ada")


def test_a_die_says_which_one_and_a_notation_where():
    with pytest.raises(WrongFace) as face:
        ScriptedDice([7]).face(6, "strike", "ada")
    assert (face.value.code, face.value.path) == ("dice", "dice[0]")
    with pytest.raises(DiceError) as notation:
        roll("2d", RandomDice(Random(1)))
    assert (notation.value.code, notation.value.path) == ("dice", "2")


def test_a_game_that_is_not_there_says_which_was_meant():
    with pytest.raises(NoSuchGame) as error:
        load("atlantiss")
    assert (error.value.code, error.value.suggestion) == ("unknown_name", "atlantis")
