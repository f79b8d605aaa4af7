"""Pictures of the running program: `python -m screenshots`."""
