"""References that point at a person when a label says so: customers', patients', members', cases', professionals'."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from .base import Candidate, Detector, Finding
from .dates import DATE
from .labelled import code_after, label_stands, labels_of

__all__ = ["DETECTORS"]

# who or what has a number of its own, before or after the word for number
_HOLDERS: Final = (
    (
        r"(?:applicant|application|beneficiary|candidate|case|chart|claim|claimant|client|complaint|contract|crime|"
        r"customer|docket|donor|employee|enrol?lment|file|guest|hospital|inmate|insurance policy|insured|loyalty|"
        r"matter|"
        r"medical record|member|membership|participant|passenger|patient|payroll|personnel|policy|policyholder|"
        r"prisoner|"
        r"pupil|resident|respondent|staff|student|subject|subscriber|tenant|volunteer|worker|badge|health plan)"
        r"(?:['’]s)?[ _\-]?(?:id(?:entifier)?|number|num\.?|no\.?|nr\.?|#|reference(?: number| no\.?)?|ref\.?|code)"
    ),
    (
        r"(?:abonnenten|akten|benutzer|bewerber|dienst|fall|kanzlei|kassen|klienten|kunden|mandanten|mieter|"
        r"mitarbeiter|"
        r"mitglieds?|matrikel|nutzer|patienten|personal|policen|schadens?|schüler|spender|studenten|teilnehmer|"
        r"versicherten|versicherungs(?:schein)?|vertrags|vorgangs|arztnummer|betriebs)"
        r"[ \-]?(?:nummer|nr\.?|id|kennung|zeichen|kennzeichen)"
    ),
    (
        r"(?:client|cliënt|contract|debiteuren|deelnemers?|dossier|inschrijf|klant|leerling|lid|lidmaatschaps|"
        r"medewerkers?|patient|patiënt|personeels|polis|relatie|schade|studenten?|verzekerden|werknemers|zaak)"
        r"[ \-]?(?:nummer|nr\.?|id|code)"
    ),
    (
        r"(?:n[°º]|no|num\.?|numéro|réf\.?|référence|code|identifiant) ?(?:de |d['’]|du |de l['’]|de la )?"
        r"(?:abonné|adhérent|adhésion|allocataire|assuré|bénéficiaire|candidat|client|contrat|dossier|employé|étudiant|"
        r"inscription|locataire|matricule|membre|patient|police|salarié|sinistre)"
    ),
    (
        r"(?:n\.?[°º]\.?|núm\.?|número|ref\.?|referencia|código|id) ?(?:de |del )?(?:abonado|afiliado|alumno|"
        r"asegurado|caso|"
        r"cliente|contrato|empleado|estudiante|expediente|historia(?: clínica)?|matrícula|paciente|póliza|siniestro|"
        r"socio|usuario)"
    ),
    (
        r"(?:n\.?[°º]?|nr\.?|num\.?|numero|codice|cod\.?|rif\.?|riferimento|id) ?(?:di |del |della |dell['’])?"
        r"(?:abbonato|assistito|cliente|contratto|dipendente|fascicolo|iscrizione|matricola|paziente|polizza|pratica|"
        r"sinistro|socio|studente|tessera|utente)"
    ),
    (
        r"(?:n\.?[°º]\.?|num\.?|número|ref\.?|referência|código|id) ?(?:de |do |da )?(?:aluno|apólice|associado|"
        r"beneficiário|"
        r"cliente|contrato|funcionário|inscrição|matrícula|paciente|processo|prontuário|segurado|sinistro|sócio|utente)"
    ),
    (
        r"(?:nr|numer|id|kod|sygn\.?|sygnatura) (?:abonenta|akt|albumu|członka|członkowski|ewidencyjny|"
        r"karty pacjenta|klienta|"
        r"kartoteki|legitymacji|pacjenta|polisy|pracownika|sprawy|studenta|szkody|ubezpieczenia|umowy|użytkownika)"
    ),
)
_REFERENCE: Final = r"(?:(?:our|your|unser|ihr|mein) (?:ref\.?|zeichen)|ref(?:erence|\.)?)"
_REFERENCE_FORM: Final = re.compile(
    r"(?!(?:INV|PO|ORD|SO|RE|RG|SKU|TRK|DOC|ISO|VER|PN|SN|RMA|TKT|BUG|JIRA|EUR|USD|"
    r"GBP)[\-/ ]?\d)[A-Z]{1,4}[\-/]?\d{5,}\b"
)
"""What stands behind "ref" when it names a person's file, not a payment or an order."""


_PROSE_LABELS: Final = frozenset({"dossier", "pratica", "processo", "do processo"})
"""Words that name a file as well as a number: their value must look like a reference, or a colon stand between."""

_SOFT_LABELS: Final = frozenset(
    [
        "customer",
        "az",
        "az.",
        "badge",
        "expediente",
        "apólice",
        "matrícula",
        "matricola",
        "matricule",
        "ausweis",
        "sygnatura",
        "fascicolo",
        "episodio",
        "ipp",
    ]
)


def _customer(candidate: Candidate) -> Iterator[Finding]:
    if not label_stands(candidate):
        return
    if candidate.before(12).endswith("patent "):
        return
    place = code_after(candidate, digits=2, longest=40)
    if place is None:
        return
    start, end = place
    value = candidate.passage.text[start:end]
    digits = sum(char.isdigit() for char in value)
    if (digits < 3 and "-" not in value) or DATE.fullmatch(value) or end - start < 3:
        return
    if re.fullmatch(r"(?:19|20)\d\d", value) or re.match(r"(?:PO|INV|ORD|SO|RFC|ISO)\b", value):
        return
    if re.match(r"(?i)(?:\w+ )?(?:ref|zeichen)", candidate.text) and not re.match(r"(?i)ref\w*\.? ", candidate.text):
        if _REFERENCE_FORM.fullmatch(value):
            yield Finding(start, end, 0.7, source="label")
        return
    soft = candidate.text.lower() in _SOFT_LABELS
    between = candidate.passage.text[candidate.end : start]
    if (
        candidate.text.lower() in _PROSE_LABELS
        and ":" not in between
        and not re.match(r"[A-Z]{2,}[-/]?\d|\d{6,}", value)
    ):
        return
    if soft and "\n" in candidate.passage.text[candidate.end : start]:
        return
    yield Finding(start, end, 0.75 if soft else 0.88, source="label")


_PROFESSIONAL: Final = (
    r"(?i)n[º°.]{0,2} ?(?:de )?col(?:egiad[oa])?\.?|núm(?:ero|\.) (?:de )?colegiad[oa]|colegiad[oa](?: "
    r"n[º°.]{1,2})?|npi(?: number| no\.?)?|gmc(?: number| no\.?)|nmc pin|dea(?: number| no\.?)|lanr|"
    r"betriebsstättennummer|bsnr|rpps|adeli|big-nummer|crm(?:/[A-Z]{2})?|numer pwz|nr pwz|bar (?:no\.?|"
    r"number)"
)


def _professional(candidate: Candidate) -> Iterator[Finding]:
    if not label_stands(candidate):
        return
    place = code_after(candidate, digits=4, longest=16)
    if place is not None and not DATE.fullmatch(candidate.passage.text[place[0] : place[1]]):
        yield Finding(*place, 0.75, source="label")


DETECTORS: Final = (
    Detector("reference", "customer-id", 60, labels_of("customer", *_HOLDERS, _REFERENCE), _customer),
    Detector("professional-number", "other", 61, _PROFESSIONAL, _professional),
)
