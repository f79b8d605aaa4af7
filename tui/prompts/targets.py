"""An action, its targets and its options, with the exact odds beside each target before the dice fall."""

from collections.abc import Mapping, Sequence

from rich.cells import cell_len
from textual.events import Key

from systems.contract.ruleset import Action
from systems.encounter.model import Combatant
from systems.errors import Refused, Wrong
from systems.text import listed
from tui.display.odds import OddsColumns
from tui.display.text import Piece, Row, cut, fitted, printable, width
from tui.prompts.odds_worker import OddsWorker, refusal, show_odds
from tui.prompts.possible_targets import is_usual
from tui.prompts.prepared_action import PreparedAction, id_of
from tui.prompts.prompt import Prompt
from tui.services import Services

_SHORTEST_NAME = 8
_ROWS_AROUND = 2  # the title and the line


class TargetPrompt(Prompt):
    """`a 3 Enter`: the tag of a target, or several; options behind a blank or by Tab; the odds follow."""

    TAB = "or a blank: options"
    MORE_KEYS: Sequence[tuple[str, str]] = (("Ctrl+O", "odds"),)

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
        self.action = action
        if action.targets == "none":
            self.TAB = "options"
        cursor = services.under_cursor
        first = (marked, cursor.id if cursor and is_usual(action, actor, cursor) else "")
        self.prepared = PreparedAction(self.source, action, actor, given, first)
        self.options, self.line = self.prepared.options, self.prepared.line
        if self.prepared.marks:
            self.MORE_KEYS = (("Ctrl+R", "resists, fails"), *self.MORE_KEYS)
        self.odds = OddsWorker(services, action, actor.id, self.prepared.options_for)
        self._height = 1
        # Which target stands in each row; None is the rule above the others.
        self._seen: Sequence[int | None] = ()
        # What the action needs is asked first, also when something is suggested for it.
        needed = self.options.missing() or next(
            (field for field in self.options.fields if field.needed), None
        )
        if needed:
            self.options.go_to(needed)
        self.prepared.reckon()

    @property
    def actor(self) -> Combatant:
        """Who acts."""
        return self.prepared.actor

    @property
    def possible(self) -> Sequence[Combatant | None]:
        """Whom it may be aimed at, in the order of the list; None is nobody."""
        return self.prepared.possible

    def opened(self) -> None:
        super().opened()
        self.odds.stopped = False

    @property
    def enter_does(self) -> str:
        return self.action.title

    @property
    def subject(self) -> str:
        return self.prepared.subject

    def wanted_rows(self, width: int) -> int:
        if self.action.targets == "none":
            return _ROWS_AROUND + 2 + len(self.options.listed())
        return _ROWS_AROUND + max(1, len(self.possible)) + bool(self.prepared.targets.rule)

    # Keys

    def key(self, event: Key) -> None:
        match event.key:
            case "escape":
                self._escape()
            case "enter":
                self._enter()
                return
            case "tab":
                if self.options.field is not None or not self.prepared.complete():
                    self._go(1)
            case "shift+tab":
                self._go(-1)
            case "up" | "down":
                self._move(1 if event.key == "down" else -1)
            case "pageup" | "pagedown":
                self._move(self._height if event.key == "pagedown" else -self._height)
            case "ctrl+o":
                self._plot()
            case "ctrl+t":
                self._take_marked()
            case "ctrl+r" if self.action.targets == "many":
                self._mark_next()
            case _ if self.options.field is not None or self.action.targets == "none":
                self._type_option(event)
            case _:
                if self.line.key(event):
                    self._typed()
        if self.services.prompts.current is self:
            self.refresh()

    def _typed(self) -> None:
        self.services.say("")
        self.prepared.follow()

    def _type_option(self, event: Key) -> None:
        """Take a key for the option that is edited; without a target, typing opens the first option."""
        if self.options.field is None and event.character and event.character.isprintable():
            self.options.go(1)
        if self.options.key(event):
            self.prepared.reckon()

    def click(self, row: int) -> None:
        at = self._seen[row - 1] if 0 < row <= len(self._seen) else None
        if at is None:
            return
        if at == self.prepared.marked:
            self._enter()
            return
        self.services.say("")
        self.prepared.move(at - self.prepared.marked)
        self.refresh()

    def paste(self, text: str) -> None:
        line = " ".join(text.split())
        if self.options.field is not None or self.action.targets == "none":
            for character in line:
                self._type_option(Key(character, character))
        else:
            self.line.insert(line)
            self._typed()
        self.refresh()

    def close(self) -> None:
        self.odds.stopped = True
        super().close()

    def _escape(self) -> None:
        """Out of the options first, then out of the question."""
        if self.options.field is not None and self.options.missing() is None:
            self.options.leave()
            self.prepared.reckon()
            return
        self.close()

    def _go(self, by: int) -> None:
        self.options.go(by)
        self.prepared.reckon()

    def _move(self, by: int) -> None:
        self.services.say("")
        self.prepared.move(by)

    def _mark_next(self) -> None:
        try:
            self.prepared.mark_next()
        except Refused as error:
            self.services.say(str(error), error=True)

    def _take_marked(self) -> None:
        try:
            self.prepared.take_marked()
        except Refused as error:
            self.services.say(str(error), error=True)

    def command(self) -> str:
        """Return the whole command. Raises Refused or Wrong."""
        return self.prepared.command()

    def _enter(self) -> None:
        try:
            line = self.command()
            aims = self.prepared.aims()
            if wrong := self.odds.wrong(",".join(aims)):
                raise Refused(wrong)
        except (Refused, Wrong) as error:
            if missing := self.options.missing():
                self.options.go_to(missing)
            self.services.say(str(error), error=True)
            self.refresh()
            return
        self.close()
        self.services.command(line, asked_by=self)

    def _plot(self) -> None:
        options = self.prepared.options_for(self.subject)
        if options is None:
            self.services.say(self.prepared.wrong or "an option is missing", error=True)
        else:
            show_odds(self.services, self.action, self.actor, self.subject or None, options)

    # Rows

    def rows(self, width: int, height: int) -> Sequence[Row]:
        if self.prepared.keep_up():
            self.odds.stopped = True
            self.odds = OddsWorker(self.services, self.action, self.actor.id, self.prepared.options_for)
        self._height = max(1, height - _ROWS_AROUND)
        body = self._targets(width) if self.action.targets != "none" else self._alone(width)
        body = body[: self._height]
        return [self._title(width), *body, *([[]] * (self._height - len(body))), self._last(width)]

    def _title(self, width: int) -> Row:
        does = f" · {self.action.title}"
        more = self.options.words() if self.action.targets == "none" else self.options.only_word()
        does = f"{does} · {printable(more)}" if more else does
        if self.action.targets != "none" and (out_of_sight := self._out_of_sight()):
            does = f"{does} · … {out_of_sight} more"
        marks = self.prepared.marks if self._is_marked else ()
        heads = OddsColumns(self.action, width, marks).heads() if self.action.targets != "none" else ""
        room = width - cell_len(heads) - 1  # the headings end where the rows do
        # Whose turn it is stands above; what is done stands nowhere else.
        name = cut(printable(self.actor.name), max(_SHORTEST_NAME, room - cell_len(does) - 2))
        return [(fitted(cut(f" {name}{does}", room - 1), room), "strong"), (heads, "muted")]

    @property
    def _has_odds(self) -> bool:
        """Whether there are odds to wait for: none while an option is missing or invalid."""
        return self.options.missing() is None and not self.prepared.wrong

    @property
    def _is_marked(self) -> bool:
        """Whether some target is marked, as one who resists."""
        return any(self.options.given.get(name) for name in self.prepared.marks)

    def _targets(self, width: int) -> list[Row]:
        if not self.possible:
            return [[("   nobody is here to aim at", "warning")]]
        aims = self.prepared.aims_here()
        self.odds.aim(aims)
        seen, near = self._in_sight()
        self._seen = seen
        if self._has_odds:
            ids = [id_of(self.possible[at]) for at in (*seen, *near) if at is not None]
            self.odds.want([*ids, *aims], self._odds_ready)
        columns = OddsColumns(self.action, width, self.prepared.marks if self._is_marked else ())
        aimed_at = self._reached(aims)
        return [self._rule(width) if at is None else self._target_row(columns, at, aimed_at) for at in seen]

    def _out_of_sight(self) -> int:
        """How many targets lie above or below those that there is room for."""
        return len(self.possible) - sum(at is not None for at in self._seen) if self._seen else 0

    def _in_sight(self) -> tuple[list[int | None], list[int | None]]:
        """The rows that there is room for, and as many below them; None is the rule above the others."""
        places: list[int | None] = list(range(len(self.possible)))
        if self.prepared.targets.rule:
            places.insert(self.prepared.targets.usual, None)
        at = places.index(self.prepared.marked)
        top = max(0, min(at - self._height // 2, len(places) - self._height))
        return places[top : top + self._height], places[top + self._height : top + 2 * self._height]

    def _rule(self, width: int) -> Row:
        return [(fitted(f" ── {self.prepared.targets.rule} ──", width), "muted")]

    def _target_row(self, columns: OddsColumns, at: int, aimed_at: set[str]) -> Row:
        target = self.possible[at]
        who = id_of(target)
        odds = self.odds.of(who) if self._has_odds else ""
        refused = self.prepared.refusal(who)
        # While several are taken one by one, the cursor is beside those that are taken.
        one_by_one = self.prepared.collects or bool(self.prepared.marks and self.prepared.several)
        cursor = at == self.prepared.marked if one_by_one else None
        aimed, encounter = who in aimed_at, self.prepared.encounter
        mark = self.prepared.mark_of(who) if aimed else ""
        return columns.row(target, refused or odds, aimed, encounter, not refused, cursor, mark)

    def _reached(self, aims: Sequence[str]) -> set[str]:
        """Those of the targets that the action takes and that the rules let it reach."""
        most = len(aims) if self.action.targets == "many" else 1
        return {
            who for who in aims[:most] if not self.prepared.refusal(who) and not refusal(self.odds.of(who))
        }

    def _odds_ready(self) -> None:
        if self.services.prompts.current is self:
            self.refresh()

    def _alone(self, width: int) -> list[Row]:
        """An action without target: its own odds, and its options, each with what it is."""
        odds: list[Row] = []
        if self._has_odds:
            told = OddsColumns(self.action, width).sentence(self.odds.now(None))
            odds = [[(f"   {told}", "")]] if told else []
        return [*odds, *self.options.rows(width, self._height - len(odds))]

    def _last(self, cells: int) -> Row:
        """The line, and behind it what is wrong with it, or the options as they are."""
        if self.action.targets == "none" and self.options.field is None:
            does: Piece = (f" Enter {self.action.title}", "accent strong")
            warning = self._warning()
            return [does, ("  ", ""), (warning or self._hint(), "warning" if warning else "muted")]
        start: list[Piece] = [(" ", "")]
        if self.action.targets != "none":
            start = [(" target ", "accent strong"), *self.line.row(max(8, cells // 2)), ("  ", "")]
        if self.options.field is None and (warning := self._warning()):
            return [*start, (printable(warning), "warning")]
        if nobody := self.prepared.names_nobody():
            return [*start, (printable(nobody), "muted")]
        if (found := self.prepared.candidates()) and not self.prepared.is_read:
            return [*start, (printable(" · ".join(self._noted(found))), "muted")]
        wrong = self.prepared.wrong if self.options.field is not None else ""
        found_options = self.options.pieces(cells - width(start), wrong, self._notes())
        return [*start, *(found_options or [(self._names(), "muted")])]

    def _noted(self, values: Sequence[str]) -> list[str]:
        """Values that an option could become, each with what the game says about choosing it."""
        notes, option = self._notes(), self.prepared.option_begun()
        told = [(value, notes.get(f"{option}={value}", "")) for value in values]
        return [f"{value} ({note})" if note else value for value, note in told]

    def _warning(self) -> str:
        """What is wrong with the line, in full: beside the targets there is room for a part only."""
        if self.prepared.wrong:
            return self.prepared.wrong
        told = self.services.messages.is_error  # whole, on the line below
        return ("" if told else self._refused()) or self._notes().get("", "")

    def _refused(self) -> str:
        """Why the targets are refused."""
        aims = self.prepared.aims_here()
        if len(aims) > 1 and self.action.targets != "many":
            return f"{self.action.title} takes one target, not {len(aims)}"
        whys = [self.prepared.refusal(who) or refusal(self.odds.of(who)) for who in aims]
        at, why = next(((at, why) for at, why in enumerate(whys) if why), (0, ""))
        return f"reaches {at} of these {len(aims)}; after that: {why}" if at else why

    def _names(self) -> str:
        """Return the names of the targets."""
        people = self.prepared.encounter.combatants
        return listed(printable(people[who].name) if who else "nobody" for who in self.prepared.aims_here())

    def _notes(self) -> Mapping[str, str]:
        """What the game says beforehand of the target under the mark."""
        odds = self.odds.of(self.subject)
        return {} if odds is None or isinstance(odds, str) else odds.notes

    def _hint(self) -> str:
        """What Enter does without a target."""
        return "Tab changes what stands above" if self.options.fields else ""
