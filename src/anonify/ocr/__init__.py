"""Recognisers of text in pictures will join here, pure like `documents`; until then a page says `needs_ocr`."""
