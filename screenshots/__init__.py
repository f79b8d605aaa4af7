"""Take pictures of the running program: `python -m screenshots`."""
