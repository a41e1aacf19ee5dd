"""Tables of what the detectors must find and what they must leave alone."""

from __future__ import annotations

from itertools import pairwise

import pytest

from anonify.detection import Detection, detect_text


@pytest.fixture
def without_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """Patterns and expansion alone."""
    monkeypatch.setattr("anonify.detection.naming.network", lambda: None)


def found(text: str, category: str | None = None) -> list[str]:
    return [d.text for d in detect_text(text) if category in (None, d.category)]


def secret(*parts: str) -> str:
    """Tokens are put together here, so that no scanner of repositories takes a test for a leak."""
    return "".join(parts)


MUST_FIND = [
    ("email", "Write to jane.doe@example.com.", "jane.doe@example.com"),
    ("email", "Mail: müller@exämple.de", "müller@exämple.de"),
    ("email", "jane (at) example dot org", "jane (at) example dot org"),
    ("email", "jane.doe [at] example [dot] com", "jane.doe [at] example [dot] com"),
    ("email", "jane.doe[at]example.com", "jane.doe[at]example.com"),
    ("email", "jane dot doe at example dot com", "jane dot doe at example dot com"),
    ("email", "jane.doe\n@example.com", "jane.doe\n@example.com"),
    ("email", "jane.doe@example.\ncom", "jane.doe@example.\ncom"),
    ("email", "jane<b>@</b>example.com", "jane<b>@</b>example.com"),
    ("email", "j.doe&#64;example.org", "j.doe&#64;example.org"),
    ("email", "a=b&mail=jane%40example.org&c=d", "jane%40example.org"),
    ("phone", "Call +44 20 7946 0018 today", "+44 20 7946 0018"),
    ("phone", "Phone: (415) 555-0132", "(415) 555-0132"),
    ("phone", "He is at 818.760.8744 now", "818.760.8744"),
    ("phone", "Phone: 551-857-3488x2363", "551-857-3488x2363"),
    ("phone", "Tél: 01 39 51 62 41", "01 39 51 62 41"),
    ("phone", "Telefon: 07664 08307", "07664 08307"),
    ("phone", "Telefoon: +31(0)35-9857496", "+31(0)35-9857496"),
    ("phone", "jane@example.com / 0958611305", "0958611305"),
    ("phone", "Seen 2024-05-01, rang 020 7946 0018", "020 7946 0018"),
    ("financial", "Card 4111 1111 1111 1111 expired", "4111 1111 1111 1111"),
    ("financial", "card: 378282246310005", "378282246310005"),
    ("financial", "My card is 6011-1111-1111-1117, thanks", "6011-1111-1111-1117"),
    ("financial", "Her salary stays at £162,743.", "£162,743"),
    ("financial", "Annual salary: €44,416", "€44,416"),
    ("bank-account", "IBAN DE89 3704 0044 0532 0130 00", "DE89 3704 0044 0532 0130 00"),
    ("bank-account", "pay to DE89 3704 0044\n0532 0130 00 now", "DE89 3704 0044\n0532 0130 00"),
    ("bank-account", "DE893704004405\n32013000\nGB82WEST12345698765432", "DE893704004405\n32013000"),
    ("bank-account", "pay gb29nwbk60161331926819 soon", "gb29nwbk60161331926819"),
    ("bank-account", "BIC: DEUTDEFF500", "DEUTDEFF500"),
    ("bank-account", "Sort code 20-00-00, account number 55779911", "20-00-00"),
    ("bank-account", "Sort code 20-00-00, account number 55779911", "55779911"),
    ("bank-account", "Routing number: 021000021", "021000021"),
    ("government-id", "SSN 601-23-1602", "601-23-1602"),
    ("government-id", "She gave 601-23-1602 to the clerk", "601-23-1602"),
    ("government-id", "NI number: AB 12 34 56 C", "AB 12 34 56 C"),
    ("government-id", "NHS number 943 476 5919", "943 476 5919"),
    ("government-id", "Steuer-ID: 86095742719", "86095742719"),
    ("government-id", "NIR 2 95 10 99 126 111 93", "2 95 10 99 126 111 93"),
    ("government-id", "DNI del titular: 54362315-K", "54362315-K"),
    ("government-id", "el NIE X2482300W figura", "X2482300W"),
    ("government-id", "codice fiscale RCCMNL83S18D969H", "RCCMNL83S18D969H"),
    ("government-id", "BSN van de klant: 111222333", "111222333"),
    ("government-id", "PESEL 44051401359", "44051401359"),
    ("government-id", "CPF 390.533.447-05", "390.533.447-05"),
    ("government-id", "o CPF é 390.533.447-05.", "390.533.447-05"),
    ("government-id", "AHV-Nummer 756.9217.0769.85", "756.9217.0769.85"),
    ("government-id", "Aadhaar: 2341 2341 2346", "2341 2341 2346"),
    ("government-id", "PAN: ACUPA7085R", "ACUPA7085R"),
    ("government-id", "henkilötunnus 131052-308T", "131052-308T"),
    ("government-id", "Passport no: C01X00T47", "C01X00T47"),
    ("government-id", "Driving licence: MORGA657054SM9IJ", "MORGA657054SM9IJ"),
    ("date-of-birth", "born 16/07/2008 in Leeds", "16/07/2008"),
    ("date-of-birth", "Date of birth: 08 September 1996", "08 September 1996"),
    ("date-of-birth", "Geburtsdatum: 02.03.1952", "02.03.1952"),
    ("date-of-birth", "née le 3 mars 1971", "3 mars 1971"),
    ("date-of-birth", "Fecha de nacimiento: 23/06/1944", "23/06/1944"),
    ("date-of-birth", "nata il 21.07.1936", "21.07.1936"),
    ("date-of-birth", "data urodzenia: 1971-09-17", "1971-09-17"),
    ("customer-id", "Customer no.: C-2696071", "C-2696071"),
    ("customer-id", "Kundennummer: 113946", "113946"),
    ("customer-id", "Case reference CASE-73180", "CASE-73180"),
    ("customer-id", "NHC: 4357963.", "4357963"),
    ("customer-id", "Aktenzeichen: 12 O 345/21", "12 O 345/21"),
    (
        "address",
        "Home: 936 Garza Glen Apt. 450\nJosephhaven, MO 55981",
        "936 Garza Glen Apt. 450\nJosephhaven, MO 55981",
    ),
    ("address", "8 Holden Center\nNew Joeburgh\nS7G 8TD", "8 Holden Center\nNew Joeburgh\nS7G 8TD"),
    ("address", "Blümelplatz 5/1\n86891 Beeskow", "Blümelplatz 5/1\n86891 Beeskow"),
    ("address", "95, boulevard Inès Rousset\n14568 Parisboeuf", "95, boulevard Inès Rousset\n14568 Parisboeuf"),
    ("address", "Alameda Máxima Tamayo 69, Granada, 22671", "Alameda Máxima Tamayo 69, Granada, 22671"),
    ("address", "aleja Maczka 529\n07-282 Augustów", "aleja Maczka 529\n07-282 Augustów"),
    ("address", "Alexsteeg 7, 7832OH, Bennekom", "Alexsteeg 7, 7832OH, Bennekom"),
    ("address", "Unit 7657 Box 5466\nDPO AA 81366", "Unit 7657 Box 5466\nDPO AA 81366"),
    ("address", "She moved to 12 Station Road last May", "12 Station Road"),
    ("person", "Patient: Richard Quinn", "Richard Quinn"),
    ("person", "Account holder: Kristin Lewis", "Kristin Lewis"),
    ("person", "Dear Ms Gilbert,", "Gilbert"),
    ("person", "Sehr geehrte Frau Renner,", "Renner"),
    ("person", "Chère Madame Da Costa,", "Da Costa"),
    ("person", "Geachte mevrouw Willemsen,", "Willemsen"),
    ("person", "Szanowna Pani Krenc,", "Krenc"),
    ("person", "Apologies: VAZQUEZ, Noah", "VAZQUEZ, Noah"),
    ("person", "Kind regards\nDean Phillips", "Dean Phillips"),
    ("person", 'To: "Aguirre, Jennifer" <j1@example.com>', "Aguirre, Jennifer"),
    ("api-key", secret("key ", "AKIA", "IOSFODNN7RXAMPLQ"), secret("AKIA", "IOSFODNN7RXAMPLQ")),
    (
        "api-key",
        secret("use gh", "p_BKPL76dFKHc0hXZAKS6zCeaRyML8QjEXAJgf"),
        secret("gh", "p_BKPL76dFKHc0hXZAKS6zCeaRyML8QjEXAJgf"),
    ),
    ("api-key", secret("sk_", "live_", "Csm34OYEtyN6f8hCeKC3BqFq"), secret("sk_", "live_", "Csm34OYEtyN6f8hCeKC3BqFq")),
    (
        "api-key",
        secret("xo", "xb-46125848539-uhqiAwo7lkcV3NbxNSoRog8O"),
        secret("xo", "xb-46125848539-uhqiAwo7lkcV3NbxNSoRog8O"),
    ),
    ("api-key", "postgres://app:rSNEev3nBDlGgOHkwD@db.internal/app", "rSNEev3nBDlGgOHkwD"),
    ("api-key", "DB_PASSWORD=nwQBKXn#33kyFjj2Kf", "nwQBKXn#33kyFjj2Kf"),
    ("api-key", 'password = "cackle7!"', "cackle7!"),
    ("api-key", "The wifi password is NFLA-3936-ic9i", "NFLA-3936-ic9i"),
    ("api-key", "mot de passe : MY1gNMFW3GNz", "MY1gNMFW3GNz"),
    ("api-key", "Authorization: Bearer abc1DEF2ghi3JKL4mno5", "abc1DEF2ghi3JKL4mno5"),
    ("url", "https://app.example.com/reset?token=62ebee55b1514247701d582a4466478f", None),
    ("url", "https://files.example.net/s/c21a9dbf49a067e24bdb7ec83756378368f7e732", None),
    ("phone", "Next of kin: Diane Garner (+44131 496 0771)", "+44131 496 0771"),
    ("phone", "or call my wife on 081234 00229, she is home", "081234 00229"),
    ("phone", "12 Rd | 6515074856 | sarah.b@example.org", "6515074856"),
    ("phone", "37 788 063 12-Office", "37 788 063 12"),
    ("phone", "Seu telefone e endereço: São Paulo, 11 1241-3929 para o senhor", "11 1241-3929"),
    ("person", "Sabrina Hughes\n6768 Kevin Cliffs Apt. 334\nRyanhaven, OR 69294", "Sabrina Hughes"),
    ("health", "she had been diagnosed with bipolar disorder and asked to work", "bipolar disorder"),
    ("health", "Diagnosis: type 2 diabetes.", "type 2 diabetes"),
    (
        "address",
        "They met at 52 Huntly Street\n Suite 132\n Barmolloch\n United Kingdom",
        "52 Huntly Street\n Suite 132\n Barmolloch\n United Kingdom",
    ),
    ("address", "abita in Via dei Fiorentini 17, da anni", "Via dei Fiorentini 17"),
    ("bank-account", "IBAN: MF84 2004 1010 0505 0001 3M02 606", "MF84 2004 1010 0505 0001 3M02 606"),
    ("other", "from 203.0.113.77 at noon", "203.0.113.77"),
    ("other", "MAC 3c:22:fb:9a:01:7e", "3c:22:fb:9a:01:7e"),
    ("other", "VIN: 1HGCM82633A004352", "1HGCM82633A004352"),
    ("other", "IMEI 49-015420-323751-8", "49-015420-323751-8"),
    ("other", "(registration RJ44 HUC)", "RJ44 HUC"),
]


@pytest.mark.parametrize(("category", "text", "value"), MUST_FIND, ids=range(len(MUST_FIND)))
def test_finds(category: str, text: str, value: str | None) -> None:
    assert (value or text) in found(text, category)


MUST_LEAVE = [
    "Subject: Order 7242-9283-1942",
    "Order 4624-5107-3584, Invoice INV-2019-99981, SKU 659109771150, v6.27.6, 2026-09-10",
    "Version 4.12.0 was rolled back at 10:42.",
    "asked whether the part AB-2210-77 could be replaced",
    "Part 180-99-7037 in stock",
    "ISBN 978-0-471-11709-4 and EAN 4006381333931",
    "Release v11.74.4393-rc3",
    "Tracking 1ZW6GPPHMKC5T169JT",
    "Coordinates of pixel 1415, 1960",
    "Purchase order 4571405394",
    "Meter reading 91027306 kWh",
    "RFC 5322 section 8.2, ISO 27001, Python 3.11",
    "2016–2021  ISO 27001, RFC 5322",
    "The meeting of 14 March 2025 began at 2025-03-14T10:42:00Z.",
    "Rechnung: RE-2024-0815, Bestellung 2938-1021-1331",
    "https://docs.example.com/guide/start?lang=en",
    "API_URL=https://docs.example.com/guide/start",
    "sha: c83ec8f813abea666df79fadb4d2ac0937087116",
    "integrity sha512-oamQxxD9zp55Mrq4yyJ7t10WFmSmKZBERA+cLJJf8/LGlzW95NnDq+djWv1GwFj==",
    "token = process.env.TOKEN",
    "password_reset_enabled: true",
    "password: string",
    "Enter your password: ********",
    "the secret santa list is on the noticeboard",
    "image: registry.example.com/app:2.0.1",
    "id: 992a0f75-ae61-46b1-ae5d-490340494b35",
    "1  A828-66  18 x 33.02\n2  C129-53  8 x 148.93",
    "Find us @ example.com",
    "Brightwater Logistics Ltd\n12",
    "Microsoft Macintosh Word\n0\n0",
    "Slide Titles\n0\nOffice Theme",
    "The patient with the blue folder takes the next train.",
    "Licence 7.11.53 199.00",
    "2.03 CARD 4821 TESCO STORES 3297 LONDON",
    "logo@2x.png",
    "Table 3: 12 34 56 78 90 12",
    "It costs 1 234 567.89 in total",
    "127.0.0.1 and version 10.2.0.14",
    "Dear Sir or Madam,",
    "Dear Customer,",
    "Thank you\nThe Team",
    "On 12 May 2024 Paris was hot.",
    "The card game was played in room 4111.",
    "Our IBAN check rejects GB00 nonsense.",
    "The company was born 1998-ish and grew.",
]


@pytest.mark.parametrize("text", MUST_LEAVE)
def test_leaves_look_alikes(text: str) -> None:
    assert found(text) == []


def test_a_number_inside_a_longer_reference_is_no_phone() -> None:
    assert found("Job 020 7946 0018-77-AX and REF/020-7946-0018/2", "phone") == []


def test_address_is_one_span_and_stops_at_its_end() -> None:
    text = "Please send it to 11408 Otter Creek Blvd, Mabelvale, AR 72103 before Monday."
    assert found(text, "address") == ["11408 Otter Creek Blvd, Mabelvale, AR 72103"]


def test_table_inside_text() -> None:
    text = (
        "Our list:\nid,name,email,dob,total\n1000,Allen Newton,u1@example.org,2001-06-11,120.00\n"
        "1001,Miranda Smith,u2@example.org,1966-04-20,6.00\n\nBest"
    )
    assert found(text, "person") == ["Allen Newton", "Miranda Smith"]
    assert found(text, "date-of-birth") == ["2001-06-11", "1966-04-20"]
    assert found(text, "email") == ["u1@example.org", "u2@example.org"]


@pytest.mark.usefixtures("without_model")
def test_no_pattern_takes_a_line_above_a_bare_count_for_a_name() -> None:
    assert found("Steve Canny\n1\n2013-01-27T09:14:16Z") == []


@pytest.mark.usefixtures("without_model")
def test_a_name_is_followed_through_the_text() -> None:
    text = (
        "Dear Ms Gilbert,\n\nJeremy Gilbert disagreed. Mr Tran agreed. The gilbert is a unit. As agreed, Gilbert "
        "will call."
    )
    assert found(text, "person") == ["Gilbert", "Jeremy Gilbert", "Tran", "Gilbert"]


def test_given_name_and_initial_are_other_forms_of_a_name() -> None:
    text = "Patient: Kristin Downs. Kristin will call; K. Downs signed; the downs are green."
    assert found(text, "person") == ["Kristin Downs", "Kristin", "K. Downs"]


def test_private_key_block_is_one_span() -> None:
    block = (
        secret("-----BEGIN ", "PRIVATE KEY-----\n")
        + "MIGHAgEAMBMGByqGSM49AgEG\n" * 4
        + secret("-----END ", "PRIVATE KEY-----")
    )
    assert found(f"key:\n{block}\nend", "api-key") == [block]


def test_same_category_nested_is_folded() -> None:
    spans = [(d.start, d.end) for d in detect_text("IBAN: DE89 3704 0044 0532 0130 00, BIC DEUTDEFF")]
    assert all(a[1] <= b[0] for a, b in pairwise(spans))
    assert len(spans) == 2


def test_detection_says_who_found_it() -> None:
    (detection,) = detect_text("jane@example.com")
    assert detection == Detection(1, 0, 16, "jane@example.com", "email", 0.97, "pattern", "email", reason="form")
