"""Credentials: tokens in their providers' published forms, private keys, secrets inside connection strings and headers,
and values that a label calls a secret."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

from .base import Candidate, Detector, Finding

__all__ = ["DETECTORS", "entropy", "secret_like"]

# A word character class "w" below means [A-Za-z0-9_-].
_TOKENS: Final = (
    r"(?:AKIA|ASIA|ABIA|ACCA|AGPA|AIDA|AROA|AIPA|ANPA|ANVA|APKA)[A-Z0-9]{16}",  # AWS
    r"gh[pousr]_[A-Za-z0-9]{30,255}|github_pat_[A-Za-z0-9_]{60,90}",
    r"gl[a-z]{1,5}-[A-Za-z0-9_.\-]{20,128}|GR1348941[A-Za-z0-9_\-]{20}",
    r"xox[abceoprs](?:[.\-]xox[a-z])?-[A-Za-z0-9\-]{10,400}|xapp-[0-9]-[A-Za-z0-9\-]{20,200}",
    r"(?:sk|rk|pk)_(?:live|test|prod)_[A-Za-z0-9]{16,250}|whsec_[A-Za-z0-9+/=]{20,80}",
    r"sk-(?:proj|svcacct|admin|ant|or|lf|None)-[A-Za-z0-9_\-]{20,300}|sk-[A-Za-z0-9]{32,64}",
    r"AIza[A-Za-z0-9_\-]{35}|ya29\.[A-Za-z0-9_\-]{20,250}|GOCSPX-[A-Za-z0-9_\-]{28}|1//0[A-Za-z0-9_\-]{30,200}",
    (
        r"SG\.[A-Za-z0-9_\-]{16,32}\.[A-Za-z0-9_\-]{30,64}|key-[0-9a-f]{32}|[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}|"
        r"xkeysib-[0-9a-f]{64}-[A-Za-z0-9]{16}"
    ),
    (
        r"npm_[A-Za-z0-9]{36}|pypi-[A-Za-z0-9_\-]{40,250}|rubygems_[0-9a-f]{48}|dckr_pat_[A-Za-z0-9_\-]{27}|"
        r"hf_[A-Za-z0-9]{34,40}"
    ),
    (
        r"dop_v1_[0-9a-f]{64}|do[or]_v1_[0-9a-f]{64}|dapi[0-9a-f]{32}(?:-[0-9])?|shp(?:at|ca|pa|"
        r"ss)_[0-9a-fA-F]{32}|lin_api_[A-Za-z0-9]{40}"
    ),
    (
        r"hv[sbr]\.[A-Za-z0-9_.\-]{20,250}|s\.[A-Za-z0-9]{24}|[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=\-]{60,70}|"
        r"PMAK-[0-9a-f]{24}-[0-9a-f]{34}"
    ),
    (
        r"sq0(?:csp|atp|idp)-[A-Za-z0-9_\-]{22,60}|EAAA[A-Za-z0-9_\-]{60}|EAACE[A-Za-z0-9]{40,250}|"
        r"squ_[0-9a-f]{40}|sq[pa]_[0-9a-f]{40}"
    ),
    (
        r"(?:AC|SK)[0-9a-f]{32}|figd_[A-Za-z0-9_\-]{38,60}|gsk_[A-Za-z0-9]{48,60}|gl(?:sa|c)_[A-Za-z0-9_+/=]{30,"
        r"300}|xai-[A-Za-z0-9]{70,90}"
    ),
    (
        r"pplx-[A-Za-z0-9]{40,60}|nvapi-[A-Za-z0-9_\-]{60,70}|r8_[A-Za-z0-9]{37}|vc[pikra]{1,2}_[A-Za-z0-9]{24,"
        r"60}|nfp_[A-Za-z0-9]{36}|cf(?:at|ut|k)_[A-Za-z0-9]{40,60}"
    ),
    (
        r"pscale_(?:pw|tkn|oauth)_[A-Za-z0-9_.\-]{32,64}|cosmo_[0-9a-f]{32}|secret_[A-Za-z0-9]{43}|"
        r"ntn_[A-Za-z0-9]{40,50}|ops_eyJ[A-Za-z0-9_\-]{100,1000}"
    ),
    (
        r"NRAK-[A-Z0-9]{27}|phc_[A-Za-z0-9]{40,50}|sntrys_[A-Za-z0-9_=+/]{60,200}|"
        r"pat[A-Za-z0-9]{14}\.[0-9a-f]{64}|tskey-[a-z]+-[A-Za-z0-9\-]{15,60}|akab-[a-z0-9]{16}-[a-z0-9]{16}"
    ),
    (
        r"access_token\$production\$[a-z0-9]{16,24}\$[0-9a-f]{32}|[A-Za-z0-9]{3}[78]Q~[A-Za-z0-9_.~\-]{31,34}|"
        r"eyJrIjoi[A-Za-z0-9=_\-]{60,200}|[0-9]{8,10}:AA[A-Za-z0-9_\-]{33}"
    ),
)
_JWT: Final = r"eyJ[A-Za-z0-9_\-]{8,}\.(?:eyJ)?[A-Za-z0-9_\-]{8,}(?:\.[A-Za-z0-9_\-]{8,})?"
_KEY_BLOCK: Final = r"-----BEGIN (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----"
_KEY_END: Final = re.compile(r"-----END (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----")
_KEY_LONGEST: Final = 16_384


def entropy(text: str) -> float:
    """Shannon entropy of the characters, in bits a character."""
    counts = Counter(text)
    return -sum(n / len(text) * math.log2(n / len(text)) for n in counts.values())


_REFERENCES: Final = re.compile(
    r"(?:process\.env|os\.environ|env\.|ENV\[|\$\{|\$\(|\{\{|<[A-Za-z_ \-]+>$|%\(|secrets\.|config\.|"
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
    if _REFERENCES.match(value) or _DUMMY.match(value):
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


def _token(candidate: Candidate) -> Iterator[Finding]:
    text, start, end = candidate.passage.text, candidate.start, candidate.end
    if start and (text[start - 1].isalnum() or (text[start - 1] in "_" and text[start] not in "gsxnp")):
        return
    if end < len(text) and text[end].isalnum():
        return
    while end > start and text[end - 1] in "-.":
        end -= 1
    value = text[start:end]
    body = re.sub(r"^[a-zA-Z]+[_\-.]", "", value)
    if len(set(body)) < 7 or value.endswith("EXAMPLE"):
        return
    if re.fullmatch(r"key-[0-9a-f]{32}|[0-9a-f-]+|s\..*", value) and entropy(value) < 3:
        return
    yield Finding(start, end, 0.95)


def _whole(candidate: Candidate) -> Iterator[Finding]:
    text = candidate.passage.text
    if candidate.start and (text[candidate.start - 1].isalnum() or text[candidate.start - 1] in "_/+"):
        return
    yield Finding(candidate.start, candidate.end, 0.96)


def _key_block(candidate: Candidate) -> Iterator[Finding]:
    text = candidate.passage.text
    end = _KEY_END.search(text, candidate.end, candidate.end + _KEY_LONGEST)
    if end is not None:
        yield Finding(candidate.start, end.end(), 0.99)
        return
    body = re.match(r"(?:\s|[A-Za-z0-9+/=]|\\[nr])+", text[candidate.end : candidate.end + _KEY_LONGEST])
    if body and len(body.group()) > 30:  # cut off, or its end lies on the next page
        yield Finding(candidate.start, candidate.end + len(body.group().rstrip()), 0.9)


_USERINFO: Final = r"[A-Za-z][A-Za-z0-9+.\-]{1,24}://[^\s:/@'\"<>]{0,80}:[^\s'\"<>]{1,200}@[A-Za-z0-9\[$]"


def _connection(candidate: Candidate) -> Iterator[Finding]:
    text = candidate.text
    match = re.match(r"[^:]+://[^:@/]*:(?P<secret>[^\s/?#]+?|[^\s?#]+?)@[^@]*$", text)
    if not match:
        return
    secret = match.group("secret")
    if (
        secret.startswith(("$", "{", "<", "%("))
        or set(secret) <= {"*", "x", "X"}
        or "://" in secret
        or not secret.strip("*")
    ):
        return
    start = candidate.start + match.start("secret")
    yield Finding(start, start + len(secret), 0.93)


_HEADER: Final = (
    r"(?i)(?:authorization|proxy-authorization|x-api-key|x-auth-token|apikey|api-key|cookie|"
    r"set-cookie)[\"']?[ \t]{0,3}[:=][ \t\"']{0,4}(?:bearer|basic|token|digest|apikey|aws4-hmac-sha256)?[ "
    r"\t]{0,3}[A-Za-z0-9+/=_.~\-]{8,}"
    r"|(?i)\b(?:bearer|basic)[ \t]{1,3}[A-Za-z0-9+/=_.~\-]{16,}"
)


def _header(candidate: Candidate) -> Iterator[Finding]:
    match = re.search(r"[A-Za-z0-9+/=_.~\-]{8,}$", candidate.text)
    if match and secret_like(match.group(), labelled_strongly=False) and entropy(match.group()) > 2.8:
        start = candidate.start + match.start()
        yield Finding(start, start + len(match.group().rstrip(".")), 0.9)


_LABEL: Final = (
    r"(?i)(?:[A-Za-z0-9]+[_.\-])*?(?:pass(?:word|wd|phrase|code|wort)?|pa?ss?w(?:o?r)?d|pwd|pw|psw|"
    r"secret(?:[_ \-]?(?:access[_ \-]?)?key|s)?|client[_ \-]?s(?:ecret|rt)|token|api[_ \-]?key|apikey|"
    r"auth(?:[_ \-]?(?:key|token|orization))?"
    r"|access[_ \-]?key(?:[_ \-]?id)?|accesskeyid|secretaccesskey|private[_ \-]?key|encryption[_ \-]?key|"
    r"signing[_ \-]?key|account[_ \-]?key|sharedaccesskey|activation[ _\-]?key|license[_ \-]?key|product[_ "
    r"\-]?key|credential|creds?|salt|nonce|pin(?: code)?|otp|"
    r"aes[_ \-]?key|session[_ \-]?(?:id|key)|passwort|kennwort|geheimnis|zugangsdaten|mot de passe|mdp|"
    r"contraseña|clave|wachtwoord|senha|hasło|parola(?: d'ordine)?|mysqlpass|비번|비밀번호|パスワード|密码"
    r"|identified by|wi-?fi (?:password|key|code)|signature|sig)[A-Za-z0-9_]{0,24}"
    r"[ \t\"'\])]{0,4}(?:&quot;)?(?:[ \t]*(?:String|str|std::string|const char\*?))?(?:[ \t]*(?:!?={1,3}>?|: "
    r"?(?:String|str) ?=|:=?|->|=>|: *str *=|is:?|ist:?|lautet:?|est:?|es:?|è:?|jest:?|by|BY|,|>)|(?:[ "
    r"\t]+))[ \t]*(?:&quot;|&#34;)?"
)
_STRONG: Final = re.compile(
    r"pass|pa?ss?w|pwd|pw\b|psw|kennwort|mot de passe|mdp|contraseña|wachtwoord|senha|hasło|parola|identified|"
    r"비번|비밀번호|パスワード|密码|wi-?fi",
    re.IGNORECASE,
)
_QUOTED: Final = re.compile(r"(?:[bruf]{0,2})(?P<q>[\"'`]{1,3})(?P<value>[^\"'`\n]{4,6000}?)(?P=q)")
_BARE: Final = re.compile(r"(?P<value>[^\s\"'`<>,;&]{4,6000})")


def _labelled(candidate: Candidate) -> Iterator[Finding]:
    passage = candidate.passage
    text = passage.text
    if candidate.start and text[candidate.start - 1].isalnum():
        return
    label = candidate.text
    window = text[candidate.end : candidate.end + 6010]
    strong = _STRONG.search(label) is not None
    operator = re.search(r"(?:=|:|->|>)[ \t]*(?:&quot;|&#34;|\w+\s*=\s*)?$", label.rstrip("\"' \t"))
    match = _QUOTED.match(window)
    if match is None:
        match = _BARE.match(window)
        if match is None:
            return
    value, begin = match.group("value"), match.start("value")
    if "q" not in match.groupdict():
        trimmed = value.rstrip(").]}!?:|\\") if not operator else value.rstrip(")]}|")
        value = trimmed.partition("&quot")[0] or trimmed
    elif " " in value.strip() and not strong:
        return
    said = re.search(r"\b(?:is|ist|lautet|est|es|è|jest|by)\b:?[ \t]*$", label, re.IGNORECASE)
    if not operator and not said and not (strong and "q" in match.groupdict()):
        return
    if _is_code(value, text[candidate.end + begin + len(value) : candidate.end + begin + len(value) + 1]):
        return
    if said and not operator and not (re.search(r"\d", value) or re.search(r"[a-z][A-Z]|[^\w\s.]", value[:-1])):
        return
    if not secret_like(value, labelled_strongly=strong):
        return
    start = candidate.end + begin
    yield Finding(start, start + len(value), 0.88 if strong else 0.8, source="label")


def _is_code(value: str, after: str) -> bool:
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
            and len(value) >= 20
            and "(" not in value
            and "://" not in value
        )
    return False


DETECTORS: Final = (
    Detector("api-token", "api-key", 94, "|".join(_TOKENS), _token),
    Detector("jwt", "api-key", 95, _JWT, _whole, anchors=(b"eyJ",)),
    Detector("private-key", "api-key", 99, _KEY_BLOCK, _key_block, anchors=(b"PRIVATE KEY",)),
    Detector("connection-string", "api-key", 93, _USERINFO, _connection, anchors=(b"://",)),
    Detector("auth-header", "api-key", 91, _HEADER, _header),
    Detector("labelled-secret", "api-key", 86, _LABEL, _labelled),
)
