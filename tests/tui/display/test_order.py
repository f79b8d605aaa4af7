"""The rows of the order, painted."""

from hypothesis import given
from hypothesis import strategies as st

from systems.frozen import evolve
from systems.visibility.parts import WEIGHTS, Level, MeterColumn, OrderRow, ShownWord
from tui.display.meters import bar
from tui.display.order import FallenRows, OrderPainter, measured, rows_wanted, words_within
from tui.display.text import shortened, width
from tui.terminal.symbols import PLAIN, Symbols

LIFE = (MeterColumn("life"),)
WORDS = st.builds(ShownWord, st.text("abc ", min_size=1, max_size=20), weight=st.sampled_from(WEIGHTS))
LEVELS = st.builds(Level, st.integers(-50, 80), st.integers(0, 60))


def text_of(row) -> str:
    return "".join(text for text, _ in row)


def painted(*rows: OrderRow, cells: int = 80, cursor: str = "", shapes: Symbols = PLAIN) -> list[str]:
    painter = OrderPainter(LIFE, measured(rows, 1), cells, shapes)
    return [text_of(painter.row(row, cursor)) for row in rows]


@given(
    st.lists(
        st.builds(
            OrderRow,
            st.text("h12", max_size=3),
            st.text(max_size=30),
            st.just("foes"),
            levels=st.tuples(LEVELS),
            words=st.lists(WORDS, max_size=6).map(tuple),
        ),
        min_size=1,
        max_size=5,
    ),
    st.integers(50, 160),
)
def test_a_row_never_takes_more_than_its_room_and_the_cursor_fills_it(rows, cells):
    painter = OrderPainter(LIFE, measured(rows, 1), cells, Symbols())
    for row in rows:
        assert width(painter.row(row)) <= cells
        assert width(painter.row(row, "cursor")) == cells


@given(LEVELS, st.integers(1, 30))
def test_a_bar_is_full_and_empty_only_when_all_is_there_or_nothing(level, cells):
    (filled, _), (track, _) = bar(level, cells, PLAIN, "good")
    assert len(filled + track) == cells
    assert bool(filled) == (level.now > 0 and level.full > 0)
    if 0 < level.full <= level.now:
        assert filled == "━" * cells
    elif level.now < level.full:
        assert filled != "━" * cells


@given(st.lists(st.tuples(st.integers(1, 12), st.sampled_from(WEIGHTS)), max_size=6), st.integers(5, 60))
def test_omitted_words_have_an_ellipsis_and_the_least_important_go_first(given_words, room):
    words = [ShownWord(str(at) * wide, weight=weight) for at, (wide, weight) in enumerate(given_words)]
    shown = words_within(words, room)
    text = text_of(shown)
    assert width(shown) <= room
    kept = [word for word in words if word.text in text]
    if "…" not in text:
        assert text == "  ".join(word.text for word in words)
    elif len(kept) > 1:
        lowest = max(WEIGHTS.index(word.weight) for word in kept)
        # A state may be shortened for a condition, and is there all the same.
        gone = [word for word in words if word.text not in text and word.weight != "state"]
        assert all(WEIGHTS.index(word.weight) >= lowest for word in gone)


def test_a_condition_that_does_not_fit_is_cut_so_that_its_name_can_be_read():
    words = [
        ShownWord("−10 hurt", weight="condition"),
        ShownWord("poisoned until end of Guard 1", weight="condition"),
    ]
    assert text_of(words_within(words, 24)) == "−10 hurt  poisoned unti…"
    more = [*words, ShownWord("armour 2", weight="lasting")]
    assert text_of(words_within(more, 24)) == "−10 hurt  poisoned unti…"
    assert text_of(words_within(words, 15)) == "−10 hurt …"
    two = [ShownWord("overwatch until own turn", weight="condition"), ShownWord("marked", weight="condition")]
    assert text_of(words_within(two, 20)) == "overwatch until own…"
    assert text_of(words_within(two, 25)) == "overwatch until own tu…"


def test_the_end_of_a_condition_gives_way_to_the_words_next_to_it():
    watch = ShownWord("overwatch until own turn", weight="condition", short="overwatch")
    held = ShownWord("held until end of Orc", weight="condition", short="held")
    spent = ShownWord("no action", weight="turn")
    assert text_of(words_within([watch, spent], 35)) == "overwatch until own turn  no action"
    assert text_of(words_within([watch, spent], 34)) == "overwatch…  no action"
    assert text_of(words_within([watch, held, spent], 45)) == "overwatch until own turn  held…  no action"
    assert text_of(words_within([watch, held, spent], 30)) == "overwatch…  held…  no action"


def test_a_long_gun_that_is_jammed_hides_no_condition():
    words = [
        ShownWord("AR 14", weight="lasting"),
        ShownWord("submachine gun 29/30, jammed", weight="state"),
        ShownWord("stunned 2r", weight="condition"),
    ]
    assert text_of(words_within(words, 40)) == "submachine gu…9/30, jammed  stunned 2r …"
    assert text_of(words_within(words, 30)) == "submachi… jammed  stunned 2r …"
    assert text_of(words_within(words, 20)) == "subm…med  stunned …"


def test_the_end_of_a_long_name_stays_because_it_distinguishes_two_names():
    assert shortened("Wicked thrasher 2", 15) == "Wicked t…sher 2"
    assert shortened("Guard 1", 15) == "Guard 1"


def test_the_dead_have_neither_bar_nor_figures():
    dead = OrderRow("2", "Guard", "foes", instead=ShownWord("dead", "muted"), words=(ShownWord("prone"),))
    alive = OrderRow("1", "Okado", "players", levels=(Level(5, 52),))
    (first, second) = painted(alive, dead)
    assert "5/52" in first
    assert "dead" in second
    assert not any(step in second for step in "=-/")


def test_bands_are_in_the_column_of_figures_with_their_own_width():
    (only,) = painted(
        OrderRow("2", "Guard", "foes", instead=ShownWord("badly hurt", "danger"), words=(ShownWord("prone"),))
    )
    assert "badly hurt        prone" in only


def test_a_long_word_that_is_always_so_keeps_its_count():
    words = [ShownWord("AR 14", weight="lasting"), ShownWord("submachine gun 25/30", weight="lasting")]
    assert text_of(words_within(words, 24)) == "AR 14  submachin…n 25/30"
    assert text_of(words_within(words, 16)) == "AR 14 …"


def test_no_column_moves_because_all_are_hurt_or_the_whole_ones_are_dead() -> None:
    def okado(life: int) -> OrderRow:
        return OrderRow("1", "Okado", "players", levels=(Level(life, 52),))

    assert painted(okado(4))[0].index("/") == painted(okado(52))[0].index("/")


def test_no_column_moves_because_a_life_falls_far_below_zero() -> None:
    def okado(life: int) -> OrderRow:
        return OrderRow("1", "Okado", "players", levels=(Level(life, 52),))

    guard = OrderRow("2", "Guard", "foes", levels=(Level(20, 20),), words=(ShownWord("hurt"),))
    hurt, fallen = painted(okado(4), guard), painted(okado(-12), guard)
    assert "-12/52" in fallen[0].replace("\N{MINUS SIGN}", "-")
    assert [row.index("/") for row in fallen] == [row.index("/") for row in hurt]
    assert fallen[1] == hurt[1]


def of_side(name: str, *words: ShownWord, ours: bool = False, initiative: int | None = None) -> OrderRow:
    return OrderRow("1", name, "", ours=ours, initiative=initiative, levels=(Level(5, 9),), words=words)


def armour(value: int) -> ShownWord:
    return ShownWord(f"armour {value}", weight="lasting", column="armour")


def test_friend_and_foe_differ_by_mark_and_tone_in_every_row() -> None:
    rows = [of_side("Okado", ours=True), of_side("Guard")]
    assert [" p Okado" in line for line in painted(*rows)] == [True, False]
    assert " f Guard" in painted(*rows)[1]
    assert [mark in line for mark, line in zip("●▪", painted(*rows, shapes=Symbols()), strict=True)] == [
        True
    ] * 2
    painter = OrderPainter(LIFE, measured(rows, 1), 80, Symbols())
    tones = [dict(painter.row(row)) for row in rows]
    assert [tones[0]["Okado"], tones[1]["Guard"]] == ["ours", "others"]


def test_initiative_has_its_own_column_unless_nobody_has_any_or_the_screen_is_very_narrow() -> None:
    rows = [of_side("Okado", initiative=17), of_side("Guard", initiative=-2)]
    assert [line[:6] for line in painted(*rows)] == ["  17  ", "  −2  "]
    assert painted(*rows, cells=44)[0].startswith("   1 f Okado")
    assert painted(of_side("Okado"))[0].startswith("   1 f Okado")


def test_a_figure_has_one_place_in_all_rows_and_its_values_are_below_each_other() -> None:
    prone = ShownWord("prone", weight="condition")
    lines = painted(of_side("Okado", armour(12)), of_side("Guard", armour(4), prone), of_side("Orc", prone))
    assert "armour 12" in lines[0]
    assert "armour  4" in lines[1]
    assert lines[0].index("armour") == lines[1].index("armour")
    assert lines[1].index("prone") == lines[2].index("prone") > lines[1].index("armour")


def test_a_figure_that_is_the_same_for_all_is_left_out_until_it_differs() -> None:
    alike = [of_side("Okado", armour(4)), of_side("Guard", armour(4))]
    assert not any("armour" in line for line in painted(*alike))
    unlike = [of_side("Okado", armour(3)), of_side("Guard", armour(4))]
    assert all("armour" in line for line in painted(*unlike))
    assert measured(alike, 1, measured(unlike, 1).figures).figures == {"armour": 8}


def test_figures_without_room_for_their_columns_are_words_that_may_be_cut_with_a_sign() -> None:
    rows = [of_side("Okado", armour(12), ShownWord("prone", weight="condition")), of_side("Guard", armour(4))]
    line = painted(*rows, cells=44)[0]
    assert "prone" in line
    assert "armour" in line or "…" in line


def fallen(tag: int, name: str = "Guard", *words: ShownWord, last: tuple[ShownWord, ...] = ()) -> OrderRow:
    dead = None if words else ShownWord("dead", "muted strong")
    return OrderRow(str(tag), f"{name} {tag}", "foes", instead=dead, words=words, last=last, fallen=True)


def lines_of_fallen(rows: list[OrderRow], cells: int, height: int, cursor: int = -1) -> list[str]:
    return [text_of(row) for row in FallenRows(rows, cells, height, cursor).rows(cursor, "cursor")]


def test_the_fallen_share_a_line_with_the_last_blow_and_a_status_that_is_not_final() -> None:
    struck = fallen(3, last=(ShownWord("−41", "danger"),))
    down = fallen(6, "Orc", ShownWord("unconscious", "danger"))
    assert lines_of_fallen([struck, down], 80, 1) == [" ── fallen ── 3 Guard 3 −41  6 Orc 6 unconscious  "]
    assert rows_wanted([of_side("Okado"), struck, down]) == 2


def test_too_many_fallen_for_their_lines_are_counted_and_the_cursor_is_always_among_those_shown() -> None:
    rows = [fallen(tag) for tag in range(1, 41)]
    for cursor in range(40):
        shown = lines_of_fallen(rows, 60, 2, cursor)
        assert len(shown) == 2
        assert f" {cursor + 1} Guard {cursor + 1}" in "".join(shown)
        assert shown[-1].endswith(" more")
        assert all(len(line) <= 60 for line in shown)
        assert sum(line.startswith("▌") for line in shown) == 1


@given(st.integers(1, 60), st.integers(50, 120), st.integers(1, 6), st.integers(0, 59))
def test_no_line_of_the_fallen_is_too_wide_and_none_is_lost_without_a_sign(count, cells, height, at) -> None:
    rows = [fallen(tag) for tag in range(1, count + 1)]
    cursor = min(at, count - 1)
    shown = lines_of_fallen(rows, cells, height, cursor)
    assert len(shown) <= height
    assert all(len(line) <= cells for line in shown)
    text = "  ".join(shown) + "  "
    missing = [tag for tag in range(1, count + 1) if f" {tag} Guard {tag} " not in text]
    assert cursor + 1 not in missing
    assert (f"… {len(missing)} more" in text) == bool(missing)


def test_the_last_change_has_its_place_before_the_conditions() -> None:
    hit = evolve(of_side("Okado", ShownWord("prone")), last=(ShownWord("−41", "danger"),))
    lines = painted(hit, of_side("Guard", ShownWord("prone")))
    assert "−41   prone" in lines[0]
    assert lines[0].index("prone") == lines[1].index("prone")
    assert "−41" in painted(hit, cells=44)[0]


def test_a_condition_without_room_for_its_rounds_shows_no_half_a_number() -> None:
    words = (ShownWord("poisoned 10r", weight="condition"), ShownWord("bloodied", weight="turn"))
    shown = {room: text_of(words_within(words, room)) for room in range(10, 23)}
    assert [shown[10], shown[13], shown[14], shown[22]] == [
        "poisoned …",
        "poisoned …",
        "poisoned 10r …",
        "poisoned 10r  bloodied",
    ]


def test_a_figure_of_one_row_alone_takes_no_column_from_the_conditions() -> None:
    arrows = ShownWord("arrows 11/12", weight="lasting", column="arrows")
    rows = [of_side("Okado", arrows), of_side("Guard", ShownWord("concentrating", weight="condition"))]
    narrow = painted(*rows, cells=64)
    assert narrow[0].index("arrows") == narrow[1].index("concentrating")
    wide = painted(*rows, cells=100)
    assert wide[0].index("arrows") < wide[1].index("concentrating")


def test_a_bar_gets_shorter_before_a_column_of_the_game_is_left_out() -> None:
    def row(name: str, ac: int) -> OrderRow:
        word = ShownWord(f"AC {ac}", weight="turn", column="AC")
        return OrderRow("11", name, "foes", levels=(Level(14, 140),), words=(word,), initiative=16)

    widths = measured([row("Swarm of Rats 11", 10), row("Cave drake with a name", 17)], 1)
    painters = {cells: OrderPainter(LIFE, widths, cells, PLAIN) for cells in (60, 74, 80)}
    assert {cells for cells, painter in painters.items() if "AC" in painter.figures} == {74, 80}
    assert painters[74].middle < painters[80].middle


def test_a_column_that_all_rows_have_comes_before_one_of_a_few_rows() -> None:
    def row(name: str, ac: int, danger: str = "") -> OrderRow:
        words = (ShownWord(f"AC {ac}", weight="lasting", column="AC"),)
        words = (ShownWord(danger, column="danger"), *words) if danger else words
        return OrderRow("11", name, "foes", levels=(Level(14, 140),), words=words, initiative=16)

    rows = [row("Swarm of Rats 11", 10, "†31%"), row("Cave drake with a name", 17), row("Guard", 13, "†25%")]
    painter = OrderPainter(LIFE, measured(rows, 1), 78, PLAIN)
    assert list(painter.figures) == ["AC"]
    assert "†31%" in text_of(painter.row(rows[0]))
