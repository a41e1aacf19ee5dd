"""What each detector finds, in words, and why it suggests it when it says nothing more.  Data only."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

__all__ = ["CATEGORY_NOUNS", "KINDS", "REGIONS", "Kind", "kind_of"]

_EXPANDED: Final = "+expanded"


class Kind(NamedTuple):
    """What a detector finds.

    Attributes:
        noun: for people; empty where the category says it.
        reason: id of the reason it has for every suggestion that names no other.
        category: the category for which the noun holds; empty for any.
    """

    noun: str
    reason: str
    category: str = ""


CATEGORY_NOUNS: Final[Mapping[str, str]] = {
    "person": "name",
    "address": "address",
    "phone": "phone number",
    "email": "e-mail address",
    "government-id": "government number",
    "bank-account": "account number",
    "financial": "financial detail",
    "date-of-birth": "date of birth",
    "customer-id": "reference number",
    "health": "health detail",
    "confidential": "confidential passage",
    "api-key": "password or key",
    "url": "private link",
    "face": "face",
    "signature": "signature",
    "other": "identifying detail",
}
"""What a suggestion of a category is called."""


def _ids(*pairs: tuple[str, str, str]) -> dict[str, Kind]:
    return {name: Kind(noun, reason, "government-id") for name, noun, reason in pairs}


KINDS: Final[Mapping[str, Kind]] = {
    "face": Kind("face", "picture", "face"),
    "rule": Kind("", "rule"),
    # contact
    "email": Kind("e-mail address", "form", "email"),
    "email-spelt": Kind("e-mail address", "form-only", "email"),
    "phone": Kind("phone number", "phone-form", "phone"),
    # payments
    "card": Kind("card number", "check-digit", "financial"),
    "iban": Kind("account number (IBAN)", "check-digits", "bank-account"),
    "bic": Kind("bank code (BIC)", "labelled", "bank-account"),
    "account": Kind("account number", "labelled", "bank-account"),
    "account-number": Kind("account number", "labelled", "bank-account"),
    "routing-number": Kind("routing number", "labelled", "bank-account"),
    "sort-code": Kind("sort code", "labelled", "bank-account"),
    "salary": Kind("amount of money", "labelled", "financial"),
    "yearly-amount": Kind("amount of money", "per-period", "financial"),
    # government numbers
    **_ids(
        ("national-id", "government number", "labelled"),
        ("national-id-form", "government number", "form-only"),
        ("us-ssn", "US Social Security number", "form-only"),
        ("us-itin", "US taxpayer number (ITIN)", "form-only"),
        ("us-ein", "US employer number (EIN)", "form-only"),
        ("tax-id", "tax number", "labelled"),
        ("gb-nino", "UK National Insurance number", "form-only"),
        ("gb-nhs", "UK NHS number", "labelled"),
        ("gb-utr", "UK taxpayer reference", "labelled"),
        ("de-idnr", "German tax number", "labelled"),
        ("de-svnr", "German social insurance number", "labelled"),
        ("id-card", "identity card number", "labelled"),
        ("fr-nir", "French social security number", "check-digits"),
        ("es-dni", "Spanish identity number (DNI)", "check-digit"),
        ("es-nie", "Spanish foreigner's number (NIE)", "check-digit"),
        ("it-cf", "Italian tax code", "check-digit"),
        ("nl-bsn", "Dutch citizen number (BSN)", "check-digit"),
        ("pl-pesel", "Polish identity number (PESEL)", "check-digit"),
        ("pt-nif", "Portuguese tax number (NIF)", "check-digit"),
        ("br-cpf", "Brazilian taxpayer number (CPF)", "check-digits"),
        ("br-cnpj", "Brazilian company number (CNPJ)", "check-digits"),
        ("be-nn", "Belgian national number", "check-digits"),
        ("se-pnr", "Swedish personal number", "check-digit"),
        ("dk-cpr", "Danish personal number (CPR)", "form-only"),
        ("no-fnr", "Norwegian birth number", "check-digits"),
        ("fi-hetu", "Finnish personal number", "check-digit"),
        ("in-id", "Indian identity number", "labelled"),
        ("in-pan", "Indian tax number (PAN)", "form-only"),
        ("in-aadhaar", "Indian identity number (Aadhaar)", "check-digit"),
        ("ca-sin", "Canadian Social Insurance Number", "check-digit"),
        ("au-medicare", "Australian Medicare number", "labelled"),
        ("ch-ahv", "Swiss social security number", "check-digit"),
        ("mx-curp", "Mexican identity number (CURP)", "check-digit"),
        ("other-id", "identity number", "labelled"),
        ("passport", "passport number", "labelled"),
        ("driving-licence", "driving licence number", "labelled"),
    ),
    # what a label announces
    "date-of-birth": Kind("date of birth", "labelled", "date-of-birth"),
    "reference": Kind("reference number", "labelled", "customer-id"),
    "professional-number": Kind("professional number", "labelled", "other"),
    "health": Kind("health detail", "labelled", "health"),
    "vehicle-plate": Kind("vehicle registration", "labelled", "other"),
    # people
    "person-label": Kind("name", "labelled", "person"),
    "person-salutation": Kind("name", "labelled", "person"),
    "person-title": Kind("name", "labelled", "person"),
    "person-signature": Kind("name", "labelled", "person"),
    "person-above-address": Kind("name", "above-address", "person"),
    "person-mailbox": Kind("name", "before-mailbox", "person"),
    "person-chat": Kind("name", "chat", "person"),
    "names-model": Kind("", "names-model"),
    "context-model": Kind("", "context-model"),
    "vision-model": Kind("", "vision-model"),
    # credentials and links
    "api-token": Kind("access key", "secret-form", "api-key"),
    "jwt": Kind("access token (JWT)", "form-only", "api-key"),
    "private-key": Kind("private key", "form-only", "api-key"),
    "connection-string": Kind("password in a connection address", "form", "api-key"),
    "auth-header": Kind("password or key in a request's header", "form", "api-key"),
    "labelled-secret": Kind("password or key", "labelled", "api-key"),
    "private-link": Kind("private link", "in-link", "url"),
    # devices
    "ip-address": Kind("network address (IP)", "form-only", "other"),
    "ipv6-address": Kind("network address (IP)", "form-only", "other"),
    "mac-address": Kind("device address (MAC)", "form-only", "other"),
    "vin": Kind("vehicle number (VIN)", "form-only", "other"),
    "imei": Kind("device number (IMEI)", "check-digit", "other"),
    "coordinates": Kind("place on the map", "form-only", "other"),
    # addresses
    "postal-address": Kind("address", "street-and-place", "address"),
    "military-address": Kind("military address", "form-only", "address"),
    "street": Kind("address", "street", "address"),
    "street-name-first": Kind("address", "street", "address"),
    "street-glued": Kind("address", "street", "address"),
    "address-label": Kind("address", "labelled", "address"),
    # tables
    "table": Kind("", "table-header"),
    **{f"table-{category}": Kind("", "table-header") for category in CATEGORY_NOUNS},
    "column-header": Kind("", "table-header"),
}
"""Every detector that may stand beside a suggestion, further occurrences aside."""

_UNKNOWN: Final = Kind("", "detector")


def kind_of(detector: str) -> Kind:
    """What a detector finds; of a further occurrence, what the first one found."""
    if detector.endswith(_EXPANDED):
        return KINDS.get(detector.removesuffix(_EXPANDED), _UNKNOWN)._replace(reason="same-anywhere")
    return KINDS.get(detector, _UNKNOWN)


REGIONS: Final[Mapping[str, str]] = {
    pair[:2]: pair[3:]
    for pair in [
        "AE the United Arab Emirates",
        "AL Albania",
        "AR Argentina",
        "AT Austria",
        "AU Australia",
        "BA Bosnia and Herzegovina",
        "BE Belgium",
        "BG Bulgaria",
        "BR Brazil",
        "BY Belarus",
        "CA Canada",
        "CH Switzerland",
        "CL Chile",
        "CN China",
        "CO Colombia",
        "CY Cyprus",
        "CZ the Czech Republic",
        "DE Germany",
        "DK Denmark",
        "DO the Dominican Republic",
        "DZ Algeria",
        "EC Ecuador",
        "EE Estonia",
        "EG Egypt",
        "ES Spain",
        "FI Finland",
        "FR France",
        "GB the United Kingdom",
        "GE Georgia",
        "GG Guernsey",
        "GI Gibraltar",
        "GR Greece",
        "HK Hong Kong",
        "HR Croatia",
        "HU Hungary",
        "ID Indonesia",
        "IE Ireland",
        "IL Israel",
        "IM the Isle of Man",
        "IN India",
        "IS Iceland",
        "IT Italy",
        "JE Jersey",
        "JM Jamaica",
        "JP Japan",
        "KE Kenya",
        "KR South Korea",
        "KZ Kazakhstan",
        "LI Liechtenstein",
        "LT Lithuania",
        "LU Luxembourg",
        "LV Latvia",
        "MA Morocco",
        "MC Monaco",
        "MD Moldova",
        "ME Montenegro",
        "MK North Macedonia",
        "MT Malta",
        "MX Mexico",
        "MY Malaysia",
        "NG Nigeria",
        "NL the Netherlands",
        "NO Norway",
        "NZ New Zealand",
        "PE Peru",
        "PH the Philippines",
        "PK Pakistan",
        "PL Poland",
        "PR Puerto Rico",
        "PT Portugal",
        "QA Qatar",
        "RO Romania",
        "RS Serbia",
        "RU Russia",
        "SA Saudi Arabia",
        "SE Sweden",
        "SG Singapore",
        "SI Slovenia",
        "SK Slovakia",
        "SM San Marino",
        "TH Thailand",
        "TN Tunisia",
        "TR Turkey",
        "TW Taiwan",
        "UA Ukraine",
        "US the United States",
        "UY Uruguay",
        "VE Venezuela",
        "VN Vietnam",
        "ZA South Africa",
    ]
}
"""Regions by ISO 3166 code, as they read after `in`.  Telephone numbers of others are valid with their prefix."""
