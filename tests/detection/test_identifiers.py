"""National identifiers, accounts, devices and labelled references: each kind in the forms it is written in, and its
look-alikes."""

from __future__ import annotations

import pytest

from tests.detection.patterns import found, unmarked

# category, a text with the values marked
FOUND = [
    ("government-id", "Her SSN is «536-90-4399»."),  # US SSN
    ("government-id", "Social Security Number: «536904399»"),  # US SSN lbl
    ("government-id", "ITIN: «912-90-3456»"),  # US ITIN
    ("government-id", "EIN: «91-1144442»"),  # US EIN
    ("government-id", "National Insurance number «QQ 12 34 56 C»"),  # GB NINO
    ("government-id", "NI No: «AB123456C»"),  # GB NINO
    ("government-id", "NHS No. «943 476 5870»"),  # GB NHS
    ("government-id", "UTR: «1955839661»"),  # GB UTR
    ("government-id", "Steueridentifikationsnummer: «36 574 261 809»"),  # DE IdNr
    ("government-id", "Meine IdNr. lautet «36574261809»"),  # DE IdNr
    ("government-id", "Steuernummer: «181/815/08155»"),  # DE StNr
    ("government-id", "Rentenversicherungsnummer: «15 070649 C 103»"),  # DE RV
    ("government-id", "Personalausweisnummer «L01X00T47»"),  # DE Perso
    ("government-id", "NIR : «2 95 10 99 126 111 93»"),  # FR NIR
    ("government-id", "Numéro de sécurité sociale : «295109912611193»"),  # FR NIR
    ("government-id", "Numéro fiscal : «0701987765432»"),  # FR nif
    ("government-id", "DNI: «54362315K»"),  # ES DNI
    ("government-id", "NIE «X-2482300-W»"),  # ES NIE
    ("government-id", "Nº de la Seguridad Social: «28 12345678 40»"),  # ES NASS
    ("government-id", "Codice Fiscale: «RCCMNL83S18D969H»"),  # IT CF
    ("government-id", "il contribuente «RCCMNL83S18D969H» ha"),  # IT CF free
    ("government-id", "BSN: «111222333»"),  # NL BSN
    ("government-id", "burgerservicenummer «1112.22.333»"),  # NL BSN
    ("government-id", "PESEL: «44051401359»"),  # PL PESEL
    ("government-id", "Nr dowodu osobistego: «ABA300000»"),  # PL dowod
    ("government-id", "NIF: «501964843»"),  # PT NIF
    ("government-id", "Contribuinte n.º «501 964 843»"),  # PT NIF
    ("government-id", "Cartão de Cidadão: «00000000 0 ZZ4»"),  # PT CC
    ("government-id", "Rijksregisternummer: «85.07.30-033.28»"),  # BE
    ("government-id", "Numéro national : «85073003328»"),  # BE
    ("government-id", "registered under «85.07.30-033.28» here"),  # BE form
    ("government-id", "Personnummer: «880320-0016»"),  # SE
    ("government-id", "Personnummer «19880320-0016»"),  # SE
    ("government-id", "CPR-nr. «211062-5629»"),  # DK
    ("government-id", "CPR: «2110625629»"),  # DK
    ("government-id", "Fødselsnummer: «15108695088»"),  # NO
    ("government-id", "Fødselsnummer «151086 95088»"),  # NO
    ("government-id", "Henkilötunnus: «131052-308T»"),  # FI
    ("government-id", "hetu «131052A308T»"),  # FI
    ("government-id", "Aadhaar No: «2341 2341 2346»"),  # IN Aadhaar
    ("government-id", "Aadhaar card number «234123412346»"),  # IN Aadhaar
    ("government-id", "PAN «ACUPA7085R»"),  # IN PAN
    ("government-id", "CPF: «390.533.447-05»"),  # BR CPF
    ("government-id", "CPF nº «39053344705»"),  # BR CPF
    ("government-id", "CNPJ: «16.727.230/0001-97»"),  # BR CNPJ
    ("government-id", "RG: «12.345.678-9»"),  # BR RG
    ("government-id", "SIN: «123-456-782»"),  # CA SIN
    ("government-id", "Social Insurance Number: «123 456 782»"),  # CA SIN
    ("government-id", "TFN: «123 456 782»"),  # AU TFN
    ("government-id", "Tax File Number «123456782»"),  # AU TFN
    ("government-id", "Medicare number: «2123 45670 1»"),  # AU Medicare
    ("government-id", "Medicare card no. «2123456701»"),  # AU Medicare
    ("government-id", "AHV-Nr. «756.9217.0769.85»"),  # CH AHV
    ("government-id", "Sozialversicherungsnummer: «1237 010180»"),  # AT SVNR
    ("government-id", "PPS No. «6433435F»"),  # IE PPS
    ("government-id", "Rodné číslo: «710319/2745»"),  # CZ
    ("government-id", "CNP: «1630615123457»"),  # RO
    ("government-id", "ЕГН: «7523169263»"),  # BG
    ("government-id", "CURP «BOXW310820HNERXN09»"),  # MX
    ("government-id", "RUT: «12.531.909-2»"),  # CL
    ("government-id", "RUN «12.531.909-2»"),  # CL
    ("government-id", "CUIL: «20-05536168-2»"),  # AR
    ("government-id", "Cédula de ciudadanía: «1.020.345.678»"),  # CO
    ("government-id", "ID number: «7503305044089»"),  # ZA
    ("government-id", "RRN: «971013-9019902»"),  # KR
    ("government-id", "NRIC: «S1234567D»"),  # SG
    ("government-id", "TC Kimlik No: «17291716060»"),  # TR
    ("government-id", "Passport number: «533401372»"),  # passport EN
    ("government-id", "holder of passport «788677847» (the"),  # passport EN
    ("government-id", "US Passport # «C01234567»"),  # passport EN
    ("government-id", "Reisepass-Nr.: «C01X00T47»"),  # passport DE
    ("government-id", "Passeport n° «12AB34567»"),  # passport FR
    ("government-id", "Pasaporte: «PAA123456»"),  # passport ES
    ("government-id", "Passaporto n. «YA1234567»"),  # passport IT
    ("government-id", "Paspoortnummer: «NX1234567»"),  # passport NL
    ("government-id", "Passaporte: «FZ123456»"),  # passport PT
    ("government-id", "Nr paszportu: «ZS0000177»"),  # passport PL
    ("government-id", "Driver's License: «D1234567»"),  # DL US
    ("government-id", "Driver’s license no. «D123-4567-8901»"),  # DL US
    ("government-id", "Driving licence number: «MORGA657054SM9IJ»"),  # DL GB
    ("government-id", "Führerscheinnummer: «B072RRE2I55»"),  # DL DE
    ("government-id", "Permis de conduire n° «13AA00002»"),  # DL FR
    ("government-id", "Permiso de conducir: «54362315K»"),  # DL ES
    ("government-id", "Patente di guida n. «U1H61F458N»"),  # DL IT
    ("government-id", "Numer prawa jazdy: «00012/16/0213»"),  # DL PL
    ("bank-account", "IBAN: «NL91 ABNA 0417 1643 00»"),  # IBAN
    ("bank-account", "IBAN «FR14 2004 1010 0505 0001 3M02 606»"),  # IBAN
    ("bank-account", "IBAN «DE89 3704 0044 0532 0130 00»"),  # IBAN nbsp
    ("bank-account", "BIC/SWIFT: «COBADEFFXXX»"),  # BIC
    ("bank-account", "SWIFT code «BNPAFRPP»"),  # BIC
    ("bank-account", "Sort code: «60-83-71»"),  # Sort
    ("bank-account", "Sort Code «608371»"),  # Sort
    ("bank-account", "Account number: «31926819»"),  # Acct
    ("bank-account", "ABA routing number «021000021»"),  # Routing
    ("bank-account", "Routing No. «011401533»"),  # Routing
    ("bank-account", "Kontonummer: «0532013000»"),  # DE
    ("bank-account", "BLZ «370 400 44»"),  # DE
    ("bank-account", "RIB : «30004 00100 01234567890 68»"),  # FR RIB
    ("bank-account", "Número de cuenta: «2100 0418 45 0200051332»"),  # ES CCC
    ("bank-account", "Conto corrente n. «000012345678»"),  # IT
    ("bank-account", "Numer rachunku: «61 1090 1014 0000 0712 1981 2874»"),  # PL
    ("bank-account", "BSB «062-000», account number «12345678»"),  # AU
    ("bank-account", "IFSC: «SBIN0001234»"),  # IN
    ("bank-account", "CLABE: «032180000118359719»"),  # MX
    ("bank-account", "Agência «1234-5» conta corrente «12345-6»"),  # BR
    ("other", "VIN «1M8GDM9AXKP042788»"),  # VIN
    ("other", "chassis no. «WVWZZZ1JZXW000001»"),  # VIN
    ("other", "IMEI: «356868000041412»"),  # IMEI
    ("other", "IMEI: «35686800-004141-20»"),  # IMEI
    ("other", "MAC «00:1B:44:11:3A:B7»"),  # MAC
    ("other", "device «001B.4411.3AB7» on port"),  # MAC
    ("other", "from IP «203.0.113.77»"),  # IP
    ("other", "login from «2001:db8:85a3::8a2e:370:7334» at"),  # IPv6
    ("other", "at «51.50741, -0.12776» today"),  # geo
    ("other", "at «51°30'26\"N 0°7'39\"W» today"),  # geo
    ("other", "GPS: «48.8584° N, 2.2945° E»"),  # geo
    ("other", "lat: «48.85837», lon: «2.294481»"),  # geo
    ("other", "Kennzeichen: «B-AB 1234»"),  # plate DE
    ("other", "vehicle registration «AB12 CDE»"),  # plate GB
    ("customer-id", "Member ID: «W1234 56789»"),  # EN
    ("customer-id", "Medical record number: «MRN-0045123»"),  # EN
    ("customer-id", "Case no. «2024-CV-01234»"),  # EN
    ("customer-id", "Employee ID «E-55021»"),  # EN
    ("customer-id", "Policy number: «POL-9912345»"),  # EN
    ("customer-id", "Student ID: «20231187»"),  # EN
    ("customer-id", "Kundennr.: «KD-2024-118»"),  # DE
    ("customer-id", "Versicherungsnummer: «A123456789»"),  # DE
    ("customer-id", "Mitgliedsnummer «88231-7»"),  # DE
    ("customer-id", "Personalnummer: «004711»"),  # DE
    ("customer-id", "Aktenzeichen: «4 C 123/22»"),  # DE
    ("customer-id", "Numéro de dossier : «2024-55812»"),  # FR
    ("customer-id", "N° d'adhérent : «00456123»"),  # FR
    ("customer-id", "Matricule : «A45812»"),  # FR
    ("customer-id", "Nº de expediente: «2024/00123»"),  # ES
    ("customer-id", "Número de socio: «45123»"),  # ES
    ("customer-id", "Nº de historia clínica: «123456»"),  # ES
    ("customer-id", "Numero cliente: «00123456»"),  # IT
    ("customer-id", "Numero di pratica: «2024/4512»"),  # IT
    ("customer-id", "Matricola: «AB12345»"),  # IT
    ("customer-id", "Klantnummer: «123456»"),  # NL
    ("customer-id", "Polisnummer: «NL-8812345»"),  # NL
    ("customer-id", "Patiëntnummer: «7781234»"),  # NL
    ("customer-id", "Número de cliente: «123456»"),  # PT
    ("customer-id", "N.º do processo: «1234/24.5T8LSB»"),  # PT
    ("customer-id", "Número de utente: «123456789»"),  # PT
    ("customer-id", "Numer klienta: «123456»"),  # PL
    ("customer-id", "Sygnatura akt: «II K 123/22»"),  # PL
    ("customer-id", "Numer polisy: «P-1234567»"),  # PL
]


@pytest.mark.parametrize(("category", "marked"), FOUND)
def test_found(category: str, marked: str) -> None:
    text, values = unmarked(marked)
    assert found(text, category) == values
    assert found(text) == values


NONE = [
    "M 1.00000000000000,0 L 1.00000000000000,1.00000000000000",
    "asarray([0.518562710536, 0.855039598640])",
    "0.464804214 0.174374123 0.178997842818 0.162709307879 0.18281187754",
    "United States Patent Application No. 09/918,615",
    "with ESMTP id JAA03209; Trace id: 1-5dc5e05b",
    "the block 203.0.113.0/24 and 10.0.0.0/8",
    "000-12-3456 and 666-12-3456 cannot be SSNs",
    "Part 536-90-4398 in stock, order 256-73-1459",
    "the sin 123 of pride",
    "a pan 4123 of rice",
    "Order ID: 48213377",
    "Job id: 4f1c2d3e",
    "Build id 20240101.4",
    "Invoice no. 2024-00123, PO 4507920942",
    "Ref INV-2023-08757",
    "payment ref 709958 and ref 2024",
    "Ticket number 4821, bug ref PN-55123",
    "Case study 12 and case 3 of 5",
    "The customer is number 1 in 2024",
    "Patient 12 of 14 recovered by 2023",
    "Employee of the month: 12/2024",
    "Dossier on the years 1999 to 2003",
    "il fascicolo 12 e la pratica 3",
    "Passport control opens at 10:30",
    "Driver license plates are white",
    "IBAN GB00 NONS ENSE",
    "SWIFT 5.9 released",
    "Sort code book 12",
    "Kontonummer folgt",
    "VIN: see sticker",
    "MAC 10 cosmetics 12:30",
    "version 10.2.0.14 of firmware 192.168",
    "ratio 1.2345, 2.3456 percent",
    "lat 5 minutes, long 30",
    "ISBN 978-0-471-11709-4, EAN 4006381333931, IMEI is a number",
    "RFC 5322, ISO 27001, DIN 4109, EN 12464",
    "RAL 7016 and PIN diode",
    "Tracking 1ZW6GPPHMKC5T169JT",
    "Chargennummer LOT-88213",
    "numéro de commande 45879654",
    "Artikelnummer 4711-0815, Rechnungsnummer RE-2024-0815",
    "número de pedido 2024-5512, factura 1234/2024",
    "numero d'ordine 12345678, fattura 2024/15",
    "bestelnummer 12345678, factuurnummer 2024001",
    "numer zamówienia 12345678, faktura FV/2024/01",
]


@pytest.mark.parametrize("text", NONE)
def test_look_alikes(text: str) -> None:
    assert found(text) == []
