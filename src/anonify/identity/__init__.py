"""Identity without accounts: sessions, rate limits, daily quotas, signed links.

A document id authorises nothing.  Who is asking is a salted hash of a random session id; how often and how much, of a
coarsened network address.  Nothing here stores an address or a session id.
"""

from . import limits, quotas
from .limits import BUCKETS, UNITS, RateLimited
from .links import LINK_SECONDS, Link, LinkExpired, LinkRefused, check_link, sign_link
from .network import client_address, client_is_https, coarsen, trusted_networks
from .sessions import COOKIE, SESSION_SECONDS, Identity, identify, new_session, valid_session

__all__ = [
    "BUCKETS",
    "COOKIE",
    "LINK_SECONDS",
    "SESSION_SECONDS",
    "UNITS",
    "Identity",
    "Link",
    "LinkExpired",
    "LinkRefused",
    "RateLimited",
    "check_link",
    "client_address",
    "client_is_https",
    "coarsen",
    "identify",
    "limits",
    "new_session",
    "quotas",
    "sign_link",
    "trusted_networks",
    "valid_session",
]
