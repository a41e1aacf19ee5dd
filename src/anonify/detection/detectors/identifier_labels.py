"""Labels of national identifiers, and which of python-stdnum's checks fit behind them."""

from __future__ import annotations

from typing import Final

__all__ = ["LABELLED", "SHORT"]

_ELSEWHERE: Final = (
    "cl.rut",
    "mx.curp",
    "ar.cuit",
    "tr.tckimlik",
    "kr.rrn",
    "ro.cnp",
    "bg.egn",
    "cz.rc",
    "ee.ik",
    "is_.kennitala",
    "hr.oib",
    "gr.amka",
    "gr.vat",
    "ie.pps",
    "za.idnr",
    "il.idnr",
    "co.nit",
    "pe.ruc",
    "ec.ci",
    "uy.rut",
    "do.cedula",
)
"""Numbers of countries beyond the labels of their own, by python-stdnum's module."""

# label pattern (RE2, case folded) -> modules of python-stdnum that may check the value
LABELLED: Final[tuple[tuple[str, str, tuple[str, ...]], ...]] = (
    ("us-ssn", r"ssn|ss#|social security(?: (?:number|no\.?|nr\.?|#))?|social insurance number", ("us.ssn", "ca.sin")),
    ("us-itin", r"itin|individual taxpayer(?: identification(?: number)?)?", ("us.itin",)),
    ("us-ein", r"ein|employer identification(?: number)?|fein|federal tax id", ("us.ein",)),
    (
        "tax-id",
        (
            r"tax id(?:entification)?(?: number| no\.?)?|taxpayer id|tin|tax reference|tax file number|tfn|ird(?: "
            r"number| no\.?)?"
        ),
        ("us.tin", "au.tfn", "nz.ird"),
    ),
    ("gb-nino", r"nino|ni number|ni no\.?|national insurance(?: (?:number|no\.?))?", ("gb.nino",)),
    (
        "gb-nhs",
        (
            r"nhs/insurance|insurance (?:number|no\.?|id|#)|health insurance(?: (?:number|no\.?|id))?|nhs(?: "
            r"(?:number|no\.?))?|chi number"
        ),
        ("gb.nhs",),
    ),
    ("gb-utr", r"utr|unique taxpayer reference", ("gb.utr",)),
    (
        "de-idnr",
        (
            r"steuer-?id(?:-nr\.?|entifikationsnummer)?|steueridentifikationsnummer|steuerliche identifikationsnummer|"
            r"idnr\.?|steuernummer|st\.-nr\.?"
        ),
        ("de.idnr", "de.stnr"),
    ),
    (
        "de-svnr",
        (
            r"sozialversicherungsnummer|sv-nummer|sv-nr\.?|rentenversicherungsnummer|rvnr\.?|"
            r"krankenversichertennummer|kvnr|svnr"
        ),
        ("at.vnr",),
    ),
    (
        "id-card",
        (
            r"personalausweis(?:nummer|-nr\.?)?|ausweisnummer|ausweis-nr\.?|identity card(?: no\.?| number)?|id "
            r"card(?: no\.?| number)?|carte d'identité|cni|carta d'identità|cartão de cidadão|dowód osobisty|seria i "
            r"numer dowodu|numer dowodu|nr dowodu|identiteitskaart|bilhete de identidade|documento de identidad|"
            r"cédula"
        ),
        (),
    ),
    (
        "fr-nir",
        (
            r"nir|n° (?:de )?sécurité sociale|numéro (?:de )?sécurité sociale|sécurité sociale|n° sécu|numéro de sécu|"
            r"numéro fiscal|n° ss"
        ),
        ("fr.nir", "fr.nif"),
    ),
    (
        "es-dni",
        (
            r"dni|d\.n\.i\.|nie|n\.i\.e\.|nif|n\.i\.f\.|dni/nie|nif/nie|nass|n\.?º? ?ss|nuss|número de la seguridad "
            r"social|(?:n\.?[º°] ?)?(?:de )?(?:la )?seguridad social|número de afiliación"
        ),
        ("es.dni", "es.nie", "es.nif", "pt.nif"),
    ),
    ("it-cf", r"codice fiscale|cod\. fisc\.|cod\. fiscale|c\.f\.|cf|partita iva", ("it.codicefiscale",)),
    ("nl-bsn", r"bsn|burgerservicenummer|sofinummer", ("nl.bsn",)),
    ("pl-pesel", r"pesel|nip|nr pesel|numer pesel", ("pl.pesel", "pl.nip")),
    (
        "pt-nif",
        r"contribuinte|número de contribuinte|n\.º (?:de )?contribuinte|niss|n\.º segurança social",
        ("pt.nif",),
    ),
    ("br-cpf", r"cpf|cpf/mf|cnpj|rg|r\.g\.|pis|pis/pasep|cnh|título de eleitor|identidade", ("br.cpf", "br.cnpj")),
    (
        "be-nn",
        r"rijksregisternummer|rijksregister|numéro national|numéro de registre national|registre national|nn",
        ("be.nn",),
    ),
    ("se-pnr", r"personnummer|personnr\.?|pnr|samordningsnummer", ("se.personnummer",)),
    ("dk-cpr", r"cpr(?:-?nummer|-nr\.?| nr\.?)?", ("dk.cpr",)),
    ("no-fnr", r"fødselsnummer|fodselsnummer|fnr", ("no.fodselsnummer",)),
    ("fi-hetu", r"henkilötunnus|hetu|personbeteckning", ("fi.hetu",)),
    (
        "in-id",
        (
            r"aadhaar(?: (?:number|no\.?))?|aadhar(?: (?:number|no\.?))?|uid number|uidai|pan(?: (?:number|no\.?|"
            r"card))|pan"
        ),
        ("in_.aadhaar", "in_.pan"),
    ),
    ("ca-sin", r"sin|n\.?a\.?s\.?", ("ca.sin",)),
    ("au-medicare", r"medicare(?: (?:number|no\.?|card))?", ()),
    ("ch-ahv", r"ahv(?:-?nummer|-nr\.?)?|avs|n° avs|numéro avs", ("ch.ssn",)),
    (
        "other-id",
        (
            r"national id(?:entity|entification)?(?: (?:number|no\.?|card))?|nationale id|national identification "
            r"number|id number|id no\.?|identification number|identity number|identification no\.?|citizen id|"
            r"(?:citizen(?:ship)?|personal|national|state|government|govt|voters?|"
            r"election|tax|taxpayer|social|photo|resident|residency|alien|foreigner|military|police|civil|federal|"
            r"fiscal|identity|pan|aadhaar|cnic|nin|nik|kebele|philsys|french|dutch|swiss|greek|czech|uk|us|eu|"
            r"hong kong|[a-z]{3,10}(?:ish|ese|an|ai)|thai|israeli|iraqi|pakistani|emirati|saudi)\x20id\b|rut|run|curp|"
            r"rfc del titular|cuit|cuil|"
            r"dui|nit|ruc|tc kimlik(?: no)?|teudat zehut|nric|hkid|"
            r"emirates id|oib|jmbg|egn|cnp|rodné číslo|isikukood|asmens kodas|personas kods|kennitala|emšo|amka|afm|"
            r"ppsn?(?: (?:number|no\.?))?|pps number|ausweis-id|nationale identificatienummer|ausweis-kennung|id "
            r"nazionale|identifiant national|identificador nacional|documento nacional|nationaal id|identyfikator "
            r"krajowy|numer identyfikacyjny|documento di identità|documento nacional de identidade|id nacional|id "
            r"national|id krajowe|егн|αφμ|αμκα|rrn|resident registration(?: number| no\.?)?"
        ),
        _ELSEWHERE,
    ),
    (
        "passport",
        (
            r"passport(?: (?:number|no\.?|nr\.?|#))?|reisepass(?:nummer|-nr\.?| nr\.?)?|passnummer|pass-nr\.?|numéro "
            r"de passeport|n° (?:de )?passeport|passeport|pasaporte|número de pasaporte|passaporto|numero di "
            r"passaporto|paspoort(?:nummer)?|passaporte|número do passaporte|paszport|numer paszportu|nr paszportu"
        ),
        (),
    ),
    (
        "driving-licence",
        (
            r"driv(?:er['’]?s?|ing) (?:license|licence)(?: (?:number|no\.?|#))?|dl(?: (?:number|no\.?|#))|"
            r"license number|"
            r"licence number|führerschein(?:nummer|-nr\.?)?|permis de conduire|n° (?:de )?permis|carnet de conducir|"
            r"permiso de conducir|patente di guida|patente n\.?|rijbewijs(?:nummer)?|carta de condução|prawo jazdy|"
            r"numer prawa jazdy"
        ),
        (),
    ),
)

SHORT: Final = frozenset(
    ["ein", "tin", "cf", "rg", "nn", "pan", "sin", "pis", "run", "rut", "nit", "nas", "rfc", "rib", "n.a.s.", "nie"]
)
"""Labels that are ordinary words in some language: their value must look like one at once."""
