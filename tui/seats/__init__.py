"""Players' seats: the SSH server, admission, and the program that each seat runs."""
