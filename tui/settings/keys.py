"""Every key of the program, in one table: bindings, footer, help, palette and the handbook come from it."""

from typing import Literal

from systems.frozen import frozen

ScreenName = Literal["initiative", "roster", "log", "status", "campaigns"]
ORDER: tuple[ScreenName, ...] = ("initiative",)
STATUS: tuple[ScreenName, ...] = ("status",)
ROSTER: tuple[ScreenName, ...] = ("roster",)
LOG: tuple[ScreenName, ...] = ("log",)
CAMPAIGNS: tuple[ScreenName, ...] = ("campaigns",)
FIGHT: tuple[ScreenName, ...] = ("initiative", "status")
READ: tuple[ScreenName, ...] = ("initiative", "log", "status")
OPEN: tuple[ScreenName, ...] = ("initiative", "roster", "log", "status")
EVERYWHERE: tuple[ScreenName, ...] = (*OPEN, "campaigns")

# The name of each screen in a sentence.
SCREEN_TITLES: dict[str, str] = {
    "initiative": "the order",
    "status": "status",
    "roster": "roster",
    "log": "log",
    "campaigns": "campaigns",
}


# The groups of keys in the help, with their headings.
KeyGroup = Literal["fight", "look", "change", "go"]
KEY_GROUPS: dict[KeyGroup, str] = {"fight": "Fight", "look": "Look", "change": "Change", "go": "Go to"}


@frozen
class Key:
    """One key: `action` is what Textual runs, `screens` where it works, `footer` where the footer lists it.

    `help` is a sentence for the help page; `label` is one or two words for footer and palette.
    """

    id: str
    key: str
    action: str
    label: str
    help: str
    screens: tuple[ScreenName, ...] = OPEN
    footer: tuple[ScreenName, ...] = ()
    group: KeyGroup = "fight"


KEYS: tuple[Key, ...] = (
    Key("action", "a", "ask('action')", "action",
        "Attack with the combatant whose turn it is.", FIGHT, ORDER),
    Key("action_of_cursor", "A", "ask('action of cursor')", "its action",
        "Attack with the combatant under the cursor, out of turn too.", FIGHT),
    Key("next", "n", "turn", "next", "End this turn and begin the next; start the fight.", OPEN, READ),
    Key("end_side", "O", "ask('end side')", "end side",
        "End the turn of the whole side, if sides take turns.", FIGHT, ORDER),
    Key("plan", "M", "command('plan')", "enemy's plan",
        "Show what the creatures would do up to the next player's turn, and carry it out.", FIGHT),
    Key("forecast", "K", "command('forecast')", "odds of the fight",
        "Play the fight many times for its odds: wins, falls, rounds. After the fight, show the chance "
        "to win round by round.", READ),
    Key("back", "N", "command('back')", "back", "Step back to the previous turn.", OPEN),
    Key("undo", "u", "command('undo')", "undo", "Undo the last command.", OPEN, FIGHT, group="change"),
    Key("redo", "U", "command('redo')", "redo", "Redo the last undone command.", OPEN, group="change"),
    Key("repeat", "full_stop", "ask('repeat')", "repeat", "Repeat this combatant's last action.", FIGHT),
    Key("actions", "x", "ask('actions')", "all actions",
        "List this combatant's actions and all offers.", FIGHT),
    Key("actions_of_cursor", "X", "ask('actions of cursor')", "all its actions",
        "List the actions of the combatant under the cursor.", FIGHT),
    Key("damage", "d", "ask('damage')", "damage",
        "Damage combatants: numbers, then an amount or dice.", FIGHT, FIGHT),
    Key("heal", "h", "ask('heal')", "heal",
        "Heal combatants: numbers, then an amount or dice.", FIGHT, FIGHT),
    Key("condition", "c", "ask('condition')", "condition", "Add or remove a condition.", FIGHT, ORDER),
    Key("roll", "r", "ask('roll')", "roll", "Roll any dice.", OPEN, ORDER),
    Key("note", "T", "ask('note')", "note", "Write a note in the log.", OPEN, group="change"),
    Key("delay", "w", "delay", "delay", "Delay this turn.", FIGHT),
    Key("return", "W", "ask('return')", "return",
        "Bring back a delayed combatant, or trigger a readied action.", FIGHT),
    Key("ready", "G", "ask('ready')", "ready",
        "Ready an action: when the door opens: shoot.", FIGHT, group="change"),
    Key("schedule", "H", "ask('schedule')", "schedule",
        "List and schedule events and late arrivals.", FIGHT, group="change"),
    Key("earlier", "less_than_sign", "reorder(-1)", "move up",
        "Move the combatant under the cursor up the order.", ORDER, group="change"),
    Key("later", "greater_than_sign", "reorder(1)", "move down",
        "Move the combatant under the cursor down the order.", ORDER, group="change"),
    Key("group", "B", "ask('group')", "group, split",
        "Group combatants under one turn, or split a group.", ORDER, group="change"),
    Key("near", "b", "ask('near')", "near, apart",
        "Say which combatants are near the one under the cursor.", FIGHT, group="change"),
    Key("edit", "e", "ask('edit')", "edit",
        "Edit a field of the combatant under the cursor.", FIGHT, STATUS, group="change"),
    Key("count_up", "right_square_bracket", "count_condition(1)", "condition up",
        "Raise the value of a condition.", FIGHT, group="change"),
    Key("count_down", "left_square_bracket", "count_condition(-1)", "condition down",
        "Lower the value of a condition; at 0 it ends.", FIGHT, group="change"),
    Key("add", "plus", "ask('add')", "add", "Add combatants from the roster: guard x4.", FIGHT),
    Key("remove", "minus", "ask('remove')", "remove", "Remove combatants from the fight.", FIGHT),
    Key("hide", "v", "hide", "hide, reveal",
        "Hide the combatant under the cursor, or reveal it.", FIGHT, group="change"),
    Key("offer", "enter", "offer", "accept", "Accept the offer or request.", ORDER),
    Key("refuse", "backspace", "refuse", "refuse request", "Refuse a seat's request.", ORDER),
    Key("set_aside", "escape", "set_aside", "later",
        "Leave a seat's request for later, on the page of seats.", ORDER),
    Key("take_all", "ctrl+a", "take_all", "accept all", "Accept every request that is waiting.", ORDER),
    Key("take_over", "ctrl+t", "take_over", "take over",
        "Take over the fight from another program.", OPEN, group="go"),
    Key("end", "E", "end_of_fight", "end of fight",
        "End the fight and save the characters to the roster.", OPEN),
    Key("other_fight", "F", "other_fight", "other fight",
        "Switch to the other fight in progress.", OPEN, group="go"),
    Key("seats", "P", "seats", "seats",
        "Manage seats: invite, admit, remove, start the server.", OPEN, group="go"),
    Key("odds", "o", "ask('odds')", "odds",
        "Show the full odds against the combatant under the cursor.", FIGHT, group="look"),
    Key("why", "y", "why", "why", "Explain the last number, term by term.", OPEN, STATUS, group="look"),
    Key("dice", "D", "dice", "real dice",
        "Choose whose dice are real: nobody's, the players', all.", OPEN, group="change"),
    Key("line", "colon", "ask('line')", "command",
        "Type a command, with completion.", OPEN, READ, group="change"),
    Key("find", "slash", "ask('find')", "find",
        "Find by part of a name or text.", EVERYWHERE, ("log", "campaigns"), group="look"),
    Key("initiative", "I", "show('initiative')", "order",
        "Go to the order of turns, the home screen.", EVERYWHERE, group="go"),
    Key("roster", "R", "show('roster')", "roster",
        "Go to the characters and creatures.", EVERYWHERE, group="go"),
    Key("log", "L", "show('log')", "log", "Go to the log.", EVERYWHERE, group="go"),
    Key("status", "S", "show('status')", "status",
        "Go to the sheet of the combatant under the cursor.", EVERYWHERE, group="go"),
    Key("campaigns", "C", "show('campaigns')", "campaigns",
        "Choose another campaign.", EVERYWHERE, group="go"),
    Key("home", "escape", "show('initiative')", "order", "Go back to the order.", STATUS, group="go"),
    Key("other_next", "j,right", "other(1)", "next sheet",
        "Show the next combatant's sheet.", STATUS, STATUS, group="look"),
    Key("other_back", "k,left", "other(-1)", "previous sheet",
        "Show the previous combatant's sheet.", STATUS, group="look"),
    Key("unfold", "enter", "focused.choose", "unfold",
        "Show or hide the dice and terms of an event.", LOG, LOG, group="look"),
    Key("amend", "e", "amend", "amend",
        "Correct the event under the cursor and replay the rest.", LOG, LOG, group="change"),
    Key("never_happened", "minus,delete", "never_happened", "remove event",
        "Remove the event under the cursor and replay the rest.", LOG, group="change"),
    Key("look_back", "v", "look_back", "view then",
        "View the table after this event; Up and Down step.", LOG, LOG, group="look"),
    Key("unfold_all", "z", "unfold_all", "unfold all",
        "Show or hide the dice and terms of all events.", LOG, LOG, group="look"),
    Key("recap", "s", "recap", "recap",
        "Sum up the fight: damage, heaviest blows, luck, time.", LOG, LOG, group="look"),
    Key("share", "p", "command('share recap')", "to players",
        "Show the recap of the finished fight to the players.", LOG, group="change"),
    Key("unfilter", "escape", "unfilter", "show all",
        "Clear the filter, or go back to the order.", LOG, group="look"),
    Key("export", "x", "export", "export",
        "Export the log as Markdown, a web page or JSON Lines.", LOG, LOG, group="change"),
    Key("change", "enter", "focused.choose", "edit",
        "Open the sheet, or edit the field under the cursor.", ROSTER, ROSTER, group="change"),
    Key("kind_add", "plus", "kind_add", "to fight",
        "Add copies of this entry to the fight.", ROSTER, ROSTER, group="change"),
    Key("into_form", "right", "into_form", "sheet",
        "Go from the list to the sheet or the encounters.", ("roster", "campaigns"), group="go"),
    Key("out_of_form", "escape", "out_of_form", "list",
        "Go back to the list, then to the order.", ("roster", "campaigns"), group="go"),
    Key("kind_new", "c", "kind_new", "new",
        "Create a character or creature, or paste a stat block.", ROSTER, ROSTER, group="change"),
    Key("kind_copy", "d", "kind_copy", "copy",
        "Copy this entry under a new name.", ROSTER, ROSTER, group="change"),
    Key("kind_delete", "minus,delete", "kind_delete", "delete",
        "Delete this entry; z undoes it.", ROSTER, group="change"),
    Key("kind_restore", "z", "kind_restore", "undo",
        "Undo the last change to the roster.", ROSTER, ROSTER, group="change"),
    Key("write_back", "w", "write_back", "save to roster",
        "Save the character to the roster after a fight.", ROSTER, ROSTER, group="change"),
    Key("roster_export", "x", "roster_export", "export",
        "Export the roster as TOML or CSV, or copy it.", ROSTER, group="change"),
    Key("open", "enter", "focused.choose", "open",
        "Open the campaign or encounter under the cursor.", CAMPAIGNS, CAMPAIGNS, group="go"),
    Key("campaign_new", "n", "campaign_new", "new campaign",
        "Create a campaign.", CAMPAIGNS, CAMPAIGNS, group="change"),
    Key("encounter_new", "e", "encounter_new", "new encounter",
        "Prepare an encounter in this campaign.", CAMPAIGNS, CAMPAIGNS, group="change"),
    Key("sample_afresh", "s", "sample_afresh", "start again",
        "Start this encounter or sample again as a new copy.", CAMPAIGNS, CAMPAIGNS),
    Key("rename", "r", "rename", "rename",
        "Rename the campaign or encounter under the cursor.", CAMPAIGNS, CAMPAIGNS, group="change"),
    Key("duplicate", "d", "duplicate", "copy",
        "Copy the campaign or encounter under the cursor.", CAMPAIGNS, group="change"),
    Key("delete", "minus,delete", "delete", "delete",
        "Delete the campaign or encounter; z undoes it.", CAMPAIGNS, group="change"),
    Key("deleted_back", "z", "deleted_back", "undo", "Undo the last deletion.", CAMPAIGNS, group="change"),
    Key("house", "V", "house", "house rules",
        "Change house rules, dice, turn order and seat settings.", OPEN, group="go"),
    Key("help", "question_mark", "help", "help", "Show all keys.", EVERYWHERE, EVERYWHERE, group="look"),
    Key("help_f1", "f1", "help", "help", "Show all keys, also from a question.", EVERYWHERE, group="look"),
    Key("palette", "ctrl+p", "palette", "palette", "Find any command by name.", EVERYWHERE, group="go"),
    Key("leave", "q", "app.help_quit", "how to quit", "Show the key that quits.", EVERYWHERE, group="go"),
    Key("quit", "ctrl+q", "quit", "quit",
        "Quit; everything is already saved.", EVERYWHERE, CAMPAIGNS, group="go"),
)  # fmt: skip


def keys_of(screen: str) -> tuple[Key, ...]:
    """Return the keys that work on a screen, in the order of the table."""
    return tuple(key for key in KEYS if screen in key.screens)
