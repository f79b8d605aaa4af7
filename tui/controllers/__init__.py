"""What goes on between a key and the fight."""
