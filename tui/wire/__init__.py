"""Messages between the seat, the server and the game master's program: plain data over local sockets."""
