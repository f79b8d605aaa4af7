"""Write whole files: sheets, openings and other new files."""

from collections.abc import Mapping
from typing import Any

import tomli_w

from tui.campaign.toml.text import harmless


def document(data: Mapping[str, Any]) -> bytes:
    """Return a whole TOML file that holds `data`. Raises TypeError for values that TOML cannot hold."""
    return harmless(tomli_w.dumps(data)).encode()
