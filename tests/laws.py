"""Set the number of examples per law: few by default, many if HYPOTHESIS_PROFILE is `thorough`."""

import os
from collections.abc import Callable
from typing import Any

from hypothesis import seed, settings

THOROUGH = os.environ.get("HYPOTHESIS_PROFILE") == "thorough"


def examples(number: int) -> settings:
    """Try a law on this many examples, or on twenty times as many in a thorough run."""
    return settings(max_examples=number * 20 if THOROUGH else number)


def shared_examples(number: int) -> Callable[[Any], Any]:
    """Try a law on this many examples, the same ones for every law with these strategies.

    Laws can then share what they play. A thorough run tries new examples for each law.
    """

    def law_with_them(law: Any) -> Any:
        limited = examples(number)(law)
        return limited if THOROUGH else seed(1)(limited)

    return law_with_them
