"""Short lines of `d`, `h` and `c`: targets, then the amount or the condition."""

import pytest

from systems.encounter.short_lines import split_targets


@pytest.mark.parametrize(
    ("text", "split"),
    [
        ("37 + 2", ("3", "7 + 2")),
        ("37 +2", ("3", "7 +2")),
        ("37 5", ("37", "5")),
        ("37+2", ("3", "7+2")),
        ("3prone 2", ("3", "prone 2")),
    ],
)
def test_a_tag_needs_no_space_before_a_sum_or_a_word(text, split):
    assert split_targets(text, True) == split
