"""What a plan paints on the pictures of a package."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import msgspec

from anonify.documents.image.redact import redact as redact_picture
from anonify.documents.plan import RedactionPlan
from anonify.errors import FatalError
from anonify.sandbox.source import BytesSource, MemorySink

from .media import kind_of, part_of, stored
from .package import Package
from .pictures import BLANK_PNG
from .zip import Entry

__all__ = ["NOTHING", "Painting", "painting_of"]


@dataclass(frozen=True, slots=True)
class Painting:
    """What is painted on which part.

    Attributes:
        plans: by part, case folded: what is painted on it, its pages numbered as its frames.
        read: parts, case folded, whose words somebody has read.
        pages: numbers of the pages that are painted on.
        count: edits and regions.
    """

    plans: Mapping[str, RedactionPlan] = field(default_factory=dict)
    read: frozenset[str] = frozenset()
    pages: tuple[int, ...] = ()
    count: int = 0

    def paint(self, name: str, data: bytes) -> bytes | None:
        """The picture `name` painted, in its own format and size; None when nothing is painted on it.

        One that cannot be painted becomes a blank one.
        """
        plan = self.plans.get(name.casefold())
        if plan is None:
            return None
        kind = kind_of(data)
        sink = MemorySink()
        try:
            if kind is None:
                return BLANK_PNG
            redact_picture(BytesSource(stored(data)), sink, plan, kind)
        except FatalError:
            return BLANK_PNG
        return sink.getvalue()


NOTHING = Painting()
"""No picture is painted on, none was read."""


def painting_of(package: Package, plan: RedactionPlan) -> tuple[RedactionPlan, Painting]:
    """The plan without its edits of pictures, and those, for every part that holds such a picture.

    Raises:
        FatalError: `internal-state` when the plan names a picture by no address.
    """
    places = {item.page: part_of(item.address) for item in plan.pictures}
    if not places:
        return plan, NOTHING
    own: dict[str, set[int]] = defaultdict(set)
    touched = {edit.page for edit in plan.edits} | {region.page for region in plan.regions}
    for page, (part, _) in places.items():
        if page in touched:
            own[part.casefold()].add(page)
    plans: dict[str, RedactionPlan] = {}
    for part, pages in own.items():
        painted = _numbered(plan, {page: places[page][1] for page in pages})
        plans |= dict.fromkeys(_alike(package, part), painted)
    read = {places[item.page][0].casefold() for item in plan.pictures if item.read}
    rest = msgspec.structs.replace(
        plan,
        edits=tuple(edit for edit in plan.edits if edit.page not in places),
        regions=tuple(region for region in plan.regions if region.page not in places),
        pictures=(),
    )
    count = len(plan.edits) + len(plan.regions) - len(rest.edits) - len(rest.regions)
    twins = frozenset(name for part in read for name in _alike(package, part))
    return rest, Painting(plans, twins, tuple(sorted(touched & set(places))), count)


def _numbered(plan: RedactionPlan, frames: Mapping[int, int]) -> RedactionPlan:
    """What `plan` says of some pages, by the frames that they are."""
    replace = msgspec.structs.replace
    return replace(
        plan,
        edits=tuple(replace(edit, page=frames[edit.page]) for edit in plan.edits if edit.page in frames),
        regions=tuple(replace(region, page=frames[region.page]) for region in plan.regions if region.page in frames),
        cells=(),
        pictures=(),
    )


def _alike(package: Package, part: str) -> Iterator[str]:
    """Names, case folded, of the parts that hold the same bytes as `part`, itself among them."""
    entry = package.archive.get(part)
    if entry is None:
        return
    others = [one for one in package.archive.entries if (one.crc, one.size) == (entry.crc, entry.size)]
    wanted = _digest(package, entry) if len(others) > 1 else b""
    for other in others:
        if other is entry or _digest(package, other) == wanted:
            yield other.name.lstrip("/").casefold()


def _digest(package: Package, entry: Entry) -> bytes:
    digest = hashlib.sha256()
    for chunk in package.archive.stream(entry):
        digest.update(chunk)
    return digest.digest()
