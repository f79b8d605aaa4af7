"""The address under which players reach this machine."""

import ipaddress
import re
import socket

_ADDRESS = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:-]{0,252}")
# Addresses for documents, which belong to nobody. Connecting a UDP socket sends nothing.
_ANYWHERE = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))


def is_address(text: str) -> bool:
    """Return whether a text can be a host's name or address."""
    return _ADDRESS.fullmatch(text) is not None


def default_address() -> str:
    """Return the address of the default route, or "" without a network. Sends nothing."""
    for family, anywhere in _ANYWHERE:
        try:
            with socket.socket(family, socket.SOCK_DGRAM) as end:
                end.connect((anywhere, 9))
                return str(end.getsockname()[0])
        except OSError:
            continue
    return ""


def is_private(address: str) -> bool:
    """Return whether an address is reachable only from its own network. A name is taken as public."""
    try:
        return not ipaddress.ip_address(address.partition("%")[0]).is_global
    except ValueError:
        return address == "localhost" or address.endswith(".local")


def is_every_address(listen: str) -> bool:
    """Return whether this address means all addresses of the machine."""
    return listen in ("", "0.0.0.0", "::")
