"""What a client is told when something fails."""

from __future__ import annotations

import json

from anonify.errors import FAILURES, Code, VerificationFailed
from anonify.web.problems import for_exception


def test_a_refused_export_names_its_check_and_how_many_findings() -> None:
    answer = for_exception(VerificationFailed("survivor", 3))

    assert answer.status_code == 500
    assert json.loads(bytes(answer.body)) == {
        "error": FAILURES[Code.VERIFICATION_FAILED].sentence,
        "code": "verification-failed",
        "retryable": False,
        "check": "survivor",
        "survivors": 3,
    }
