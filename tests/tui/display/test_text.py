"""Rows of text: what the cursor does to one."""

from tui.display.text import cut_row, under_cursor, width


def test_the_cursor_leaves_every_word_and_colour_of_its_row():
    row = [(" ", ""), ("Okado", "strong"), (" 18/52", "danger")]
    marked = under_cursor(row, 20)
    assert "".join(text for text, _ in marked) == "▌Okado 18/52        "
    assert ("Okado", "strong cursor") in marked
    assert (" 18/52", "danger cursor") in marked


def test_a_row_under_the_cursor_is_as_wide_as_its_list_also_where_it_was_too_long():
    row = [(" a long name", ""), (" and more", "muted")]
    assert width(under_cursor(row, 8)) == 8
    assert "".join(text for text, _ in under_cursor(row, 8))[1:] == "".join(t for t, _ in cut_row(row, 8))[1:]
