"""Kinds of document everybody knows: letters, forms, tables, mails, chats, lists, prose."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from .documents import Author, Draft, Person
from .templates import TEMPLATES

__all__ = ["COMMON", "Kind"]

Kind = Callable[[Author, Draft, str], None]
"""Writes a document of its kind in a language."""

_SUBJECTS: Final = ("Subject", "Re", "Betreff", "Objet ", "Asunto", "Oggetto", "Onderwerp", "Assunto", "Dotyczy")
_ADDRESS_LABELS: Final = "Address|Adresse|Dirección|Indirizzo|Adres|Endereço|Anschrift|Home address|Morada|Domicilio"
_FIRM_LABELS: Final = "Company|Firma|Société|Empresa|Azienda|Bedrijf|Employer"
_TOWN_LABELS: Final = "City|Ort|Ville|Ciudad|Città|Plaats|Cidade|Miasto|Place of birth"
_SEPARATORS: Final = (": ", ": ", ":\t", " : ", "\n", ": ", " | ", "  ")


def _letter(author: Author, draft: Draft, language: str) -> None:
    chance, words = author.chance, TEMPLATES.words[language]
    cast = author.people(language, 1, 3)
    if author.likely(0.7):
        _letterhead(author, draft, language, cast[0])
    if author.likely(0.5):
        draft.add(f"{chance.choice(_SUBJECTS)}: {author.thing(language)} {author.number()}\n\n")
    draft.add(chance.choice(words.greetings) + " ")
    reader = chance.choice(cast)
    draft.person(chance.choice((reader.first, reader.last, str(reader))))
    draft.add(",\n" + chance.choice(("", "\n")))
    author.sentences(draft, language, cast, chance.randint(1, 5), chance.choice((" ", " ", "\n")))
    draft.add("\n\n" + chance.choice(words.closings) + chance.choice((",\n", "\n", "\n\n", ",\n\n")))
    writer = chance.choice(cast)
    draft.person(writer.first if author.likely(0.2) else writer)
    if author.likely(0.5):
        draft.add("\n" + author.job(language))
    if author.likely(0.4):
        draft.add("\n")
        draft.add(author.firm(language), "ORG")
    if author.likely(0.5):
        label = chance.choice(words.fields[:3])
        between = chance.choice((" | ", "\n"))
        draft.add(f"\n{label}: {author.phone(language)}{between}{author.mail(writer)}")


def _letterhead(author: Author, draft: Draft, language: str, sender: Person) -> None:
    chance = author.chance
    draft.person(author.full(sender) if author.likely(0.3) else sender)
    draft.add("\n")
    if author.likely(0.3):
        draft.add(author.firm(language), "ORG")
        draft.add("\n")
    draft.add(author.address(language, line=False), "ADDR")
    draft.add(chance.choice(("\n\n", "\n\n", "\n")))
    if author.likely(0.6):
        if author.likely(0.5):
            draft.add(author.town(language) + chance.choice((", ", ", den ", ", le ", ", ")))
        draft.add(author.date() + chance.choice(("\n\n", "\n")))


def _form(author: Author, draft: Draft, language: str) -> None:
    chance, words = author.chance, TEMPLATES.words[language]
    for _ in range(chance.randint(4, 11)):
        between = chance.choice(_SEPARATORS)
        share = chance.random()
        if share < 0.38:
            draft.add(chance.choice(words.people) + between)
            person = author.person(language)
            draft.person(chance.choice((author.full(person), str(person), str(person).upper())))
        elif share < 0.48:
            draft.add(chance.choice(_ADDRESS_LABELS.split("|")) + between)
            draft.add(author.address(language, line=author.likely(0.8)), "ADDR")
        elif share < 0.54:
            draft.add(chance.choice(_FIRM_LABELS.split("|")) + between)
            draft.add(author.firm(language), "ORG")
        elif share < 0.60:
            draft.add(chance.choice(_TOWN_LABELS.split("|")) + between)
            draft.add(author.town(language), "LOC")
        else:
            values = (
                author.number(),
                author.date(),
                author.thing(language),
                author.phone(language),
                author.job(language),
            )
            draft.add(chance.choice(words.fields) + between + chance.choice(values))
        draft.add("\n")


_COLUMNS: Final = ("dept", "phone", "mail", "date", "amount", "city", "org", "job", "addr", "name")


def _table(author: Author, draft: Draft, language: str) -> None:
    chance = author.chance
    between = chance.choice(("\t", "\t", ";", ",", " | ", "  "))
    columns = [chance.choice(("name", "first", "last", "lastfirst")), *chance.sample(_COLUMNS, chance.randint(1, 4))]
    chance.shuffle(columns)
    if "first" in columns and "last" not in columns:
        columns.insert(columns.index("first") + 1, "last")
    capitals = author.likely(0.12)
    if author.likely(0.7):
        draft.add(between.join(chance.choice(TEMPLATES.words[language].heads) for _ in columns) + "\n")
    for _ in range(chance.randint(3, 9)):
        person = author.person(language)
        for place, column in enumerate(columns):
            if place:
                draft.add(between)
            shown = person if columns.index(column) == place else author.person(language)
            _cell(author, draft, language, column, Person(*(name.upper() for name in shown)) if capitals else shown)
        draft.add("\n")


def _cell(author: Author, draft: Draft, language: str, column: str, person: Person) -> None:
    match column:
        case "name":
            draft.person(person)
        case "first":
            draft.person(person.first)
        case "last":
            draft.person(person.last)
        case "lastfirst":
            draft.person(f"{person.last}, {person.first}")
        case "city":
            draft.add(author.town(language), "LOC")
        case "org":
            draft.add(author.firm(language), "ORG")
        case "addr":
            draft.add(author.address(language, line=True), "ADDR")
        case "dept":
            draft.add(author.thing(language))
        case "phone":
            draft.add(author.phone(language))
        case "mail":
            draft.add(author.mail(person))
        case "date":
            draft.add(author.date())
        case "amount":
            draft.add(author.amount())
        case _:
            draft.add(author.job(language))


def _mail(author: Author, draft: Draft, language: str) -> None:
    chance = author.chance
    cast = author.people(language, 2, 5)
    for head in chance.sample(("From", "To", "Cc", "Subject", "Date", "Sent"), chance.randint(3, 6)):
        draft.add(head + ": ")
        if head in ("From", "To", "Cc"):
            for place, person in enumerate(cast[:1] if head == "From" else cast[:3]):
                if place:
                    draft.add(chance.choice((", ", "; ")))
                _mailbox(author, draft, person)
        elif head == "Subject":
            subject = chance.choice(("Re: {N}", "Fwd: {O}", "{P}", "Meeting {D}", "AW: {T}"))
            author.fill(draft, subject, language, cast)
        else:
            draft.add(author.date())
        draft.add("\n")
    draft.add("\n")
    author.sentences(draft, language, cast, chance.randint(1, 4))
    if author.likely(0.4):
        draft.add(f"\n\nOn {author.date()}, ")
        draft.person(chance.choice(cast))
        draft.add(" wrote:\n> ")
        author.sentences(draft, language, cast, 2, "\n> ")


def _mailbox(author: Author, draft: Draft, person: Person) -> None:
    quote = '"' if author.likely(0.25) else ""
    draft.add(quote)
    draft.person(author.chance.choice((str(person), f"{person.last}, {person.first}", author.full(person))))
    draft.add(quote)
    if author.likely(0.8):
        draft.add(f" <{author.mail(person)}>")


def _chat(author: Author, draft: Draft, language: str) -> None:
    chance = author.chance
    cast = author.people(language, 2, 3)
    style = chance.randint(0, 3)
    for _ in range(chance.randint(3, 8)):
        if style == 0:
            draft.add(f"[{chance.randint(8, 18)}:{chance.randint(10, 59)}] ")
        person = chance.choice(cast)
        draft.person(chance.choice((person.first, str(person), person.first.lower(), person.last)))
        draft.add((": ", ": ", "\t", " - ")[style])
        author.sentences(draft, language, cast, 1)
        draft.add("\n")


def _list(author: Author, draft: Draft, language: str) -> None:
    chance = author.chance
    mark = chance.choice(("- ", "* ", "• ", "", "1. ", ""))
    for _ in range(chance.randint(3, 9)):
        share = chance.random()
        draft.add(mark)
        if share < 0.55:
            person = author.person(language)
            forms = (author.full(person), str(person), str(person).upper(), str(person).lower())
            draft.person(chance.choice(forms))
            more = ("", f", {author.job(language)}", f" ({author.number()})", f" - {author.thing(language)}")
            draft.add(chance.choice(more))
        elif share < 0.70:
            draft.add(author.firm(language), "ORG")
        elif share < 0.80:
            draft.add(author.town(language), "LOC")
        else:
            draft.add(f"{author.thing(language)} {author.thing(language)}")
        draft.add("\n")


def _prose(author: Author, draft: Draft, language: str) -> None:
    between = author.chance.choice((" ", " ", "\n", "\n\n"))
    author.sentences(draft, language, author.people(language, 2, 2), author.chance.randint(1, 6), between)


def _words(author: Author, draft: Draft, language: str) -> None:
    """Nothing about anybody: jobs, words, codes, firms."""
    chance, words = author.chance, TEMPLATES.words[language]
    for _ in range(chance.randint(4, 14)):
        share = chance.random()
        if share < 0.30:
            draft.add(author.job(language).title() if author.likely(0.5) else author.job(language))
        elif share < 0.60:
            draft.add(f"{author.thing(language)} {chance.choice(words.things + words.heads)}")
        elif share < 0.75:
            draft.add(author.town(language), "LOC")
        elif share < 0.85:
            draft.add(author.firm(language), "ORG")
        else:
            draft.add(f"{author.number()} {author.date()}")
        draft.add(chance.choice(("\n", ". ", ", ", " ", ": ", "\t")))


COMMON: Final[tuple[tuple[Kind, int], ...]] = (
    (_prose, 30),
    (_letter, 18),
    (_form, 14),
    (_table, 12),
    (_mail, 8),
    (_chat, 7),
    (_list, 6),
    (_words, 5),
)
"""Kinds with the weight each is drawn by."""
