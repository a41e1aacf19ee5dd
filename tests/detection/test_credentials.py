"""Credentials: tokens in published forms, secrets that a label names, and what only looks like one."""

from __future__ import annotations

import pytest

from tests.detection.patterns import found, secret, unmarked

HEX = "8d2a78c080a3af1e6a4677be474432f2"
MIXED = "q7Rw2ZtXk9LmPv4JbN8sYc3HdF6gTa1E"

TOKENS = [
    secret("AK", "IA", "IOSFODNN7RXAMPLQ"),
    secret("gh", "p_", MIXED, "0aB9"),
    secret("gl", "pat-", MIXED[:20]),
    secret("xo", "xb-", "46125848539-uhqiAwo7lkcV3NbxNSoRog8O"),
    secret("sk_", "live_", MIXED),
    secret("sk-", "ant-", MIXED),
    secret("AI", "za", MIXED, "x_9"),
    secret("SG", ".", MIXED[:22], ".", MIXED, "K1aB2cD3eF4"),
    secret("npm", "_", MIXED, "0aB9"),
    secret("hf", "_", MIXED, "0a"),
    secret("dop", "_v1_", HEX, HEX),
    secret("shp", "at_", HEX),
    secret(HEX, "-us", "14"),
    secret("HR", "KU-", "AAl2kR8dVQq7Zy3Wn5Xc1bTj9MfPs4GhLe60"),
    secret("AT", "ATT3", MIXED, MIXED, MIXED, "=A1B2C3D4"),
    secret("dp", ".pt.", MIXED, "K1aB2cD3eF4"),
    secret("pul", "-", HEX, "1a2b3c4d"),
    secret("sb", "p_", HEX, "1a2b3c4d"),
    secret("LT", "AI", "5tQ9wXzB7cVnM2kL4pRd"),
    secret("sha", "256~", MIXED, "K1aB2cD3eF4"),
    secret("access-", "sandbox-", "4f1c2d3e-5a6b-4c7d-8e9f-0a1b2c3d4e5f"),
    secret("1527194624358273", "|", "qbBf2-fdB9zZpqLA0_2nNzZDw2M"),
    secret("LS0t", "LS1CRUdJTi", "BQUklWQVRFIENDcUdTTTQ5QXdFSEJHMHdhd0lCQVFRZ0ViVn"),
    secret("eyJ", "hbGciOiJIUzI1NiJ9", ".eyJ", "zdWIiOiIxMjM0NTY3ODkwIn0", ".dozjgNryP4J3jVmNHl0w5N_XgL0n3I9"),
]


@pytest.mark.parametrize("token", TOKENS, ids=range(len(TOKENS)))
def test_a_published_form(token: str) -> None:
    assert found(f"the value is {token} here", "api-key") == [token]


LABELLED = [
    "DB_PASSWORD=«nwQBKXn#33kyFjj2Kf»",
    'dbPassword: "«cackle7!»"',
    'password = "«cackle!»"',
    'PASSWORD = os.environ.get("PASSWORD") or "«at5G6zi!m»"',
    'secret = os.getenv("APP_SECRET", "«GEHEIMN1S»")',
    'curl -u "admin:«dG9rZW4g7»" https://service.example',
    "machine git.example login jane password «Tr0ub4dor3»",
    "CREATE ROLE app WITH LOGIN PASSWORD '«SqLpa5sW0rD»';",
    "IDENTIFIED WITH 'mysql_native_password' AS '«*92FD05ADCA2EC9D1E10C096DEB1618BC2470E409»'",
    "openssl pkcs12 -passin pass:«dkajco1x»",
    "Password: &quot;«Dw7^&amp;nd»&quot;",
    "password for master: «IhqSb1Gg»",
    "%define token «4b9a6d8b4bc56fbfa1c638eb0c6cab37»",
    "Passwort: «EFCfuwOa6M1»",
    "mot de passe : «MY1gNMFW3GNz»",
    "contraseña: «Verano2024!»",
    "hasło: «Zima#2024»",
    "senha: «Praia99x»",
    "wachtwoord is «Fiets2020!»",
    "la password è «Gatto77x»",
    "The wifi password is «NFLA-3936-ic9i»",
    "postgres://app:«rSNEev3nBDlGgOHkwD»@db.internal/app",
    "Authorization: Bearer «abc1DEF2ghi3JKL4mno5»",
    "_gitlab_session=«8d2a78c080a3af1e6a4677be474432f2»",
]


@pytest.mark.parametrize("marked", LABELLED)
def test_what_a_label_calls_a_secret(marked: str) -> None:
    text, values = unmarked(marked)
    assert found(text, "api-key") == values


NONE = [
    "pass `--session=<name>` to override, then pass `timeout=`",
    "(secret_id={self._secret_id!r})",
    "min_tokens: NotRequired[Nullable[int3]]",
    "https://9x0y8z7s6t5u.global-bm.whip.live-video.net and --global-network-id",
    '"NextToken": "kIiwiZXhwaXJhdGlvbiI6eyJzZWNvbmRzIjoxNjYwMDY4"',
    "private_key: _ALLOWED_PRIVATE_KEY_TYPES",
    "https://username:password@pypi.company.example/simple",
    '"encryptionKey": "arn:aws:kms:us-west-2:alias/aws/s3"',
    "token = process.env.TOKEN",
    "password: string",
    "password_reset_enabled: true",
    "Enter your password: ********",
    "passed = 'cackle7!'",
    "pinned: Version2024",
    "PWR_MGM: N0tThePSw45f",
    "pwdump=n0NeKreD",
    "password: ${DB_PASSWORD}",
    "password = get_password(user1)",
    "-passin file:dkajco1.pem",
    "the secret santa list is on the noticeboard",
    "signature: Jane Doe",
    "id: 992a0f75-ae61-46b1-ae5d-490340494b35",
    "sha: c83ec8f813abea666df79fadb4d2ac0937087116",
    "tokenizer = BertTokenizer2",
    "The token bucket algorithm, 1994",
    "passport control at Gate 12a",
    "compass = North2South",
]


@pytest.mark.parametrize("text", NONE)
def test_what_is_no_secret(text: str) -> None:
    assert found(text, "api-key") == []
