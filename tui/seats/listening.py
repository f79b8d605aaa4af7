"""The socket on which the server listens."""

import errno
import socket


class CannotListen(ValueError):
    """Raised if the server can't listen on the address. The message is one sentence."""


def listening_socket(address: str, port: int) -> socket.socket:
    """Return a socket that listens on an address and port. Raises CannotListen."""
    try:
        found = socket.getaddrinfo(address or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, protocol, _, place = found[0]
        listener = socket.socket(family, kind, protocol)
    except OSError as error:
        raise CannotListen(
            f"{address} cannot be listened on: {(error.strerror or str(error)).lower()}"
        ) from None
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(place)
        listener.listen(64)
        listener.setblocking(False)
    except OSError as error:
        listener.close()
        is_taken = error.errno == errno.EADDRINUSE
        why = "is taken by another program" if is_taken else (error.strerror or "").lower()
        raise CannotListen(f"port {port} on {address} {why}") from None
    return listener
