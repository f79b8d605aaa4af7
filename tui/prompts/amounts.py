"""The prompts for damage and healing: targets and an amount, `37` for tag 3 or `1-6 2d6`."""

import re
from collections.abc import Sequence

from rich.cells import cell_len
from textual.events import Key

from systems.commands.amounts import AmountCommand, DamageOrHeal, SharedPart, amount_action, is_amount, parted
from systems.commands.preview import Preview
from systems.dice.notation import amount
from systems.encounter.lookup import targets
from systems.encounter.model import Encounter
from systems.encounter.short_lines import targets_and_rest
from systems.errors import Refused, Wrong
from systems.language.intents import AMOUNT_OPTIONS, AMOUNT_PARTS
from systems.schema.fields import fields_of
from systems.schema.types import Choice, Flag
from systems.text import matches, several, spelled
from tui.display.odds import OddsColumns, headings_of, odds_words, person_of
from tui.display.text import Row, fitted, printable
from tui.prompts.line import LinePrompt, Reading, Suggestion
from tui.prompts.table_targets import OddsWorker
from tui.services import Services

_PARTS: tuple[SharedPart, ...] = ("all", "half", "none")
_PART_WORDS = {"half": "half", "none": "nothing"}
_ROWS_AROUND = 2  # the title and the line


def without_source(rest: str) -> tuple[str, str]:
    """Return a line without its source, and the source: for `7 by okado`, `7` and `okado`."""
    found = re.fullmatch(r"(.*\s)?by\s+(.+)", rest, re.IGNORECASE)
    return ((found[1] or "").strip(), found[2].strip()) if found else (rest, "")


def _is_amount(rest: str) -> bool:
    """Return whether words are an amount, perhaps followed by words for options and its source."""
    return is_amount(parted(without_source(rest)[0])[0])


class AmountPrompt(LinePrompt):
    """Prompt of `d` and `h`: targets and amount. A row for each target shows the effect before Enter."""

    MORE_KEYS: Sequence[tuple[str, str]] = (("Ctrl+R", "all, half, none"),)

    @property
    def enter_does(self) -> str:
        return self.verb

    def __init__(self, services: Services, heals: bool) -> None:
        super().__init__(services)
        self.heals = heals
        self.verb = "heal" if heals else "damage"
        self.label = self.verb
        self.marked = 0
        action, self._amount = amount_action(self.source.game, heals=heals)
        self.odds = OddsWorker(services, action, "", self._options_for, self._preview, ready=self._odds_ready)
        self._doing: AmountCommand | None = None
        # The index of the first target in sight.
        self._top = 0

    def title(self) -> str:
        return f"{self.verb.capitalize()}: tag and amount, such as 3 7 · 1,3-5 2d6 · all 4"

    def wanted_rows(self, width: int) -> int:
        people = len(self._doing.targets) if self._doing else 0
        return max(super().wanted_rows(width), _ROWS_AROUND + people)

    def close(self) -> None:
        self.odds.stopped = True
        super().close()

    def opened(self) -> None:
        super().opened()
        self.odds.stopped = False

    # Reading the line

    def _words(self) -> tuple[str, str, list[str]]:
        """Return the targets, the amount and the options, as typed."""
        words = self.line.text.split(" ")
        plain = " ".join(word for word in words if "=" not in word)
        who, number = targets_and_rest(self._encounter, plain, _is_amount)
        return who, number, [word for word in words if "=" in word]

    @property
    def _encounter(self) -> Encounter:
        return self.source.encounter

    def read(self) -> Reading:
        who, number, options = self._words()
        if not who.strip():
            return Reading(says="which target, and how much?")
        try:
            if not number:
                named = targets(self._encounter, who.replace('"', ""))
                return Reading(says=f"{self._names(named)}: how much?")
            # A range may include a dead combatant, which takes nothing.
            doing = self._read_amount(who, number, options)
        except (Refused, Wrong) as error:
            if whole := self._whole_name(f"{who} {number}"):
                return Reading(says=f"{whole}: how much?")
            return Reading(wrong=f"{error}{'' if number else self._parted(who)}")
        line = " ".join([self.verb, who, number, *options])
        says = self._shares(doing, without_source(number)[0])
        return Reading(line, f"{says}, by {self._names([doing.by])}" if doing.by else says)

    def _whole_name(self, text: str) -> str:
        """Return the name of the combatant that the whole text names, "" for none. Its amount comes next."""
        names = {combatant.id: combatant.name for combatant in self._encounter}
        found = spelled(text, names, names)
        return names[found[0]] if len(found) == 1 else ""

    def _shares(self, doing: AmountCommand, number: str) -> str:
        """Return the amount for each target: `Guard 1: takes 7; Guard 2: takes half of 7`."""
        amounts: dict[SharedPart, str] = {"all": number, "half": f"half of {number}", "none": "nothing"}
        shares = []
        for part, share in amounts.items():
            names = [who for who in doing.targets if doing.part(who) == part]
            word = "healed by" if self.heals else "take" if len(names) > 1 else "takes"
            shares += [f"{self._names(names)}: {word} {share}"] if names else []
        return "; ".join(shares)

    def _parted(self, digits: str) -> str:
        """Return a hint that puts a space between tag and amount, `1 40`; "" if the digits hold no tag."""
        if not digits.isdecimal():
            return ""
        tags = {combatant.tag for combatant in self._encounter}
        found = (at for at in range(len(digits) - 1, 0, -1) if digits[:at] in tags)
        return next((f"; or with a space: {digits[:at]} {digits[at:]}" for at in found), "")

    def _names(self, ids: Sequence[str]) -> str:
        return several([self._encounter.combatants[who].name for who in ids])

    def _read_amount(self, who: str, number: str, options: Sequence[str]) -> AmountCommand:
        given: dict[str, str] = {}
        for option in options:
            name, _, word = option.partition("=")
            if name in given:
                raise Wrong("", f"{name} is given twice")
            given[name] = word.replace('"', "")
        given.pop("dice", None)
        number, by = without_source(number)
        named = who.replace('"', "")
        return self.source.read_amount(DamageOrHeal(named, number, given, self.heals, by.replace('"', "")))

    def _changed(self) -> None:
        super()._changed()
        who, number, options = self._words()
        try:
            self._doing = self._read_amount(who, number, options) if who and number else None
        except (Refused, Wrong):
            self._doing = None
        self.marked = min(self.marked, len(self._doing.targets) - 1) if self._doing else 0

    def suggest(self) -> Sequence[Suggestion]:
        """Return the options of the line; if the line is empty, first the targets of the check just made."""
        if not self.line.text.strip() and (checked := self._after_check()):
            return [checked]
        words = self.line.text.split()
        last = "" if self.line.text.endswith(" ") or not words else words[-1]
        begun = last if last[:1].isalpha() and len(words) > 1 else ""
        if self._doing and not begun:
            return ()
        found = [
            (field.help, word)
            for name, field in fields_of(self.odds.action.options).items()
            if name != self._amount.amount
            for word in _values(name, field.type)
        ]
        found += [
            (AMOUNT_OPTIONS["throw"], "throw=each"),
            *((help, f"{name}=") for name, help in AMOUNT_PARTS.items()),
        ]
        return [
            Suggestion(word, help=help)
            for help, word in found
            if word.startswith(begun) and word not in words
        ]

    # Keys

    def key(self, event: Key) -> None:
        if self._doing and not self.suggestions:
            match event.key:
                case "up" | "down":
                    last = len(self._doing.targets) - 1
                    self.marked = max(0, min(self.marked + (1 if event.key == "down" else -1), last))
                    self.refresh()
                    return
                case "ctrl+r":
                    self._take_other_part()
                    self.refresh()
                    return
        super().key(event)

    def click(self, row: int) -> None:
        """Mark the target that is clicked. If it is marked already, change its share to half, none or all."""
        at = self._top + row - 1
        if self._doing is None or self.suggestions:
            super().click(row)
        elif row > 0 and at < len(self._doing.targets):
            if at == self.marked:
                self._take_other_part()
            self.marked = at
            self.refresh()

    def _take_other_part(self) -> None:
        """Change the share of the marked target to half, none or all, and write it into the line."""
        assert self._doing is not None
        doing, who = self._doing, self._doing.targets[self.marked]
        parts = {other: doing.part(other) for other in doing.targets}
        parts[who] = _PARTS[(_PARTS.index(parts[who]) + 1) % len(_PARTS)]
        named, number, options = self._words()
        kept = [option for option in options if not matches(option.partition("=")[0], tuple(AMOUNT_PARTS))]
        people = self._encounter.combatants
        tags = {part: [people[who].tag for who in parts if parts[who] == part] for part in AMOUNT_PARTS}
        kept += [f"{part}={','.join(some)}" for part, some in tags.items() if some]
        marked = self.marked
        self.line.set(" ".join([named, number, *kept]))
        self.marked = marked

    # Rows

    def _options_for(self, who: str) -> tuple[object, ...] | None:
        """Return the values that the odds depend on, apart from the target itself."""
        doing = self._doing
        return (doing.amount, doing.part(who), tuple(doing.given.items())) if doing else None

    def _preview(self, who: str | None, options: object) -> Preview:
        assert self._doing is not None
        return self.source.preview_amount(self._doing, who or "")

    def rows(self, width: int, height: int) -> Sequence[Row]:
        doing = self._doing
        if doing is None or self.suggestions:
            return super().rows(width, height)
        marks = tuple(_PART_WORDS.values()) if doing.parts else ()
        people = [person_of(self._encounter.combatants[who], self._encounter) for who in doing.targets]
        names = max((cell_len(printable(person.name)) for person in people), default=0)
        figures = max((cell_len(person.figures) for person in people), default=0)
        headings = headings_of(self.odds.action, drops=not self.heals)
        columns = OddsColumns(headings, width, marks, figures, names, cell_len(f" {self._told(doing)} "))
        room = max(1, height - _ROWS_AROUND)
        top = self._top = max(0, min(self.marked - room // 2, len(doing.targets) - room))
        seen = doing.targets[top : top + room]
        self.odds.want([*seen, *doing.targets[top + room : top + 2 * room]])
        body = [self._target_row(columns, who, top + at == self.marked) for at, who in enumerate(seen)]
        missing = len(doing.targets) - len(seen)
        told = f"{self._told(doing)} · … {missing} more" if missing else self._told(doing)
        title = fitted(f" {told}", width - cell_len(columns.headings()) - 1)
        head: Row = [(title, "strong"), (columns.headings(), "muted")]
        return [head, *body, *([[]] * (room - len(body))), self.line_row(width)]

    def _told(self, doing: AmountCommand) -> str:
        """Return `Damage for 4, one roll`."""
        dice = not isinstance(amount(doing.amount), int)
        how = "" if not dice or len(doing.targets) == 1 else ", a roll each" if doing.each else ", one roll"
        return f"{self.verb.capitalize()} for {len(doing.targets)}{how}"

    def _target_row(self, columns: OddsColumns, who: str, marked: bool) -> Row:
        assert self._doing is not None
        odds, part = self.odds.of(who), self._doing.part(who)
        words = None if odds is None else odds_words(columns.headings_wide, odds)
        person = person_of(self._encounter.combatants[who], self._encounter)
        return columns.row(person, words, marked, mark=_PART_WORDS.get(part, ""))

    def _odds_ready(self) -> None:
        if self.services.prompts.current is self:
            self.refresh()

    def _after_check(self) -> Suggestion | None:
        """Return a line for the targets of the check just made. Targets that passed take half."""
        found = None if self.heals else self.source.last_check()
        if found is None:
            return None
        people = self._encounter.combatants
        passed, failed = ([people[who].tag for who in some if who in people] for some in found)
        half = f" half={','.join(passed)}" if passed else ""
        return Suggestion(
            f"{','.join([*failed, *passed])}{half}", help="the targets of the check; half if it was passed"
        )


def _values(name: str, kind: object) -> list[str]:
    match kind:
        case Flag():
            return [f"{name}=yes"]
        case Choice(values):
            return [f"{name}={value}" for value in values]
    return [f"{name}="]
