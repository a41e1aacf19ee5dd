"""Words that name a field, in eight languages: beside a value, at the head of a column, or in front of a form line."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from anonify.detection.model import Category

__all__ = ["LABELS", "alternation", "header_category", "plausible"]

# Lower case.  Order inside a list does not matter; the alternation is made longest first.
LABELS: Final[dict[str, tuple[str, ...]]] = {
    "dob": tuple(
        x.strip()
        for x in (
            "date of birth, birth date, birthdate, birthday, dob, d.o.b., d.o.b, born, born on, date_of_birth, birth_date, dateofbirth, geburtsdatum, geboren, geboren am, geb., geb. am,"
            "geb.-datum, geb, date de naissance, né le, née le, né(e) le, naissance, date naissance, date_naissance, ddn, fecha de nacimiento, nacido el, nacida el, nacido, nacida,"
            "nacido/a, f. nac., f. nacimiento, fecha nacimiento, fecha_nacimiento, data di nascita, nato il, nata il, nato, nata, nato/a, nato/a il, data nascita, data_nascita, geboortedatum,"
            "geboren op, geb.datum, data de nascimento, nascido em, nascida em, nascido, nascida, nascido(a) em, data nascimento, data_nascimento, data urodzenia, urodzony, urodzona, ur., urodzony(a),"
            "data_urodzenia, urodzony/a, fødselsdato, födelsedatum, syntymäaika, d.n., nasc., né, née, born in, nac., birth"
        ).split(",")
        if x.strip()
    ),
    "customer": tuple(
        x.strip()
        for x in (
            "référence du dossier, référence dossier, dossier, pratica, processo, do processo, nº processo, customer, customer no, customer no., customer number, customer id, customer_id, customerid, customer ref, customer reference, cust id, cust no, client no, client number, client id,"
            "client_id, client ref, client reference, patient no, patient number, patient id, patient_id, mrn, medical record number, medical record no, hospital no, hospital number, chart number,"
            "case reference, case ref, case no, case no., case number, case id, case file, file no, file number, file ref, docket no, docket number, matter no, matter number, claim no, claim number, claim id, claim ref,"
            "member no, member number, member id, member_id, memberid, membership no, membership number, membership id, subscriber id, subscriber no, employee no, employee no., employee number, employee id,"
            "employee_id, emp no, emp id, staff no, staff number, staff id, personnel no, personnel number, payroll no, payroll number, badge, badge no, badge number, student no, student number, student id,"
            "student_id, matriculation number, policy no, policy number, policyholder no, loyalty no, loyalty number, contract no, contract number, account ref, beneficiary no, beneficiary id, user id, applicant no, applicant id,"
            "kundennummer, kunden-nr, kunden-nr., kundennr, kundennr., kd-nr, kd-nr., kd.-nr., kunden-id, kundenkennung, aktenzeichen, az., az, geschäftszeichen, fallnummer, fall-nr, fall-nr., vorgangsnummer, patientennummer,"
            "patienten-nr, patienten-nr., patienten-id, mitgliedsnummer, mitglieds-nr, mitglieds-nr., personalnummer, personal-nr, personal-nr., pers.-nr., mitarbeiternummer, mitarbeiter-nr., matrikelnummer, versicherungsnummer,"
            "versichertennummer, vers.-nr., schadennummer, schaden-nr., vertragsnummer, vertrags-nr., policennummer, dienstausweis, ausweis, "
            "numéro client, numéro de client, n° client, no client, nº client, réf. client, référence client, code client, numéro de dossier, n° dossier, n° de dossier, réf. dossier, dossier n°, numéro patient, numéro de patient,"
            "n° patient, ipp, numéro d'adhérent, n° adhérent, numéro adhérent, matricule, numéro de matricule, numéro d'employé, n° employé, numéro de contrat, n° contrat, n° de contrat, numéro de police, n° de sinistre, numéro d'étudiant,"
            "número de cliente, nº cliente, nº de cliente, n.º cliente, n.º de cliente, num. cliente, código de cliente, id cliente, id_cliente, referencia de cliente, número de expediente, nº expediente, expediente, nº de expediente,"
            "número de caso, número de paciente, nº paciente, id paciente, nhc, historia clínica, nº historia, n.º historia clínica, nº de historia clínica, número de historia, número de historia clínica, número de socio, nº socio, nº de socio, número de empleado, nº empleado, nº de empleado, número de póliza, nº póliza, episodio,"
            "numero cliente, codice cliente, n. cliente, n° cliente, cod. cliente, id cliente, numero pratica, pratica n., n. pratica, codice pratica, fascicolo, numero paziente, codice paziente, id paziente, numero di socio, numero socio,"
            "tessera n., n. tessera, numero tessera, matricola, numero dipendente, n. dipendente, numero polizza, n. polizza, cartella clinica n., "
            "klantnummer, klantnr, klantnr., klant-id, klantcode, dossiernummer, dossiernr, dossiernr., zaaknummer, zaaknr, patiëntnummer, patientnummer, patiënt-id, lidnummer, lidmaatschapsnummer, personeelsnummer, medewerkernummer,"
            "werknemersnummer, studentnummer, polisnummer, relatienummer, "
            "número do cliente, nº do cliente, nº cliente, n.º de cliente, n.º cliente, código do cliente, código cliente, id do cliente, número do processo, processo nº, processo n.º, nº do processo, n.º do processo, número do paciente,"
            "prontuário, nº do prontuário, n.º utente, número de utente, nº de utente, número de sócio, n.º de sócio, matrícula, número de matrícula, número do funcionário, n.º de funcionário, número da apólice, apólice, "
            "numer klienta, nr klienta, id klienta, numer sprawy, nr sprawy, sygnatura, sygnatura akt, sygn. akt, numer pacjenta, nr pacjenta, id pacjenta, numer członkowski, nr członkowski, numer pracownika, nr pracownika, nr ewidencyjny,"
            "numer polisy, nr polisy, numer umowy, nr umowy, numer albumu, nr albumu, kundnummer, kundenummer, asiakasnumero"
        ).split(",")
        if x.strip()
    ),
    "person": tuple(
        x.strip()
        for x in (
            "name, full name, full_name, fullname, first name, first_name, firstname, last name, last_name, lastname, surname, given name, family name, middle name, maiden name, patient, patient name, patient_name, account holder,"
            "account_holder, cardholder, cardholder name, customer name, customer_name, client name, client_name, employee, employee name, employee_name, contact, contact name, contact_name, contact person, applicant, claimant,"
            "beneficiary, tenant, landlord, insured, policyholder, next of kin, emergency contact, guardian, parent, spouse, witness, reporter, reported by, signed, signed by, signature, attn, attention, prepared by, approved by, reviewed by,"
            "author, owner name, injured person, interviewer, interviewee, candidate, student, student name, teacher, physician, attending, attending physician, referring physician, doctor, dr, present, apologies, attendees, participants, cc, chair, from, to, sender,"
            "recipient, passenger, guest, guest name, driver, holder, payee, payer, buyer, seller, manager, supervisor, mother, father, son, daughter, husband, wife, member name, "
            "vorname, nachname, familienname, geburtsname, vor- und nachname, name, vorname und name, patientin, kontoinhaber, kontoinhaberin, karteninhaber, kunde, kundin, kundenname, mitarbeiter, mitarbeiterin, ansprechpartner, ansprechpartnerin, antragsteller, antragstellerin,"
            "versicherte person, versicherungsnehmer, mieter, vermieter, zeuge, zeugin, unterschrift, gezeichnet, gez., empfänger, absender, anwesend, entschuldigt, teilnehmer, arzt, ärztin, hausarzt, verfasser, bearbeiter, sachbearbeiter, sachbearbeiterin, von, an, inhaber, "
            "nom, prénom, prénoms, nom et prénom, nom complet, nom de famille, nom de naissance, nom d'usage, patiente, titulaire, titulaire du compte, assuré, assurée, salarié, salariée, employé, employée, contact, demandeur, bénéficiaire, locataire, témoin, signataire, signé, destinataire,"
            "expéditeur, présents, excusés, participants, médecin, médecin traitant, rédacteur, de, à, "
            "nombre, nombres, apellidos, apellido, nombre y apellidos, nombre completo, paciente, titular, titular de la cuenta, titular de cuenta, empleado, empleada, trabajador, solicitante, beneficiario, beneficiaria, asegurado, inquilino, testigo, firmado, firma, destinatario, remitente,"
            "asistentes, presentes, ausentes, médico, médica, remitido por, doctora, tutor, contacto, para, "
            "nome, cognome, nome e cognome, nominativo, paziente, intestatario, intestatario del conto, intestatario conto, titolare, dipendente, richiedente, beneficiario, assicurato, inquilino, testimone, firmato, firma, destinatario, mittente, presenti, assenti, assenti giustificati, medico, medico curante, referente, da, "
            "naam, voornaam, achternaam, volledige naam, voor- en achternaam, patiënt, rekeninghouder, kaarthouder, klant, klantnaam, medewerker, werknemer, contactpersoon, aanvrager, begunstigde, verzekerde, huurder, getuige, ondertekend, handtekening, ontvanger, afzender, aanwezig, afwezig, afgemeld, huisarts, arts, van, aan, "
            "nome completo, sobrenome, apelido, nome próprio, paciente, titular da conta, titular, cliente, funcionário, funcionária, colaborador, requerente, beneficiário, segurado, inquilino, testemunha, assinatura, assinado, destinatário, remetente, presentes, ausentes, médico, responsável, "
            "imię, nazwisko, imię i nazwisko, imiona, pacjent, pacjentka, posiadacz rachunku, posiadacz konta, właściciel konta, właściciel rachunku, klient, klientka, pracownik, pracownica, osoba kontaktowa, wnioskodawca, beneficjent, ubezpieczony, najemca, świadek, podpis, podpisano, odbiorca, nadawca, obecni, nieobecni, usprawiedliwieni, lekarz, od, do"
        ).split(",")
        if x.strip()
    ),
    "address": tuple(
        x.strip()
        for x in (
            "address, addr, street address, street, home address, home, postal address, mailing address, billing address, shipping address, delivery address, residence, residential address, address line 1, address1, address_1, address_line_1, street_address, deliver to, ship to,"
            "anschrift, adresse, straße, strasse, wohnanschrift, lieferadresse, rechnungsadresse, postanschrift, wohnhaft, privatanschrift, adresse postale, adresse du domicile, domicile, rue, adresse_postale, dirección, domicilio, dirección postal, calle, direccion,"
            "indirizzo, residenza, via, adres, straat, woonadres, postadres, bezorgadres, endereço, endereco, morada, residência, rua, adres zamieszkania, ulica, adres korespondencyjny, zamieszkały, zamieszkała, adress, osoite"
        ).split(",")
        if x.strip()
    ),
}

_HEADERS: Final[dict[Category, str]] = {
    "email": r"e-?mail|e_mail|mail|courriel|correo|correo electrónico|posta elettronica|email address|e-mail address|e-mailadres|mailadresse|email_address|adres e-mail|emailadresse",
    "phone": r"phone|telephone|tel|telefon|telefonnummer|téléphone|teléfono|telefono|telefoon|telefone|mobile|mobil|mobiel|móvil|cell|handy|fax|phone number|phone_number|phone no|mobile_phone|home_phone|work_phone|mobile number|nr telefonu|numer telefonu|cellulare|celular|gsm|telefoonnummer|portable",
    "government-id": r"ssn|social security number|social security|national id|national_id|nino|ni number|nhs number|nhs no|passport|passport no|passport number|passport_no|driving licence|driver license|driver's license|licence no|license number|tax id|tax_id|tin|itin|ein|utr|steuer-id|steuer_id|steueridentifikationsnummer|steuernummer|sozialversicherungsnummer|sv-nummer|ausweisnummer|personalausweis|nir|numéro de sécurité sociale|n° de sécurité sociale|dni|nie|nif|nif/nie|dni/nie|nass|codice fiscale|cod\. fiscale|bsn|burgerservicenummer|pesel|nip|cpf|rg|aadhaar|aadhar|pan|sin|tfn|cpr|personnummer|fødselsnummer|henkilötunnus|rijksregisternummer|curp|rut|ahv|ahv-nummer",
    "bank-account": r"iban|bic|swift|account|account no|account number|account_number|account_no|bank account|bank_account|sort code|sort_code|routing number|routing_number|aba|konto|kontonummer|konto-nr|blz|bankleitzahl|compte|rib|numéro de compte|cuenta|número de cuenta|ccc|conto|conto corrente|rekening|rekeningnummer|conta|número da conta|rachunek|numer konta|nr konta|numer rachunku",
    "financial": r"card|card number|card_number|card no|credit card|credit_card|cc|pan number|kartennummer|kreditkarte|numéro de carte|tarjeta|numero carta|kaartnummer|cartão|numer karty|salary|annual salary|annual_salary|base salary|wage|wages|gross pay|net pay|income|gehalt|jahresgehalt|lohn|salaire|salaire annuel|salario|sueldo|stipendio|salaris|jaarsalaris|salário|wynagrodzenie|pensja",
    "health": r"diagnosis|diagnoses|diagnose|diagnostic|diagnóstico|diagnosi|diagnóstico|rozpoznanie|medication|allergies|condition|icd|icd-10|icd10",
    "api-key": r"password|passwd|pwd|secret|token|api key|api_key|apikey|access token|access_token|access key|private key|passwort|kennwort|mot de passe|contraseña|wachtwoord|senha|hasło|pin",
    "other": r"ip|ip address|ip_address|ip-adresse|mac|mac address|imei|vin|licence plate|license plate|kennzeichen|plate",
}

_ADDRESS_PARTS: Final = r"|postcode|post code|postal code|postal_code|zip|zip code|zip_code|zipcode|plz|postleitzahl|code postal|code_postal|código postal|cap|cep|kod pocztowy|city|town|ort|stadt|wohnort|ville|ciudad|localidad|città|comune|plaats|woonplaats|stad|cidade|miasto"

_NOT_PERSONS: Final = frozenset(
    "to from signed signature attention cc present contact von an de à para da van aan od do dr son mother father via".split()
)


def alternation(words: tuple[str, ...]) -> str:
    """The words as a pattern, longest first; blanks match runs of blanks."""
    ordered = sorted(set(words), key=lambda word: (-len(word), word))
    return "|".join(r"[ \t\x{A0}]+".join(_escape(part) for part in word.split(" ")) for word in ordered)


def _escape(text: str) -> str:
    return re.sub(r"([.()/'+*?\[\]{}|\\^$-])", r"\\\1", text)


@cache
def _header_lookup() -> dict[str, Category]:
    lookup: dict[str, Category] = {}
    for word in LABELS["person"]:
        if word not in _NOT_PERSONS:
            lookup[word] = "person"
    for word in (*LABELS["address"], *_ADDRESS_PARTS.strip("|").split("|")):
        lookup[word] = "address"
    for word in LABELS["customer"]:
        lookup[word] = "customer-id"
    for word in LABELS["dob"]:
        lookup[word] = "date-of-birth"
    for category, pattern in _HEADERS.items():
        for word in pattern.split("|"):
            lookup[word.replace("\\", "").replace("e-?mail", "email")] = category
    lookup["e-mail"] = "email"
    return {_plain(word): category for word, category in lookup.items()}


def _plain(title: str) -> str:
    title = re.sub(r"(?<=[a-zß-ÿ])(?=[A-Z])", " ", title)
    return re.sub(r"[\s_.:#*\-]+", " ", title).strip().lower()


def header_category(title: str) -> Category | None:
    """What a column headed `title` holds, when its words say so."""
    lookup = _header_lookup()
    plain = _plain(title)
    plain = re.sub(r"\s*\([^)]*\)$", "", plain)
    if plain in lookup:
        return lookup[plain]
    words = plain.split(" ")
    for size in (3, 2, 1):  # "customer email", "primary phone number", "email 2"
        for tail in (words[-size:], words[:size]):
            category = lookup.get(" ".join(tail))
            if category is not None and len(words) <= 4 and category not in ("person", "address", "other"):
                return category
    if (
        len(words) > 1
        and words[-1] == "name"
        and words[0]
        not in {
            "file",
            "company",
            "product",
            "host",
            "user",
            "brand",
            "item",
            "model",
            "event",
            "project",
            "team",
            "domain",
        }
    ):
        return "person"
    return None


def plausible(category: Category, cell: str) -> bool:
    """Whether a cell can be of `category` at all, when its column's header already says so."""
    digits = sum(char.isdigit() for char in cell)
    letters = sum(char.isalpha() for char in cell)
    match category:
        case "person":
            return letters >= 2 and digits == 0 and "@" not in cell and len(cell) <= 60 and cell[:1].isalpha()
        case "address":
            return letters >= 2 or digits >= 4
        case "phone":
            return 6 <= digits <= 20 and letters <= 4
        case "email":
            return "@" in cell
        case "date-of-birth":
            return (
                re.search(
                    r"\d{1,4}[-./ ]\d{1,2}[-./ ]\d{1,4}|(?:19|20)\d{6}|\d{1,2}\.? \w{3,} \d{4}|\w{3,} \d{1,2},? \d{4}",
                    cell,
                )
                is not None
            )
        case "customer-id":
            return digits >= 2 and len(cell) <= 40
        case "government-id":
            return digits >= 4 and len(cell) <= 30
        case "bank-account":
            return digits >= 4 and len(cell) <= 45
        case "financial":
            return digits >= 2 and len(cell) <= 30
        case "api-key":
            return len(cell) >= 4 and " " not in cell
        case "health":
            return letters >= 3
        case "other":
            return digits >= 3
        case _:
            return False
