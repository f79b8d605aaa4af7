"""Play a fight one line at a time, for screen readers and for terminals that only print."""
