"""An action that is being prepared: its targets, its options, and the command for it."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from systems.commands.actions import option_meant, typed_options
from systems.commands.aims import named_aims, number_of_aims, spread_aims
from systems.contract.action import Action
from systems.encounter.completion import lacking, only_names, option_words
from systems.encounter.lookup import targets, targets_once
from systems.encounter.loose_words import option_of_word
from systems.encounter.model import Combatant
from systems.encounter.remembered import remembered_for
from systems.errors import Refused, Wrong
from systems.language.declaration import ACTION
from systems.language.intents import Act, Command
from systems.language.tokens import Word, dice_of, quote, words_of
from systems.schema.conversion import replace
from systems.schema.fields import Field, combatant_options, fields_of, target_options
from systems.schema.types import Text
from systems.text import starting_with
from tui.lists.given_options import (
    DICE,
    GivenOptions,
    TargetLine,
    candidates,
    given_out_of_turn,
    lacks_words,
    options_in,
    read_line,
    settled_options,
    whole_value,
)
from tui.lists.possible_targets import PossibleTargets
from tui.lists.target_list import Asked, OptionShown
from tui.services import ActionSource

_MOST_ALIKE = 8


class PreparedAction:
    """The targets and options that a typed line and chosen values mean for one action.

    `take` reads a new question. Whatever was worked out about the same state of the encounter is kept.
    `marked`: the index of the row under the cursor, -1 for none. `given`: options to fill in. `first`: the
    ids to put under the cursor at first if the rules allow them: the best one, and others if they are on the
    side that the action is meant for.
    """

    def __init__(
        self,
        source: ActionSource,
        action: Action,
        actor: Combatant,
        given: Mapping[str, str] | None = None,
        first: Sequence[str] = (),
    ) -> None:
        self.source, self.action, self.first = source, action, first
        self.options = GivenOptions(action, actor.sheet)
        # The error of an option, as a sentence; and whether all options in the line could be read.
        self.wrong, self.is_read = "", True
        # The ids in the line, if it names several.
        self.several: tuple[str, ...] = ()
        self.text, self.at_end = "", True
        self._typed = TargetLine()
        # Whether the cursor moves on to targets that may be added to the line.
        self.collects = False
        # The combatants that act, if the actor is not alone: as typed, and their ids.
        self.doers_named = ""
        self.doers: tuple[str, ...] = ()
        # The error if a quote is still open.
        self._unclosed = ""
        self.marked = 0
        # The questions with the meaning that was worked out last.
        self._taken: tuple[Asked, ...] = ()
        self._look(actor)
        self.take(Asked(chosen=tuple((given or {}).items())))

    def _look(self, actor: Combatant) -> None:
        """Read the current state of the encounter."""
        self._taken = ()
        self.encounter, self.actor = self.source.encounter, actor
        self.options.sheet = actor.sheet
        self._remembered = self.source.remembered(self.action, actor.id)
        self._list_targets(friends=self._is_for_friends() or False)
        names = only_names(actor.sheet, self.action.options)
        # Names that are the only choice are filled in, unless the action is the same without them.
        is_same_without = names and settled_options(self.source, self.action, actor) == {}
        self._only_names: Mapping[str, str] = {} if is_same_without else names
        self._refusals: dict[str, tuple[Any, str]] = {}
        self._relevant: list[tuple[tuple[Any, ...], Mapping[str, str]]] = []

    def _list_targets(self, *, friends: bool) -> None:
        self.targets = PossibleTargets(self.source, self.action, self.actor, friends=friends)
        self.possible = self.targets.everybody

    def _is_for_friends(self) -> bool | None:
        """Return whether the current options are meant for friends; None while they are invalid."""
        if not callable(self.action.friends):
            return self.action.friends
        with suppress(Wrong):
            self._read_options()
            given = self.options.given_with(remembered_for(self._remembered, ""))
            given.pop(DICE, None)
            return self.action.is_for_friends(self.actor.sheet, typed_options(self.action, given))
        return None

    def keep_up(self) -> bool:
        """Read the encounter again if it has changed, for example by a seat; return whether it has."""
        actor = self.source.encounter.combatants.get(self.actor.id)
        if self.source.encounter is self.encounter or actor is None:
            return False
        self._look(actor)
        return True

    def take(self, asked: Asked) -> None:
        """Read a question. If it names other targets than before, the cursor goes to the first of them.

        A question with the same meaning as the last one is not read again.
        """
        taken = asked = replace(asked, step="", by=0, height=1)
        if asked in self._taken:
            return
        self.text, self.at_end = asked.line, asked.at_end
        self.options.chosen, self.options.field = dict(asked.chosen), asked.field
        self._read()
        self.doers_named = self._typed.by or asked.doers
        self.doers = self._ids(self.doers_named.strip().rstrip(",-"))
        before, friends = self.targets.friends, self._is_for_friends()
        if friends is not None and friends != before:
            # The options mean the other side now, such as a spell that heals.
            self._list_targets(friends=friends)
            if not asked.named:
                asked = replace(asked, marked=None)
        ids = [id_of(target) for target in self.possible]
        is_there = asked.marked is not None and asked.marked in ids
        self.marked = ids.index(asked.marked) if is_there and asked.marked is not None else 0
        self.collects = asked.collects and bool(asked.named)
        if self._typed.targets != asked.named:
            self._mark(self._typed.targets.strip())
        elif not is_there:
            self.marked = self._best()
        self.reckon()
        unchanged = replace(taken, marked=self.marked_key, named=self.named, collects=self.collects)
        self._taken = taken, unchanged

    # Possible targets

    @property
    def subject(self) -> str:
        """Return the id of the target under the cursor, "" for none."""
        if self.action.targets == "none" or not self.possible or self.marked < 0:
            return ""
        return id_of(self.possible[self.marked])

    @property
    def marked_key(self) -> str | None:
        """Return the key of the row under the cursor, or None if there are no rows."""
        return self.subject if self.action.targets != "none" and self.possible else None

    def shown_options(self, notes: Mapping[str, str]) -> Iterable[OptionShown]:
        """Yield the options to ask about, with combatants by name. `notes`: the game's notes on values."""
        people = combatant_options(self.action.options)
        for option in self.options.shown(notes):
            named = option.name in people and option.value in self.encounter.combatants
            yield replace(option, said=self.encounter.combatants[option.value].name) if named else option

    def refusal(self, target: str) -> str:
        """Return why the rules refuse that target under the current options; "" if they allow it."""
        options = self.options_for(target)
        if options is None:
            return ""
        known = self._refusals.get(target)
        if known is None or known[0] != options:
            why = self.source.refusal(self.action, self.actor.id, target or None, options)
            known = self._refusals[target] = (options, why)
        return known[1]

    def _is_allowed(self, at: int) -> bool:
        return not self.refusal(id_of(self.possible[at]))

    def _best(self) -> int:
        """Return the index of the first allowed target in `first`, else of the likeliest target.

        A target on the wrong side is never likely, so that Enter can't strike a friend once all foes are
        down. Return the first likely target if the rules allow none of them, and -1 if there is none.
        """
        rows = {id_of(target): at for at, target in enumerate(self.possible)}
        known = [rows[who] for who in self.first if who in rows] if self.action.targets != "optional" else []
        usual = self.targets.usual
        known = [at for at in known if at < usual or id_of(self.possible[at]) == self.first[0]]
        return next((at for at in (*known, *range(usual)) if self._is_allowed(at)), 0 if usual else -1)

    def move(self, by: int) -> None:
        """Move the cursor to the next target that the rules allow.

        Typed targets are dropped, options stay.
        """
        if not self.possible:
            return
        step, last = (1 if by > 0 else -1), len(self.possible) - 1
        goal = max(0, min(self.marked + by, last))
        beyond = range(goal, last + 1 if by > 0 else -1, step)
        back = range(goal, self.marked, -step)
        # If targets can be marked, the cursor moves only between the targets in the line, and keeps them.
        among = self.several if self.marks and not self.collects else ()
        found = (
            at
            for at in (*beyond, *back)
            if self._is_allowed(at) and (not among or id_of(self.possible[at]) in among)
        )
        self.marked = next(found, self.marked)
        if not self.collects and not among:
            self._set_targets("")
        self.reckon()

    # Marks on targets, such as "resists"

    @property
    def marks(self) -> tuple[str, ...]:
        """Return the options that mark some of the targets, such as those for resisting and failing."""
        return target_options(self.action.options)

    def mark_of(self, target: str) -> str:
        """Return the option that marks that target, "" for none."""
        given = self.options.given
        return next((name for name in self.marks if target in self._ids(given.get(name, ""))), "")

    def mark_next(self) -> None:
        """Mark the target under the cursor with the next of the options, or with none. Raises Refused."""
        if not self.marks or not self.subject:
            raise Refused(f"{self.action.title} can't mark targets")
        if typed := next((name for name in self.marks if name in self.options.in_line), ""):
            raise Refused(f"{typed} is typed in the line; change it there")
        who, steps = self.subject, ("", *self.marks)
        new = steps[(steps.index(self.mark_of(who)) + 1) % len(steps)]
        given = self.options.given
        for name in self.marks:
            ids = [other for other in self._ids(given.get(name, "")) if other != who]
            ids += [who] if name == new else []
            self.options.chosen[name] = ",".join(self.encounter.combatants[each].tag for each in ids)
            if not ids:
                self.options.chosen.pop(name)
        self.reckon()

    def _ids(self, text: str) -> tuple[str, ...]:
        try:
            return targets(self.encounter, text) if text else ()
        except Refused:
            return ()

    def take_marked(self) -> None:
        """Add the target under the cursor to the typed targets, or remove it. Raises Refused."""
        if self.action.targets != "many":
            raise Refused(f"{self.action.title} takes one target")
        target = self.encounter.combatants.get(self.subject)
        if target is None:
            raise Refused(self._nobody_likely())
        named = list(self.aims()) if self._typed.targets else []
        if self._has_aims and target.id in named:
            named = self._with_another_aim(named, target.id)
        else:
            named = [who for who in named if who != target.id] if target.id in named else [*named, target.id]
        self._set_targets(",".join(self.encounter.combatants[who].tag for who in named))
        self.collects = bool(named)
        self.reckon()

    def _with_another_aim(self, named: list[str], target: str) -> list[str]:
        """Return the named targets with one more aim at this one; without it if there are no more aims."""
        options = self.options_for(target)
        more = [*named, target]
        with suppress(Refused):
            spread_aims(self.action, self.actor.sheet, options, more)
            return more
        return [who for who in named if who != target]

    def _set_targets(self, text: str) -> None:
        """Replace the typed targets. The options after them stay."""
        options = self.text[len(self._typed.targets) :].lstrip() if self._typed.words else ""
        self._put(f"{text} {options}" if options else text)

    def _put(self, text: str) -> None:
        """Replace the line."""
        self.text, self.at_end = text, True
        self._read()

    # Reading the line

    def _read(self) -> None:
        self._unclosed = ""
        try:
            self._typed = read_line(self.encounter, self.text, self._is_value) if self.text else TargetLine()
        except Refused as error:
            self._unclosed = str(error)
        try:
            aims = self.aims()
        except Refused:
            aims = ()
        self.several = aims if len(aims) > 1 else ()

    def _is_value(self, word: str) -> bool:
        """Return whether a word is the value of an option and therefore names no target."""
        with suppress(Refused):
            return option_of_word(self.action, word, {}, self.actor.sheet, is_first=True) is not None
        return True

    def _mark(self, text: str) -> None:
        if not text or text.casefold() == "nobody":
            # The line was cleared; its targets are dropped.
            self.marked = self._best()
            return
        try:
            first = next(iter(targets(self.encounter, text.rstrip(",-"))), "")
        except Refused:
            # Several names begin with the text, or none. The first possible target counts.
            names = {target.id: target.name for target in self.possible if target is not None}
            first = next(iter(starting_with(text, names, names)), "")
        found = (at for at, target in enumerate(self.possible) if first and id_of(target) == first)
        self.marked = next(found, self.marked)

    def aims(self) -> tuple[str, ...]:
        """Return the ids of the command's targets; () for none. Raises Refused if words name no combatant."""
        if self._unclosed:
            raise Refused(self._unclosed)
        text = self._typed.targets.strip().rstrip(",")
        if self.action.targets == "none" or (
            self.action.targets == "optional" and text.casefold() == "nobody"
        ):
            return ()
        if not text:
            return (self.subject,) if self.subject else ()
        if self._has_aims:
            return named_aims(self.encounter, text)
        return targets_once(self.encounter, text)

    def aims_spread(self) -> tuple[str, ...]:
        """Return the targets as often as the action is aimed at them; () if it has no number of aims."""
        options = self.options_for(self.subject)
        if not self._has_aims or options is None:
            return ()
        try:
            return spread_aims(self.action, self.actor.sheet, options, self.aims())
        except Refused:
            return ()

    @property
    def _has_aims(self) -> bool:
        """Return whether the action has a number of aims with the options so far."""
        if self.action.aims is None:
            return False
        return number_of_aims(self.action, self.actor.sheet, self.options_for(self.subject)) > 0

    def aims_here(self) -> tuple[str, ...]:
        """Return the targets that are in the list, in order; "" means no target.

        Return () while the words name no combatant.
        """
        try:
            aims = self.aims()
        except Refused:
            return ()
        if not aims and self.action.targets == "optional":
            return ("",)
        possible = {id_of(target) for target in self.possible}
        return tuple(who for who in aims if who in possible) if len(aims) > 1 else aims

    def names_nobody(self) -> str:
        """Return why the words name no combatant, as a sentence; "" if they name one."""
        try:
            aims, options = self.aims(), self.options_for(self.subject)
            if options is not None:
                spread_aims(self.action, self.actor.sheet, options, aims)
        except Refused as error:
            return str(error)
        return ""

    def _nobody_likely(self) -> str:
        """Return why no row is under the cursor."""
        if not self.possible:
            return "there are no targets"
        return f"there is no {'friend' if self.targets.friends else 'foe'} to aim at: choose or type a target"

    def command(self) -> Command:
        """Return the command, and the line that means the same. Raises Refused, Wrong or Misread."""
        action, missing, known = self.action, self.options.missing(), fields_of(self.action.options)
        if lacks := lacking(self.actor.sheet, action.options):
            raise Refused(lacks_words(self.actor, lacks))
        if missing:
            raise Wrong("", f"{action.title} needs {self.options.needed_word(missing)}")
        self._read_options()
        self._taken = ()
        for name, word in self.options.chosen.items():
            if word and name in known:
                self.options.chosen[name] = self._whole_name(known[name], word)
        aims = self.aims()
        given = self._given(aims)
        dice = given.pop(DICE, "")
        typed_options(action, given)
        if action.targets in ("one", "many") and not aims:
            raise Refused(self._nobody_likely())
        if action.targets in ("one", "optional") and len(aims) > 1:
            raise Refused(f"{action.title} takes one target, not {len(aims)}")
        faces = f"{DICE}={dice}" if dice else ""
        by = ",".join(self.named_doers() or (self.actor.id,))
        written = {name: quote(word) for name, word in given.items()}
        options = " ".join(f"{name}={word}" for name, word in written.items())
        words = [action.name, ",".join(aims), options, faces, f"by {by}"]
        act = Act(
            action.name,
            ",".join(aims),
            {name: word.replace('"', "") for name, word in given.items()},
            by,
            frozenset(name for name, word in written.items() if word.startswith('"')),
        )
        line = " ".join(word for word in words if word)
        return Command(act, line, dice_of(Word(dice, 0, 0)) if dice else None, name=ACTION)

    def named_doers(self) -> tuple[str, ...]:
        """Return the ids of the combatants that act, or () if none are named. Raises Refused."""
        words = self.doers_named.strip().rstrip(",")
        return targets(self.encounter, words) if words else ()

    def _whole_name(self, field: Field, word: str) -> str:
        """Return the value of an option, with a name written in full. Raises Wrong for a near miss."""
        if not isinstance(field.type, Text) or field.naming is None:
            return word
        try:
            return whole_value(field, word, self.actor.sheet, self.options.other)
        except Wrong as wrong:
            raise wrong.at(field.name) from None

    # Options and their possible values

    def options_for(self, target: str) -> Any:
        """Return the options against that target as the action takes them; None while one is invalid."""
        given = self._given(self.several if target in self.several else (target,))
        given.pop(DICE, None)
        try:
            return typed_options(self.action, given)
        except Wrong:
            return None

    def _given(self, aims: Sequence[str]) -> dict[str, str]:
        # An option that can't matter is left out, such as the distance of a bowshot for a blow with an axe.
        is_known = tuple(aims) == (self.subject,) and self.options.relevant is not None
        given = self.options.given_with(self.options.remembered if is_known else self._remembered_of(aims))
        for name in self.marks:
            # A mark on a former target does not count.
            if ids := self._ids(given.get(name, "")):
                given[name] = ",".join(self.encounter.combatants[who].tag for who in ids if who in aims)
                given = {option: word for option, word in given.items() if word or option != name}
        return given

    def _remembered_of(self, aims: Sequence[str]) -> Mapping[str, str]:
        """Return the options remembered for a target; for several, the ones that are the same for all."""
        first, *others = [remembered_for(self._remembered, who) for who in aims] or [{}]
        alike = {
            name: word for name, word in first.items() if all(other.get(name) == word for other in others)
        }
        return {**self._only_names, **self._out_of_turn(), **alike}

    def _out_of_turn(self) -> Mapping[str, str]:
        """Return the options to fill in if one of the actors acts out of turn."""
        return given_out_of_turn(self.encounter, self.action, self.doers or (self.actor.id,))

    def reckon(self) -> None:
        """Take the options of the line and of the target's memory, and find out what is wrong with them.

        If the rules refuse the target under the cursor and it was not typed, the cursor moves to another one.
        """
        self._taken = ()
        self._take_options()
        is_chosen_here = self.marked >= 0 and self.possible and not self._typed.targets
        if is_chosen_here and not self._is_allowed(self.marked):
            before, self.marked = self.marked, self._best()
            if self.marked != before:
                self._take_options()

    def _take_options(self) -> None:
        options, target = self.options, self.subject
        person = self.encounter.combatants.get(target)
        options.other = person.sheet if person else None
        options.remembered = self._remembered_of(self.several or (target,))
        self.wrong = options.wrong()
        self.is_read = True
        try:
            self._read_options()
        except Wrong as error:
            self.is_read = False
            # A word that may still become an option is not wrong yet.
            self.wrong = self.wrong or ("" if self.candidates() else str(error))
        self._find_relevant(target)

    def _find_relevant(self, target: str) -> None:
        """Find out which options can matter, provided that the current ones are valid."""
        now = self.options_for(target)
        if now is None:
            if not self.wrong and self.options.missing() is None:
                self.wrong = self._why_wrong()
            self.options.relevant = None
            return
        if self.action.targets == "none" and self.refusal(target):
            # Every option seems not to matter to an action that is refused anyway.
            self.options.relevant = None
            return
        # The same options can matter against Guard 1 and Guard 2 if both have the same stats.
        person = self.encounter.combatants.get(target)
        alike = (now, person and person.sheet, person and person.conditions)
        found = next((relevant for known, relevant in self._relevant if known == alike), None)
        if found is None:
            found = self.source.relevant(self.action, self.actor.id, target or None, now)
            self._relevant = [*self._relevant[-_MOST_ALIKE:], (alike, found)]
        self.options.relevant = found
        kept = {name: word for name, word in self.options.remembered.items() if name in found}
        # An option that makes the action possible at all seems not to matter, since there is no alternative.
        self.options.remembered = {**self._out_of_turn(), **kept}

    def _read_options(self) -> None:
        """Read the options in the line. Raises Wrong; options before the wrong one are kept."""
        words, self.options.in_line = self._typed.words, {}
        for number in range(1, len(words) + 1):
            self.options.in_line = options_in(
                self.action, words[:number], self.actor.sheet, self.options.other
            )

    def _why_wrong(self) -> str:
        given = self.options.given
        given.pop(DICE, None)
        try:
            typed_options(self.action, given)
        except Wrong as error:
            return str(error)
        return ""

    def candidates(self) -> list[str]:
        """Return completions of the option at the end of the line."""
        if not self._typed.is_open or self.options.field:
            return []
        known = self.options.relevant or {}
        return candidates(self.action, self._typed.words[-1], self.actor.sheet, self.options.other, known)

    def option_begun(self) -> str:
        """Return the name of the option whose value ends the line; "" if there is none."""
        name, equals, value = self._typed.words[-1].partition("=") if self._typed.words else ("", "", "")
        try:
            sheet, other = self.actor.sheet, self.options.other
            found = option_meant(self.action, name, value, lambda field: option_words(sheet, field, other))
            return found.name if equals else ""
        except Wrong:
            return ""

    def complete(self) -> bool:
        """Complete the option at the end of the line; return whether there was anything to complete."""
        found = self.candidates() if self.at_end else []
        word = self._typed.words[-1] if found else ""
        name, equals, _ = word.partition("=")
        if not found or word in (found[0], f"{name}={found[0]}"):
            return False
        start = self.text[: words_of(self.text)[-1].start]
        self._put(f"{start}{name}={quote(found[0])} " if equals else f"{start}{found[0]}")
        self.reckon()
        return True

    @property
    def named(self) -> str:
        """Return the targets as typed in the line."""
        return self._typed.targets


def id_of(target: Combatant | None) -> str:
    """Return the id of a target, "" for None."""
    return target.id if target else ""
