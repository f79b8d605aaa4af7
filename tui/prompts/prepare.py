"""Ask for what an action or an offer needs, or carry it out if there is nothing to ask."""

from collections.abc import Callable, Mapping, Sequence

from rich.cells import cell_len
from textual.events import Key

from systems.commands.offers import action_line, alike, first_choice, leaves_open, question_of
from systems.contract.action import Action
from systems.encounter.model import Combatant, Offer
from systems.frozen import evolve
from systems.text import matches, plain_word
from tui.display.frame import offer_does
from tui.display.text import Row, printable
from tui.lists.action_answers import is_asked_for_first, refusal_of
from tui.lists.given_options import settled_options
from tui.prompts.line import LinePrompt, Reading, Suggestion
from tui.prompts.table_targets import TableTargets
from tui.prompts.targets import TargetPrompt
from tui.services import OpenPrompt, Services
from tui.widgets.input_line import InputLine

SEVERAL: Sequence[tuple[str, str]] = (("Ctrl+T", "several"),)


def prepare(
    services: Services,
    action: Action,
    target: str = "",
    given: Mapping[str, str] | None = None,
    actor: Combatant | None = None,
    asked_by: OpenPrompt | None = None,
    *,
    always_asks: bool = False,
) -> None:
    """Ask for the targets and options of an action, or carry it out if there is nothing to ask.

    `target`: the id to mark at first, by default the combatant under the cursor. `given`: options to fill in.
    `actor`: by default the combatant whose turn it is. `asked_by`: the question to open again if the action
    is refused. A choice is not asked about if the rules refuse all its values. `always_asks`: wait for Enter
    even if there is nothing to choose.
    """
    named, actor = actor is not None, actor or services.actor
    if actor is None:
        say_nobody_has_turn(services)
        return
    if not given and is_asked_for_first(action, actor) and (refused := _refusal(services, action, actor)):
        other = None if named else _who_can(services, action)
        if other is None:
            services.say(refused, error=True)
            return
        actor = other
    if action.targets == "none":
        settled = None if given or always_asks else _settled(services, action, actor)
        if settled is not None:
            services.command(action_line(action.name, (), settled, actor.id), asked_by=asked_by)
        else:
            services.prompts.open(OwnActionPrompt(services, action, actor, given))
    elif action.targets == "optional":
        services.prompts.open(OptionalTargetPrompt(services, action, actor, given, target))
    else:
        targets = TableTargets(services, action, actor, given, target)
        services.prompts.open(TargetPrompt(services, targets, given))


def say_nobody_has_turn(services: Services) -> None:
    """Say that no combatant has the turn, and which key changes that."""
    names, source = services.key_names, services.source
    if source is not None and source.encounter.progress.over:
        services.say(f"the fight is over: {names['undo']} undoes the end", error=True)
        return
    there = source is not None and any(True for _ in source.encounter)
    begins = f"{names['next']} begins the fight" if there else f"{names['add']} adds combatants"
    services.say(f"nobody has the turn: {begins}", error=True)


def _refusal(services: Services, action: Action, actor: Combatant) -> str:
    return refusal_of(services.source, actor, action) if services.source else ""


def _who_can(services: Services, action: Action) -> Combatant | None:
    """Return a combatant that can make a choice if the actor can't: under the cursor, or with an offer."""
    source = services.source
    if source is None:
        return None
    people = source.encounter.combatants
    offered = [offer.by for offer in source.encounter.offers if offer.action == action.name and offer.by]
    likely = [services.under_cursor, *(people[who] for who in offered)]
    return next((each for each in likely if each and not _refusal(services, action, each)), None)


def _settled(services: Services, action: Action, actor: Combatant) -> Mapping[str, str] | None:
    """Return the options of an action if nothing has to be asked, else None."""
    source = services.source
    if source is None or is_for_the_party(services, action):
        return None
    return settled_options(source, action, actor)


def take(services: Services, offer: Offer, asked_by: OpenPrompt | None = None) -> None:
    """Carry out an offer. If it leaves options open, ask for them with the suggested values filled in.

    Several offers that are one question are listed first, and so are the choices of a reaction. An offer that
    may be left from an earlier turn and asks nothing is listed too, so that Enter alone does not take it.
    `asked_by`: the question from which it was chosen, opened again if it is refused.
    """
    source = services.source
    is_menu = offer.reaction is not None and not isinstance(asked_by, OffersPrompt)
    if source is not None and (asked_by is None or is_menu):
        offers = alike(source.encounter, offer)
        declared = source.game.action(offer.action or "")
        asks = declared is not None and leaves_open(declared, offer)
        if len(offers) > 1 or (asked_by is None and offer.lasts and not asks):
            _choose(services, offers)
            return
    action = source.game.action(offer.action or "") if source else None
    by = source.encounter.combatants.get(offer.by or "") if source else None
    if action is not None and by is not None and leaves_open(action, offer):
        first = first_choice(action, offer)
        if action.targets == "none":
            services.prompts.open(OwnActionPrompt(services, action, by, offer.options, option=first))
        else:
            targets = TableTargets(services, action, by, offer.options, offer.target or "")
            services.prompts.open(TargetPrompt(services, targets, offer.options, option=first))
    else:
        services.command(offer.command or "", asked_by=asked_by)


def _choose(services: Services, offers: Sequence[Offer]) -> None:
    """Ask which of several offers is taken."""
    prompt = OffersPrompt(services, offers, lambda offer: take(services, offer, prompt))
    services.prompts.open(prompt)


class OffersPrompt(LinePrompt):
    """Lists offers that are one question: a name, tag or word, or the arrows, then Enter takes that one.

    Offers to several combatants are listed by combatant, the choices of a reaction by what they do.
    """

    ENTER = "take it"
    TAB = ""
    label = "who"

    def __init__(self, services: Services, offers: Sequence[Offer], take: Callable[[Offer], None]) -> None:
        super().__init__(services)
        self._offers, self._take = offers, take
        self._is_menu = len(offers) > 1 and offers[0].reaction is not None
        if self._is_menu:
            self.label = "which"

    def title(self) -> str:
        return question_of(self.source.encounter, self._offers)

    def suggest(self) -> Sequence[Suggestion]:
        """List the combatants, by name or tag as typed; or the choices of a reaction."""
        if self._is_menu:
            return self._choices()
        typed = plain_word(self.line.text)
        found = []
        for at, offer in enumerate(self._offers):
            combatant = self._combatant(offer)
            if combatant is None:
                continue
            name, does = plain_word(combatant.name), offer_does(offer, self.source.encounter)
            if combatant.tag == typed or any(word.startswith(typed) for word in (name, *name.split("_"))):
                shown = f"{combatant.tag:>3} {combatant.name}"
                found.append(Suggestion(str(at), shown, does, "accent"))
        return found

    def _choices(self) -> Sequence[Suggestion]:
        """List the choices of a reaction, by number or any of their words as typed."""
        typed, found = self.line.text.strip().casefold(), []
        for at, offer in enumerate(self._offers):
            does = offer_does(offer, self.source.encounter)
            if typed == str(at + 1) or (not typed.isdecimal() and typed in f"{does} {offer.says}".casefold()):
                found.append(Suggestion(str(at), f"{at + 1} {does}", offer.says, "accent"))
        return found

    def _combatant(self, offer: Offer) -> Combatant | None:
        return self.source.encounter.combatants.get(offer.about or offer.by or "")

    def read(self) -> Reading:
        if not self.suggestions:
            wrong = "no choice has that word" if self._is_menu else "nobody in the list is called that"
            return Reading(wrong=wrong)
        return Reading(says=f"{len(self.suggestions)} of {len(self._offers)}")

    def enter(self) -> None:
        found = self.suggestions
        if not found:
            self.services.say(self.read().wrong, error=True)
            self.refresh()
            return
        chosen = found[min(self.chosen or 0, len(found) - 1)]
        self.close()
        self._take(self._offers[int(chosen.text)])


def is_for_the_party(services: Services, action: Action) -> bool:
    """Return whether the whole party does an action together, such as a rest outside a fight."""
    progress = services.source.encounter.progress if services.source else None
    return action.group == "camp" and progress is not None and (not progress.round or progress.over)


def _party(services: Services) -> str:
    """Return the players' side, or the tags of its members that are not dead."""
    if services.source is None:
        return ""
    encounter = services.source.encounter
    party = [combatant for combatant in encounter if encounter.is_player(combatant)]
    living = [combatant for combatant in party if encounter.status(combatant).in_order]
    if len(living) in (0, len(party)):
        return encounter.players
    return ",".join(combatant.tag for combatant in living)


class OptionalTargetPrompt(TargetPrompt):
    """An action with an optional target, such as a check.

    Ctrl+T lets several combatants do it, untargeted.
    """

    MORE_KEYS = SEVERAL

    def __init__(
        self,
        services: Services,
        action: Action,
        actor: Combatant,
        given: Mapping[str, str] | None = None,
        target: str = "",
    ) -> None:
        super().__init__(services, TableTargets(services, action, actor, given, target), given)
        self._action, self._actor = action, actor

    def key(self, event: Key) -> None:
        if event.key != "ctrl+t":
            super().key(event)
            return
        alone = evolve(self._action, targets="none")
        prompt = OwnActionPrompt(self.services, alone, self._actor, self.editor.chosen)
        self.services.prompts.open(prompt)
        prompt.name_doers()


class OwnActionPrompt(TargetPrompt):
    """An action without target, such as a check or a rest.

    Ctrl+T names the combatants that do it (`1,3-5`, `all`, a side), each in a row of its own.
    """

    MORE_KEYS = SEVERAL

    def __init__(
        self,
        services: Services,
        action: Action,
        actor: Combatant,
        given: Mapping[str, str] | None = None,
        *,
        option: str = "",
    ) -> None:
        self.doers_line = InputLine("")
        # Whether keys go to the line with the names of the actors.
        self.names_doers = False
        super().__init__(services, TableTargets(services, action, actor, given), given, option=option)
        self._for_party = is_for_the_party(services, action)
        if self._for_party:
            # Resting is for the party, whatever combatant had the turn last.
            self.doers_line.set(_party(services) or actor.side)
            self.names_doers = not self.editor.field
            self._take_doers()

    @property
    def escape_does(self) -> str:
        one_alone = self.names_doers and not self._for_party
        return f"{self.shown.action.actor} alone" if one_alone else super().escape_does

    def key(self, event: Key) -> None:
        if event.key == "ctrl+t":
            self.name_doers(not self.names_doers)
        elif self.names_doers and event.key == "escape" and not self._for_party:
            self.names_doers = False
            self.doers_line.set("")
        elif self.names_doers and event.key == "tab":
            self.names_doers = False
            super().key(event)
            return
        elif self.names_doers and self._types_doers(event):
            self.services.say("")
        else:
            super().key(event)
            if self.editor.field:
                self.names_doers = False  # an option is missing, and is asked about
            return
        self._take_doers()
        self.refresh()

    def _types_doers(self, event: Key) -> bool:
        """Take a key for the line of actors, or for an option typed after them.

        Return whether it was taken.
        """
        if event.character == "=" and self._go_to_option():
            return True
        return event.key != "enter" and self.doers_line.key(event)

    def _go_to_option(self) -> bool:
        """Go to the option whose name is typed after the actors, as in `1-3 at=`.

        Return whether there is one.
        """
        who, blank, word = self.doers_line.text.rpartition(" ")
        found = matches(word, [option.name for option in self._options]) if blank and word else ()
        if len(found) != 1:
            return False
        self.doers_line.set(who.strip())
        self.name_doers(False)
        self.editor.go_to(self.shown.options.option(found[0]))
        self._is_named = True
        return True

    def name_doers(self, names: bool = True) -> None:
        """Send keys to the line of actors, or stop doing so."""
        self.names_doers = names
        if names:
            self.editor.go_to(None)

    def paste(self, text: str) -> None:
        if self.names_doers:
            self.doers_line.insert(" ".join(text.split()))
            self._take_doers()
            self.refresh()
        else:
            super().paste(text)

    def _take_doers(self) -> None:
        self.doers = self.doers_line.text
        self._ask()

    # Rows

    def _alone(self, width: int) -> list[Row]:
        """Return the rows for the options, and one for each actor."""
        shown = self.shown.list
        if not shown.rows:
            return super()._alone(width)
        columns = self._columns(width)
        is_told = any(row.odds is None or row.odds.cells or row.odds.refused for row in shown.rows)
        headings: list[Row] = [
            [(" " * (columns.width - cell_len(columns.headings()) - 1), ""), (columns.headings(), "muted")]
        ]
        is_given = any(option.value for option in self._options)
        options: list[Row] = (
            [[("   ", ""), *self.editor.pieces(self._options, width - 4)]] if is_given else []
        )
        options += headings if is_told else []
        room = max(1, self._height - len(options))
        rows = [self._row(columns, row, width) for row in shown.rows[:room]]
        if more := shown.more + len(shown.rows) - len(rows):
            rows[-1] = [(f"   … {more + 1} more", "muted")]
        return [*options, *rows]

    @property
    def _who(self) -> str:
        """Return the names of the actors, if they are named."""
        notes = self.shown.notes
        is_named = self.doers_line.text.strip() and not notes.no_doers
        return printable(notes.names) if is_named and notes.names else super()._who

    def _last(self, cells: int) -> Row:
        if not (self.names_doers or self.doers_line.text.strip()):
            return super()._last(cells)
        notes = self.shown.notes
        who, tone = (notes.no_doers, "warning") if notes.no_doers else (notes.names, "muted")
        if not self.names_doers and self.editor.field and tone == "muted":
            return super()._last(cells)
        line = (
            self.doers_line.row(max(8, cells // 3))
            if self.names_doers
            else [(self.doers_line.text, "strong")]
        )
        return [(" who ", "accent strong"), *line, ("  ", ""), (printable(who), tone)]
