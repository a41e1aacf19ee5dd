"""Kinds of document offices keep: statements, reports, support chats, records, registers."""

from __future__ import annotations

import re
from typing import Final

from .documents import Author, Draft, formed
from .kinds import Kind
from .templates import TEMPLATES

__all__ = ["OFFICE"]


def _named(author: Author, draft: Draft, language: str, *forms: str) -> None:
    draft.person(formed(author.chance.choice(forms), author.person(language)))


_PLAIN: Final = ("First Last", "First Last", "Last, First", "FIRST LAST", "LAST, FIRST")


def _statement(author: Author, draft: Draft, language: str) -> None:
    chance = author.chance
    if author.likely(0.5):
        _named(author, draft, language, *_PLAIN)
        draft.add("\n")
        draft.add(author.address(language, line=False), "ADDR")
        draft.add("\n\n")
    for _ in range(chance.randint(4, 10)):
        day = chance.choice((f"{chance.randint(1, 28):02}.{chance.randint(1, 12):02}", author.date()))
        draft.add(day + chance.choice(("   ", "  ", "\t", " | ", ";")))
        if author.likely(0.55):
            draft.add(chance.choice(TEMPLATES.payments[language]) + " ")
            _named(author, draft, language, *_PLAIN)
            number = author.number()
            draft.add(chance.choice(("", f" REF {number}", " RENT", f" INV {number}", f" /ref/{number}")))
        else:
            draft.add(chance.choice(TEMPLATES.shops) + chance.choice(("", " " + author.number())))
        draft.add(" " * chance.randint(1, 14) + author.amount(2500))
        draft.add(chance.choice(("\n", "\n", f"  {chance.randint(1, 9999)}.00\n")))


_REPORTS: Final = (
    "INCIDENT REPORT",
    "Accident report",
    "MINUTES OF MEETING",
    "REPORT",
    "CASE FILE",
    "Discharge summary",
    "",
)


def _report(author: Author, draft: Draft, language: str) -> None:
    chance = author.chance
    cast = author.people(language, 3, 3)
    draft.add(f"{chance.choice(_REPORTS)}   {author.date()}{chance.choice((' 14:20', '', ' '))}\n\n")
    for _ in range(chance.randint(2, 5)):
        draft.add(chance.choice(TEMPLATES.parts) + chance.choice((": ", ": ", ":  ", " : ")))
        draft.person(formed(chance.choice((*_PLAIN, "LAST, First")), chance.choice(cast)))
        job, number = author.job(language), author.number()
        born = f", DOB {author.date()}, phone {author.phone(language)}"
        draft.add(chance.choice(("", f", badge {number}", born, f" ({job})", f", {job}", f" / {number}")) + "\n")
    draft.add("\n")
    for place in range(chance.randint(2, 6)):
        if author.likely(0.4):
            draft.add(f"{place + 1}. ")
        english = language == "en" or author.likely(0.3)
        sentences = TEMPLATES.mentions if english else TEMPLATES.sentences[language]
        author.fill(draft, chance.choice(sentences), language, cast)
        draft.add(chance.choice((" ", "\n")))


_SAID: Final = (
    "my parcel {0} never came, order {1}",
    "sorry to hear that",
    "yes. and the card {0} was charged twice",
    "please see https://status.example.net",
    "thanks",
    "ok",
    "hi, you're through to support, who am I speaking to?",
    "can i have the order number",
    "{0}",
    "no",
    "one moment please",
)


def _support(author: Author, draft: Draft, language: str) -> None:
    chance = author.chance
    agent, caller = cast = author.people(language, 2, 2)
    minute, style = chance.randint(0, 20), chance.randint(0, 4)
    for _ in range(chance.randint(4, 10)):
        minute += chance.randint(0, 3)
        times = (
            f"[09:{minute:02}] ",
            f"09:{minute:02} ",
            "",
            f"{author.date()}, 09:{minute:02} - ",
            f"(9:{minute:02} PM) ",
        )
        draft.add(times[style])
        if author.likely(0.5):
            draft.add(chance.choice(TEMPLATES.speakers[language]))
        elif author.likely(0.5):
            draft.add(chance.choice(("agent_", "agent-", "op.", "@", "")))
            draft.person(chance.choice((str(agent), str(agent).lower(), agent.first.lower(), agent.first)))
        else:
            person = chance.choice(cast)
            draft.person(chance.choice((person.first, str(person), person.first.lower())))
        draft.add(chance.choice((": ", ": ", " says: ", "> ")))
        share = chance.random()
        if share < 0.30:
            draft.add(chance.choice(("", "it's ", "my name is ", "this is ", "sure, ")))
            draft.person(chance.choice((str(caller).lower(), str(caller), caller.first.lower())))
        elif share < 0.55:
            draft.add(chance.choice(_SAID).format(author.number(), author.number()))
        else:
            sentences = TEMPLATES.ordinary[language] if author.likely(0.4) else TEMPLATES.mentions
            author.fill(draft, chance.choice(sentences), language, cast)
        draft.add("\n")


_STATES: Final = ("basic", "pro", "active", "closed", "Sales", "Lead", "gold", "n/a", "", "B+", "Chase", "North")


def _records(author: Author, draft: Draft, language: str) -> None:
    chance = author.chance
    columns = chance.sample(TEMPLATES.columns, chance.randint(4, 9))
    if not {"full_name", "name", "last_name"}.intersection(columns):
        columns[chance.randint(0, 3)] = "full_name"
    between = chance.choice((",", ",", ";", "\t", "|", " | "))
    draft.add(between.join(columns) + "\n")
    for _ in range(chance.randint(2, 6)):
        person = author.person(language)
        for place, column in enumerate(columns):
            if place:
                draft.add(between)
            match column:
                case "full_name" | "name":
                    draft.person(person)
                case "manager":
                    draft.person(author.person(language))
                case "first_name":
                    draft.person(person.first)
                case "last_name":
                    draft.person(person.last)
                case "email":
                    draft.add(author.mail(person))
                case "mobile" | "phone":
                    draft.add(author.phone(language))
                case "birth_date" | "created_at" | "dob":
                    draft.add(author.date())
                case "city":
                    draft.add(author.town(language), "LOC")
                case "role":
                    draft.add(author.job(language))
                case "plan" | "status" | "team" | "dept" | "notes":
                    draft.add(chance.choice(_STATES))
                case _:
                    draft.add(author.number())
        draft.add("\n")


def _piped(author: Author, draft: Draft, language: str) -> None:
    """A table as Markdown writes it."""
    chance = author.chance
    if author.likely(0.7):
        draft.add("| # | Name | Role | Ext | Date | Grade |\n|---|------|------|-----|------|-------|\n")
    for place in range(chance.randint(3, 7)):
        draft.add(f"| {place + 1} | ")
        _named(author, draft, language, "First Last", "Last, First", "FIRST LAST", "LAST, First", "LAST, FIRST")
        office = f"Lead, {author.town(language)} office"
        role = chance.choice((author.job(language), office, "Chase analyst", "Head of Claims", "Clerk", "Intern"))
        grade = chance.choice(("A", "B+", "C", "-", "pass"))
        draft.add(f" | {role} | {chance.randint(1000, 9999)} | {author.date()} | {grade} |\n")


_ODD: Final = (
    "LAST, FIRST I",
    "LAST JR, FIRST I",
    "First I. Last, Jr.",
    'First "Nick" Last',
    "First (Nick) Last",
    "First Second Last",
    "first last",
    "FIRST LAST",
    "First Last Sfx",
    "First-Second Last",
    "Last First",
    "First Last",
    "First I Last",
    "First Last, Sfx",
)
_NICKNAMES: Final = ("Bud", "Red", "The Hammer", "Greyhound", "Tiny", "Doc", "Jim", "Bob", "Liz", "Eli", "Max", "Kate")
_ADDRESSED: Final = ("Mr. ", "Mr ", "Mrs ", "Dr. ", "MR ", "Ms. ", "Miss ")


def _odd(author: Author, draft: Draft, language: str) -> None:
    """A name as registers hold it."""
    chance = author.chance
    name = formed(
        chance.choice(_ODD),
        author.person(language),
        Second=author.first(language),
        Nick=chance.choice(_NICKNAMES),
        Sfx=chance.choice(TEMPLATES.endings),
        I=chance.choice("ABCDEFGHJKLMNPRSTW"),
    )
    if author.likely(0.12):
        draft.add(chance.choice(_ADDRESSED))
    draft.person(name)


def _company(author: Author, language: str) -> str:
    chance = author.chance
    name = chance.choice(TEMPLATES.companies)
    name = re.sub(r"\{w\}", lambda _: chance.choice(TEMPLATES.company_words), name)
    name = name.replace("{W}", chance.choice(TEMPLATES.company_words).title())
    return name.replace("{l}", author.last(language).lower())


_REGISTERS: Final = ("Sign-in sheet", "Payment list, week 10", "Attendance", "Donors", "Contributors", "Waiting list")


def _register(author: Author, draft: Draft, language: str) -> None:
    chance = author.chance
    style = chance.choice(("payments", "dashes", "semicolons", "numbers", "sentence"))
    if style in ("dashes", "numbers"):
        draft.add(chance.choice(_REGISTERS) + "\n")
    count = chance.randint(3, 8)
    for place in range(count):
        person = author.likely(0.7)
        reference = chance.choice(("payment ref", "transfer", "ref", "invoice", "gift no"))
        before = {
            "payments": f"{author.date()} {reference} {chance.randint(100000, 999999)} ",
            "dashes": "- ",
            "semicolons": f"{place + 1};",
            "numbers": f"{place + 1}. ",
        }
        draft.add(before.get(style, ""))
        if person:
            _odd(author, draft, language)
        else:
            draft.add(_company(author, language), "ORG")
        joined = chance.choice((" and ", ", ", "; ", " was signed by ", " on behalf of "))
        after = {
            "payments": f" {chance.randint(1, 999)}.{chance.choice(('00', '50'))}\n",
            "dashes": "\n",
            "semicolons": f";{'individual' if person else 'company'};{chance.randint(1, 5000)}\n",
            "numbers": f"\t{author.amount()}\n",
            "sentence": joined if place < count - 1 else " were copied in.",
        }
        draft.add(after[style])


OFFICE: Final[tuple[tuple[Kind, int], ...]] = (
    (_statement, 8),
    (_report, 10),
    (_support, 8),
    (_records, 6),
    (_piped, 4),
    (_register, 10),
)
"""Kinds with the weight each is drawn by."""
