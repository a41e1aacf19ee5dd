"""Whose network is asking.  Forwarded headers count only when the peer is a configured proxy."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final

__all__ = ["UNKNOWN", "client_address", "client_is_https", "coarsen", "trusted_networks"]

Networks = tuple[IPv4Network | IPv6Network, ...]

UNKNOWN: Final = "unknown"
"""Stands for a peer without an IP address (a Unix socket, a test client): all of them share one bucket."""


def trusted_networks(setting: str) -> Networks:
    """The networks of `ANONIFY_TRUSTED_PROXIES`: comma separated addresses or CIDR blocks.

    Raises:
        ValueError: an entry is neither.
    """
    return tuple(ip_network(part.strip(), strict=False) for part in setting.split(",") if part.strip())


def _parse(text: str) -> IPv4Address | IPv6Address | None:
    text = text.strip().strip('"')
    if text.startswith("["):  # [v6]:port
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:  # v4:port
        text = text.partition(":")[0]
    try:
        address = ip_address(text)
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address


def _values(headers: Mapping[str, str], name: str) -> list[str]:
    """The elements of a list header, in order.

    A proxy may add a line of its own below one that the client sent, and lines of one name are one list (RFC 9110
    §5.3): reading the first line only would believe the client.
    """
    lines: Callable[[str], list[str]] | None = getattr(headers, "getlist", None)
    text = ",".join(lines(name)) if lines is not None else headers.get(name, "")
    return text.split(",")


def _trusted(address: IPv4Address | IPv6Address | None, trusted: Networks) -> bool:
    return address is not None and any(address in network for network in trusted)


def client_address(peer: str | None, headers: Mapping[str, str], trusted: Networks) -> str:
    """The address the request came from.

    `X-Forwarded-For` is read from the right, past trusted proxies, and only when the peer itself is one: a header
    anybody can write never names somebody else.

    Args:
        peer: the transport's peer address.
        headers: request headers, case-insensitive; every line of a name counts where they offer `getlist`.
    """
    address = _parse(peer or "")
    if not _trusted(address, trusted):
        return str(address) if address else UNKNOWN
    for hop in reversed(_values(headers, "x-forwarded-for")):
        hopped = _parse(hop)
        if hopped is None:
            break
        address = hopped
        if not _trusted(hopped, trusted):
            break
    return str(address)


def client_is_https(peer: str | None, scheme: str, headers: Mapping[str, str], trusted: Networks) -> bool:
    """Whether the browser speaks HTTPS, to us or to a trusted proxy in front of us."""
    if scheme == "https":
        return True
    forwarded = _values(headers, "x-forwarded-proto")[-1].strip().lower()
    return forwarded == "https" and _trusted(_parse(peer or ""), trusted)


def coarsen(address: str) -> str:
    """The /24 (IPv4) or /48 (IPv6) network of an address, or :data:`UNKNOWN`."""
    parsed = _parse(address)
    if parsed is None:
        return UNKNOWN
    return str(ip_network((parsed, 24 if parsed.version == 4 else 48), strict=False))
