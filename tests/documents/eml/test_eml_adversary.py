"""Every place a message can hide a text: the value is gone from each, its neighbour and the tree stay."""

from __future__ import annotations

import email
import email.policy
import html
import re
import urllib.parse

import pytest

from anonify.documents import RedactionPlan, SweepValue
from anonify.documents.eml import FORMAT
from anonify.documents.gate import read_back
from anonify.sandbox import BytesSource

from .making import ASCII_PLACES, KEPT, PLACES, VALUE, redacted


def _plan(place: str) -> RedactionPlan:
    return RedactionPlan(sweep=(SweepValue(ASCII_PLACES.get(place, VALUE), "[REDACTED]"),))


def everything(data: bytes) -> str:
    """What the standard library reads in a message, unfolded and decoded."""
    said = [data.decode("latin-1")]
    for policy in (email.policy.default, email.policy.compat32):
        for part in email.message_from_bytes(data, policy=policy).walk():
            said += [f"{name}: {value}" for name, value in part.raw_items()]
            if policy is email.policy.default:
                said += [str(part[name]) for name, _value in part.items()]
            said.append(str(part.get_filename()))
            payload = part.get_payload(decode=True)
            if isinstance(payload, bytes):
                for charset in (part.get_content_charset() or "utf-8", "utf-8", "cp1252", "utf-16-le"):
                    text = payload.decode(charset, "replace")
                    said += [text, re.sub(r"\r?\n[ \t]", "", text), re.sub(r"(?m)^[> ]+", "", text)]
                    said.append(html.unescape(re.sub(r"<[^>]*>", "", text)))
                if part.get_content_type() == "message/rfc822":
                    said.append(everything(payload))
    text = "\n|\n".join(said)
    return re.sub(r"\s+", " ", text + "\n|\n" + urllib.parse.unquote(text))


@pytest.mark.parametrize("place", PLACES)
def test_value_is_gone_and_its_neighbour_stays(place: str) -> None:
    """Read by the standard library; before redaction our own gate sees the value there."""
    data, plan = PLACES[place], _plan(place)
    before = read_back(FORMAT, BytesSource(data), BytesSource(data), plan, "own")
    assert before.survivors or place == "bare CR", "the value is not where the test has put it"
    made, _result = redacted(data, plan)
    said = everything(made)
    assert plan.values[0] not in said
    assert KEPT in said


@pytest.mark.parametrize("place", PLACES)
def test_the_tree_stays(place: str) -> None:
    made, _result = redacted(PLACES[place], _plan(place))
    before = email.message_from_bytes(PLACES[place], policy=email.policy.default)
    after = email.message_from_bytes(made, policy=email.policy.default)
    assert len(list(before.walk())) == len(list(after.walk()))
    assert [type(one) for one in after.defects] == [type(one) for one in before.defects]
    for name in ("from", "to", "cc"):
        if before[name] is not None and not before[name].defects and "bare" not in place:
            assert not after[name].defects
    assert max(map(len, made.splitlines())) < 998
