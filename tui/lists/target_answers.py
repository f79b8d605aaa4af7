"""Answer questions about an action: the prepared action and its odds as words and numbers."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from rich.cells import cell_len

from systems.commands.aims import aims_before, counted_aims
from systems.commands.preview import Preview
from systems.commands.wording import options_words
from systems.contract.action import Action
from systems.contract.table import WrongChoice
from systems.encounter.completion import lacking
from systems.encounter.model import Combatant, Encounter
from systems.errors import InputError, Misread, Refused, Wrong
from systems.frozen import evolve
from systems.language.corrections import corrected
from systems.language.intents import Command
from systems.odds import TooManyDice
from systems.schema.fields import fields_of
from systems.schema.values import as_typed
from systems.text import clean, listed, several
from tui.display.odds import (
    Headings,
    OddsSubject,
    OddsWords,
    headings_of,
    known_headings,
    odds_sentence,
    odds_words,
    person_of,
)
from tui.display.text import printable
from tui.lists.given_options import lacks_words
from tui.lists.prepared_action import PreparedAction, id_of
from tui.lists.target_list import (
    ActionShown,
    Asked,
    LineShown,
    NotesShown,
    OptionsShown,
    RowsShown,
    StepResult,
    TargetList,
    TargetRow,
)
from tui.services import ActionSource

ROWS_AROUND = 2  # the title and the line
_NO_ODDS = OddsWords()


class OddsByTarget(Protocol):
    """The odds by target, as far as they are known."""

    def aim(self, aimed: Sequence[str]) -> None:
        """Set the targets of the command, in order.

        The odds against each take those before it into account.
        """

    def want(self, targets: Sequence[str]) -> None:
        """Work out the odds against these targets, in this order."""

    def of(self, target: str) -> Preview | str | None:
        """Return the odds against a target ("" for no target), or why there are none; None until known."""


# What odds depend on: the options, the targets before this one, and all targets if their number counts.
_Basis = tuple[Any, tuple[str, ...], tuple[str, ...]]


class TargetOdds:
    """Odds by target, each kept while the options and the targets of the command stay the same.

    `options_for(target)`: the current options, None while they are invalid. `own_preview(target, options)`:
    works out odds differently from the action itself, if given.
    """

    def __init__(
        self,
        source: ActionSource,
        action: Action,
        actor: str,
        options_for: Callable[[str], Any],
        own_preview: Callable[[str | None, Any], Preview] | None = None,
    ) -> None:
        self.source, self.action, self.actor = source, action, actor
        self._options_for, self._own_preview = options_for, own_preview
        self.aimed: tuple[str, ...] = ()
        self._known: dict[str, tuple[_Basis, Preview | str]] = {}

    def aim(self, aimed: Sequence[str]) -> None:
        """Set the targets of the command, in order."""
        self.aimed = tuple(aimed)

    def of(self, target: str) -> Preview | str | None:
        """Return the odds against a target ("" for no target), or why there are none; None until known."""
        known = self._known.get(target)
        return known[1] if known is not None and known[0] == self._basis(target) else None

    def work_out(self, target: str) -> None:
        """Work out the odds against a target."""
        basis = self._basis(target)
        self._known[target] = basis, self.odds(target, *basis)

    def _basis(self, target: str) -> _Basis:
        options = self._options_for(target)
        aims: tuple[str, ...] = ()
        if self._own_preview is None and (self.action.aims is not None or self.action.splits):
            sheet = self.source.encounter.combatants[self.actor].sheet
            aims = counted_aims(self.action, sheet, options, self.aimed, target)
        return options, aims_before(self.aimed, target), aims

    def odds(self, target: str, options: Any, earlier: Sequence[str], aims: Sequence[str]) -> Preview | str:
        """Return the odds against a target, or why there are none."""
        try:
            if self._own_preview is not None:
                return self._own_preview(target or None, options)
            return self.source.preview(self.action, self.actor, target or None, options, earlier, aims)
        except (TooManyDice, WrongChoice, Refused, Wrong) as error:
            return clean(str(error))


def refusal(odds: Preview | str | None) -> str:
    """Return why a target is impossible, as a sentence; "" if it is possible or not known yet."""
    return odds if isinstance(odds, str) else odds.refused if odds else ""


def _refused_alike(rows: Sequence[TargetRow]) -> str:
    """Return the reason that is the same for several refused targets; "" if there is none."""
    found = [row.odds.refused if row.odds else "" for row in rows if not row.rule]
    return found[0] if len(found) > 1 and len(set(found)) == 1 else ""


class TargetAnswers:
    """Answers one question after another about the same action.

    `odds`: the odds against each target. `each`: the odds of each actor, if several may act. `headings`: the
    headings of the odds, () if none are shown. `person` returns the contents of a combatant's row.
    """

    def __init__(
        self,
        prepared: PreparedAction,
        odds: OddsByTarget,
        each: OddsByTarget | None = None,
        *,
        headings: Headings | None = None,
        person: Callable[[Combatant | None, Encounter], OddsSubject] = person_of,
    ) -> None:
        self.prepared, self.odds, self.each = prepared, odds, each
        # The command of the newest Enter; its line is in the answer.
        self.command: Command | None = None
        self.action, self.person = prepared.action, person
        self._all_headings = self.headings = headings_of(self.action) if headings is None else headings
        # The targets that were measured, and the width of their longest name and hit points.
        self._measured: tuple[object, int, int] = (None, 0, 0)

    def answer(self, asked: Asked) -> TargetList:
        """Carry out the requested step, and return what the question shows after it."""
        self.prepared.take(asked)
        result = self._result(asked) if asked.step else StepResult()
        if result.command:
            # The question is over, so nothing else is shown.
            return TargetList(result=result)
        if self.action.targets == "none":
            return self._alone(*self._doers(), asked.height, result)
        return self._aimed(asked.height, result)

    def _meant(self, error: InputError) -> tuple[str, str]:
        """Return the probable meaning of a near miss; see `StepResult.meant`."""
        if line := corrected(self.prepared.text, error):
            return "", line
        if error.suggestion and error.path in self.prepared.options.chosen:
            return error.path, error.suggestion
        return "", ""

    def _result(self, asked: Asked) -> StepResult:
        """Do the step of a key; return the command for Enter, or why the step is impossible."""
        prepared = self.prepared
        try:
            match asked.step:
                case "move":
                    prepared.move(asked.by)
                case "take":
                    prepared.take_marked()
                case "resist":
                    prepared.mark_next()
                case "complete":
                    prepared.complete()
                case "enter":
                    self.command = prepared.command()
                    return StepResult(self.command.line)
        except (Refused, Wrong, Misread) as error:
            return StepResult(why=str(error), meant=self._meant(error))
        return StepResult()

    # Parts for every action

    @property
    def _has_odds(self) -> bool:
        """Return whether there are odds to wait for: not while an option is missing or invalid."""
        return self.prepared.options.missing() is None and not self.prepared.wrong

    @property
    def _told(self) -> Mapping[str, str]:
        """Return the game's notes on the target under the cursor."""
        odds = self.odds.of(self.prepared.subject)
        return {} if odds is None or isinstance(odds, str) else odds.notes

    def _action(self) -> ActionShown:
        prepared, options, action = self.prepared, self.prepared.options, self.action
        if action.targets == "none":
            # The given options follow in words: `mark of Aryn`.
            about = ", ".join(options_words(prepared.encounter, action, options.given))
        else:
            about = options.only_word()
        return ActionShown(
            actor=several([prepared.encounter.combatants[who].name for who in self._together])
            or prepared.actor.name,
            does=action.title,
            about=about,
            targets=action.targets,
            can_mark=bool(prepared.marks),
            has_odds=bool(action.success or action.amount),
        )

    def _line(self) -> LineShown:
        prepared = self.prepared
        return LineShown(
            line=prepared.text,
            marked=prepared.marked_key,
            named=prepared.named,
            collects=prepared.collects,
            chosen=tuple(prepared.options.chosen.items()),
        )

    def _options(self, told: Mapping[str, str]) -> OptionsShown:
        prepared, options = self.prepared, self.prepared.options
        missing = options.missing()
        return OptionsShown(
            shown=tuple(prepared.shown_options(told)),
            missing=missing.name if missing else "",
            first=options.first(),
            wrong=prepared.wrong,
            candidates=() if self.action.targets == "none" or prepared.is_read else self._candidates(told),
        )

    # Actions with targets

    def _aimed(self, height: int, result: StepResult) -> TargetList:
        prepared, people = self.prepared, self.prepared.encounter.combatants
        aims = prepared.aims_here()
        self.odds.aim(aims)
        rows, told = self._rows_of_targets(aims, height), self._told
        notes = NotesShown(
            odds=self._odds_of_each() if self._together else "",
            names=listed(printable(people[who].name) if who else "nobody" for who in dict.fromkeys(aims)),
            refused=self._refused(aims),
            warns=told.get("", ""),
            nobody=prepared.names_nobody(),
        )
        unknown = any(row.odds is None and not row.rule for row in rows.rows)
        return TargetList(self._action(), self._line(), rows, self._options(told), notes, result, unknown)

    def _rows_of_targets(self, aims: Sequence[str], height: int) -> RowsShown:
        """Return the targets that fit, and work out the odds against them."""
        prepared = self.prepared
        seen, near = self._in_sight(height)
        if self._has_odds:
            ids = [id_of(prepared.possible[at]) for at in (*seen, *near) if at is not None]
            self.odds.want([*ids, *aims])
            self._name_columns([id_of(prepared.possible[at]) for at in seen if at is not None])
        reached, spread = self._reached(aims), prepared.aims_spread()
        rows = tuple(
            TargetRow(rule=prepared.targets.rule) if at is None else self._row(at, reached, spread)
            for at in seen
        )
        if all_refused := _refused_alike(rows):
            rows = tuple(evolve(row, odds=_NO_ODDS, possible=bool(row.rule)) for row in rows)
        names, figures = self._widest(prepared.possible)
        # A target may be marked, for example as resisting.
        is_marked = any(prepared.options.given.get(name) for name in prepared.marks)
        return RowsShown(
            rows=rows,
            headings=self.headings,
            names_wide=names,
            figures_wide=figures,
            marks=prepared.marks if is_marked else (f"×{len(spread)}",) * bool(spread),
            one_by_one=prepared.collects or bool(prepared.marks and prepared.several),
            more=len(prepared.possible) - sum(at is not None for at in seen),
            wanted=ROWS_AROUND
            + max(1, len(prepared.possible))
            + bool(prepared.targets.rule)
            + bool(self._together),
            all_refused=all_refused,
        )

    def _name_columns(self, seen: Sequence[str]) -> None:
        """Name the columns by the odds in sight. Until any are known the headings stay unchanged."""
        known = [odds for who in seen if (odds := self.odds.of(who)) and not isinstance(odds, str)]
        if known := [odds for odds in known if not odds.refused]:
            self.headings = known_headings(self._all_headings, known)

    def _widest(self, people: Sequence[Combatant | None]) -> tuple[int, int]:
        """Return the width of the longest name and of the longest hit points of these combatants."""
        if self._measured[0] is not people:
            persons = [self.person(each, self.prepared.encounter) for each in people]
            names = max((cell_len(printable(person.name)) for person in persons), default=0)
            self._measured = people, names, max((cell_len(person.figures) for person in persons), default=0)
        return self._measured[1:]

    def _in_sight(self, height: int) -> tuple[list[int | None], list[int | None]]:
        """Return the rows that fit, and as many rows below them; None is the rule between the sides."""
        prepared = self.prepared
        places: list[int | None] = list(range(len(prepared.possible)))
        if not places:
            return [], []
        if prepared.targets.rule:
            places.insert(prepared.targets.usual, None)
        at = places.index(max(0, prepared.marked))
        top = max(0, min(at - height // 2, len(places) - height))
        seen = places[top : top + height]
        if len(seen) > 1 and seen[-1] is None:
            seen.pop()  # no target follows the rule
        return seen, places[top + height : top + 2 * height]

    def _row(self, at: int, reached: set[str], spread: Sequence[str]) -> TargetRow:
        """Return the row of a target. `spread`: the target of each aim of the action."""
        prepared = self.prepared
        target = prepared.possible[at]
        who = id_of(target)
        refused = prepared.refusal(who)
        aimed, aims = who in reached, f"×{spread.count(who)}" if who in spread else ""
        return TargetRow(
            key=who,
            person=self.person(target, prepared.encounter),
            odds=OddsWords(refused=refused) if refused else self._odds_of(who),
            possible=not refused,
            aimed=aimed,
            mark=(prepared.mark_of(who) or aims) if aimed else "",
        )

    def _odds_of(self, who: str) -> OddsWords | None:
        if not self._has_odds:
            return _NO_ODDS
        odds = self.odds.of(who)
        return None if odds is None else odds_words(self.headings, odds)

    def _reached(self, aims: Sequence[str]) -> set[str]:
        """Return the targets that the action takes and that the rules let it reach."""
        most = len(aims) if self.action.targets == "many" else 1
        return {
            who for who in aims[:most] if not self.prepared.refusal(who) and not refusal(self.odds.of(who))
        }

    def _refused(self, aims: Sequence[str]) -> str:
        """Return why the targets are refused."""
        if len(aims) > 1 and self.action.targets != "many":
            return f"{self.action.title} takes one target, not {len(aims)}"
        whys = [self.prepared.refusal(who) or refusal(self.odds.of(who)) for who in aims]
        at, why = next(((at, why) for at, why in enumerate(whys) if why), (0, ""))
        return f"reaches {at} of these {len(aims)}; after that: {why}" if at else why

    @property
    def _together(self) -> tuple[str, ...]:
        """Return the ids of the combatants that carry out an action with targets together, or ()."""
        doers = self.prepared.doers
        return doers if len(doers) > 1 and self.action.targets != "none" else ()

    def _odds_of_each(self) -> str:
        """Return the odds of each actor of a volley against the target under the cursor, as far as known."""
        if self.each is None or not self._has_odds:
            return ""
        self.each.want(self._together)
        alike: dict[str, list[str]] = {}
        for who in self._together:
            if (odds := self.each.of(who)) is not None:
                words = odds if isinstance(odds, str) else odds_sentence(self.action, odds)
                alike.setdefault(words, []).append(self.prepared.encounter.combatants[who].name)
        return "; ".join(f"{several(names)}: {words}" for words, names in alike.items())

    def _candidates(self, notes: Mapping[str, str]) -> tuple[str, ...]:
        """Return completions of the last word, each with the game's note on it."""
        found = self.prepared.candidates()
        option = self.prepared.option_begun() if found else ""
        told = [(value, notes.get(f"{option}={value}", "")) for value in found]
        return tuple(f"{value} ({note})" if note else value for value, note in told)

    # Actions without targets

    def _alone(self, doers: Sequence[str], no_doers: str, height: int, result: StepResult) -> TargetList:
        if self._has_odds:
            self.odds.want([""])
        odds, told = self.odds.of("") if self._has_odds else "", self._told
        options = self._options(told)
        together = doers if len(doers) > 1 else ()
        people = self.prepared.encounter.combatants
        names, figures = self._widest([people[who] for who in together])
        shown = self._rows_of(together[:height])
        rows = RowsShown(
            rows=shown,
            headings=self.headings,
            names_wide=names,
            figures_wide=figures,
            more=len(together) - len(shown),
            wanted=ROWS_AROUND + 2 + len(options.shown) + len(together),
        )
        notes = NotesShown(
            odds="" if odds is None else odds_sentence(self.action, odds),
            names=several([printable(people[who].name) for who in doers]),
            refused=self._lacks,
            warns=told.get("", ""),
            nobody=self.prepared.names_nobody(),
            no_doers=no_doers,
        )
        unknown = odds is None or any(row.odds is None for row in shown)
        return TargetList(self._action(), self._line(), rows, options, notes, result, unknown)

    @property
    def _lacks(self) -> str:
        """Return that the actor lacks an entry that the action needs; "" if it has it."""
        lacks = lacking(self.prepared.actor.sheet, self.action.options)
        return lacks_words(self.prepared.actor, lacks) if lacks else ""

    def _doers(self) -> tuple[tuple[str, ...], str]:
        """Return the ids of the combatants that act, by default the actor; or (), and why the words name
        none.
        """
        try:
            return self.prepared.named_doers() or (self.prepared.actor.id,), ""
        except Refused as error:
            return (), str(error)

    def _rows_of(self, doers: Sequence[str]) -> tuple[TargetRow, ...]:
        """Return a row for each combatant that acts."""
        each, people = self.each, self.prepared.encounter.combatants
        told = each is not None and self._has_odds and bool(self.action.success or self.action.amount)
        if each is not None and told:
            each.want(doers)
        odds = {who: each.of(who) if each is not None and told else "" for who in doers}
        return tuple(
            TargetRow(
                key=who,
                person=self.person(people[who], self.prepared.encounter),
                odds=None if found is None else odds_words(self.headings, found),
            )
            for who, found in odds.items()
        )


def meant_instead(prepared: PreparedAction, asked: Asked) -> tuple[Action, Asked] | None:
    """Return the action that the options mean instead of the prepared one, and the question about it.

    Return None if they belong to the prepared action itself.
    """
    if prepared.action.instead is None:
        return None
    prepared.take(asked)
    options = prepared.options_for(prepared.subject)
    found = None if options is None else prepared.action.instead(prepared.actor.sheet, options)
    action = prepared.source.game.action(found[0]) if found is not None else None
    if found is None or action is None:
        return None
    fields = fields_of(action.options)
    needs: Mapping[str, str] = {name: as_typed(value) for name, value in found[1].items()}
    chosen = {name: word for name, word in {**dict(asked.chosen), **needs}.items() if name in fields}
    field = asked.field if asked.field in fields else ""
    return action, evolve(asked, chosen=tuple(chosen.items()), field=field)


def with_choices_of(prepared: PreparedAction, found: TargetList) -> TargetList:
    """Return the answer with the prepared action's own choices, so that another weapon can be chosen."""
    own = {option.name: option for option in prepared.shown_options({})}
    shown = tuple(
        evolve(option, choices=own[option.name].choices) if option.name in own else option
        for option in found.options.shown
    )
    return evolve(found, options=evolve(found.options, shown=shown))
