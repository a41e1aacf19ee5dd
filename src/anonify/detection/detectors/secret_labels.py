"""Values that a label calls a secret: in settings, programs, tables and sentences."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

from anonify.detection.reasons import follows

from .base import Candidate, Detector, Finding

__all__ = ["DETECTORS", "entropy", "secret_like"]


def entropy(text: str) -> float:
    """Shannon entropy of the characters, in bits a character."""
    counts = Counter(text)
    return -sum(n / len(text) * math.log2(n / len(text)) for n in counts.values())


_REFERENCES: Final = re.compile(
    r"(?:arn:|\{\w|process\.env|os\.environ|env\.|ENV\[|\$\{|\$\(|\{\{|<[A-Za-z_ \-]+>$|%\(|secrets\.|config\.|"
    r"settings\.|self\.|this\.|vault\.|data\.|args\.|request\.|getenv|get_|null|none|true|false|undefined|"
    r"nil)",
    re.IGNORECASE,
)
_DUMMY: Final = re.compile(
    r"(?:x{4,}|\*{3,}|\.{3,}|-{3,}|_{3,}|0{6,}|changeme|change_me|example|your[_-]?|placeholder|redacted|"
    r"dummy|todo|string|password|passwort|secret|token|required|enabled|disabled|hidden|optional|invalid|"
    r"expired|incorrect|reset|policy|forgotten)",
    re.IGNORECASE,
)


def secret_like(value: str, *, labelled_strongly: bool) -> bool:
    """Whether a labelled value can be a secret: mixed characters, and neither a placeholder nor a reference to one.

    Args:
        labelled_strongly: the label says password; then a short one is enough.
    """
    if len(value) < (5 if labelled_strongly else 8) or len(set(value)) < 4:
        return False
    if _REFERENCES.match(value) or _DUMMY.match(value) or re.fullmatch(r"_*[A-Z]+(?:_+[A-Z]+)+_*", value):
        return False
    kinds = sum(
        any(test(char) for char in value) for test in (str.islower, str.isupper, str.isdigit, lambda c: not c.isalnum())
    )
    if kinds >= 3:
        return True
    if kinds == 2:
        return (
            any(char.isdigit() for char in value)
            or not re.fullmatch(r"[A-Z]?[a-z]+(?:[-_. ][A-Za-z]?[a-z]+)*[.,;!?]?|[A-Za-z]+", value)
            or (labelled_strongly and re.search(r"[a-z][A-Z]", value) is not None)
        )
    return (len(value) >= 16 and entropy(value) > 3.2) or (labelled_strongly and value.isdigit() and len(value) >= 6)


_KEYS: Final = (
    r"pass(?:w[a-z]{0,4}d|phrase|code|wort|key)?|pa?ss?w(?:o?r)?d|pwd|pw|psw|"
    r"secret(?:[_ \-]?(?:access[_ \-]?)?key|s)?|client[_ \-]?s(?:ecret|rt)|token|api[_ \-]?key|apikey|"
    r"auth(?:[_ \-]?(?:key|token|orization))?"
    r"|access[_ \-]?key(?:[_ \-]?id)?|accesskeyid|secretaccesskey|private[_ \-]?key|encryption[_ \-]?key|"
    r"signing[_ \-]?key|account[_ \-]?key|sharedaccesskey|activation[ _\-]?key|license[_ \-]?key|product[_ "
    r"\-]?key|subscription[_ \-]?key|master[_ \-]?key|credential|creds?|salt|nonce|pin(?: code)?|otp|"
    r"aes[_ \-]?key|session(?:[_ \-]?(?:id|key|token))?|passwort|kennwort|geheimnis|zugangsdaten|zugangscode|"
    r"mot de passe|mdp|contraseña|clave|wachtwoord|toegangscode|senha|hasło|parola(?: d'ordine)?|"
    r"mysqlpass|비번|비밀번호|パスワード|密码"
    r"|identified (?:with [\"'][a-z_0-9]+[\"'] )?(?:by|as)|wi-?fi (?:password|key|code)|signature|sig"
)
_WORD: Final = re.compile(_KEYS, re.IGNORECASE)
_ASSIGNED: Final = (
    r"(?: (?:for|of|für|pour|para) [\pL\pN_.@\-]{1,30})?(?:[ \t\"'\])\\]|\\t){0,8}(?:&quot;)?"
    r"(?:[ \t]*(?:String|str|std::string|const char\*?))?(?:[ \t]*(?:!?={1,3}>?|: "
    r"?(?:String|str) ?=|:=?|->|=>|: *str *=|is:?|ist:?|lautet:?|est:?|es:?|è:?|jest:?|by|BY|as|AS|,|>)|(?:[ "
    r"\t]+))[ \t]*(?:&quot;|&#34;)?"
)
_LABEL: Final = (
    r"(?i)(?:[A-Za-z0-9]+[_.\-])*?(?:"
    + _KEYS
    + r")(?:[_0-9][A-Za-z0-9_]{0,24}|(?-i:[A-Z][a-z])[A-Za-z0-9_]{0,22}|s|hash)?"
    + _ASSIGNED
)
_STRONG: Final = re.compile(
    r"pass|pa?ss?w|pwd|pw\b|psw|kennwort|mot de passe|mdp|contraseña|wachtwoord|senha|hasło|parola|identified|"
    r"비번|비밀번호|パスワード|密码|wi-?fi",
    re.IGNORECASE,
)
_QUOTED: Final = re.compile(r"(?:[bruf]{0,2})(?P<q>(?:\\{0,3}[\"'`]){1,3})(?P<value>[^\"'`\n]{4,6000}?)(?P=q)")
_BARE: Final = re.compile(r"(?P<value>[^\s\"'`<>,;&]{4,6000})")
_OPERATOR: Final = re.compile(r"(?:=|:|->|>)[ \t]*(?:&quot;|&#34;|\w+\s*=\s*)?$")
_PAGING: Final = re.compile(
    r"(?i)(?:[a-z0-9]*[_.\-])?(?:next|page|pagination|continuation|starting|cursor)[ _\-]?token"
)
"""Tokens that say where a list goes on."""

_LOGIN: Final = re.compile(r"(?:\blogin[ \t]+\S+|\bLOGIN|\bWITH)\s+$")
"""Before "password" in a .netrc file and in SQL."""

_SAID: Final = re.compile(r"\b(?:is|ist|lautet|est|es|è|jest|by|as)\b:?[ \t]*$", re.IGNORECASE)
_OPENSSL: Final = re.compile(r"(?:pass|file|env|fd):")
_DEFAULT: Final = re.compile(
    r"(?:\w+\.){0,3}(?:getenv|get_?env|environ\.get|environ|env|env\.get|GetEnv|Getenv)[(\[][\"']\w+[\"'][)\]]?"
    r"(?:, ?| (?:or|\|\||\?\?) )[\"'](?P<value>[^\"'\n]{4,200})[\"']"
)


def _labelled(candidate: Candidate) -> Iterator[Finding]:
    text = candidate.passage.text
    if candidate.start and text[candidate.start - 1].isalnum():
        camel = text[candidate.start].isupper() and (candidate.text[1].islower() or text[candidate.start - 1].islower())
        if not camel:
            return
    label = candidate.text
    if _PAGING.search(text[max(0, candidate.start - 14) : candidate.start] + label):
        return
    strong = _STRONG.search(label) is not None
    place = _value(text, candidate.end, label)
    if place is None:
        return
    start, end, quoted = place
    value = text[start:end]
    if quoted and " " in value.strip() and not strong:
        return
    if not _assigned(label, value, text[max(0, candidate.start - 60) : candidate.start], strong, quoted):
        return
    if re.match(r"[A-Za-z_][\w.]*\[", value) or value.lower() in label.lower():
        return  # a type; the same name again
    if not _REFERENCES.match(value) and _is_code(value, text[end : end + 1], quoted and strong):
        return
    marked = quoted and strong and re.fullmatch(r"[a-z]{4,}[!?$#@*]", value) is not None
    if marked or secret_like(value, labelled_strongly=strong):
        # Whose or which secret it is may be private itself: only the word for it is shown.
        word = _WORD.search(candidate.text)
        why = follows(word.group() if word else "", text[start:end])
        yield Finding(start, end, 0.88 if strong else 0.8, source="label", reason=why)


def _value(text: str, at: int, label: str) -> tuple[int, int, bool] | None:
    """Where the value behind a label stands, and whether quotes stand around it."""
    window = text[at : at + 6010]
    default = _DEFAULT.match(window)
    if default:  # what a program takes when the environment has none
        return at + default.start("value"), at + default.end("value"), True
    if label.endswith(("&quot;", "&#34;")):
        close = window.find(label[label.rindex("&") :], 0, 200)
        return (at, at + close, True) if close > 0 and "\n" not in window[:close] else None
    quoted = _QUOTED.match(window)
    if quoted:
        return at + quoted.start("value"), at + quoted.end("value"), True
    bare = _BARE.match(window)
    if bare is None:
        return None
    value = bare.group("value")
    lead = _OPENSSL.match(value)
    if lead:
        if lead.group() != "pass:":
            return None
        at, value = at + 5, value[5:]
    value = value.partition("&quot")[0]
    operator = _OPERATOR.search(label.rstrip("\"' \t\\"))
    value = value.rstrip(")]}|:\\" if operator else ").]}?:|\\")
    return at, at + len(value), False


def _assigned(label: str, value: str, before: str, strong: bool, quoted: bool) -> bool:
    """Whether label and value belong together: an operator, a verb, quotes, or a form that is nothing else."""
    if _OPERATOR.search(label.rstrip("\"' \t\\")):
        return True
    if _SAID.search(label):
        return re.search(r"\d|[a-z][A-Z]|[^\w\s.]", value[:-1]) is not None
    if strong and ((quoted and label.strip(" \t").lower() != "pass") or _LOGIN.search(before)):
        return True
    return (
        len(value) >= 24
        and re.fullmatch(r"[A-Za-z0-9+/=_\-.]+", value) is not None
        and re.search(r"\d", value) is not None
        and entropy(value) > 3
    )


def _is_code(value: str, after: str, password: bool) -> bool:
    """A call, a path to another setting, a type, a link: what a program reads a secret from, not a secret."""
    if after == "(" or re.fullmatch(
        r"[A-Za-z_][\w]*(?:\.[A-Za-z_]\w*)+\(?.*|[A-Za-z_]\w*\(.*|https?://.*|/(?:[\w.\-]+/?)+|[\w.\-]+\.(?:pem|"
        r"key|json|ya?ml|txt|env)",
        value,
    ):
        return not (
            re.search(r"\d", value)
            and re.search(r"[A-Z]", value)
            and re.search(r"[a-z]", value)
            and len(value) >= (8 if password else 20)
            and "(" not in value
            and "://" not in value
        )
    return False


_USER: Final = r"(?:-u|--user|--proxy-user|--http-user|-U)[ =][\"']?[A-Za-z0-9_.@+\-]{1,64}:[^\s\"']{4,200}"


def _user(candidate: Candidate) -> Iterator[Finding]:
    """`curl -u name:secret`."""
    secret = candidate.text.partition(":")[2]
    if not _REFERENCES.match(secret) and not _DUMMY.match(secret) and re.search(r"\d|[^\w]|[a-z][A-Z]", secret):
        yield Finding(candidate.end - len(secret), candidate.end, 0.85)


_CODE: Final = (
    r"(?i)\b(?:pin|otp|cvv2?|cvc2?|passcode|tan|(?:verification|security|access|confirmation|one[\- ]time|2fa|"
    r"login)[ \-]"
    r"(?:code|pin|passcode|password)|code de (?:vérification|sécurité)|código de (?:verificación|seguridad|segurança)|"
    r"codice di (?:verifica|sicurezza)|verificatiecode|prüfziffer|kod weryfikacyjny|geheimzahl|bestätigungscode)\b"
    r"[\"']?(?: ?[:=#]| is:?| ist:?| est:?| es:?| è:?| to:?)? ?[\"']?[0-9]{3,8}\b"
)


def _code(candidate: Candidate) -> Iterator[Finding]:
    """A personal or single-use number."""
    number = re.search(r"\d+$", candidate.text)
    label = candidate.text[: number.start()].lower() if number else ""
    if number is None or candidate.after(4).strip()[:1].isdigit() or re.match(r"[.,/\-]\d", candidate.after(2)):
        return
    short = len(number.group()) == 3
    if short != ("cv" in label) and not ("cv" in label and len(number.group()) == 4):
        return
    if re.fullmatch(r"(?:19|20)\d\d", number.group()) and not re.search(r"[:=#]", label):
        return
    if label.startswith(("pin", "tan")) and not (candidate.text[:3].isupper() or re.search(r"[:=#]|is|ist", label)):
        return
    yield Finding(candidate.start + number.start(), candidate.end, 0.75, source="label")


DETECTORS: Final = (
    Detector("labelled-secret", "api-key", 86, _LABEL, _labelled),
    Detector("labelled-secret", "api-key", 85, _CODE, _code),
    Detector("labelled-secret", "api-key", 87, _USER, _user, anchors=(b"curl", b"wget", b"--user", b"http")),
)
