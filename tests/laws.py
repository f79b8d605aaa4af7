"""How many examples a law is tried on: few in every run, many when HYPOTHESIS_PROFILE is `thorough`."""

import os

from hypothesis import settings

THOROUGH = os.environ.get("HYPOTHESIS_PROFILE") == "thorough"


def examples(number: int) -> settings:
    """Try a law on that many examples, on twenty times as many in a thorough run."""
    return settings(max_examples=number * 20 if THOROUGH else number)
