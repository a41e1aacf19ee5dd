"""Values over HTTP: one decision for all places of a value."""

from __future__ import annotations

import io

import httpx
import openpyxl  # type: ignore[import-untyped]  # it has no stubs
import pytest

from tests.web.site import VALUE, Site, browser_session, upload, wait_for


@pytest.fixture
def ready(client: httpx.Client) -> str:
    document = upload(client)
    wait_for(client, document)
    return document


def test_a_value_that_stands_twice_is_listed_once_with_its_words(client: httpx.Client, ready: str) -> None:
    listed = client.get(f"/api/documents/{ready}/values", params={"status": "suggested"}).json()

    mail = next(item for item in listed["values"] if item["value"] == VALUE)
    assert (mail["places"], mail["pages"], mail["status"], mail["source"]) == (2, 1, "suggested", "pattern")
    assert mail["before"].endswith("please write to ")
    assert mail["after"].startswith(" and not")
    assert (mail["method"], mail.get("methods"), mail["certainty"]) == ("mask", None, "certain")
    assert listed["totalValues"] == listed["allValues"] == len(listed["values"])
    assert listed["totalPlaces"] == listed["counts"]["suggested"] > listed["totalValues"]
    assert listed["decidedValues"] == 0
    places = client.get(f"/api/documents/{ready}/values/{mail['key']}/places").json()
    assert [place["value"] for place in places["redactions"]] == [VALUE, VALUE]
    assert places["redactions"][0]["id"] == mail["first"]["id"]


def test_the_list_goes_on_where_it_stopped_and_takes_no_made_up_place(client: httpx.Client, ready: str) -> None:
    url = f"/api/documents/{ready}/values"
    whole = client.get(url).json()["values"]

    found, after = [], None
    while True:
        page = client.get(url, params={"limit": 1} | ({} if after is None else {"after": after})).json()
        found += page["values"]
        after = page["next"]
        if after is None:
            break
    assert [item["key"] for item in found] == [item["key"] for item in whole]
    for made_up in ("x", "0~0", "' OR 1=1~", "9" * 290, "0~1~a:" + "0" * 32 + "~x~1~a~" + "0" * 32, "١~0~a"):
        assert client.get(url, params={"after": made_up}).status_code == 400, made_up


@pytest.mark.parametrize(
    "wrong",
    [
        {"status": "decided"},
        {"source": "elsewhere"},
        {"limit": "501"},
        {"page": "0"},
        {"page": str(2**63)},
        {"sort": "value; drop table"},
    ],
)
def test_a_filter_that_means_nothing_is_refused(client: httpx.Client, ready: str, wrong: dict[str, str]) -> None:
    assert client.get(f"/api/documents/{ready}/values", params=wrong).status_code == 400


def test_a_search_takes_every_sign_as_itself(client: httpx.Client, ready: str) -> None:
    def found(text: str) -> list[str]:
        values = client.post(f"/api/documents/{ready}/values", json={"q": text}).json()["values"]
        return [item["value"] for item in values]

    assert found("MARIA.") == [VALUE]
    assert found("%") == found("_") == found("\0") == found("\\") == []
    assert client.post(f"/api/documents/{ready}/values", json={"q": "x" * 10_000}).status_code == 400


def test_the_header_of_a_whole_column_is_told(client: httpx.Client) -> None:
    book = openpyxl.Workbook()
    for number in range(12):
        book.active.append(["Name", "Email"] if number == 0 else [f"Ana Berg{number}", f"ana{number}@example.org"])
    buffer = io.BytesIO()
    book.save(buffer)
    document = upload(client, buffer.getvalue(), "book.xlsx")
    wait_for(client, document)
    client.post(f"/api/documents/{document}/redactions", json={"sheet": 0, "column": 2})

    values = client.get(f"/api/documents/{document}/values", params={"sheet": 0}).json()["values"]
    column = next(item for item in values if item["first"]["column"] == 2 and item["first"]["row"] is None)
    assert (column["header"], column["value"], column["status"]) == ("Email", None, "accepted")


def test_whole_columns_are_listed_from_left_to_right(client: httpx.Client) -> None:
    sheet = b"Date of birth,Name,Phone,E-mail\n1984-05-17,Tamsin Orrel,+44 113 496 0241,tamsin@example.com\n"
    document = upload(client, sheet, "staff.csv")
    wait_for(client, document)
    values = client.get(f"/api/documents/{document}/values").json()["values"]
    assert [value["header"] for value in values] == ["Date of birth", "Name", "Phone", "E-mail"]


def test_a_key_of_another_document_shows_nothing(site: Site, client: httpx.Client, ready: str) -> None:
    key = client.get(f"/api/documents/{ready}/values").json()["values"][0]["key"]
    with browser_session(site) as stranger:
        other = upload(stranger)
        wait_for(stranger, other)
        assert stranger.get(f"/api/documents/{other}/values/{key}/places").json()["redactions"] == []
        assert stranger.get(f"/api/documents/{ready}/values/{key}/places").status_code == 404
        assert stranger.get(f"/api/documents/{other}/values/{'z' * 64}/places").status_code == 400


def test_forms_of_one_person_follow_the_fullest_and_a_shared_surname_stands_alone(client: httpx.Client) -> None:
    text = (
        "Dear Ms Maria Keller,\n\nthank you. Mrs Keller's papers are here, and M. Keller signed them.\n\n"
        "Yours sincerely\nThomas Brandt\n"
    )
    document = upload(client, text.encode(), "letter.txt")
    wait_for(client, document)
    values = client.get(f"/api/documents/{document}/values").json()["values"]
    people = [one for one in values if one["category"] == "person"]
    (whole,) = (one for one in people if one["value"] == "Maria Keller")
    forms = [one for one in people if "Keller" in one["value"]]
    assert len(forms) >= 2
    assert {one["personKey"] for one in forms} == {whole["key"]}
    at = people.index(whole)
    assert people[at : at + len(forms)] == forms
    (brandt,) = (one for one in people if one["value"] == "Thomas Brandt")
    assert brandt["personKey"] != whole["key"]

    both = upload(client, b"Dear Maria Keller and dear Tom Keller,\n\nMr Keller agreed.\n\nKind regards\n", "both.txt")
    wait_for(client, both)
    named = client.get(f"/api/documents/{both}/values").json()["values"]
    keys = {one["value"]: one["personKey"] for one in named if one["category"] == "person"}
    assert keys["Maria Keller"] != keys["Tom Keller"]
    assert keys.get("Keller") not in (keys["Maria Keller"], keys["Tom Keller"])
