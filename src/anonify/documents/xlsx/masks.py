"""Digit masks: a number cut up over the placeholders of a format's section (ECMA-376 part 1, 18.8.31)."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from typing import NamedTuple

__all__ = ["Token", "general", "masked"]


class Token(NamedTuple):
    """A piece of a section: `kind` is `lit`, `digit`, `point`, `comma`, `percent`, `slash`, `exp`, `date`, `elapsed`,
    `ampm`, `text` or `general`."""

    kind: str
    text: str


def general(raw: str) -> str:
    """A stored number as the format `General` shows it, in full."""
    if raw.isdigit():
        return raw
    try:
        number = float(raw)
    except ValueError:
        return raw
    if number == int(number) if abs(number) < 1e15 else False:
        return str(int(number))
    return f"{number:.15g}".upper()


def masked(tokens: tuple[Token, ...], value: Decimal, raw: str) -> str:
    """What the placeholders of a section show of a number without its sign."""
    kinds = [token.kind for token in tokens]
    if "general" in kinds:
        shown = general(raw.lstrip("-"))
        return "".join(shown if token.kind == "general" else token.text for token in tokens)
    if "digit" not in kinds:
        return "".join(token.text for token in tokens if token.kind in ("lit", "percent", "slash"))
    value *= Decimal(100) ** kinds.count("percent")
    if "exp" in kinds:
        return _scientific(tokens, value)
    if "slash" in kinds:
        return _fraction(tokens, value)
    return _fixed(tokens, value)


def _fixed(tokens: tuple[Token, ...], value: Decimal) -> str:
    point = next((place for place, token in enumerate(tokens) if token.kind == "point"), len(tokens))
    whole = [place for place, token in enumerate(tokens[:point]) if token.kind == "digit"]
    part = [place for place in range(point, len(tokens)) if tokens[place].kind == "digit"]
    last = (whole or [-1])[-1]
    commas = [place for place, token in enumerate(tokens) if token.kind == "comma"]
    scaled = [place for place in commas if place > last and place < (part or [len(tokens)])[0] and whole]
    scaled += [place for place in commas if part and place > part[-1]]
    grouped = any(whole and whole[0] < place < last for place in commas)
    value /= Decimal(1000) ** len(scaled)
    rounded = value.quantize(Decimal(1).scaleb(-len(part)), rounding=ROUND_HALF_UP)
    integer, _, fraction = f"{rounded:f}".partition(".")
    integer = integer.lstrip("0")
    out: dict[int, str] = {}
    _fill_whole(tokens, whole, integer, out, grouped=grouped)
    dropped = len(fraction.rstrip("0"))
    for number, place in enumerate(part):
        mask = tokens[place].text
        digit = fraction[number]
        out[place] = digit if mask == "0" or number < dropped else " " if mask == "?" else ""
    if not whole and integer:
        out[point] = integer + "."
    return "".join(out.get(place, "" if token.kind == "comma" else token.text) for place, token in enumerate(tokens))


def _fill_whole(
    tokens: tuple[Token, ...], places: list[int], integer: str, out: dict[int, str], *, grouped: bool
) -> None:
    """Give every digit placeholder, from the right, its digit; the first takes what is left."""
    left = integer
    count = 0
    for number, place in enumerate(reversed(places)):
        first = number == len(places) - 1
        taken, left = (left, "") if first else (left[-1:], left[:-1])
        if not taken:
            mask = tokens[place].text
            taken = "0" if mask == "0" else " " if mask == "?" else ""
        if grouped:
            pieces = []
            for digit in reversed(taken):
                if count and count % 3 == 0 and digit.isdigit():
                    pieces.append(",")
                pieces.append(digit)
                count += 1
            taken = "".join(reversed(pieces))
        out[place] = taken


def _scientific(tokens: tuple[Token, ...], value: Decimal) -> str:
    at = next(place for place, token in enumerate(tokens) if token.kind == "exp")
    mantissa, exponent = tokens[:at], tokens[at + 1 :]
    point = next((place for place, token in enumerate(mantissa) if token.kind == "point"), len(mantissa))
    whole = max(1, sum(token.kind == "digit" for token in mantissa[:point]))
    power = 0 if value == 0 else value.adjusted()
    power -= power % whole if whole > 1 else 0
    shown = _fixed(mantissa, value.scaleb(-power))
    if whole == 1 and shown.startswith("10"):  # rounded up
        power += 1
        shown = _fixed(mantissa, value.scaleb(-power))
    width = sum(token.kind == "digit" for token in exponent)
    sign = "-" if power < 0 else "+" if "+" in tokens[at].text else ""
    rest = "".join(token.text for token in exponent if token.kind != "digit")
    return f"{shown}E{sign}{abs(power):0{width}d}{rest}"


def _fraction(tokens: tuple[Token, ...], value: Decimal) -> str:
    slash = next(place for place, token in enumerate(tokens) if token.kind == "slash")
    below = "".join(token.text for token in tokens[slash + 1 :] if token.kind in ("digit", "lit")).strip()
    before = [token for token in tokens[:slash] if token.kind == "digit"]
    mixed = any(token.kind == "lit" and token.text == " " for token in tokens[:slash]) and len(before) > 1
    whole = int(value) if mixed else 0
    rest = Fraction(value) - whole
    if below.isdigit() and below.strip("0"):
        denominator = int(below)
        part = Fraction(round(rest * denominator), denominator)
        upper, lower = round(rest * denominator), denominator
    else:
        part = rest.limit_denominator(10 ** max(1, len(below)) - 1)
        upper, lower = part.numerator, part.denominator
    if part == 1 and mixed:
        whole, upper = whole + 1, 0
    if not upper and mixed:
        return str(whole)
    return (f"{whole} " if whole else "") + f"{upper}/{lower}"
