"""Set the number of examples per law: few by default, many if HYPOTHESIS_PROFILE is `thorough`."""

import os

from hypothesis import settings

THOROUGH = os.environ.get("HYPOTHESIS_PROFILE") == "thorough"


def examples(number: int) -> settings:
    """Try a law on this many examples, or on twenty times as many in a thorough run."""
    return settings(max_examples=number * 20 if THOROUGH else number)
