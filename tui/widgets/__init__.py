"""Pieces of the screens: each takes what it shows from above and knows nothing of its neighbours."""
