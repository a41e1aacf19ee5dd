"""Header fields: what they say (case B25), and edits that leave them legal."""

from __future__ import annotations

import email
import email.policy
import re
import time
from email.headerregistry import AddressHeader, BaseHeader

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonify.documents.mime import Field, FieldEdit, decoded_field, rewritten_field, scan, with_parameter
from anonify.sandbox.source import BytesSource


def field_of(raw: bytes) -> Field:
    return scan(BytesSource(raw + b"\r\n\r\nbody")).fields[0]


def replaced(raw: bytes, value: str, replacement: str) -> Field:
    """The field with `value` replaced, read again."""
    field = field_of(raw)
    at = decoded_field(field).text.index(value)
    return field_of(rewritten_field(field, [FieldEdit(at, at + len(value), replacement)]).rstrip(b"\r\n"))


def library(field: Field) -> object:
    """The field as the standard library reads it."""
    return email.message_from_bytes(field.raw + b"\r\n", policy=email.policy.default)[field.name]


SAYS = {
    b"From: =?UTF-8?Q?Gr=C3=A9ta_Nord?=\r\n =?UTF-8?Q?lund?= <g@x.example>": "Gréta Nordlund <g@x.example>",
    b"Subject: =?utf-8?b?R3LDqXRh?= =?utf-8?q?_Nord?= lund": "Gréta Nord lund",
    b"Subject: =?utf-8?q?Gr=C3?=\r\n =?utf-8?q?=A9ta?=": "Gréta",
    b"Subject: =?x-none?q?Gr=C3=A9ta?=": "Gréta",
    b"Subject: =?iso-8859-1?q?Gr=E9ta?=": "Gréta",
    b"Subject: =?utf-8*en?q?Gr=C3=A9ta?=": "Gréta",
    b"Subject: =?utf-8?q?broken": "=?utf-8?q?broken",
    "Subject: Gréta".encode(): "Gréta",
    "Subject: Gréta".encode("latin-1"): "Gréta",
    b"Subject: Greta\r\n Nordlund": "Greta Nordlund",
    b'From: "Jane \\"J\\" Doe" <j@x.example>': '"Jane "J" Doe" <j@x.example>',
    b'From: "=?utf-8?q?Gr=C3=A9ta?=" <g@x.example>': '"Gréta" <g@x.example>',
    b'Content-Type: application/pdf; name*0="Nord";\r\n name*1="lund.pdf"': "application/pdf; name=Nordlund.pdf",
    b"X-Empty:": "",
}


@pytest.mark.parametrize("raw", SAYS)
def test_field_says(raw: bytes) -> None:
    field = field_of(raw)
    said = decoded_field(field)
    assert said.text == SAYS[raw]
    place = field.value
    for token in said.tokens:
        assert token.start == place
        place = token.end
    assert place == len(raw)


def test_characters_map_to_their_bytes_alone() -> None:
    for raw, value, expected in (
        (b"Subject: a Nordlund b", "Nordlund", b"Nordlund"),
        ("Subject: é Nordlund b".encode(), "Nordlund", b"Nordlund"),
        ("Subject: é Ørsted b".encode(), "Ørs", "Ørs".encode()),
        (b"Subject: x =?utf-8?q?Nord?=\r\n =?utf-8?q?lund?= b", "ordl", b"=?utf-8?q?Nord?=\r\n =?utf-8?q?lund?="),
        (b'From: "Jane \\"J\\" Doe" <j@x.example>', '"J" D', b'\\"J\\" D'),
        (b"Subject: Greta\r\n Nordlund", "Greta Nordlund", b"Greta\r\n Nordlund"),
    ):
        said = decoded_field(field_of(raw))
        at = said.text.index(value)
        low, high = said.raw_span(at, at + len(value))
        assert raw[low:high] == expected


EDITED = (
    (b'From: "Jane Doe" <jane@x.example>, b@c.example', "Jane Doe", "[PERSON_1]", "[PERSON_1]", 2),
    (b"From: Jane Doe <jane@x.example>", "Jane", "[PERSON, 1]", "[PERSON, 1] Doe", 1),
    (b"From: Jane Doe <jane@x.example>", "Jane Doe <jane@x.example>", "[REDACTED]", "[REDACTED]", 1),
    (b"From: =?utf-8?q?Gr=C3=A9ta_Nord?=\r\n =?utf-8?q?lund?= <g@x.example>", "Nordlund", "[X]", "Gréta [X]", 1),
    (b"From: Jane Doe <jane@x.example>", "jane@x.example", "[EMAIL_1]", "EMAIL_1@redacted.invalid", 1),
    (b"From: Jane Doe <jane@x.example>", "jane", "[REDACTED]", "REDACTED@x.example", 1),
    (b"From: Jane Doe <jane@x.example>", "x.example", "[REDACTED]", "jane@redacted.invalid", 1),
    (b"From: jane@x.example", "jane@x.example", "", "redacted@redacted.invalid", 1),
    (b"To: Friends: jane@x.example, b@c.example;", "Friends", "[G]", "[G]", 2),
    (b"To: Friends: jane@x.example, b@c.example;", "jane@x.example, b@c.example", "[G]", "G@redacted.invalid", 2),
    (b'From: "Jane Doe" <jane@x.example>', "Jane", "Zoë", "Zoë Doe", 1),
    (b"From: =?utf-8?q?Zo=C3=AB?= Doe <jane@x.example>", "Doe", "Ørn", "Zoë Ørn", 1),
    (b"From: jane@x.example (Jane Doe)", "Doe", "[R)]", "jane@x.example", 1),
    ("From: Gréta Nordlund <g@x.example>".encode(), "Gréta", "[R]", "[R] Nordlund", 1),
)


@pytest.mark.parametrize(("raw", "value", "replacement", "shown", "count"), EDITED)
def test_addresses_stay_addresses(raw: bytes, value: str, replacement: str, shown: str, count: int) -> None:
    field = replaced(raw, value, replacement)
    header = library(field)
    assert isinstance(header, BaseHeader)
    assert not header.defects
    assert isinstance(header, AddressHeader)
    assert len(header.addresses) == count
    assert shown in " ".join(str(header).replace('"', "").split())  # blanks between encoded words are doubled by it
    assert value not in decoded_field(field).text
    assert value not in str(header)


PLAIN = (
    (b"Subject: hello Nordlund there", "Nordlund", "[REDACTED]", b"Subject: hello [REDACTED] there"),
    (b"Message-ID: <jane.doe.1@x.example>", "jane.doe", "[REDACTED]", b"Message-ID: <REDACTED.1@x.example>"),
    (b"References: <a@b.example>\r\n <jane@x.example>", "jane", "[R]", b"References: <a@b.example>\r\n <R@x.example>"),
    (b"X-Odd:   two  blanks\tNordlund", "Nordlund", "x", b"X-Odd:   two  blanks\tx"),
)


@pytest.mark.parametrize(("raw", "value", "replacement", "expected"), PLAIN)
def test_what_is_not_edited_is_the_same_bytes(raw: bytes, value: str, replacement: str, expected: bytes) -> None:
    assert replaced(raw, value, replacement).raw == expected + b"\r\n"


def test_blanks_between_encoded_words_are_not_lost() -> None:
    for raw in (b"Subject: =?utf-8?q?=C3=A9?= Nordlund =?utf-8?q?=C3=A9?=", "Subject: é Nordlund é".encode()):
        assert decoded_field(replaced(raw, "Nordlund", "Ørn")).text == "é Ørn é"
        assert str(library(replaced(raw, "Nordlund", "Ørn"))) == "é Ørn é"


NAMES = (
    b'Content-Disposition: attachment; filename="Jane Doe.pdf"; size=3',
    b'Content-Disposition: attachment; filename*0="Jane ";\r\n filename*1="Doe.pdf"; size=3',
    b"Content-Disposition: attachment; filename*=utf-8''Jane%20Doe.pdf; size=3",
    b'Content-Disposition: attachment; filename="=?utf-8?q?Jane_Doe=2Epdf?="; size=3',
    b'Content-Disposition: attachment; filename="Jane\r\n Doe.pdf"; size=3',
)


@pytest.mark.parametrize("raw", NAMES)
@pytest.mark.parametrize("replacement", ["[REDACTED]", "北" * 40, 'a"b;c\\'])
def test_file_names_are_one_parameter_again(raw: bytes, replacement: str) -> None:
    field = replaced(raw, "Jane Doe", replacement)
    assert decoded_field(field).text == f"attachment; filename={replacement}.pdf; size=3"
    message = email.message_from_bytes(field.raw + b"\r\n")
    assert message.get_filename() == f"{replacement}.pdf"
    assert message.get_param("size", header="content-disposition") == "3"
    assert field.raw.startswith(b"Content-Disposition: attachment;")


def test_parameter_is_set_and_taken_out() -> None:
    field = field_of(b'Content-Type: application/pdf; name*0="a"; x=y; name*1="b"')
    assert with_parameter(field, "name", "c.pdf") == b"Content-Type: application/pdf; name=c.pdf; x=y\r\n"
    assert with_parameter(field, "name", None) == b"Content-Type: application/pdf; x=y\r\n"


def test_boundary_is_never_changed() -> None:
    field = field_of(b"Content-Type: multipart/mixed; boundary=Nordlund")
    at = decoded_field(field).text.index("Nordlund")
    assert rewritten_field(field, [FieldEdit(at, at + 8, "x")]) == field.raw


def test_edits_out_of_order_are_refused() -> None:
    field = field_of(b"Subject: Nordlund")
    for edits in ([FieldEdit(0, 0, "x")], [FieldEdit(0, 99, "x")], [FieldEdit(2, 4, "x"), FieldEdit(3, 5, "y")]):
        with pytest.raises(ValueError, match="order"):
            rewritten_field(field, edits)


FIELDS = st.sampled_from(sorted({*SAYS, *NAMES, *(one[0] for one in EDITED), *(one[0] for one in PLAIN)}))
TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\r\n"), max_size=120)


@given(FIELDS, TEXTS, st.data())
def test_any_edit_leaves_one_legal_field(raw: bytes, replacement: str, draw: st.DataObject) -> None:
    field = field_of(raw)
    text = decoded_field(field).text
    if not text:
        return
    start = draw.draw(st.integers(0, len(text) - 1))
    end = draw.draw(st.integers(start + 1, len(text)))
    written = rewritten_field(field, [FieldEdit(start, end, replacement)])
    again = scan(BytesSource(written + b"\r\nbody"))
    assert [one.name for one in again.fields] == [field.name]
    assert again.fields[0].raw == written
    assert all(len(line) <= 998 for line in written.split(b"\r\n"))
    assert all(len(word) <= 75 for word in re.findall(rb"=\?utf-8\?b\?[^?]*\?=", written))


@given(st.sampled_from([one for one in EDITED if one[4] == 1]), TEXTS, st.data())
def test_any_edit_leaves_one_address(case: tuple[bytes, str, str, str, int], text: str, draw: st.DataObject) -> None:
    field = field_of(case[0])
    said = decoded_field(field).text
    start = draw.draw(st.integers(0, len(said) - 1))
    end = draw.draw(st.integers(start + 1, len(said)))
    written = field_of(rewritten_field(field, [FieldEdit(start, end, text)]).rstrip(b"\r\n"))
    header = library(written)
    assert isinstance(header, AddressHeader)
    assert len(header.addresses) == 1
    assert header.addresses[0].username
    assert header.addresses[0].domain


@pytest.mark.parametrize("unit", [b'"', b"(", b"=?a?b?", b"\\", b"@", b"<", b"a@", b";x=", b'"a', b"[", b"a b "])
@pytest.mark.parametrize("name", [b"From", b"Subject", b"Content-Type"])
def test_decoding_time_grows_with_size_alone(name: bytes, unit: bytes) -> None:
    begun = time.process_time()
    decoded_field(field_of(name + b": " + unit * (40_000 // len(unit))))
    assert time.process_time() - begun < 3
