"""Names of files in an archive without the values somebody accepted.

A name that no Unicode flag goes with is in the code page of whoever packed it, and is read here as code page 437: the
same bytes are read in other code pages too before a name is said to hold nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from anonify.documents.matching import Matcher

__all__ = ["Names", "readings"]

_APART: Final = str.maketrans("_-.+/", "     ")
_PAGES: Final = ("utf-8", "cp1252", "cp850", "cp1250", "cp1251", "cp866", "cp932", "gb18030", "big5", "euc_kr")
_STEMS: Final = ("document", "file", "entry", "part", "no")
"""What a file is called instead, the first that is no accepted value itself."""


def readings(name: str) -> Iterator[str]:
    """What a name may say: as it is, with its words apart, and in other code pages."""
    for said in dict.fromkeys((name, *_in_other_pages(name))):
        yield said
        yield said.translate(_APART)


def _in_other_pages(name: str) -> Iterator[str]:
    if name.isascii():
        return
    try:
        raw = name.encode("cp437")
    except UnicodeEncodeError:
        return
    for page in _PAGES:
        try:
            yield raw.decode(page)
        except UnicodeDecodeError:
            continue


class Names:
    """Gives every file of an archive its name, in the archive's order, no two the same.

    Attributes:
        changed: how many names had to change.
    """

    def __init__(self, matcher: Matcher) -> None:
        self._matcher = matcher
        self._folders: dict[str, int] = {}
        self._used: set[str] = set()
        self.changed = 0

    def cleaned(self, name: str, number: int) -> str:
        """`name`, a part that holds a value called by its number; `number` is the file's."""
        path = PurePosixPath(name.lstrip("/"))
        suffix = "" if self._tells(path.suffix) else path.suffix
        plain = self._plain(_STEMS, number, suffix)
        folders = [self._folder(folder) for folder in path.parts[:-1]]
        found = "/".join((*folders, plain if self._tells(path.name) else path.name))
        if self._tells(found) or found in self._used:
            found = "/".join((*folders, plain))
        if self._tells(found) or found in self._used:
            found = plain
        while found in self._used:  # somebody's file is called as this one would be
            plain = "x" + plain
            found = plain
        self._used.add(found)
        self.changed += found != str(path)
        return found

    def _folder(self, folder: str) -> str:
        if not self._tells(folder):
            return folder
        number = self._folders.setdefault(folder, len(self._folders) + 1)
        return self._plain(("folder", *_STEMS), number, "")

    def _plain(self, stems: tuple[str, ...], number: int, suffix: str) -> str:
        plain = (f"{stem}-{number}{suffix}" for stem in stems)
        return next((name for name in plain if not self._tells(name)), f"{number}{suffix}")

    def _tells(self, name: str) -> bool:
        return any(self._matcher.found(said) for said in readings(name))
