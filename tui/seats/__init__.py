"""Players' seats: the SSH server, who may join, and the program that each seat runs."""
