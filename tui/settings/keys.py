"""Every key of the program, in one table: bindings, footer, help, palette and the handbook come from it."""

from typing import Literal

from systems.frozen import frozen

ScreenName = Literal["initiative", "roster", "log", "status", "campaigns"]
FIGHT: tuple[ScreenName, ...] = ("initiative", "status")
READ: tuple[ScreenName, ...] = ("initiative", "log", "status")
OPEN: tuple[ScreenName, ...] = ("initiative", "roster", "log", "status")
EVERYWHERE: tuple[ScreenName, ...] = (*OPEN, "campaigns")

# What a screen is called in a sentence.
SCREEN_TITLES: dict[str, str] = {
    "initiative": "the order",
    "status": "status",
    "roster": "roster",
    "log": "log",
    "campaigns": "campaigns",
}


@frozen
class Key:
    """One key: `action` is what Textual runs, `screens` where it works, `footer` where it is shown below.

    `help` is one sentence for the help page; `label` one or two words for footer and palette.
    """

    id: str
    key: str
    action: str
    label: str
    help: str
    screens: tuple[ScreenName, ...] = OPEN
    footer: tuple[ScreenName, ...] = ()


KEYS: tuple[Key, ...] = (
    Key(
        "action",
        "a",
        "ask('action')",
        "action",
        "The main action of whoever has the turn: pick the target by its tag, Enter.",
        FIGHT,
        ("initiative",),
    ),
    Key(
        "action_of_cursor",
        "A",
        "ask('action of cursor')",
        "action of this one",
        "The main action of the combatant under the cursor, whoever has the turn.",
        FIGHT,
    ),
    Key("next", "n", "turn", "next", "Next turn; before the fight it begins the fight.", OPEN, READ),
    Key("back", "N", "command('back')", "back", "Step back to the turn before.", OPEN),
    Key("undo", "u", "command('undo')", "undo", "Undo the last command.", OPEN, FIGHT),
    Key("redo", "U", "command('redo')", "redo", "Do again what was undone.", OPEN),
    Key("repeat", "full_stop", "repeat", "repeat", "Repeat the last action of whoever has the turn.", FIGHT),
    Key(
        "actions",
        "x",
        "ask('actions')",
        "all actions",
        "All actions of this game, and what is on offer.",
        FIGHT,
    ),
    Key(
        "actions_of_cursor",
        "X",
        "ask('actions of cursor')",
        "actions of this one",
        "All actions of the combatant under the cursor, whoever has the turn.",
        FIGHT,
    ),
    Key(
        "damage",
        "d",
        "ask('damage')",
        "damage",
        "Damage: tags, then a number or dice. Below ten combatants d37 is tag 3, 7 points.",
        FIGHT,
        FIGHT,
    ),
    Key("heal", "h", "ask('heal')", "heal", "Heal: tags, then a number or dice.", FIGHT, FIGHT),
    Key(
        "condition",
        "c",
        "ask('condition')",
        "condition",
        "Give or end a condition: tags, name, rounds.",
        FIGHT,
        ("initiative",),
    ),
    Key("roll", "r", "ask('roll')", "roll", "Roll any dice.", OPEN, ("initiative",)),
    Key("note", "T", "ask('note')", "note", "Write a note into the log.", OPEN),
    Key("delay", "w", "command('delay')", "delay", "Whoever has the turn waits with it.", FIGHT),
    Key(
        "return",
        "W",
        "return",
        "return",
        "One who waits comes back after the present turn; one who is ready does what it is ready for.",
        FIGHT,
    ),
    Key(
        "ready",
        "G",
        "ask('ready')",
        "get ready",
        "The one under the cursor gets ready: when the door opens: shoot.",
        FIGHT,
    ),
    Key(
        "happening",
        "H",
        "ask('happening')",
        "happenings",
        "What is still to happen and who is to arrive: the ceiling falls in round 10.",
        FIGHT,
    ),
    Key(
        "earlier",
        "less_than_sign",
        "reorder(-1)",
        "earlier",
        "Move the one under the cursor up in the order.",
        ("initiative",),
    ),
    Key(
        "later",
        "greater_than_sign",
        "reorder(1)",
        "later",
        "Move the one under the cursor down in the order.",
        ("initiative",),
    ),
    Key(
        "edit",
        "e",
        "ask('edit')",
        "edit",
        "Change a figure of the combatant under the cursor.",
        FIGHT,
        ("status",),
    ),
    Key("add", "plus", "ask('add')", "add", "Add somebody from the roster: guard x4.", FIGHT),
    Key("remove", "minus", "ask('remove')", "remove", "Take somebody out of the fight.", FIGHT),
    Key(
        "hide",
        "v",
        "hide",
        "hide, reveal",
        "Hide the combatant under the cursor from the players, or reveal it.",
        FIGHT,
    ),
    Key("offer", "enter", "offer", "take offer", "Do what is on offer.", ("initiative",)),
    Key(
        "refuse",
        "backspace",
        "refuse",
        "refuse request",
        "Refuse the request of a seat that stands there.",
        ("initiative",),
    ),
    Key(
        "set_aside",
        "escape",
        "set_aside",
        "leave request",
        "Leave the request of a seat for later; the page of seats lists it.",
        ("initiative",),
    ),
    Key(
        "take_all",
        "ctrl+a",
        "take_all",
        "take all",
        "Carry out every request of the seats that waits.",
        ("initiative",),
    ),
    Key(
        "take_over",
        "ctrl+t",
        "take_over",
        "take over",
        "Where you look on: take the fight over from the program that has it, such as a login that hangs.",
        OPEN,
    ),
    Key(
        "end",
        "E",
        "end_of_fight",
        "end of fight",
        "End the fight; then what each character keeps, ticked line by line, is written to the roster.",
        OPEN,
    ),
    Key(
        "other_fight",
        "F",
        "other_fight",
        "other fight",
        "The other fight in progress, of a party that has split up, and back; each has its own undo.",
        OPEN,
    ),
    Key("seats", "P", "seats", "seats", "Seats: who sits, who knocks, what waits, and the server.", OPEN),
    Key(
        "odds",
        "o",
        "odds",
        "odds",
        "The odds in full of the main action against the combatant under the cursor.",
        FIGHT,
    ),
    Key("why", "y", "why", "why", "Why: the terms behind the last number.", OPEN, ("status",)),
    Key(
        "dice",
        "D",
        "dice",
        "whose dice",
        "Whose dice are real: the program rolls, all dice are real, the players' are real.",
        OPEN,
    ),
    Key("line", "colon", "ask('line')", "command", "The command line, with completion.", OPEN, READ),
    Key("find", "slash", "ask('find')", "find", "Find by a part of the name or text.", OPEN, ("log",)),
    Key("initiative", "I", "show('initiative')", "order", "The order of turns: the home screen.", EVERYWHERE),
    Key("roster", "R", "show('roster')", "roster", "Characters and kinds of creatures.", EVERYWHERE),
    Key("log", "L", "show('log')", "log", "All that happened.", EVERYWHERE),
    Key(
        "status",
        "S",
        "show('status')",
        "status",
        "The whole sheet of the combatant under the cursor.",
        EVERYWHERE,
    ),
    Key("campaigns", "C", "show('campaigns')", "campaigns", "Choose another campaign.", EVERYWHERE),
    Key(
        "other_next",
        "j,right",
        "other(1)",
        "next one",
        "The next combatant's sheet.",
        ("status",),
        ("status",),
    ),
    Key("other_back", "k,left", "other(-1)", "one before", "The sheet of the combatant before.", ("status",)),
    Key(
        "unfold",
        "enter",
        "focused.choose",
        "unfold",
        "Unfold the dice and terms of the event under the cursor, or fold them up.",
        ("log",),
        ("log",),
    ),
    Key(
        "unfold_all",
        "z",
        "unfold_all",
        "unfold all",
        "Unfold the dice and terms of all events that are shown, or fold them up.",
        ("log",),
        ("log",),
    ),
    Key(
        "look_back",
        "v",
        "look_back",
        "look back",
        "The table as it was after the event under the cursor.",
        ("log",),
        ("log",),
    ),
    Key(
        "recap",
        "s",
        "recap",
        "recap",
        "The fight summed up: who did what to whom, the heaviest blows, luck, time.",
        ("log",),
        ("log",),
    ),
    Key("unfilter", "escape", "unfilter", "show all", "Show all events again.", ("log",)),
    Key(
        "export",
        "x",
        "export",
        "export",
        "Write the log to a file: Markdown, a web page or JSON Lines.",
        ("log",),
        ("log",),
    ),
    Key(
        "change",
        "enter",
        "focused.choose",
        "change",
        "Go to the sheet; there change the field under the cursor.",
        ("roster",),
        ("roster",),
    ),
    Key(
        "kind_add",
        "plus",
        "kind_add",
        "to fight",
        "Add so many of the one under the cursor to the fight.",
        ("roster",),
        ("roster",),
    ),
    Key(
        "into_form",
        "right",
        "into_form",
        "sheet",
        "From the list to the sheet, or to the encounters.",
        ("roster", "campaigns"),
    ),
    Key(
        "out_of_form",
        "escape",
        "out_of_form",
        "list",
        "From the sheet or the encounters back to the list.",
        ("roster", "campaigns"),
    ),
    Key("kind_new", "c", "kind_new", "create", "A new character or kind.", ("roster",), ("roster",)),
    Key("kind_copy", "d", "kind_copy", "duplicate", "A copy under a new name.", ("roster",), ("roster",)),
    Key("kind_delete", "minus,delete", "kind_delete", "delete", "Delete it; z brings it back.", ("roster",)),
    Key(
        "kind_restore",
        "z",
        "kind_restore",
        "take back",
        "Take back the last change to the roster: an edit, a new one, a deletion.",
        ("roster",),
        ("roster",),
    ),
    Key(
        "write_back",
        "w",
        "write_back",
        "write back",
        "After the fight: write to the sheet what the character keeps.",
        ("roster",),
        ("roster",),
    ),
    Key(
        "open",
        "enter",
        "focused.choose",
        "open",
        "Open the campaign, or the encounter, under the cursor.",
        ("campaigns",),
        ("campaigns",),
    ),
    Key(
        "campaign_new",
        "n",
        "campaign_new",
        "new campaign",
        "Make a campaign.",
        ("campaigns",),
        ("campaigns",),
    ),
    Key(
        "encounter_new",
        "e",
        "encounter_new",
        "new encounter",
        "Prepare an encounter in the campaign under the cursor.",
        ("campaigns",),
        ("campaigns",),
    ),
    Key(
        "sample_afresh",
        "s",
        "sample_afresh",
        "sample afresh",
        "Start the sample under the cursor afresh, beside the one that was played.",
        ("campaigns",),
    ),
    Key("help", "question_mark", "help", "help", "All keys.", EVERYWHERE, EVERYWHERE),
    Key("palette", "ctrl+p", "palette", "palette", "Everything by name.", EVERYWHERE),
    Key("quit", "ctrl+q", "quit", "quit", "Leave. Everything is saved already.", EVERYWHERE, ("campaigns",)),
)


def keys_of(screen: str) -> tuple[Key, ...]:
    """Return the keys that work on a screen, in the order of the table."""
    return tuple(key for key in KEYS if screen in key.screens)
