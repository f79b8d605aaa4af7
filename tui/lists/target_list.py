"""What a question about an action shows, as words and numbers, and what is asked for to show it.

A prompt sends `Asked` to its source and paints the `TargetList` that comes back. At the table the source
works it out at once; at a seat the server does, from what the seat's viewer may see.
"""

from collections.abc import Callable
from typing import Literal, Protocol

from systems.frozen import frozen
from tui.display.odds import Heads, OddsWords, Person

Step = Literal["", "move", "take", "resist", "complete", "enter"]


@frozen
class Asked:
    """What has been typed and chosen in the question so far.

    `line`: who is meant, and options behind it; `at_end`: the cursor is at its end. `marked`: the key of the
    row under the mark, None for the best one; `named`: who the line named when that row was marked.
    `collects`: targets are taken into the line one by one. `chosen`: options by name; `field`: the option
    that is edited. `doers`: those who do it together. `height`: rows that there is room for.
    `step`: what a key asks for besides; `by`: how many rows a move goes.
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
    step: Step = ""
    by: int = 0


@frozen
class OptionShown:
    """An option that is asked for.

    `value`: what was given, "" for nothing; `now`: the word for what counts then, where that is known.
    `said`: the value as people read it, where that is another word, as the name of a combatant.
    `is_remembered`: an empty word stands for the default, since something else is remembered.
    `notes`: what the game says beforehand about some of the choices. `takes_number`: a number that is typed
    without a name is its value.
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
    """A row of the list: a target, or a rule between those above it and those below.

    `odds`: None while they are not known. `aimed`: Enter would aim at it. `mark`: the option that names it.
    """

    key: str = ""
    person: Person = Person()
    odds: OddsWords | None = None
    possible: bool = True
    aimed: bool = False
    mark: str = ""
    rule: str = ""


@frozen
class TargetList:
    """The answer to `Asked`: who acts and how, the rows that there is room for, the options, what is wrong.

    `line`, `marked`, `named`, `collects`, `chosen`: these as they are after the step. `about`: what
    stands behind the action's title. `names_wide`, `figures_wide`: how many cells the longest name and
    figures of all take, also of those that there is no room for. `marks`: words with which rows are
    marked now; `can_mark`: whether there are such words. `one_by_one`: the cursor is shown beside those
    that are aimed at. `more`: targets that there is no room for; `wanted`: rows that there is use for.
    `missing`: the option that has to be given; `first`: the option that is asked for first. `odds`: what
    the action would come to, whoever the target is. `wrong`: an invalid option; `refused`: why the
    targets are refused; `all_refused`: why each row is, where that is the same for all of them, so that
    no row says it; `warns`: what the game warns of; `nobody`: why the line names no one; `candidates`:
    what the end of the line could become; `names`: who is aimed at, or does it; `no_doers`: why the
    words name nobody who does it. `command`: what Enter carries out; `why`: why the step cannot be.
    `meant`: for a near miss, the option and the value that were probably meant, or "" and the whole line.
    `unknown`: odds are still to come; `has_odds`: the action has some. `is_settled`: nothing is to be asked.
    """

    actor: str = ""
    does: str = ""
    about: str = ""
    targets: Literal["none", "optional", "one", "many"] = "one"
    heads: Heads = ()
    rows: tuple[TargetRow, ...] = ()
    marks: tuple[str, ...] = ()
    can_mark: bool = False
    one_by_one: bool = False
    more: int = 0
    wanted: int = 0
    names_wide: int = 0
    figures_wide: int = 0
    line: str = ""
    marked: str | None = None
    named: str = ""
    collects: bool = False
    chosen: tuple[tuple[str, str], ...] = ()
    options: tuple[OptionShown, ...] = ()
    missing: str = ""
    first: str = ""
    odds: str = ""
    wrong: str = ""
    refused: str = ""
    all_refused: str = ""
    warns: str = ""
    nobody: str = ""
    candidates: tuple[str, ...] = ()
    names: str = ""
    doers: str = ""
    no_doers: str = ""
    command: str = ""
    why: str = ""
    meant: tuple[str, str] = ("", "")
    unknown: bool = False
    has_odds: bool = False
    is_settled: bool = False

    def option(self, name: str) -> OptionShown | None:
        """Return the option of that name, if it is asked for."""
        return next((option for option in self.options if option.name == name), None)


@frozen
class OddsPage:
    """The odds of an action in full, as rows of a page; `why`: a sentence in their place."""

    title: str = ""
    rows: tuple[tuple[tuple[str, str], ...], ...] = ()
    why: str = ""


class TargetSource(Protocol):
    """Where a question about an action gets what it shows.

    `changed` is called when more is known.
    """

    changed: Callable[[], None]

    def show(self, asked: Asked) -> TargetList:
        """Return the newest answer: at the table to this, at a seat perhaps to what was asked before."""

    def is_known(self, asked: Asked) -> bool:
        """Return whether the newest answer is to this."""

    def plot(self, asked: Asked) -> None:
        """Show the odds in full, or say why there are none."""

    def begin(self) -> None:
        """Go on with what is still worked out."""

    def stop(self) -> None:
        """Work out nothing more."""
