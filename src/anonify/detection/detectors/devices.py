"""Things that point at a person: network addresses, device and vehicle numbers, places on the map."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator
from typing import Final

from stdnum import imei, luhn

from .base import Candidate, Detector, Finding, beside, merged, near, standalone

__all__ = ["DETECTORS"]

_IPV4: Final = r"(?:[0-9]{1,3}\.){3}[0-9]{1,3}"
_IPV6: Final = r"(?i)(?:[0-9a-f]{1,4}:){2,7}(?::?[0-9a-f]{1,4}){1,6}|::(?:[0-9a-f]{1,4}:?){1,6}"
_MAC: Final = r"(?i)(?:[0-9a-f]{2}[:\-]){5}[0-9a-f]{2}|(?:[0-9a-f]{4}\.){2}[0-9a-f]{4}"
_NOT_AN_IP: Final = near(
    r"version|release|v|build|rev|firmware|driver|section|sections|chapter|kapitel|abschnitt|oid|clause|"
    r"versie|versión|versão|wersja|file version|assembly",
    gap=8,
)
_VIN_LABEL: Final = near(
    r"vin|chassis|chassis no|chassis number|vehicle identification number|fahrgestellnummer|fin|"
    r"fahrzeug-identifizierungsnummer|numéro de châssis|bastidor|telaio|chassisnummer|numer vin",
    gap=16,
)
_IMEI: Final = r"[0-9]{15,16}|[0-9]{2}[\- ][0-9]{6}[\- ][0-9]{6}[\- ][0-9]{1,2}|[0-9]{8}-[0-9]{6}-[0-9]{1,2}"
_IMEI_LABEL: Final = near(r"imei|imei no|imei number|device id|geräte-id|iccid|imsi|serial", gap=16)
_PLATE: Final = (
    r"(?i)(?:licen[cs]e plate|number plate|vehicle registration|registration(?: no\.?| number)?|reg\.? no\.?|"
    r"kennzeichen|amtl\. kennzeichen|immatriculation|plaque|matrícula del vehículo|targa|kenteken|matrícula "
    r"do veículo|placa|numer rejestracyjny|nr rejestracyjny)"
)
_GEO: Final = (
    r"[-+]?[0-9]{1,2}\.[0-9]{4,15}°?(?: ?[NS])?[,;/ ]{1,3}[-+]?[0-9]{1,3}\.[0-9]{4,15}°?(?: ?[EWO])?"
    r"|[0-9]{1,2} ?° ?[0-9]{1,2} ?['′’] ?(?:[0-9]{1,2}(?:[.,][0-9]{1,4})? ?(?:[\"″”]|''|′′) ?)?[NS][, ]{0,3}"
    r"[0-9]{1,3} ?° ?[0-9]{1,2} ?['′’] ?(?:[0-9]{1,2}(?:[.,][0-9]{1,4})? ?(?:[\"″”]|''|′′) ?)?[EWO]\b"
)
_GEO_LABEL: Final = near(
    r"coordinates|coords|gps|location|position|lat/lon|latlng|koordinaten|coordonnées|coordenadas|at"
)
_GEO_PART: Final = (
    r"(?i)\b(?:lat(?:itude)?|lon(?:g(?:itude)?)?|lng|breitengrad|längengrad|latitud|"
    r"longitud)[\"']?[ ]?[:=][ ]?[\"']?[-+]?[0-9]{1,3}"
    r"[.,][0-9]{4,15}"
)


def _ip(candidate: Candidate) -> Iterator[Finding]:
    text = candidate.text
    if not standalone(candidate.passage.text, candidate.start, candidate.end, joiners="-_.:"):
        # a port or an interface may follow
        after = candidate.passage.text[candidate.end : candidate.end + 6]
        if not (
            re.match(r":\d{1,5}(?!\d|\.)", after)
            and candidate.start
            and not candidate.passage.text[candidate.start - 1].isalnum()
        ):
            return
    if re.match(r"/\d{1,3}(?!\d)", candidate.passage.text[candidate.end : candidate.end + 5]):
        return  # a network, nobody's address
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return
    if address.is_private and candidate.passage.text[max(0, candidate.start - 1) : candidate.start] in {"@", "/"}:
        return
    if (
        address.is_loopback
        or address.is_unspecified
        or text.startswith("255.")
        or _NOT_AN_IP.search(candidate.before())
    ):
        return
    if isinstance(address, ipaddress.IPv6Address) and (len(text) < 7 or not re.search(r"[a-fA-F]|::|\d{3}", text)):
        return
    yield Finding(candidate.start, candidate.end, 0.6 if address.is_private else 0.8)


def _mac(candidate: Candidate) -> Iterator[Finding]:
    if (
        standalone(candidate.passage.text, candidate.start, candidate.end, joiners="-:._")
        and len(set(candidate.text)) > 3
    ):
        yield Finding(candidate.start, candidate.end, 0.85)


def _vin_ok(vin: str) -> bool:
    """Check digit of 49 CFR 565.15 (position 9)."""
    values = {
        **{str(d): d for d in range(10)},
        **dict(
            zip(
                "ABCDEFGHJKLMNPRSTUVWXYZ",
                [1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 7, 9, 2, 3, 4, 5, 6, 7, 8, 9],
                strict=True,
            )
        ),
    }
    weights = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)
    remainder = sum(values[char] * weight for char, weight in zip(vin, weights, strict=True)) % 11
    return vin[8] == ("X" if remainder == 10 else str(remainder))


def _vin(candidate: Candidate) -> Iterator[Finding]:
    text = candidate.text
    if not standalone(candidate.passage.text, candidate.start, candidate.end) or text.isdigit() or text.isalpha():
        return
    labelled = _VIN_LABEL.search(candidate.before()) is not None
    if labelled or (_vin_ok(text) and sum(char.isdigit() for char in text) >= 5 and not text.startswith("1Z")):
        why = beside(candidate, _VIN_LABEL) or "check-digit"
        yield Finding(candidate.start, candidate.end, 0.9 if labelled else 0.7, reason=why)


def _imei(candidate: Candidate) -> Iterator[Finding]:
    digits = re.sub(r"\D", "", candidate.text)
    label = _IMEI_LABEL.search(candidate.before())
    if label is None or not standalone(candidate.passage.text, candidate.start, candidate.end):
        return
    good = len(digits) == 15 and (luhn.is_valid(digits) or imei.is_valid(digits))
    if good or "imei" in label.group():  # with a software version instead of the check digit, or mistyped
        yield Finding(candidate.start, candidate.end, 0.92 if good else 0.75)


def _plate(candidate: Candidate) -> Iterator[Finding]:
    window = candidate.passage.text[candidate.end : candidate.end + 40]
    match = re.match(
        r"[\s:.#()\-]{1,6}(?P<plate>(?=[A-ZÄÖÜ0-9 \-]*\d)[A-ZÄÖÜ0-9]{1,4}(?:[ \-][A-ZÄÖÜ0-9]{1,4}){0,"
        r"3})(?![A-Za-z0-9])",
        window,
    )
    if (
        match
        and (candidate.start == 0 or not candidate.passage.text[candidate.start - 1].isalnum())
        and re.search(r"[A-Z]", match.group("plate"))
        and 4 <= len(match.group("plate")) <= 11
    ):
        yield Finding(candidate.end + match.start("plate"), candidate.end + match.end("plate"), 0.8, source="label")


def _geo_part(candidate: Candidate) -> Iterator[Finding]:
    number = re.search(r"[-+]?\d+[.,]\d+$", candidate.text)
    if number and abs(float(number.group().replace(",", "."))) <= 180 and candidate.passage.grid is None:
        yield Finding(candidate.start + number.start(), candidate.end, 0.6, source="label")


def _geo(candidate: Candidate) -> Iterator[Finding]:
    if "°" in candidate.text and "." not in candidate.text.split("°")[0]:
        yield Finding(candidate.start, candidate.end, 0.7)
        return
    around = candidate.passage.text
    if re.search(r"\d[,; ]{1,3}$", around[max(0, candidate.start - 4) : candidate.start]) or re.match(
        r"[,; ]{1,3}[-+]?\d+\.\d", around[candidate.end : candidate.end + 10]
    ):
        return  # a row of numbers
    written = re.findall(r"[-+]?\d+\.\d+", candidate.text)
    apart = re.search(r"[,;/]", candidate.text) is not None
    if (not apart or max(len(n.partition(".")[2]) for n in written) < 5) and not (
        re.search(r"[NSEWO]", candidate.text) or _GEO_LABEL.search(candidate.before())
    ):
        return
    numbers = [float(n) for n in written]
    if (max(map(abs, numbers), default=0) < 1 or any(n.endswith("000000") for n in written)) and not _GEO_LABEL.search(
        candidate.before()
    ):
        return
    if (
        len(numbers) == 2
        and abs(numbers[0]) <= 90
        and abs(numbers[1]) <= 180
        and standalone(candidate.passage.text, candidate.start, candidate.end)
        and candidate.passage.grid is None
    ):
        yield Finding(candidate.start, candidate.end, 0.6)


DETECTORS: Final = (
    merged(
        Detector("vin", "other", 55, r"\b[A-HJ-NPR-Z0-9]{17}\b", _vin),
        Detector("imei", "other", 87, _IMEI, _imei),
        Detector("mac-address", "other", 68, _MAC, _mac),
        Detector("ip-address", "other", 66, _IPV4, _ip),
        Detector("coordinates", "other", 54, _GEO, _geo),
        Detector("coordinates", "other", 54, _GEO_PART, _geo_part),
        Detector("ipv6-address", "other", 66, _IPV6, _ip),
    ),
    Detector("vehicle-plate", "other", 64, _PLATE, _plate),
)
