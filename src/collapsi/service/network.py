"""The address of this machine for other machines in the same network."""

from __future__ import annotations

import ipaddress
import socket
from contextlib import suppress

OUTSIDE = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}
"""Addresses for documentation (RFC 5737, RFC 3849): a route to them is the route out of this network."""


def network_address(bound: socket.socket) -> str | None:
    """The URL of the page for other machines; None if they cannot reach the socket, or none is known."""
    host, port = bound.getsockname()[:2]
    address = ipaddress.ip_address(host)
    if address.is_loopback:
        return None
    found = outgoing_address(bound.family) if address.is_unspecified else host
    if found is None:
        return None
    return f"http://[{found}]:{port}/" if ":" in found else f"http://{found}:{port}/"


def outgoing_address(family: int) -> str | None:
    """The address of the interface that leads out of this machine. Nothing is sent to find it."""
    with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.connect((OUTSIDE[socket.AddressFamily(family)], 9))  # of a datagram socket: looks up the route
        return str(probe.getsockname()[0])
    with suppress(OSError):
        for *_, address in socket.getaddrinfo(socket.gethostname(), None, socket.AddressFamily(family)):
            if not ipaddress.ip_address(str(address[0]).partition("%")[0]).is_loopback:
                return str(address[0])
    return None
