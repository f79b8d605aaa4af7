"""A question about an action, and the answer that fills its list of targets.

A prompt sends `Asked` to its source and paints the `TargetList` that comes back. At the table the source
answers at once. At a seat the server answers, using only what the seat may see.
"""

from collections.abc import Callable
from typing import Literal, Protocol

from systems.frozen import frozen
from systems.language.intents import Command
from tui.display.odds import Headings, OddsSubject, OddsWords

DigitStep = Literal["", "move", "take", "resist", "complete", "enter"]


@frozen
class Asked:
    """The typed and chosen parts of a question about an action.

    `line`: targets, then options. `at_end`: whether the cursor is at its end.
    `marked`: the key of the row under the cursor, None for the best row. `named`: the targets in the line
    when that row was marked.
    `collects`: targets are added to the line one at a time.
    `chosen`: options by name. `field`: the option being edited.
    `doers`: the combatants that act together. `height`: the number of rows that fit.
    `step`: the key that was pressed, and `by`: how many rows it moves the cursor.
    """

    line: str = ""
    at_end: bool = True
    marked: str | None = None
    named: str = ""
    collects: bool = False
    chosen: tuple[tuple[str, str], ...] = ()
    field: str = ""
    doers: str = ""
    height: int = 1
    step: DigitStep = ""
    by: int = 0


@frozen
class OptionShown:
    """An option to ask about.

    `value`: the given value, "" for none. `now`: the value that counts at present, if known. `said`: the
    value as shown, if it differs, such as the name of a combatant. `is_remembered`: a value is remembered, so
    an empty one means the default. `notes`: the game's notes on some of the choices. `takes_number`: a number
    typed without a name is its value.
    """

    name: str
    label: str
    value: str = ""
    now: str = ""
    default: str = ""
    help: str = ""
    expected: str = ""
    choices: tuple[str, ...] = ()
    needed: bool = False
    is_list: bool = False
    is_remembered: bool = False
    notes: tuple[tuple[str, str], ...] = ()
    said: str = ""
    takes_number: bool = False


@frozen
class TargetRow:
    """A row of the list: a target, or a rule between two parts of the list.

    `odds`: None until they are known. `aimed`: Enter would aim at this target. `mark`: the option that names
    it.
    """

    key: str = ""
    person: OddsSubject = OddsSubject()
    odds: OddsWords | None = None
    possible: bool = True
    aimed: bool = False
    mark: str = ""
    rule: str = ""


@frozen
class ActionShown:
    """The action that a question is about, and its actor.

    `about`: the text after the action's title. `can_mark`: whether it has options that mark targets.
    """

    actor: str = ""
    does: str = ""
    about: str = ""
    targets: Literal["none", "optional", "one", "many"] = "one"
    can_mark: bool = False
    has_odds: bool = False


@frozen
class LineShown:
    """The line, the row under the cursor and the chosen options after a step; see `Asked`."""

    line: str = ""
    marked: str | None = None
    named: str = ""
    collects: bool = False
    chosen: tuple[tuple[str, str], ...] = ()


@frozen
class RowsShown:
    """The rows that fit: targets, or the combatants that act.

    `names_wide`, `figures_wide`: the width in cells of the longest name and hit points, including rows that
    do not fit. `marks`: the options that mark rows now. `one_by_one`: the cursor is shown in addition to the
    targets. `more`: the number of targets that do not fit. `wanted`: the number of rows that would be useful.
    `all_refused`: the reason that is the same for every row, so that no row repeats it.
    """

    rows: tuple[TargetRow, ...] = ()
    headings: Headings = ()
    names_wide: int = 0
    figures_wide: int = 0
    marks: tuple[str, ...] = ()
    one_by_one: bool = False
    more: int = 0
    wanted: int = 0
    all_refused: str = ""


@frozen
class OptionsShown:
    """The options to ask about.

    `missing`: the option that has to be given. `first`: the option to ask about first. `wrong`: the error in
    an option. `candidates`: completions of the last word.
    """

    shown: tuple[OptionShown, ...] = ()
    missing: str = ""
    first: str = ""
    wrong: str = ""
    candidates: tuple[str, ...] = ()

    def option(self, name: str) -> OptionShown | None:
        """Return the option of that name if it is asked about, else None."""
        return next((option for option in self.shown if option.name == name), None)


@frozen
class NotesShown:
    """Sentences about the action with these targets and options.

    `odds`: the odds of an action without target. `names`: the names of the targets, or of the combatants that
    act. `refused`: why the targets are refused. `warns`: the game's warning. `nobody`: why the line names no
    target. `no_doers`: why no actor is named.
    """

    odds: str = ""
    names: str = ""
    refused: str = ""
    warns: str = ""
    nobody: str = ""
    no_doers: str = ""


@frozen
class StepResult:
    """The result of a key.

    `command`: the command that Enter carries out. `why`: why the step is impossible. `meant`: for a near
    miss, the option and the value that were probably meant, or "" and the whole line.
    """

    command: str = ""
    why: str = ""
    meant: tuple[str, str] = ("", "")


@frozen
class TargetList:
    """The answer to `Asked`, in parts: each part of the prompt paints one of them.

    `unknown`: some odds are still being worked out. `is_settled`: nothing has to be asked.
    """

    action: ActionShown = ActionShown()
    typed: LineShown = LineShown()
    list: RowsShown = RowsShown()
    options: OptionsShown = OptionsShown()
    notes: NotesShown = NotesShown()
    result: StepResult = StepResult()
    unknown: bool = False
    is_settled: bool = False


@frozen
class OddsPage:
    """A page with the full odds of an action, in rows. `why`: a sentence shown instead of them."""

    title: str = ""
    rows: tuple[tuple[tuple[str, str], ...], ...] = ()
    why: str = ""


class TargetSource(Protocol):
    """The source of the answers to a question about an action.

    It calls `changed` when more is known. `command`: the command of the newest answer, if not only its line
    is known, as at a seat.
    """

    changed: Callable[[], None]
    command: Command | None

    def show(self, asked: Asked) -> TargetList:
        """Return the newest answer. At a seat it may still be for an earlier question."""

    def is_known(self, asked: Asked) -> bool:
        """Return whether the newest answer is for this question."""

    def plot(self, asked: Asked) -> None:
        """Show the full odds, or say why there are none."""

    def begin(self) -> None:
        """Continue working out odds."""

    def stop(self) -> None:
        """Stop working out odds."""
