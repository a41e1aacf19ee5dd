"""Plain tables, so that a figure can be read, pasted and compared."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["show"]


def show(title: str, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print one table with its title."""
    cells = [[str(cell) for cell in row] for row in rows]
    widths = [max(len(row[i]) for row in [list(columns), *cells]) for i in range(len(columns))]
    print(f"\n{title}")
    print("  ".join(name.ljust(width) for name, width in zip(columns, widths, strict=True)))
    print("  ".join("-" * width for width in widths))
    for row in cells:
        print("  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)), flush=True)
