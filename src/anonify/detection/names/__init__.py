"""The embedded names model: people in running text, tables, signatures, without a key and without a network."""

from .people import Name, names_in
from .runtime import Network, network
from .tagger import Tagged, tag
from .words import Reader, Word

__all__ = ["Name", "Network", "Reader", "Tagged", "Word", "names_in", "network", "tag"]
