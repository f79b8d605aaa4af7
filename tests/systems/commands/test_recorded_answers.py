"""The answers of a turn that is begun anew: those that were given before, where they still can be."""

from systems.commands.step_forward import RecordedAnswers
from systems.contract.or_number import OrNumber
from systems.contract.outcome import Answer
from systems.contract.table import Suggested


def test_a_typed_number_outside_the_list_is_kept():
    for most, kept in ((199, "14"), (9, "5")):
        answers = RecordedAnswers([Answer("14", "gm")], Suggested())
        assert answers.answer("How much?", OrNumber(("5", "10"), most), "gm", "5") == kept
