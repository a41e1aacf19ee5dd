"""Addresses: street line through postcode as one span, in the layouts of the countries claimed; and what is none."""

from __future__ import annotations

import pytest

from tests.detection.patterns import found, unmarked

# country, and a text with the address marked
WHOLE = [
    ("US", "Send it to «11408 Otter Creek Blvd, Mabelvale, AR 72103» today."),
    ("US", "Bill to\nAnn Lee\n«6768 Kevin Cliffs Apt. 334\nRyanhaven, OR 69294»\nAccount no. KD-116089"),
    ("US", "the papers to «2945 rodeo park dr east santa fe nm 87505» before"),
    ("US", "at «N170W20015 Hunters Rd, Jackson, WI 53037»"),
    ("US", "to «123 1/2 SE Some Ave., North Bend, Oregon, 97212»"),
    ("US", "«Unit 7657 Box 5466\nDPO AA 81366»"),
    ("US", "ship to «USS Mahler\nFPO AA 70489» please"),
    ("GB", "Home: «14 Elm Grove\nYork\nYO31 7QA»"),
    ("IE", "lives at «12 Baggot Street Lower, Dublin 2, D02 AF30»"),
    ("CA", "«8 Holden Center\nNew Joeburgh\nS7G 8TD»"),
    ("AU", "Send to «5 Wattle Street, Fitzroy VIC 3065»."),
    ("IN", "papers to «74/315, Vora Ganj, Pondicherry 815787»? Call"),
    ("IN", "«H.No. 07\nSampath, Hubli–Dharwad-175365»\nAccount"),
    ("SG", "at «26 Dover Crescent, Dover Gardens\nSingapore 130026» until"),
    ("DE", "«Blümelplatz 5/1\n86891 Beeskow»"),
    ("AT", "Wohnhaft: «Lange Gasse 12/4\n1080 Wien»"),
    ("CH", "«Bahnhofstrasse 21\nCH-8001 Zürich»"),
    ("FR", "Adresse:\t«996, chemin de Antoine\n37205 Pineau»\nN° client"),
    ("BE", "«Rue de la Loi 16, 1000 Bruxelles»"),
    ("LU", "«12, rue du Fossé\nL-1536 Luxembourg»"),
    ("NL", "«Sethpad 77, 8237 DD, Goudriaan»"),
    ("NL", "stukken naar «Lukering 6, 2028 VH, Eibergen» te sturen"),
    ("ES", "Dirección:\t«Pasadizo de Ema Revilla 43, Soria, 33741»\nN.º"),
    ("ES", "Hospital General. «Doctor Esquerdo, 46. 28007 Madrid». e-mail"),
    ("ES", "Clínica del Norte. «C/ Choupana, s/n. 15706 Santiago de Compostela»."),
    ("CO", "Domicilio: «Calle 85 #12-40».\nLocalidad: Bogotá"),
    ("IT", "«Via Garibaldi 12\n20121 Milano (MI)»"),
    ("PT", "«Rua do Ouro 15, 1100-060 Lisboa»"),
    ("BR", "«Rua Maria Eduarda Sousa, 16, Graça, 46885932 da Cruz Verde / RJ»\n+55"),
    ("BR", "«Trecho de Aragão\nMiramar\n32887883 Caldeira do Sul / MS»\n+55"),
    ("PL", "«aleja Maczka 529\n07-282 Augustów»"),
    ("SE", "«Storgatan 4\n114 55 Stockholm»"),
    ("DK", "«Nørrebrogade 44\n2200 København»"),
    ("NO", "«Kirkeveien 7\n0364 Oslo»"),
    ("FI", "«Mannerheimintie 10 A 5\n00100 Helsinki»"),
    ("HU", "to «91 Kossuth utca 12, Szeged, Hungary 67200» by post"),
    ("IS", "sent to: «5586 Þórunnarstræti 31, Arnsdorf, Germany»"),
]


@pytest.mark.parametrize(("country", "marked"), WHOLE)
def test_an_address_is_one_span(country: str, marked: str) -> None:
    text, values = unmarked(marked)
    assert found(text, "address") == values, country


PARTS = [
    'address: "«12 Larch House, Block 4»"',
    "write to the Free Software Foundation, Inc., «51 Franklin Street, Fifth Floor, Boston, MA 02110-1301 USA».",
    "She moved to «12 Station Road» last May",
    "They live at «Parmova 109» now",
    "Er wohnt in der Nähe",
    "«the corner of 11 Botley Road and Herceg Gateway»",
    "Domicilio: «Calle Monte de la Villa, 13, 4 A» .\nLocalidad",
    "Domicilio: «Avda. de la Albufera, 66, Bajo A».\nLocalidad",
    "Domicilio: «Calle Cronista Juan de la Torre».\nLocalidad: Úbeda",
    "> «4923 Parmova 109\n> Suite 380\n> Maribor\n> Slovenia 82709»",
    "> «83854 Strickstrasse 61\n> Suite 292\n> Zuoz\n> Switzerland 53730»",
]


@pytest.mark.parametrize("marked", PARTS)
def test_a_street_without_a_postcode(marked: str) -> None:
    text, values = unmarked(marked)
    assert found(text, "address") == values


NONE = [
    "desmina (Dako M760, USA, 10/500), vimentina (Shandon 402255, USA)",
    "le chemin de fer de New-York, 24 juillet",
    "{ port: 12346, family: 'IPv4', address: '127.0.0.1', ttl: 299 }",
    "2017, Chanho Park and 2019, Mary Lane",
    "Copyright 2000 Precision Insight, Inc., Cedar Park, Texas.\nCopyright 2000 VA Linux Systems",
    "Copyright Calle Rosenquist, 2017",
    "AWS SAA-C03, ISO 27001 LA, PRINCE2",
    "2024-08-18 payment ref 709958 WELLS JR 896.00\n2022-10-05 payment ref 375840",
    "La AV de 0,7 en ambos ojos",
    "On 12 May 2024 Paris, France was hot.",
    "Order 4417-2290 ships Monday, Germany",
    "We met at Gate 14 and moved to Room 12.",
    "He lives at the seaside; they moved to Version 3.",
    "Revenue grew by 12 percent in Germany, 4 in France.",
    "Kontonummer KD-116089, Beleg AB-123456",
    "He lived in 1994 in Berlin 1945 and 2001.",
    "The address: see below.",
    "Via e-mail 3 times; place 2 orders",
    "Section 12 Road traffic act",
    "the suite 12 pieces for cello",
    "Address: confirmed by phone",
]


@pytest.mark.parametrize("text", NONE)
def test_what_is_no_address(text: str) -> None:
    assert found(text, "address") == []
