"""Between a key and the fight: commands, saving, requests from seats, editing the roster."""
