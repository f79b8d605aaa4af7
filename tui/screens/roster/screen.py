"""The roster screen: characters by party, kinds of creatures, and the form of the sheet under the cursor."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.events import Key

from systems.contract.ruleset import FOES
from systems.encounter.model import Combatant
from systems.frozen import evolve
from systems.language.readings import SheetLine
from systems.schema.fields import fields_of
from systems.schema.types import Text
from systems.sheets import read_sheet
from systems.text import clean, several
from tui.campaign.campaign import Campaign, RosterEntry
from tui.campaign.watch import Conflict
from tui.controllers.table import Table
from tui.display.form import FormRow, spare_sheet
from tui.display.frame import footer_row
from tui.display.roster import template_words
from tui.display.text import Row
from tui.display.typed_lines import SheetLines
from tui.prompts.inline_edit import InlineEdit
from tui.prompts.pick import PickPrompt
from tui.prompts.prompt import Prompt
from tui.prompts.question import TextPrompt, ask_yes_or_no
from tui.screens.base import FightScreen
from tui.screens.roster.conflict import ConflictPrompt
from tui.screens.roster.editing import PARTY, SIDE, RosterEdits, plain_party, plain_side, with_kept
from tui.screens.roster.export import RosterExport
from tui.screens.roster.house_rules import HouseRules
from tui.screens.roster.new_entry import NewEntryPrompt, NewRowPrompt
from tui.screens.roster.write_back import WriteBack
from tui.settings.key_names import shown_key
from tui.settings.keymap import bindings_of
from tui.settings.keys import keys_of
from tui.widgets.form import LineEdit, SheetForm
from tui.widgets.roster_list import RosterList

if TYPE_CHECKING:
    from tui.screens.roster.importing import RosterPaste

# Keys that change the roster, which a read-only viewer can't.
_CHANGES = frozenset({"kind_add", "kind_new", "kind_copy", "kind_restore", "write_back"})
# Keys that work on every row of a sheet except a text.
_ON_EVERY_ROW = frozenset(
    {
        *("initiative", "roster", "log", "status", "campaigns", "house", "seats", "other_fight"),
        *("help", "leave", "line", "find"),
    }
)
# What the keys do while the sheet has the focus.
_FORM_KEYS = (
    ("type", "a new value"),
    ("Enter", "edit"),
    ("← →", "more, less"),
    ("Del", "leave out"),
    ("Esc", "list"),
)
# The same while the sheet holds the house rules.
_RULE_KEYS = (
    ("Space", "switch"),
    ("← →", "other values"),
    ("Enter", "edit"),
    ("Del", "the usual value"),
    ("Esc", "list"),
)


class RosterScreen(FightScreen):
    """The roster as a list and, at its right, the form of the chosen sheet."""

    NAME = "roster"
    BINDINGS = [*bindings_of(NAME)]
    CSS_PATH = "roster.tcss"

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.list = RosterList(moved=self._entry_changed, chosen=self.action_into_form, id="kinds")
        self.list.add_class("pane")
        self.form = SheetForm(
            self._read,
            self._keep,
            begin=self._begin_edit,
            pick=self._pick,
            add=self._ask_new,
            end=self._end_edit,
            say=lambda sentence: self.services.say(sentence, error=True),
            moved=self._show_help,
            id="form",
        )
        self.form.add_class("pane")
        self._edits: RosterEdits | None = None
        self._open = ""
        # Shown in place of a sheet.
        self._house: HouseRules | None = None

    @property
    def campaign(self) -> Campaign | None:
        """Return the open campaign, or None."""
        return self.table.campaign if isinstance(self.table.campaign, Campaign) else None

    @property
    def edits(self) -> RosterEdits:
        if self._edits is None:
            self._edits = RosterEdits(self.table)
        return self._edits

    def compose_body(self) -> ComposeResult:
        with Horizontal():
            yield self.list
            yield self.form

    def on_mount(self) -> None:
        self.list.border_title = "Roster"
        self.set_focus(self.list)
        self.show_fight()

    def show_fight(self, wanted: str = "") -> None:
        campaign = self.campaign
        if campaign is None:
            return
        self.list.show_roster(campaign, self._combatants, wanted)
        self._show_sheet()
        self.keys.show()
        if not self.list.has_own and not self.services.messages.sentence:
            self.services.say(f"No entry of your own yet: {self.services.key_names['kind_new']} creates one.")

    @property
    def _combatants(self) -> Sequence[Combatant]:
        """Return all combatants of the open fight."""
        return tuple(self.table.session.encounter) if self.table.session else ()

    @property
    def _own(self) -> Mapping[str, RosterEntry]:
        """Return the campaign's own roster entries."""
        return self.campaign.roster if self.campaign is not None else {}

    def on_screen_resume(self) -> None:
        self.table.background.read_changed()
        super().on_screen_resume()

    def find(self, text: str) -> bool:
        is_found = self.list.find(text)
        self._show_sheet()
        return is_found

    def way_back(self) -> Callable[[], None]:
        list_goes_back = self.list.way_back()

        def go_back() -> None:
            list_goes_back()
            self._show_sheet()

        return go_back

    # The sheet of the roster entry under the cursor.

    def _entry_changed(self, index: int) -> None:
        self._house = None
        self._show_sheet()
        problem = self.list.problem
        self.services.say(str(problem or ""), error=problem is not None)

    async def action_house(self) -> None:
        """Show the house rules in place of the sheet, and go to them."""
        if self.campaign is not None:
            self._house = HouseRules(self.edits)
            self._open = ""
            self._show_house(self._house, anew=True)
            self.set_focus(self.form)
            self._show_help(self.form.cursor)

    def _show_house(self, house: "HouseRules", *, anew: bool) -> None:
        self.form.open(
            house.fields, house.plain, house.rules, anew=anew, sections=house.sections, in_sentences=True
        )
        self.form.border_title = clean(house.title).replace("[", "\\[")

    def _show_sheet(self) -> None:
        if self._house is not None:
            self._show_house(self._house, anew=False)
            return
        entry = self.list.current
        if entry is None:
            self.form.clear()
            self.form.border_title, self._open = "", ""
            return
        party = {"party": entry.party} if entry.party else {}
        plain = {"side": entry.side, **party, **spare_sheet(entry.sheet)}
        own = fields_of(type(entry.sheet))
        fields = {"name": own["name"], "side": SIDE, "party": PARTY, **own}
        anew, campaign = entry.id != self._open, self.campaign
        sections = campaign.ruleset.sections if campaign is not None else ()
        self.form.open(fields, plain, entry.sheet, anew=anew, sections=sections)
        self.form.border_title = clean(entry.name).replace("[", "\\[")
        self._open = entry.id

    def _begin_edit(self, edit: LineEdit) -> None:
        InlineEdit(self.services, *edit, does="save").begin()

    def _pick(self, row: FormRow, words: Sequence[str], given: Callable[[str], None]) -> None:
        """Open the list of a choice."""
        self.services.prompts.open(PickPrompt(self.services, row.label, words, row.typed, given))

    def _ask_new(
        self, row: FormRow, plain: Mapping[str, Any], text: str, give: Callable[[str], str | None]
    ) -> None:
        """Ask for a new entry of a table or list, with suggestions from the game and the roster."""
        lines = self._sheet_lines()
        suggested = lines.suggested(row, plain) if lines is not None else ()
        self.services.prompts.open(NewRowPrompt(self.services, row, plain, suggested, give, text))

    def _sheet_lines(self) -> "SheetLines | None":
        """Return the reader of typed sheets; None if no campaign is open."""
        campaign = self.campaign
        return SheetLines(campaign.ruleset, campaign.house, campaign.roster.values()) if campaign else None

    def _end_edit(self) -> None:
        if (prompt := self.services.prompts.current) is not None:
            self.services.prompts.close(prompt)

    def _read(self, plain: Mapping[str, Any]) -> Any:
        campaign = self.campaign
        assert campaign is not None
        if self._house is not None:
            return self._house.read(plain)
        sheet = {name: value for name, value in plain.items() if name not in ("side", "party")}
        return read_sheet(campaign.ruleset, sheet, "")

    def _keep(self, plain: Mapping[str, Any], sheet: Any) -> str | None:
        if self._house is not None:
            problem = self._house.keep(sheet)
            if problem is None:
                self._show_house(self._house, anew=False)
                self.services.say(f"Saved in campaign.toml, in force from now on. {self._undo_hint()}")
            return problem
        entry = self.list.current
        if entry is None:
            return "no entry is chosen"
        side, party = plain_side(plain.get("side")), plain_party(plain.get("party"))
        mine = evolve(entry, sheet=sheet, side=side, party=party)
        problem = self.edits.save(mine)
        if problem is None:
            self.services.say("Saved.")
            self._open = self.edits.made
            self.list.show_roster(self.edits.campaign, self._combatants, self._open)
            self.form.border_title = clean(sheet.name or entry.id).replace("[", "\\[")
            if others := self.edits.left_behind(entry, mine):
                self._ask_others(entry.party, mine.party, others)
        elif conflict := self.edits.conflict(mine):
            return self._settle(conflict)
        return problem

    def _ask_others(self, before: str, party: str, others: Sequence[RosterEntry]) -> None:
        """Ask whether the other members of a party also join the new one, which renames the party."""

        def take_along() -> str | None:
            problem = self.edits.take_along(others, party)
            self.show_fight(self.edits.made)
            self.services.say(f"{clean(before, 40)} is now {clean(party, 40)}.")
            return problem

        names = several([entry.name for entry in others])
        asks = f"{names} {'is' if len(others) == 1 else 'are'} in {before}. Move them to {party} too?"
        # Close the typed line first.
        self.call_later(
            ask_yes_or_no, self.services, clean(asks, 300), take_along, "The others stay in their party."
        )

    def _settle(self, conflict: Conflict) -> str | None:
        """Merge a change from outside with this one, or let the game master choose."""
        if conflict.problem is not None:
            return f"not saved, {conflict.problem}"
        if conflict.theirs is not None and not conflict.both:
            self._settled(conflict, mine=True)
            return None
        prompt = ConflictPrompt(self.services, conflict, lambda mine: self._settled(conflict, mine=mine))
        self._show_sheet()
        # Close the typed line first.
        self.call_later(self.services.prompts.open, prompt)
        return None

    def _settled(self, conflict: Conflict, *, mine: bool) -> None:
        problem = self.edits.settle(conflict, mine)
        self.show_fight(conflict.mine.id)
        if problem is not None:
            self.services.say(problem, error=True)
        elif conflict.theirs is not None and not conflict.both:
            self.services.say("Saved. The sheet was also changed outside Affray; both changes are kept.")
        else:
            self.services.say("Saved with your values." if mine else "The values in the file are kept.")

    def _show_help(self, index: int) -> None:
        row = self.form.current
        if row is not None and self.focused is self.form:
            self.services.say(row.help if self._house is None else row.accepts)

    # Keys

    def take_key(self, event: Key) -> bool:
        """Type into the row of the sheet under the cursor.

        Only a text takes every character. On other rows the keys of screens, the help and a few others work.
        """
        if self.focused is not self.form or event.character is None or not event.character.isprintable():
            return False
        row = self.form.current
        takes_all = row is not None and row.role == "field" and isinstance(row.type, Text)
        if not takes_all and shown_key(event.key) in self._screen_keys:
            return False
        self.form.type(event.character)
        return True

    @property
    def _screen_keys(self) -> frozenset[str]:
        """Return the keys that go to other screens or only show something, as they are displayed."""
        names = self.services.key_names
        return frozenset(names[key.id] for key in keys_of(self.NAME) if key.id in _ON_EVERY_ROW)

    def _undo_hint(self) -> str:
        """Return the key that undoes a change of the roster; on the sheet its letter would be typed."""
        first = "Esc, then " if self.focused is self.form else ""
        return f"{first}{self.services.key_names['kind_restore']} undoes it."

    def resting_keys(self, width: int) -> Row:
        if self.focused is not self.form:
            return super().resting_keys(width)
        return footer_row(_FORM_KEYS if self._house is None else _RULE_KEYS, width)

    def can_do(self, key: str) -> bool:
        session = self.table.session
        if key in _CHANGES and session is not None and session.read_only:
            return False
        match key:
            case "kind_restore":
                return self.edits.can_take_back
            case "write_back":
                return any(combatant.state.kind in self._own for combatant in self._combatants)
        return True

    def on_descendant_focus(self) -> None:
        self.keys.show()

    def action_into_form(self) -> None:
        """Go from the list to the sheet; if the list is empty, create an entry."""
        if not self.list.count:
            self.action_kind_new()
            return
        if self._chosen() is not None:
            self.set_focus(self.form)
            self._show_help(self.form.cursor)

    async def action_out_of_form(self) -> None:
        """Go from the sheet back to the list, and from there to the order."""
        if self.focused is not self.form:
            await self.action_show("initiative")
            return
        self.set_focus(self.list)
        self.services.say("")
        if self._house is not None:
            self._house = None
            self._show_sheet()

    def _chosen(self) -> RosterEntry | None:
        """Return the roster entry under the cursor; report why if there is none."""
        entry, problem = self.list.current, self.list.problem
        if entry is None:
            creates = f"the roster is empty; {self.services.key_names['kind_new']} creates an entry"
            self.services.say(str(problem or creates), error=True)
        return entry

    def action_kind_add(self) -> None:
        if (entry := self._chosen()) is None:
            return
        question = TextPrompt(
            self.services,
            f"How many of {entry.name} join the fight?",
            lambda word: self._added(entry, word, question),
            does="add",
            hints=(
                "Enter adds one. Type a number to add several.",
                "You can add: 4 hidden, 2 in round 3, 1 as Captain, 3 side=players, 5 group",
            ),
        )
        self.services.prompts.open(question)

    def _added(self, entry: RosterEntry, word: str, question: TextPrompt) -> str | None:
        first, _, rest = word.strip().partition(" ")
        count = f"x{first}" if first.isdecimal() else first
        command = " ".join(part for part in ("add", entry.id, count, rest) if part)
        self.services.command(command, asked_by=question)
        return None

    def action_kind_new(self) -> None:
        campaign, now, lines = self.campaign, self.list.current, self._sheet_lines()
        if campaign is None or lines is None:
            return
        templates, players = campaign.ruleset.templates(campaign.house), campaign.table.players
        side = now.side if now and now.side != players else FOES
        begin = [
            (f"a player's character, side {players}", players, templates.player),
            (f"a creature, side {side}", side, templates.creature),
        ]
        prompt = NewEntryPrompt(
            self.services,
            [(words, template_words(campaign.ruleset.sheet, plain)) for words, _, plain in begin],
            lambda typed, chosen: lines.read(typed, begin[chosen][2]),
            lambda typed, chosen: self._made(prompt, typed, begin[chosen][1]),
            example=lines.example,
            words_to_come=lines.words_to_come,
            read_paste=lambda whole, last: self._paste().take(whole, last),
            read_file=lambda name: self._paste().take_file(name),
            first=0 if not self.list.has_own or now is None or now.side == players else 1,
        )
        self.services.prompts.open(prompt)

    def _paste(self) -> "RosterPaste":
        """Return the reader of pasted stat blocks."""
        # The grammar of stat blocks is loaded when something is pasted, and not before.
        from tui.screens.roster.importing import RosterPaste

        return RosterPaste(self.services, self.edits, self._imported)

    def _imported(self, id: str, sentence: str) -> None:
        self.show_fight(id)
        self.services.say(f"{sentence} {self._undo_hint()}")

    def _made(self, prompt: Prompt, typed: Sequence[SheetLine], side: str) -> str | None:
        if problem := self.edits.make(typed, side):
            return problem
        prompt.close()
        self.show_fight(self.edits.made)
        if len(typed) == 1:
            self.action_into_form()
        names = several([line.name for line in typed])
        self.services.say(f"Created {names}. {self._undo_hint()}")
        return None

    def action_kind_copy(self) -> None:
        if (entry := self._chosen()) is not None:
            self._after(self.edits.copy(entry.id), f"Copied {entry.name}.", wanted=True)

    def action_kind_delete(self) -> None:
        if (entry := self._chosen()) is not None:
            self._after(
                self.edits.delete(entry.id),
                f"{entry.name} is deleted. {self._undo_hint()}",
            )

    def action_kind_restore(self) -> None:
        sentence, done = self.edits.take_back()
        self._after(None if done else sentence, sentence, wanted=True)

    def _after(self, problem: str | None, sentence: str, *, wanted: bool = False) -> None:
        if problem is None:
            self.show_fight(self.edits.made if wanted else "")
        self.services.say(problem or sentence, error=problem is not None)

    def action_roster_export(self) -> None:
        if self.campaign is None or not self.campaign.roster:
            self.services.say(f"the roster is empty; {self.services.key_names['kind_new']} creates an entry")
        else:
            roster, entry = self.campaign.roster, self.list.current
            shown = entry if entry is not None and entry.id in roster else next(iter(roster.values()))
            self.services.prompts.open(RosterExport(self.services, self.campaign, shown.name).question())

    def action_write_back(self) -> None:
        if (entry := self._chosen()) is not None and self.campaign is not None:
            WriteBack(self.table, entry, self.write_back).begin()

    def write_back(self, entry: RosterEntry, kept: dict[str, Any]) -> str | None:
        """Save what a character keeps to the roster. Return why it was not saved."""
        problem = self.edits.save(with_kept(entry, kept))
        if problem is None:
            self.show_fight(entry.id)
            names = ", ".join(fields_of(type(entry.sheet))[name].label for name in kept)
            self.services.say(f"Saved {names} of {entry.name}. {self._undo_hint()}")
        return problem
