"""Opening a picture: measured first, decoded frame by frame, each upright."""

from __future__ import annotations

import io
import struct
import warnings
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from PIL import (
    BmpImagePlugin,
    GifImagePlugin,
    Image,
    ImageFile,
    JpegImagePlugin,
    PngImagePlugin,
    TiffImagePlugin,
    WebPImagePlugin,
)

from anonify.errors import Code, FatalError
from anonify.sandbox.source import Source, SourceFile

from .frame import Frame, cleared, plain
from .headers import Patched, dimensions, orientation_of, png_shape
from .kept import tiff_texts
from .layout.png import inflated_size
from .limits import HEAVIEST, check_frame, check_total, weight_of
from .stored import cut, main_pages, swapped

__all__ = ["Picture", "open_picture"]

_BLOCK: Final = 1 << 18

_LARGE: Final = 64 << 20
"""Bytes of a decoded frame above which the decoder is closed after it, so that its copy is not held beside ours."""

_DECODERS: Final[dict[str, type[ImageFile.ImageFile]]] = {
    "png": PngImagePlugin.PngImageFile,
    "jpeg": JpegImagePlugin.JpegImageFile,
    "webp": WebPImagePlugin.WebPImageFile,
    "tiff": TiffImagePlugin.TiffImageFile,
    "gif": GifImagePlugin.GifImageFile,
    "bmp": BmpImagePlugin.BmpImageFile,
}

_FAULTS: Final = (
    *(OSError, SyntaxError, ValueError, EOFError, LookupError, TypeError, OverflowError, ArithmeticError),
    *(AttributeError, RuntimeError, AssertionError, struct.error, zlib.error),
)
"""What decoders raise on damaged bytes."""


@contextmanager
def _decoding() -> Iterator[None]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    except (MemoryError, RecursionError):
        raise FatalError(Code.TOO_COMPLEX) from None
    except _FAULTS:
        raise FatalError(Code.MALFORMED) from None


@contextmanager
def open_picture(source: Source, kind: str, *, strict: bool = False) -> Iterator[Picture]:
    """Open `source` as `kind`.

    Args:
        strict: refuse a PNG whose data ends before its last row, which decoders show as black.

    Raises:
        FatalError: `malformed` or `too-complex`.
    """
    before = Image.MAX_IMAGE_PIXELS
    Image.MAX_IMAGE_PIXELS = None  # :data:`limits.MEMORY` is the one limit, and knows modes
    picture = None
    try:
        picture = Picture(source, kind, strict=strict)
        yield picture
    except MemoryError:
        raise FatalError(Code.TOO_COMPLEX) from None
    finally:
        Image.MAX_IMAGE_PIXELS = before
        if picture is not None:
            picture.close()


class Picture:
    """An open picture file.

    Attributes:
        kind: the format's name.
        pages: frames or pages that are shown.
        animated: frames follow one another in time in one place.
        loop: how often an animation repeats (0: for ever), or None when it does not say.
        default_image: an APNG's first page is no part of its animation.
        info: what the decoder said of the file as a whole.
        size: width and height of the first page or of an animation's canvas, before it is turned upright.
    """

    def __init__(self, source: Source, kind: str, *, strict: bool = False) -> None:
        self.kind = kind
        self._source = source
        self._file: Any = None
        self._shape = png_shape(source) if kind == "png" else None
        if kind != "tiff":
            width, height = dimensions(source, kind)
            check_frame(width, height, HEAVIEST if kind in ("webp", "heic") else 2)
        if strict and self._shape is not None:
            self._check_complete(self._shape.data_size)
        file = self._opened()
        with _decoding():
            count = int(getattr(file, "n_frames", 1)) if kind in ("png", "webp", "tiff", "gif") else 1
            if kind == "heic":
                self._numbers = [int(file.tell())]
            else:
                self._numbers = main_pages(source, count) if kind == "tiff" else list(range(count))
            self.info: dict[Any, Any] = dict(file.info)
            self.progressive = bool(self.info.get("progressive"))
            self.quantization: dict[int, list[int]] = getattr(file, "quantization", {})
            self.sampling = JpegImagePlugin.get_sampling(file) if kind == "jpeg" else -1
        self.size: tuple[int, int] = file.size
        self.pages = len(self._numbers)
        self.animated = kind in ("gif", "png", "webp") and self.pages > 1
        self.loop: int | None = self.info.get("loop")
        self.default_image = bool(self.info.get("default_image")) and self.animated
        # Frames of an animation are put together, compared and cut besides.
        weight = HEAVIEST if self.animated else weight_of(file.mode) // 2
        check_total(self.pages, self.pages * file.size[0] * file.size[1] * weight)

    def close(self) -> None:
        """Let go of the decoder."""
        if self._file is not None:
            self._file.close()
        self._file = None

    def _check_complete(self, wanted: int) -> None:
        try:
            complete = inflated_size(self._source, wanted) >= wanted
        except ValueError:
            complete = False
        if not complete:
            raise FatalError(Code.MALFORMED)

    def _opened(self, source: Source | None = None) -> Any:
        if source is None and self._file is not None:
            return self._file
        stream = io.BufferedReader(SourceFile(source or self._source), _BLOCK)
        with _decoding():
            if self.kind == "heic":
                from .heic import opened

                file: Any = opened(stream)
            else:
                file = _DECODERS[self.kind](stream)
        if source is None:
            self._file = file
        return file

    def frame(self, number: int) -> Frame:
        """Page `number`, from 1, decoded, upright, in an image of its own.

        Raises:
            FatalError: `malformed` or `too-complex`.
        """
        if not 1 <= number <= self.pages:
            raise FatalError(Code.MALFORMED)
        file = self._opened()
        if self._numbers[number - 1] < file.tell():
            self.close()  # a fresh decoder rather than one that has to find its way back
            file = self._opened()
        with _decoding():
            file.seek(self._numbers[number - 1])
        width, height = file.size
        check_frame(width, height, self._weight(file))
        with _decoding():
            if self._shape is not None and self._shape.depth == 16 and not self.animated:
                return self._upright(self._sixteen_png())
            planes = swapped(file) if self.kind == "tiff" else None
            file.load()
            self._note(file)
            if planes is not None:
                frame = self._sixteen_tiff(file, self._numbers[number - 1], planes)
            else:
                copy = file.copy()
                copy.info = {key: file.info[key] for key in ("transparency",) if key in file.info}
                duration = float(file.info.get("duration") or 0) if self.animated else 0.0
                self._release(file)
                if self.kind == "gif" and copy.size != self.size:
                    copy = cut(copy, self.size)
                frame = plain(copy)
                frame.duration = duration
            return self._upright(frame)

    def _note(self, file: Any) -> None:
        """What the decoder says once it has read the pixels: text after them, and a page's own colours."""
        if self.kind == "tiff":
            self.info = {**file.info, "tiff texts": tiff_texts(file.tag_v2)}
        else:
            self.info = {**file.info, **self.info}

    def _release(self, file: Any) -> None:
        if file.size[0] * file.size[1] * weight_of(file.mode) // 2 > _LARGE:
            self.close()

    def _weight(self, file: Any) -> float:
        if self.animated or (self._shape is not None and self._shape.depth == 16):
            return HEAVIEST
        if self.kind == "tiff" and swapped(file) is not None:
            return HEAVIEST
        weight = float(weight_of(file.mode))
        if self.progressive and self.kind == "jpeg":
            # The decoder keeps two bytes a coefficient of the whole picture.
            parts = [across * down for _, across, down, _ in file.layer]
            weight = max(weight, weight / 2 + 2 * sum(parts) / max(parts))
        return weight

    @property
    def turn(self) -> int:
        """EXIF orientation, 1 to 8, for kinds whose decoder does not turn pictures itself."""
        return orientation_of(self.info.get("exif")) if self.kind in ("jpeg", "png", "webp") else 1

    def _upright(self, frame: Frame) -> Frame:
        method = _TURNS.get(self.turn)
        if method is not None:
            frame.image = frame.image.transpose(method)
            frame.low = frame.low.transpose(method) if frame.low is not None else None
        return frame

    def _sixteen_png(self) -> Frame:
        """Both bytes of every sample: grey as pairs of channels, colours decoded once for each byte."""
        shape = self._shape
        assert shape is not None
        if shape.colour in (0, 4):
            patched = Patched(self._source, shape.as_bytes())
            file = self._opened(patched)
            file.load()
            channels = file.split()
            file.close()
            if shape.colour == 0:
                return Frame(channels[0], channels[1])
            high, low = Image.merge("LA", channels[0::2]), Image.merge("LA", channels[1::2])
        else:
            made = []
            for ending in ("B", "L"):
                file = self._opened(self._source)
                file.tile = [tile._replace(args=str(tile.args)[:-1] + ending) for tile in file.tile]
                file.load()
                made.append(file.copy())
                file.close()
            high, low = made
        for plane in (high, low):
            plane.info = {}
        return cleared(Frame(high, low))

    def _sixteen_tiff(self, file: Any, number: int, raw: str) -> Frame:
        high = file.copy()
        again = self._opened(self._source)
        again.seek(number)
        again.tile = [tile._replace(args=(raw, *tile.args[1:])) for tile in again.tile]
        again.load()
        low = again.copy()
        again.close()
        self.close()  # what it has loaded it will not unpack again
        for plane in (high, low):
            plane.info = {}
        return cleared(Frame(high, low))


_TURNS: Final = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
"""How a picture is turned upright, by EXIF orientation."""
