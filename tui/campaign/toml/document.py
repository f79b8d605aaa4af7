"""Whole files as this program writes them: sheets, openings and whatever else is new."""

from collections.abc import Mapping
from typing import Any

from tui.campaign.toml.text import harmless


def document(data: Mapping[str, Any]) -> bytes:
    """Return a whole file of TOML that holds `data`. Raises TypeError for what TOML cannot hold."""
    import tomli_w

    return harmless(tomli_w.dumps(data)).encode()
