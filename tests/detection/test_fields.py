"""Labels as programs and forms write them: in JSON, YAML, XML, HTML and query strings, in one word or joined."""

from __future__ import annotations

import pytest

from tests.detection.patterns import found, unmarked

# category, a text with the values marked
FOUND = [
    ("customer-id", '"subscriberId": "«896f218b-cfba-40be-a255-8b49a65d0407»"'),
    ("phone", '{"phoneNumber": "«0207 946 0018»"}'),
    ("phone", '"mobile": "«07700 900123»",'),
    ("phone", "<phone>«0207 946 0018»</phone>"),
    ("phone", "phone_number=«4155550132»&x=1"),
    ("phone", '"tel": «4155550132»'),
    ("date-of-birth", '"dateOfBirth": "«1980-05-12»"'),
    ("date-of-birth", '"birthDate":"«1980-05-12»"'),
    ("date-of-birth", "<dob>«12/05/1980»</dob>"),
    ("date-of-birth", "birth_date: «1980-05-12»"),
    ("date-of-birth", "<td>Date of birth</td><td>«12/05/1980»</td>"),
    ("date-of-birth", "DOB\t«05/12/1980»"),
    ("date-of-birth", "Geb.-Datum: «12.05.1980»"),
    ("date-of-birth", "DATE OF BIRTH: «12 MAY 1980»"),
    ("date-of-birth", "Date of Birth (DOB): «05/12/1980»"),
    ("date-of-birth", "D/O/B: «05/12/1980»"),
    ("date-of-birth", "Born: «1980/05/12»"),
    ("date-of-birth", "Birthdate «5.12.80»"),
    ("date-of-birth", "fecha de nacimiento es el «12/05/1980»"),
    ("government-id", '"ssn": "«536-90-4399»"'),
    ("government-id", "<ssn>«536904399»</ssn>"),
    ("government-id", '"nationalId": "«36574261809»"'),
    ("government-id", '"passportNumber":"«C01X00T47»"'),
    ("government-id", "passport_no: «533401372»"),
    ("government-id", '"driversLicense": "«D1234567»"'),
    ("government-id", "drivers_license_number=«D1234567»"),
    ("government-id", '"taxId": "«912-90-3456»"'),
    ("government-id", "social_security_number: «536-90-4399»"),
    ("government-id", "SSN/TIN: «536-90-4399»"),
    ("government-id", "SS# «536-90-4399»"),
    ("government-id", "Last 4 of SSN"),
    ("government-id", "PESEL:\n«44051401359»"),
    ("government-id", "CPF/CNPJ: «390.533.447-05»"),
    ("government-id", "Aadhaar Number (UID): «2341 2341 2346»"),
    ("bank-account", '"accountNumber": "«31926819»"'),
    ("bank-account", '"iban": "«DE89370400440532013000»"'),
    ("bank-account", "account_number=«31926819»"),
    ("bank-account", '"routingNumber": "«021000021»"'),
    ("bank-account", '"sortCode": "«60-83-71»"'),
    ("bank-account", "<bic>«COBADEFFXXX»</bic>"),
    ("bank-account", '"swiftCode": "«BNPAFRPP»"'),
    ("bank-account", "A/C No. «31926819»"),
    ("bank-account", "Acct #: «31926819»"),
    ("bank-account", "bank account «31926819» with sort code «60-83-71»"),
    ("financial", '"cardNumber": "«4111111111111111»"'),
    ("financial", '"salary": «54000»'),
    ("financial", "Salary: «$54,000.00»"),
    ("customer-id", '"customerId": "«C-2696071»"'),
    ("customer-id", '"patient_id": "«P0045123»"'),
    ("customer-id", '"memberNumber": "«M889120»"'),
    ("customer-id", "employeeId=«E55021»"),
    ("customer-id", "MRN: «0045123»"),
    ("customer-id", "MRN «0045123»"),
    ("customer-id", "Patient-ID: «4711-22»"),
    ("customer-id", "Policy #: «HX-99123»"),
    ("customer-id", "Claim # «2024-889120»"),
    ("email", '"email": "«jane@example.com»"'),
    ("address", '"street": "«12 Main Street»"'),
    ("address", '"address": "«12 Main Street, Springfield, IL 62701»"'),
    ("address", "<address>«12 Main Street, Springfield, IL 62701»</address>"),
    ("other", '"ipAddress": "«203.0.113.77»"'),
    ("other", '"vin": "«1M8GDM9AXKP042788»"'),
    ("other", '"macAddress": "«00:1B:44:11:3A:B7»"'),
    ("api-key", '"apiKey": "«q7Rw2ZtXk9LmPv4J»"'),
    ("api-key", "<password>«Tr0ub4dor3»</password>"),
    ("api-key", '"access_token":"«q7Rw2ZtXk9LmPv4JbN8s»"'),
    ("api-key", "PIN: «482913»"),
    ("api-key", "OTP «482913»"),
    ("api-key", "Your verification code is «482913»"),
]


@pytest.mark.parametrize(("category", "marked"), FOUND)
def test_found(category: str, marked: str) -> None:
    text, values = unmarked(marked)
    assert found(text, category) == values
    assert found(text) == values


NONE = [
    '"salary": 2024',
    "salary: 2024-05-12",
    "PIN code 110001",
    "error code 500, security code review 2024",
    "TAN 2024 and OTP 2019 conference",
    '"photoId": 48213377, "stateId": 12345',
    '"passport": true, "ssn": null',
    '"accountNumber": "",',
    "pin 12 of the connector, pins 1234",
    "born: yes, 3 siblings",
]


@pytest.mark.parametrize("text", NONE)
def test_look_alikes(text: str) -> None:
    assert found(text) == []
