"""Test that the documents describe exactly what the program has."""

import argparse
import re
from pathlib import Path

import pytest

import systems
from systems.commands.table import COMMANDS, parse
from systems.contract.ruleset import Ruleset
from systems.language.intents import Act
from systems.schema.fields import fields_of
from systems.schema.types import Choice, ListOf
from tests.command import SAMPLES, affray, sample
from tui.cli import main as cli
from tui.cli.parser import parser_of
from tui.settings.keymap import shown_keys
from tui.settings.keys import EVERYWHERE, FIGHT, KEYS, OPEN, READ, Key

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
HANDBOOK = (ROOT / "tui" / "README.md").read_text(encoding="utf-8")
PAGES = {
    path.parent.name: path.read_text(encoding="utf-8") for path in sorted(ROOT.glob("systems/*/README.md"))
}
TOP = "CHANGELOG.md LICENSE README.md campaigns pyproject.toml screenshots systems tests tui uv.lock".split()
WHERE = {
    FIGHT: "order and status",
    READ: "order, status and log",
    OPEN: "order, status, log and roster",
    EVERYWHERE: "everywhere",
}


def section(page: str, heading: str) -> str:
    """Return the text under a heading, up to the next heading of its level."""
    found = re.search(rf"^## {re.escape(heading)}$\n(.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL)
    assert found, f"no heading {heading!r}"
    return found.group(1)


def block(page: str) -> list[str]:
    """Return the lines of the first code block."""
    return re.search(r"^```\w*\n(.*?)^```$", page, re.MULTILINE | re.DOTALL).group(1).splitlines()


def tables(page: str) -> list[list[list[str]]]:
    """Return the tables of a page as rows of cells, the heading first."""
    found = re.findall(r"(?:^\|.*\n)+", page, re.MULTILINE)
    rows = [[re.split(r"(?<!\\)\|", line.strip()[1:-1]) for line in table.splitlines()] for table in found]
    return [[[cell.strip() for cell in row] for row in (table[0], *table[2:])] for table in rows]


def first_cells(page: str, *headings: str) -> list[str]:
    """Return the backquoted names in the first cells of tables that begin with one of those headings."""
    rows = [row for table in tables(page) if table[0][0] in headings for row in table[1:]]
    return [name for row in rows for name in re.findall(r"`([^`]+)`", row[0])]


# The keys


def place(key: Key) -> str:
    """Return the heading above a key."""
    screens = ["order" if name == "initiative" else name for name in key.screens]
    return WHERE.get(key.screens) or " and ".join(screens)


def keys_table() -> str:
    """Return the keys as the handbook lists them: by screen, in the order of the first key."""
    places = list(dict.fromkeys(place(key) for key in KEYS))
    lines = ["| key | does |", "|---|---|"]
    for where in places:
        lines.append(f"| | **{where}** |")
        lines += [f"| {keys_of(key)} | {key.help} |" for key in KEYS if place(key) == where]
    return "\n".join(lines)


def keys_of(key: Key) -> str:
    return " ".join(f"`{one}`" for one in shown_keys({})[key.id].split(", "))


def test_the_handbook_lists_the_keys_of_the_program() -> None:
    keys = section(HANDBOOK, "The keys")
    assert keys_table() in keys, f"tui/README.md should say:\n\n{keys_table()}"
    assert len(tables(keys)) == 1


def test_the_fight_in_ten_keys_uses_ten_existing_keys() -> None:
    keys = first_cells(section(README, "A fight in ten keys"), "keys")
    assert len(keys) == 10
    known = {shown_keys({})[one.id] for one in KEYS if "initiative" in one.screens}
    assert {key for key in keys if not key.isdecimal()} <= known | {"Enter", "Esc"}


# The verbs and the command language


def usage_of(verb: str) -> set[str]:
    """Return what may follow a verb: its metavars and its options."""
    parser = parser_of(cli.VERBS, verb)
    verbs = next(one for one in parser._actions if isinstance(one, argparse._SubParsersAction))
    words = set()
    for one in verbs.choices[verb]._actions:
        words |= {one.metavar} if not one.option_strings else {*one.option_strings} - {"-h", "--help"}
    return words


def verb_lines() -> dict[str, tuple[str, str]]:
    """Return, for each verb, its usage in the handbook and its description."""
    lines = {}
    for line in block(section(HANDBOOK, "The verbs")):
        usage, does = re.split(r"  +", line.removeprefix("affray "))
        verb, _, rest = usage.partition(" ")
        lines.update({verb: (rest, does)} if verb.islower() else {"open": (usage, does)})
    return lines


def test_the_handbook_has_every_verb_and_no_other() -> None:
    assert sorted(verb_lines()) == sorted(cli.VERBS)


@pytest.mark.parametrize("verb", cli.VERBS)
def test_the_handbook_has_every_option_of_a_verb_and_no_other(verb: str) -> None:
    usage, does = verb_lines()[verb]
    prose = section(HANDBOOK, "The verbs").split("```")[-1]
    named = set(re.findall(r"--[a-z]+(?:-[a-z]+)*", f"{usage} {does}")) | set(
        re.findall(r"\b[A-Z]+\b", re.sub(r"--\w+ \w+", "", usage))
    )
    assert named <= usage_of(verb) <= named | set(re.findall(r"--[a-z]+(?:-[a-z]+)*", prose))


def test_options_in_the_prose_about_verbs_exist() -> None:
    every = set.union(*(usage_of(verb) for verb in cli.VERBS)) | {
        "--compile-bytecode",
        "--quiet",
        "--editable",
    }
    assert set(re.findall(r"--[a-z]+(?:-[a-z]+)*", README + HANDBOOK)) <= every


def forms_of(line: str) -> list[str]:
    """Return the forms on one line of the block, which are separated by bars outside brackets."""
    line = re.split(r"   +", line)[0]
    return [part.strip() for part in re.split(r" \| (?![^\[]*\])", line)]


def test_the_handbook_has_every_form_of_the_command_language_and_no_other() -> None:
    written = [form for line in block(section(HANDBOOK, "The command line")) for form in forms_of(line)]
    assert written[0].startswith("ACTION ")
    assert sorted(written[1:]) == sorted(form for each in COMMANDS.values() for form in each.forms)


def test_the_example_of_the_command_line_can_be_read() -> None:
    example = re.split(r"   +", block(section(HANDBOOK, "The command line"))[0])[1]
    assert isinstance(parse(example, systems.load("atlantis")).intent, Act)


# The games' pages


@pytest.fixture(params=sorted(PAGES))
def game(request: pytest.FixtureRequest) -> Ruleset:
    return systems.load(request.param)


def test_every_game_has_a_page_and_is_in_the_readme() -> None:
    assert sorted(PAGES) == sorted(path.parent.name for path in ROOT.glob("systems/*/house.py"))
    for name in PAGES:
        assert f"(systems/{name}/README.md)" in section(README, "The games")


def test_the_page_has_every_action_and_no_other(game: Ruleset) -> None:
    assert sorted(first_cells(PAGES[game.name], "action")) == sorted(one.name for one in game.actions)


def test_the_page_has_every_letter_of_an_action_and_no_other(game: Ruleset) -> None:
    told = re.search(r"^Keys for this game, .*?: (.*)\.$", PAGES[game.name], re.MULTILINE)
    assert told
    assert told[1] == ", ".join(f"`{letter}` {action.title}" for letter, action in game.letters.items())


def test_the_page_has_every_house_rule_with_its_default_and_no_other(game: Ruleset) -> None:
    page = section(PAGES[game.name], "House rules")
    house = fields_of(game.house)
    [table] = tables(page)
    assert sorted(row[0].strip("`") for row in table[1:]) == sorted(house)
    column = table[0].index("default")
    for row in table[1:]:
        default = house[row[0].strip("`")].default_text.strip('"')
        words = {default, {"true": "yes", "false": "no"}.get(default, default)}
        said = row[column]
        assert said == default or re.match(r"`?(\w+)", said).group(1) in words, row[0]


def test_the_page_has_every_option_of_every_action_and_no_other(game: Ruleset) -> None:
    page = PAGES[game.name]
    options = {name for action in game.actions for name in fields_of(action.options)}
    assert set(first_cells(page, "option")) <= options
    assert options <= set(re.findall(r"`([a-z_]+)`", page))


def test_the_options_of_a_page_belong_to_the_actions_in_the_same_row(game: Ruleset) -> None:
    for table in tables(PAGES[game.name]):
        if table[0][:2] == ["option", "of"]:
            beside = {
                (option, action)
                for option, actions, *_ in table[1:]
                for action in re.findall(r"\w+", actions)
            }
            assert beside == {
                (f"`{option}`", one.name) for one in game.actions for option in fields_of(one.options)
            }


def test_the_page_has_every_condition(game: Ruleset) -> None:
    names = {one.name for one in game.conditions}
    assert names <= set(re.findall(r"`([a-z_]+)`", PAGES[game.name]))
    assert set(first_cells(PAGES[game.name], "condition")) <= names


def words_of(game: Ruleset) -> set[str]:
    """Return every name in the game's own source, and the words of the command language."""
    words = {*COMMANDS, "yes", "no", "true", "false", *(one.name for one in game.conditions)}
    for path in (ROOT / "systems" / game.name).glob("*.py"):
        words |= set(re.findall(r"[a-z0-9_]+", path.read_text(encoding="utf-8")))
    for cls in (game.house, *(one.options for one in game.actions)):
        for field in fields_of(cls).values():
            match field.type:
                case Choice(values) | ListOf(Choice(values)):
                    words |= set(values)
    return words


def test_every_name_in_backquotes_is_known_to_the_game(game: Ruleset) -> None:
    names = set(re.findall(r"`([a-z][a-z0-9_]*)`", PAGES[game.name]))
    assert names <= words_of(game)


def test_every_example_of_a_page_is_a_valid_command(game: Ruleset) -> None:
    [table] = [one for one in tables(PAGES[game.name]) if one[0][0] == "action"]
    examples = [(row[0].strip("`"), row[2].split("`")[1]) for row in table[1:] if "`" in row[2]]
    assert len(examples) >= len(game.actions) // 2
    for action, example in examples:
        intent = parse(example, game).intent
        if isinstance(intent, Act):
            assert intent.action == action
            assert set(intent.options) <= set(fields_of(game.action(action).options)), example


def test_every_example_of_a_page_can_be_typed_in_the_sample(game: Ruleset, tmp_path: Path) -> None:
    """Try each example in a fight. A combatant may be unable to do it, but every name must exist."""
    [name] = [one.name for one in SAMPLES.iterdir() if f'system = "{game.name}"' in campaign_of(one)]
    [table] = [one for one in tables(PAGES[game.name]) if one[0][0] == "action"]
    examples = [row[2].split("`")[1] for row in table[1:] if "`" in row[2]]
    for number, example in enumerate(examples):
        ran = affray("run", sample(tmp_path, name, str(number)), "--seed", "1", given=f"start\n{example}")
        assert ran.status == 0, ran.answers[-1]


def campaign_of(folder: Path) -> str:
    return (folder / "campaign.toml").read_text("utf-8")


def test_the_rulings_of_a_page_are_numbered_without_gaps(game: Ruleset) -> None:
    [table] = [one for one in tables(section(PAGES[game.name], "Rulings")) if one[0][0] == "id"]
    numbers = [int(number) for row in table[1:] for number in re.findall(r"R(\d+)", row[0])]
    assert sorted(numbers) == list(range(1, len(numbers) + 1))


def test_the_author_is_named_on_the_page_and_in_the_readme(game: Ruleset) -> None:
    name = re.search(
        r"Affray|Carlo Nicora|Michael Sankovich|Matt Ciocchi|Four Heroes Gaming|Mason Bially|"
        r"System Reference Document",
        game.credit,
    )
    assert name
    assert name.group() in PAGES[game.name]
    assert name.group() in section(README, "The games")


_ATTRIBUTION = (
    'This work includes material from the System Reference Document {0} ("SRD {0}") by Wizards of the Coast '
    "LLC, available at https://www.dndbeyond.com/srd. The SRD {0} is licensed under the Creative Commons "
    "Attribution 4.0 International License, available at "
    "https://creativecommons.org/licenses/by/4.0/legalcode."
)


@pytest.mark.parametrize("edition", ["5.2", "5.2.1"])
def test_the_attributions_of_the_reference_document_are_word_for_word(edition: str) -> None:
    assert _ATTRIBUTION.format(edition) in README
    assert _ATTRIBUTION.format(edition) in PAGES["srd5"]


def test_no_trademark_is_used_outside_the_attributions() -> None:
    for page in (README, *PAGES.values()):
        others = page.replace(_ATTRIBUTION.format("5.2"), "").replace(_ATTRIBUTION.format("5.2.1"), "")
        assert not re.search(r"Wizards of the Coast|dungeons|\bd&d\b", others, re.IGNORECASE)


# Links, pictures and headings


@pytest.mark.parametrize(
    "path",
    [
        "README.md",
        "CHANGELOG.md",
        "tui/README.md",
        "tui/seats/README.md",
        "systems/README.md",
        *(f"systems/{name}/README.md" for name in PAGES),
    ],
)
def test_links_and_pictures_exist(path: str) -> None:
    page = (ROOT / path).read_text(encoding="utf-8")
    prose = re.sub(r"^```.*?^```$", "", page, flags=re.MULTILINE | re.DOTALL)
    for link in re.findall(r"\]\(([^)\s]+)\)", prose):
        if not link.startswith("https://"):
            assert (ROOT / path).parent.joinpath(link.partition("#")[0]).exists(), link


def test_the_headings_run_and_test_come_first_and_hold_plain_shell() -> None:
    headings = re.findall(r"^#+ +(.*)$", re.sub(r"^```.*?^```$", "", README, flags=re.M | re.S), re.MULTILINE)
    for word in ("Run", "Test"):
        assert next(one for one in headings if one.startswith(word)) == word
        lines = block(section(README, word))
        assert len(lines) == 1
        steps = lines[0].split(" && ")
        assert steps[0] == "python3 -m venv .venv"
        assert all(step.startswith(".venv/bin/") for step in steps[1:])


def test_every_folder_of_the_rules_is_listed_once() -> None:
    page = (ROOT / "systems" / "README.md").read_text("utf-8")
    named = re.findall(r"\]\((\w+\.py)\)", page.partition("## The folders")[2])
    rooms = [one.name for one in (ROOT / "systems").glob("*.py") if one.name != "__init__.py"]
    assert sorted(named) == sorted(rooms)


def test_the_newest_release_in_the_changelog_is_the_version_of_the_program() -> None:
    version = re.search(r'^version = "(.+)"$', (ROOT / "pyproject.toml").read_text("utf-8"), re.MULTILINE)
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    headings = re.findall(r"^## \[(.+?)\]", changelog, re.MULTILINE)
    assert next(heading for heading in headings if heading != "Unreleased") == version.group(1)


# The house


def test_the_top_level_holds_only_expected_files() -> None:
    ours = {path.name for path in ROOT.iterdir() if not path.name.startswith(".")}
    assert ours - {"build", "dist"} - {one for one in ours if one.endswith(".egg-info")} == set(TOP)


def test_the_workflows_run_commands_that_exist() -> None:
    for path in (ROOT / ".github" / "workflows").glob("*.yml"):
        commands = re.findall(r"run: (\.ci/\w+)", path.read_text("utf-8"))
        assert commands
        for command in commands:
            assert (ROOT / command).stat().st_mode & 0o111, f"{path.name} runs {command}"
