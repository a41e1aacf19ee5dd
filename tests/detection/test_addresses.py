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
    ("GB", "I live at «Flat 3, 27 Elm Grove, Brighton BN2 3DE» now"),
    ("GB", "«The Old Rectory, Church Lane, Much Wenlock, TF13 6BT»"),
    ("GB", "Address:\n«Rose Cottage\nMill Lane\nAshford\nKent\nTN24 8QQ»"),
    ("GB", "«10 Downing Street, London SW1A 2AA»"),
    ("US", "«1600 Pennsylvania Ave NW, Washington, DC 20500»"),
    ("US", "mail to «P.O. Box 1234, Austin, TX 78701» please"),
    ("US", "«742 Evergreen Terrace\nSpringfield, IL 62704-1234»"),
    ("US", "«55 W 25th St Apt 12B, New York, NY 10010»"),
    ("CA", "«123 Rue Sainte-Catherine Ouest, Montréal, QC H3B 1A7»"),
    ("AU", "«Unit 4/18 George Street, Parramatta NSW 2150»"),
    ("NZ", "«12 Queen Street, Auckland 1010»"),
    ("IE", "«5 Main Street, Naas, Co. Kildare, W91 X2P4»"),
    ("ZA", "«22 Long Street, Cape Town, 8001»"),
    ("IN", "«Flat No. 12, Sai Residency, MG Road, Pune 411001»"),
    ("IN", "«House No 45, Sector 12, Chandigarh - 160012»"),
    ("DE", "wohnhaft in der «Goethestraße 12, 60313 Frankfurt am Main»"),
    ("DE", "«Am Markt 5, 28195 Bremen»"),
    ("DE", "Anschrift: «Unter den Linden 77\n10117 Berlin»"),
    ("DE", "«Lange Str. 4a\nD-70173 Stuttgart»"),
    ("DE", "«Straße des 17. Juni 135, 10623 Berlin»"),
    ("DE", "«Postfach 10 12 34, 50668 Köln»"),
    ("AT", "«Mariahilfer Straße 12/3/14, 1070 Wien»"),
    ("CH", "«Rue du Rhône 14, 1204 Genève»"),
    ("FR", "demeurant au «12 bis, avenue de la République, 75011 Paris»"),
    ("FR", "«Résidence Les Pins, Bât. B, 4 rue des Lilas, 69003 Lyon»"),
    ("FR", "«BP 123, 33000 Bordeaux Cedex»"),
    ("ES", "con domicilio en «Calle Mayor, 12, 3º B, 28013 Madrid»"),
    ("ES", "«Avda. de América nº 37, 2º Izq., 28002 Madrid»"),
    ("ES", "«C/ Gran Vía 45, 4ºA\n48011 Bilbao (Vizcaya)»"),
    ("IT", "residente in «Via Roma, 25 - 00184 Roma (RM)»"),
    ("IT", "«Piazza del Duomo 1, 50122 Firenze FI»"),
    ("IT", "«Corso Vittorio Emanuele II, n. 18, 10123 Torino»"),
    ("NL", "woont aan de «Keizersgracht 123-II, 1015 CJ Amsterdam»"),
    ("NL", "«Postbus 1234\n3500 BA Utrecht»"),
    ("BE", "«Grote Markt 1 bus 3, 2000 Antwerpen»"),
    ("PT", "residente na «Rua Augusta, n.º 24, 2.º Esq., 1100-053 Lisboa»"),
    ("PT", "«Avenida da Liberdade 110, 3º Dto\n1250-146 Lisboa»"),
    ("BR", "«Rua das Flores, 123, apto 45, Jardim Paulista, São Paulo - SP, 01310-100»"),
    ("BR", "«Av. Paulista, 1578 - Bela Vista, São Paulo - SP, CEP 01310-200»"),
    ("PL", "zamieszkały przy «ul. Marszałkowska 10/12 m. 5, 00-590 Warszawa»"),
    ("PL", "«os. Kolorowe 3/15, 31-938 Kraków»"),
    ("MX", "«Calle Reforma 222, Col. Juárez, 06600 Ciudad de México»"),
    ("AR", "«Av. Corrientes 1234, Piso 5, C1043AAZ Buenos Aires»"),
    ("SE", "«Kungsgatan 12 A, 111 35 Stockholm»"),
    ("DK", "«Vesterbrogade 12, 3. tv, 1620 København V»"),
    ("NO", "«Karl Johans gate 1, 0154 Oslo»"),
    ("FI", "«Aleksanterinkatu 15 B 12, 00100 Helsinki»"),
    ("CZ", "«Václavské náměstí 12, 110 00 Praha 1»"),
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
    "DE 12 ISO 9001 GB 18030 SO 5010 ES 6",
    "Copyright 2005, 2006 Mark M. Hoffman",
    "den 13 Mei 1792 te Sinigaglia geborenen den 16 Junij 1846 tot Paus",
    "She walked 12 miles to Market Street, Brighton 4000 people saw it, in room 1204",
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


BELOW = [
    "Statement INV-2231\n«14 Orchard Road\nLeeds LS1 4AB»",
    "Statement INV-2231\nMargaret Holloway\n«14 Orchard Road\nLeeds LS1 4AB»",
    "Your order 77120\n«1400 Main Street\nSpringfield, IL 62701»",
    "Rechnung Nr. 4711\n«Lindenstraße 14\n20095 Hamburg»",
    "Kontoauszug 12/2024\n«Lindenstraße 14\n20095 Hamburg»",
    "Facture F-2024-17\n«12 rue des Lilas\n69003 Lyon»",
    "Factuur 90017\n«Prinsengracht 263\n1016 GV Amsterdam»",
    "Umowa nr 17/2024\n«ul. Polna 5\n00-123 Warszawa»",
    "QX-88120\n«14 Orchard Road\nLeeds LS1 4AB»",
    "«Flat 3\n14 Orchard Road\nLeeds LS1 4AB»",
]


@pytest.mark.parametrize("marked", BELOW)
def test_an_address_does_not_begin_with_a_title_or_reference_above_it(marked: str) -> None:
    text, values = unmarked(marked)
    assert found(text, "address") == values
