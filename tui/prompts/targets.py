"""An action, its targets and its options, with the exact odds beside each target before the dice fall."""

from collections.abc import Mapping, Sequence

from rich.cells import cell_len
from textual.events import Key

from systems.contract.ruleset import Action
from systems.encounter.lookup import targets, targets_once
from systems.encounter.model import Combatant, Offer
from systems.errors import Refused, Wrong
from systems.schema.fields import fields_of
from systems.text import begun, listed
from tui.display.odds import OddsColumns
from tui.display.text import Row, cut, fitted, printable
from tui.prompts.odds_worker import OddsWorker, refusal, show_odds
from tui.prompts.options import Options
from tui.prompts.prompt import Prompt
from tui.services import Services
from tui.widgets.input_line import InputLine

_SHORTEST_NAME = 8


class TargetPrompt(Prompt):
    """`a 3 Enter`: the tag of a target, or several; Tab walks the options, and the odds follow."""

    TAB = "goes to the options"

    def __init__(
        self,
        services: Services,
        action: Action,
        actor: Combatant,
        given: Mapping[str, str] | None = None,
        *,
        marked: str = "",
    ) -> None:
        """`given`: options that are filled in. `marked`: the id of the target to begin with."""
        super().__init__(services)
        self.action, self.actor, self.encounter = action, actor, self.source.encounter
        self.options = Options(action, actor.sheet, given)
        self.line = InputLine()
        self.odds = OddsWorker(services, action, actor.id)
        self.possible = self._possible()
        self.marked = marked
        self.chosen = self._first()
        self._height = 1
        self._wrong = ""
        # What the action needs is asked first, also when something is suggested for it.
        needed = self.options.missing() or next(
            (field for field in self.options.fields if field.needed), None
        )
        if needed:
            self.options.go_to(needed)
        self._reckon()

    def _possible(self) -> list[Combatant | None]:
        """Every possible target, the usual ones first; before them None, where the action needs no target."""
        encounter, actor, itself = self.encounter, self.actor, self.action.itself
        here = [
            (not self._is_meant(combatant), not status.acts, at, combatant)
            for at, combatant in enumerate(encounter.in_line())
            if (itself or combatant.id != actor.id)
            and not combatant.state.arrives
            and (status := encounter.status(combatant)).in_order
        ]
        nobody: list[Combatant | None] = [None] if self.action.targets == "optional" else []
        return [*nobody, *(combatant for _, _, _, combatant in sorted(here, key=lambda ranked: ranked[:3]))]

    def _is_meant(self, combatant: Combatant) -> bool:
        """Whether it is of the side that the action is for: the others, or one's own."""
        return (combatant.side == self.actor.side) == self.action.friends

    def _first(self) -> int:
        """The row marked first: the given target, or the combatant under the cursor if it is usual."""
        who = self.marked or self.services.cursor
        ids = [target.id for target in self.possible if target and self._is_meant(target)]
        may = self.action.targets != "optional" and who in ids
        return ids.index(who) if may else 0

    def opened(self) -> None:
        super().opened()
        self.odds.stopped = False

    @property
    def can_be_corrected(self) -> bool:
        """Whether any target is possible: none is where the actor has no attack left."""
        return any(not refusal(self.odds.now(_id(target) or None)) for target in self.possible)

    # What the line means

    @property
    def aimed(self) -> str:
        """The targets as the command names them. Raises Refused for words that name no combatant."""
        text = self.line.text.strip().rstrip(",")
        if self.action.targets == "optional" and text.casefold() == "nobody":
            return ""
        if not text:
            return _id(self.possible[self.chosen]) if self.possible else ""
        found = targets_once(self.encounter, text)
        return ",".join(found)

    def command(self) -> str:
        """Return the whole command. Raises Refused or Wrong."""
        missing = self.options.missing()
        if missing:
            raise Wrong("", f"{self.action.name} needs {self.options.needed_word(missing)}")
        self.options.typed()
        aimed = self.aimed if self.action.targets != "none" else ""
        if self.action.targets in ("one", "many") and not aimed:
            raise Refused("there is nobody to aim at")
        if self.action.targets in ("one", "optional") and "," in aimed:
            raise Refused(f"{self.action.name} takes one target, not {aimed.count(',') + 1}")
        if wrong := self.odds.wrong(aimed):
            raise Refused(wrong)
        words = [self.action.name, aimed, self.options.words(), f"by {self.actor.id}"]
        return " ".join(word for word in words if word)

    # Keys

    def key(self, event: Key) -> None:
        match event.key:
            case "escape":
                self._escape()
            case "enter":
                self._enter()
                return
            case "tab":
                self.options.go(1)
            case "shift+tab":
                self.options.go(-1)
            case "up" | "down":
                self._move(1 if event.key == "down" else -1)
            case "pageup" | "pagedown":
                self._move(self._height if event.key == "pagedown" else -self._height)
            case "ctrl+o":
                self._plot()
            case _ if self.options.field is not None or self.action.targets == "none":
                self._type_option(event)
            case _:
                if self.line.key(event):
                    self._follow()
        if self.services.prompts.current is self:
            self.refresh()

    def _type_option(self, event: Key) -> None:
        """Take a key for the option that is edited; without a target, typing opens the first option."""
        if self.options.field is None and event.character and event.character.isprintable():
            self.options.go(1)
        if self.options.key(event):
            self._reckon()

    def paste(self, text: str) -> None:
        line = " ".join(text.split())
        if self.options.field is not None or self.action.targets == "none":
            for character in line:
                self._type_option(Key(character, character))
        else:
            self.line.insert(line)
            self._follow()
        self.refresh()

    def close(self) -> None:
        self.odds.stopped = True
        super().close()

    def _escape(self) -> None:
        """Out of the options first, then out of the question."""
        if self.options.field is not None and self.options.missing() is None:
            self.options.leave()
            self._reckon()
            return
        self.close()

    def _enter(self) -> None:
        try:
            line = self.command()
        except (Refused, Wrong) as error:
            if missing := self.options.missing():
                self.options.go_to(missing)
            self.services.say(str(error), error=True)
            self.refresh()
            return
        self.close()
        self.services.command(line, asked_by=self)

    def _move(self, by: int) -> None:
        if self.possible:
            self.chosen = max(0, min(self.chosen + by, len(self.possible) - 1))
            self.line.set("")

    def _follow(self) -> None:
        """The mark goes to the first one that is named."""
        self.services.say("")
        text = self.line.text.strip()
        if not text or text.casefold() == "nobody":
            # The targets that the cleared line named are dropped.
            self.chosen = self._first()
            return
        try:
            first = next(iter(targets(self.encounter, text.rstrip(",-"))), "")
        except Refused:
            # Several names begin so, or none: the first possible target counts.
            names = {target.id: target.name for target in self.possible if target is not None}
            first = next(iter(begun(text, names, names)), "")
        found = (at for at, target in enumerate(self.possible) if first and _id(target) == first)
        self.chosen = next(found, self.chosen)

    def _reckon(self) -> None:
        """Work out the odds under the present options; an invalid option is told beside them."""
        self._wrong = self.options.wrong()
        try:
            self.odds.under(self.options.typed())
        except Wrong as error:
            self._wrong = self._wrong or ("" if self.options.missing() else str(error))
            self.odds.under(None)

    def _plot(self) -> None:
        target = _id(self.possible[self.chosen]) if self.possible and self.action.targets != "none" else ""
        show_odds(self.services, self.action, self.actor, target or None, self.options)

    # Rows

    def rows(self, width: int, height: int) -> Sequence[Row]:
        self._height = max(1, height - 2)
        body = self._targets(width) if self.action.targets != "none" else self._alone(width)
        body = body[: self._height]
        return [self._title(width), *body, *([[]] * (self._height - len(body))), self._last(width)]

    def _title(self, width: int) -> Row:
        given = self.options.words()
        does = f" · {self.action.name.replace('_', ' ')}{f' · {given}' if given else ''}"
        heads = OddsColumns(self.action, width).heads() if self.action.targets != "none" else ""
        room = width - cell_len(heads) - 1  # the headings end where the rows do
        # Whose turn it is stands above; what is done stands nowhere else.
        name = cut(printable(self.actor.name), max(_SHORTEST_NAME, room - cell_len(does) - 2))
        return [(fitted(cut(f" {name}{does}", room - 1), room), "strong"), (heads, "muted")]

    def _targets(self, width: int) -> list[Row]:
        if not self.possible:
            return [[("   nobody is here to aim at", "warning")]]
        aimed = self._aimed_ids()
        self.odds.aim(aimed)
        top = max(0, min(self.chosen - self._height // 2, len(self.possible) - self._height))
        seen = self.possible[top : top + self._height]
        if self.options.missing() is None and not self._wrong:
            near = self.possible[top + self._height : top + 2 * self._height]
            self.odds.want([*(_id(target) for target in (*seen, *near)), *aimed], self._odds_ready)
        columns = OddsColumns(self.action, width)
        marked = self._marked(aimed)
        # While a needed option is missing or one is invalid, there are no odds to wait for.
        none = "" if self.options.missing() or self._wrong else None
        return [
            columns.row(target, self.odds.of(_id(target)) or none, _id(target) in marked, self.encounter)
            for target in seen
        ]

    def _aimed_ids(self) -> list[str]:
        """The targets that Enter would reach, in order; none while the line names none."""
        try:
            aimed = self.aimed.split(",")
        except Refused:
            return []
        possible = {_id(target) for target in self.possible}
        return [who for who in aimed if who in possible] if len(aimed) > 1 else aimed

    def _marked(self, aimed: Sequence[str]) -> set[str]:
        """Those of them that the action takes and that the rules let it reach."""
        most = len(aimed) if self.action.targets == "many" else 1
        return {who for at, who in enumerate(aimed[:most]) if not at or not refusal(self.odds.of(who))}

    def _odds_ready(self) -> None:
        if self.services.prompts.current is self:
            self.refresh()

    def _alone(self, width: int) -> list[Row]:
        """An action without target: its own odds, and its options, each with what it is."""
        odds: list[Row] = []
        if self.options.missing() is None and not self._wrong:
            told = OddsColumns(self.action, width).sentence(self.odds.now(None))
            odds = [[(f"   {told}", "")]] if told else []
        return [*odds, *self.options.rows(width, self._height - len(odds))]

    def _last(self, width: int) -> Row:
        if self.options.field is not None:
            return self.options.row(width, self._wrong, self._notes())
        told = self.services.messages.is_error  # whole, on the line below
        warning = self._wrong or ("" if told else self._refused()) or self._notes().get("", "")
        behind = (f"  {warning or self._hint()}", "warning" if warning else "muted")
        if self.action.targets == "none":
            return [(f" Enter {self.action.name.replace('_', ' ')}", "accent strong"), behind]
        return [(" target ", "accent strong"), *self.line.row(max(8, width // 3)), behind]

    def _refused(self) -> str:
        """Why the targets are refused, in full: beside them there is room for a part only."""
        aimed = self._aimed_ids()
        if len(aimed) > 1 and self.action.targets != "many":
            return f"{self.action.name.replace('_', ' ')} takes one target, not {len(aimed)}"
        whys = [refusal(self.odds.of(who)) for who in aimed]
        at, why = next(((at, why) for at, why in enumerate(whys) if why), (0, ""))
        return f"reaches {at} of these {len(aimed)}; after that: {why}" if at else why

    def _notes(self) -> Mapping[str, str]:
        """What the game says beforehand of the target under the mark."""
        target = _id(self.possible[self.chosen]) if self.possible and self.action.targets != "none" else ""
        odds = self.odds.of(target)
        return {} if odds is None or isinstance(odds, str) else odds.notes

    def _hint(self) -> str:
        try:
            ids = self.aimed.split(",") if self.action.targets != "none" else []
            names = listed(self.encounter.combatants[id].name for id in ids[:4] if id) or (
                "nobody" if self.action.targets == "optional" else ""
            )
            names += f" and {len(ids) - 4} more" if len(ids) > 4 else ""
        except Refused as error:
            return str(error)
        told = self.options.summary()
        options = f"Tab options ({told})" if told else ""
        return " · ".join(part for part in (names, "Ctrl+O odds", options) if part)


def _id(target: Combatant | None) -> str:
    """The id of a target, "" for None."""
    return target.id if target else ""


def prepare(
    services: Services, action: Action, target: str = "", given: Mapping[str, str] | None = None
) -> None:
    """Ask for the targets and options of an action, or do it when there is nothing to ask.

    `target`: the id of who is marked at first, by default whoever is under the cursor. `given`: options
    that are filled in.
    """
    actor = services.actor
    if actor is None:
        services.say("nobody has the turn: n begins the fight, + adds somebody", error=True)
    elif action.targets == "none" and not fields_of(action.options):
        services.command(f"{action.name} by {actor.id}")
    else:
        services.prompts.open(TargetPrompt(services, action, actor, given, marked=target))


def take(services: Services, offer: Offer) -> None:
    """Do what is on offer; where something is left open, ask for it with what is suggested filled in."""
    source = services.source
    action = source.game.action(offer.action or "") if source else None
    by = source.encounter.combatants.get(offer.by or "") if source else None
    if action is not None and by is not None and _leaves_open(action, offer):
        services.prompts.open(TargetPrompt(services, action, by, offer.options))
    else:
        services.command(offer.command or "")


def _leaves_open(action: Action, offer: Offer) -> bool:
    """Whether an offer is a decision, or leaves the target open."""
    if action.targets == "none":
        return any(option.needed for option in fields_of(action.options).values())
    return action.targets != "optional" and offer.target is None
