"""Play a fight one line at a time, without painting: for screen readers and for terminals that only print."""
