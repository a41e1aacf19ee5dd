"""A large page of few colours keeps them: the quantiser's sums overflow on many pixels of one colour."""

from __future__ import annotations

import pikepdf
from PIL import Image

from anonify.documents.pdf.encode import encode_pieces


def test_a_large_page_stays_white() -> None:
    picture = Image.new("RGB", (4400, 4400), (254, 254, 254))
    picture.paste((200, 30, 40), (100, 100, 900, 300))
    with pikepdf.new() as pdf:
        (piece,) = encode_pieces(pdf, picture)
        assert isinstance(piece.image, pikepdf.Stream)
        shown = pikepdf.PdfImage(piece.image).as_pil_image().convert("RGB")

    assert shown.getpixel((3000, 3000)) == (254, 254, 254)
    assert shown.getpixel((500, 200)) == (200, 30, 40)
