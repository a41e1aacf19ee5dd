"""The pictures of a package, or of what was made of it, for recognisers; and what was painted on them, looked at."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from PIL import Image

from anonify.documents.format import StructureCheck
from anonify.documents.image.pictures import ImagePictures, open_pictures
from anonify.documents.image.structure import check_structure
from anonify.documents.model import Box, Pages
from anonify.documents.pictures import Explained, Part
from anonify.documents.plan import RedactionPlan
from anonify.errors import Code, FatalError
from anonify.sandbox.source import BytesSource, Source

from .family import open_package
from .media import kind_of, part_of, stored, thumbnails
from .package import MAX_PART, Package
from .painting import painting_of
from .pictures import BLANK_EMF, BLANK_PNG
from .zip import Entry

__all__ = ["CHECK", "check_pictures", "open_package_pictures"]

CHECK = "painted-pictures"
"""Name of the structure check."""

_BLANK = frozenset((BLANK_PNG, BLANK_EMF, b""))


class PackagePictures:
    """The pages of a package's model that are pictures; the last one stays decoded.

    Args:
        package: the file, or what was made of it.
        model: the file's pages.
        original: the file itself.
    """

    def __init__(self, package: Package, model: Pages, original: Package) -> None:
        self._package = package
        self._model = model
        self._places = _Places(original, package)
        self._open = ExitStack()
        self._part = ""
        self._pictures: ImagePictures | None = None

    def close(self) -> None:
        """Let go of the picture that is open."""
        self._pictures = None
        self._part = ""
        self._open.close()

    def scale_of(self, dpi: float) -> float:  # noqa: ARG002  # the unit is the pixel, whatever was scanned at
        """1.0: a page unit is a pixel."""
        return 1.0

    def picture(self, page: int, scale: float, box: Box | None = None) -> Image.Image:
        """The picture or the part under `box`, in mode L or RGB; white where it was taken out of the file.

        Raises:
            FatalError: `malformed` or `too-complex`.
        """
        part, frame = self._address(page)
        if part != self._part:
            self.close()
            data = self._places.read(part)
            kind = kind_of(data)
            if data not in _BLANK:
                if kind is None:
                    raise FatalError(Code.MALFORMED)
                self._pictures = self._open.enter_context(open_pictures(BytesSource(stored(data)), kind=kind))
            self._part = part
        if self._pictures is None:
            return Image.new("L", (64, 64), 255)
        return self._pictures.picture(frame, scale, box)

    def bare(self, page: int, scale: float, box: Box) -> None:
        """None: nothing is drawn across a picture's pixels."""

    def parts(self, page: int) -> tuple[Part, ...]:  # noqa: ARG002  # the protocol's
        """None: the whole page is read."""
        return ()

    def explained(self, page: int) -> Explained:
        """All of such a page is a picture; the others are text."""
        return Explained(pictures=bool(self._model.page(page).picture))

    def _address(self, page: int) -> tuple[str, int]:
        if not 1 <= page <= len(self._model):
            raise FatalError(Code.MALFORMED)
        address = self._model.page(page).picture
        if not address:
            raise FatalError(Code.MALFORMED)
        return part_of(address)


@contextmanager
def open_package_pictures(
    source: Source, model: Pages | None = None, original: Source | None = None
) -> Iterator[PackagePictures]:
    """Open `source` to take its pictures; see :class:`anonify.documents.pictures.Opener`.

    Raises:
        FatalError: `encrypted`, `malformed` or `too-complex`; `internal-state` without a model.
    """
    if model is None:
        raise FatalError(Code.INTERNAL_STATE)
    package = open_package(source)
    pictures = PackagePictures(package, model, package if original is None else open_package(original))
    try:
        yield pictures
    finally:
        pictures.close()


class _Places:
    """Where a package's pictures stand in what was made of it: under their names, or, where those held a value, under
    new ones in the same order."""

    def __init__(self, before: Package, after: Package) -> None:
        self._before = before
        self._after = after
        self._new: dict[str, Entry] | None = None

    def read(self, part: str) -> bytes:
        """The bytes of what was `part`.

        Raises:
            FatalError: `malformed` when it cannot be found.
        """
        entry = self._after.archive.get(part)
        if entry is None:
            entry = self._renamed().get(part.casefold())
        if entry is None:
            raise FatalError(Code.MALFORMED)
        return self._after.archive.read(entry, MAX_PART)

    def _renamed(self) -> dict[str, Entry]:
        if self._new is None:
            gone = thumbnails(self._before)
            lost = [entry for entry in _missing(self._before, self._after) if _name(entry) not in gone]
            added = _missing(self._after, self._before)
            if len(lost) != len(added):
                raise FatalError(Code.MALFORMED)
            self._new = {_name(old): new for old, new in zip(lost, added, strict=True)}
        return self._new


def _name(entry: Entry) -> str:
    return entry.name.lstrip("/").casefold()


def _missing(package: Package, other: Package) -> list[Entry]:
    """The pictures of `package` whose names `other` does not know, in order."""
    return [
        entry
        for entry in package.archive.entries
        if not entry.is_folder
        and entry.name not in other.archive
        and kind_of(package.archive.head(entry, 1 << 16)) is not None
    ]


def check_pictures(source: Source, artifact: Source, plan: RedactionPlan) -> Iterator[StructureCheck]:
    """Whether every picture that was painted on keeps its size and what stands beside the areas, which show nothing.

    Raises:
        FatalError: the artifact does not open.
    """
    if not plan.pictures:
        return
    before = open_package(source)
    _, painting = painting_of(before, plan)
    places = _Places(before, open_package(artifact))
    good = True
    for part, painted in painting.plans.items():
        entry = before.archive.get(part)
        data = places.read(part)
        if entry is None or data in _BLANK:  # nothing of it is left
            continue
        old = before.archive.read(entry, MAX_PART)
        kind = kind_of(old)
        checks = check_structure(BytesSource(stored(old)), BytesSource(data), painted, kind) if kind else iter(())
        good = good and kind == kind_of(data) and all(check.passed for check in checks)
    yield StructureCheck(CHECK, good)
