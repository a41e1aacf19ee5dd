"""Credentials: tokens in their published forms, private keys, secrets inside connection strings and headers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from .base import Candidate, Detector, Finding, alternatives
from .secret_labels import entropy, secret_like

__all__ = ["DETECTORS"]

# A word character class "w" below means [A-Za-z0-9_-].
_TOKENS: Final = (
    r"(?:AKIA|ASIA|ABIA|ACCA|AGPA|AIDA|AROA|AIPA|ANPA|ANVA|APKA)[A-Z0-9]{16}",  # AWS
    r"gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{60,90}",
    r"gl(?:pat|oas|dt|rt|rtr|cbt|ptt|ft|imt|agent|soat|ffct|wt)-[A-Za-z0-9_.\-]{20,}|GR1348941[A-Za-z0-9_\-]{20}",
    r"xox[abceoprs](?:[.\-]xox[a-z])?-[A-Za-z0-9\-]{10,}|xapp-[0-9]-[A-Za-z0-9\-]{20,}",
    r"(?:sk|rk|pk)_(?:live|test|prod)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/=]{20,80}",
    r"sk-(?:proj|svcacct|admin|ant|or|lf|None)-[A-Za-z0-9_\-]{20,}|sk-[A-Za-z0-9]{32,64}",
    r"AIza[A-Za-z0-9_\-]{35}|ya29\.[A-Za-z0-9_\-]{20,}|GOCSPX-[A-Za-z0-9_\-]{28}|1//0[A-Za-z0-9_\-]{30,}",
    (
        r"SG\.[A-Za-z0-9_\-]{16,32}\.[A-Za-z0-9_\-]{30,64}|key-[0-9a-f]{32}|[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}|"
        r"xkeysib-[0-9a-f]{64}-[A-Za-z0-9]{16}"
    ),
    (
        r"npm_[A-Za-z0-9]{36}|pypi-[A-Za-z0-9_\-]{40,}|rubygems_[0-9a-f]{48}|dckr_pat_[A-Za-z0-9_\-]{27}|"
        r"hf_[A-Za-z0-9]{34,40}"
    ),
    (
        r"dop_v1_[0-9a-f]{64}|do[or]_v1_[0-9a-f]{64}|dapi[0-9a-f]{32}(?:-[0-9])?|shp(?:at|ca|pa|"
        r"ss)_[0-9a-fA-F]{32}|lin_api_[A-Za-z0-9]{40}"
    ),
    (
        r"hv[sbr]\.[A-Za-z0-9_.\-]{20,}|s\.[A-Za-z0-9]{24}|[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=\-]{60,70}|"
        r"PMAK-[0-9a-f]{24}-[0-9a-f]{34}"
    ),
    (
        r"sq0(?:csp|atp|idp)-[A-Za-z0-9_\-]{22,60}|EAAA[A-Za-z0-9_\-]{60}|EAACE[A-Za-z0-9]{40,}|"
        r"squ_[0-9a-f]{40}|sq[pa]_[0-9a-f]{40}"
    ),
    (
        r"(?:AC|SK)[0-9a-f]{32}|figd_[A-Za-z0-9_\-]{38,60}|gsk_[A-Za-z0-9]{48,60}|gl(?:sa|c)_[A-Za-z0-9_+/=]{30,}"
        r"|xai-[A-Za-z0-9]{70,90}"
    ),
    (
        r"pplx-[A-Za-z0-9]{40,60}|nvapi-[A-Za-z0-9_\-]{60,70}|r8_[A-Za-z0-9]{37}|vc[pikra]{1,2}_[A-Za-z0-9]{24,"
        r"60}|nfp_[A-Za-z0-9]{36}|cf(?:at|ut|k)_[A-Za-z0-9]{40,60}"
    ),
    (
        r"pscale_(?:pw|tkn|oauth)_[A-Za-z0-9_.\-]{32,64}|cosmo_[0-9a-f]{32}|secret_[A-Za-z0-9]{43}|"
        r"ntn_[A-Za-z0-9]{40,50}|ops_eyJ[A-Za-z0-9_\-]{100,}"
    ),
    (
        r"NRAK-[A-Z0-9]{27}|phc_[A-Za-z0-9]{40,50}|sntrys_[A-Za-z0-9_=+/]{60,}|"
        r"pat[A-Za-z0-9]{14}\.[0-9a-f]{64}|tskey-[a-z]+-[A-Za-z0-9\-]{15,60}|akab-[a-z0-9]{16}-[a-z0-9]{16}"
    ),
    (
        r"access_token\$production\$[a-z0-9]{16,24}\$[0-9a-f]{32}|[A-Za-z0-9]{3}[78]Q~[A-Za-z0-9_.~\-]{31,34}|"
        r"eyJrIjoi[A-Za-z0-9=_\-]{60,}|[0-9]{8,10}:AA[A-Za-z0-9_\-]{33}|[0-9]{13,17}\|[A-Za-z0-9_\-]{27}"
    ),
    (
        r"[MNO][A-Za-z0-9]{23,25}\.[A-Za-z0-9_\-]{6}\.[A-Za-z0-9_\-]{27,40}|HRKU-[A-Za-z0-9_\-]{36,70}|"
        r"sl\.(?:u\.)?[A-Za-z0-9_\-]{120,}|AT(?:ATT3|CTT3)[A-Za-z0-9_\-=]{80,}|ATBB[A-Za-z0-9]{32}"
    ),
    (
        r"dp\.(?:pt|ct|st|sa|scim|audit)\.[A-Za-z0-9_.\-]{40,60}|fo1_[A-Za-z0-9_\-]{43}|"
        r"fm[12][ar]?_[A-Za-z0-9+/=]{80,}|"
        r"[ps]k\.eyJ1[A-Za-z0-9_\-]{40,}\.[A-Za-z0-9_\-]{20,30}|pul-[0-9a-f]{40}|AGE-SECRET-KEY-1[A-Z0-9]{58}"
    ),
    (
        r"LTAI[A-Za-z0-9]{12,24}|AKID[A-Za-z0-9]{28,36}|aio_[A-Za-z0-9]{28}|CLOJARS_[a-z0-9]{60}|"
        r"duffel_(?:test|live)_[A-Za-z0-9_\-=]{43}|EZ[AT]K[A-Za-z0-9]{54}|FLW(?:PUB|"
        r"SEC)K(?:_TEST)?-[A-Za-z0-9\-]{32,50}|"
        r"fio-u-[A-Za-z0-9_\-=]{64}|ico-[A-Za-z0-9]{32}|AKCp[A-Za-z0-9]{60,80}"
    ),
    (
        r"[0-9a-f]{32}-us[0-9]{1,2}|pubkey-[0-9a-f]{32}|sha256~[A-Za-z0-9_\-]{43}|access-(?:sandbox|development|"
        r"production)-"
        r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|pnu_[A-Za-z0-9]{36}|rdme_[a-z0-9]{70}|shippo_(?:live|"
        r"test)_[0-9a-f]{40}"
    ),
    (
        r"sgp_[0-9a-f_]{40,60}|sbp_[0-9a-f]{40}|sb_(?:secret|publishable)_[A-Za-z0-9_\-]{20,60}|"
        r"tfp_[A-Za-z0-9_.\-]{59}|"
        r"AQVN[A-Za-z0-9_\-]{35,38}|ABSK[A-Za-z0-9+/=]{100,}|glrt-[A-Za-z0-9_\-]{20}|ghs_[A-Za-z0-9_.\-]{36,}|"
        r"xoxe\.xox[bp]-[0-9]-[A-Za-z0-9]{140,}|lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}|tvly-[A-Za-z0-9\-]{20,50}"
    ),
    r"LS0tLS1CRUdJTi[A-Za-z0-9+/]{30,}={0,2}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}:fx",
)
_LONG: Final = re.compile(r"\{(\d+)(?:,\d*)?\}")
_SHOWN: Final = 8
"""Characters behind a token's prefix that the automaton looks at.  It counts by copying its states, and whole tokens
outgrew its memory; the whole form is matched from there."""


def _head(form: str) -> str:
    """The beginning of a token's form, through a few characters of its first long run; or all of it."""
    if form.startswith("["):
        return form
    for run in _LONG.finditer(form):
        if int(run.group(1)) > _SHOWN and form[: run.start()].count("(") == form[: run.start()].count(")"):
            return f"{form[: run.start()]}{{{_SHOWN}}}"
    return form


_FORMS: Final = alternatives("|".join(_TOKENS))
_HEADS: Final = r"(?:\b|_)(?:" + "|".join(_head(form) for form in _FORMS) + ")"
_WHOLE: Final = re.compile("|".join(_FORMS))
_JWT: Final = r"eyJ[A-Za-z0-9_\-]{8,}\.(?:eyJ)?[A-Za-z0-9_\-]{8,}(?:\.[A-Za-z0-9_\-]{8,})?"
_KEY_BLOCK: Final = r"-----BEGIN (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----"
_KEY_END: Final = re.compile(r"-----END (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----")
_KEY_LONGEST: Final = 16_384


def _token(candidate: Candidate) -> Iterator[Finding]:
    text, start = candidate.passage.text, candidate.start
    if text[start] == "_":
        start += 1
    if start and (text[start - 1].isalnum() or (text[start - 1] in "_" and text[start] not in "gsxnp")):
        return
    whole = _WHOLE.match(text, start)
    if whole is None:
        return
    end = whole.end()
    if end < len(text) and text[end].isalnum():
        return
    if text[start - 1 : start] == "/" == text[end : end + 1] and "://" not in text[max(0, start - 200) : start]:
        return  # a stretch of something encoded
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
        or secret.lower() in {"password", "pass", "passwd", "secret", "pwd", "xyz", "token"}
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


DETECTORS: Final = (
    Detector("api-token", "api-key", 94, _HEADS, _token),
    Detector("jwt", "api-key", 95, _JWT, _whole, anchors=(b"eyJ",)),
    Detector("private-key", "api-key", 99, _KEY_BLOCK, _key_block, anchors=(b"PRIVATE KEY",)),
    Detector("connection-string", "api-key", 93, _USERINFO, _connection, anchors=(b"://",)),
    Detector("auth-header", "api-key", 91, _HEADER, _header),
)
