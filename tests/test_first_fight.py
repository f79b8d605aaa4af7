"""Play the fight in ten keys of README.md in the real program, on the sample that README.md names."""

import re
from pathlib import Path

import pytest

from screenshots import ten_keys
from tests.tui.opened import copied
from tests.tui.pilot import running
from tests.tui.table import Play
from tui.app import AffrayApp
from tui.session.opening import open_fight

README = Path(__file__).parents[1] / "README.md"
# A row of the prompt: number, name, life, odds to hit and to drop, expected damage.
ROW = re.compile(r"^\W*\d+ (\w.*?) +\d+/\d+ .*?(\d+)% +(\d+)% +([\d.]+)", re.MULTILINE)


def foes(text: str) -> dict[str, tuple[int, int, float]]:
    """Return the odds to hit, the odds to drop and the expected damage of each foe in the prompt."""
    _, heading, prompt = text.partition("hit  drops expected")
    assert heading
    rows = ROW.findall(prompt.partition("friends")[0])
    return {name: (int(hit), int(drops), float(damage)) for name, hit, drops, damage in rows}


@pytest.mark.parametrize("seed", [ten_keys.SEED, 1, 2, 3])
async def test_the_first_fight_offers_a_real_choice_with_any_dice(tmp_path: Path, seed: int) -> None:
    fight = open_fight(copied(tmp_path, ten_keys.SAMPLE), None, seed=seed)
    app = AffrayApp(campaign=fight.campaign, session=fight.session)
    app.table.fight, app.table.folder = fight, str(tmp_path / "campaigns")
    async with running(app, ten_keys.SIZE) as pilot:
        play = Play(app, pilot)
        asked = []
        for key, _ in ten_keys.keys_and_captions(README):
            await pilot.press(ten_keys.textual_key(key))
            if key in ("a", "."):
                asked.append(foes(play.text))
        assert play.last.typed == "undo"
        assert [event.actor for event in play.session.log.events if event.action] == [
            "black-knight",
            "ragnor",
        ]
    assert len(asked) == 2
    for odds in asked:
        assert len(odds) == 4
        assert all(30 <= hit <= 80 for hit, _, _ in odds.values())
    # No target is the best one in everything.
    easiest, frailest = (max(asked[0], key=lambda name: asked[0][name][at]) for at in (0, 1))
    assert (easiest, frailest) == ("Necromancer", "Skeleton 1")


def test_the_moving_picture_shows_the_fight_that_the_readme_names() -> None:
    section = README.read_text(encoding="utf-8").partition("## A fight in ten keys")[2]
    assert section.strip().startswith(f"Open the sample `{ten_keys.SAMPLE}`")


def test_every_caption_fits_below_the_moving_picture() -> None:
    for key, words in ten_keys.keys_and_captions(README):
        assert len(key) + len(words) < ten_keys.SIZE[0] - 5, words
