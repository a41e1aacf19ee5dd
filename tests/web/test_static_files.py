"""Style and scripts: small on the way, kept as long as they are these; every module is named before it is asked for."""

from __future__ import annotations

import gzip
import re

import httpx
import pytest

from anonify.web.modules import VERSIONED, WORKSPACE_MODULES, modules_of

from .site import Site

_PACKED = {"Accept-Encoding": "gzip"}
_PLAIN = {"Accept-Encoding": "identity"}


@pytest.fixture(scope="module")
def http(site: Site) -> httpx.Client:
    return httpx.Client(base_url=site.url, timeout=30)


def test_a_script_is_sent_packed_to_who_takes_it_and_plain_to_others(http: httpx.Client) -> None:
    plain = http.get("/static/workspace/desk.js", headers=_PLAIN)
    with http.stream("GET", "/static/workspace/desk.js", headers=_PACKED) as packed:
        raw = b"".join(packed.iter_raw())
    assert "content-encoding" not in plain.headers
    assert packed.headers["content-encoding"] == "gzip"
    assert gzip.decompress(raw) == plain.content
    assert len(raw) == int(packed.headers["content-length"]) < len(plain.content) / 2
    for answer in (plain, packed):
        assert answer.headers["vary"] == "Accept-Encoding"
        assert answer.headers["content-type"].startswith("text/javascript")
    assert plain.headers["etag"] != packed.headers["etag"]
    for refused in ("gzip;q=0", "gzip; q=0.0", "br", ""):
        assert "content-encoding" not in http.get("/static/style.css", headers={"Accept-Encoding": refused}).headers


def test_a_known_script_is_not_sent_again(http: httpx.Client) -> None:
    for how in (_PLAIN, _PACKED):
        tag = http.get("/static/workspace/desk.js", headers=how).headers["etag"]
        for named in (tag, f"W/{tag}", f'"other", {tag}', "*"):
            again = http.get("/static/workspace/desk.js", headers={**how, "If-None-Match": named})
            assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    assert http.get("/static/workspace/desk.js", headers={"If-None-Match": '"other"'}).status_code == 200


def test_only_this_release_is_kept_without_asking(http: httpx.Client) -> None:
    assert "immutable" in http.get(f"{VERSIONED}/style.css").headers["cache-control"]
    plain = http.get("/static/style.css")
    assert plain.headers["cache-control"] == "no-cache"
    other = http.get("/static/v-0123456789abcdef/style.css")
    assert other.content == plain.content
    assert other.headers["cache-control"] == "no-cache"


@pytest.mark.parametrize(
    "nowhere",
    ["", "/", "/workspace", "/nothing.js", "/../app.py", "/..%2fapp.py",
     VERSIONED.removeprefix("/static"), "//style.css/.."],
)  # fmt: skip
def test_nothing_else_is_served(http: httpx.Client, nowhere: str) -> None:
    assert http.get(f"/static{nowhere}").status_code == 404


def test_a_script_is_read_and_nothing_more(http: httpx.Client) -> None:
    head = http.head("/static/style.css")
    assert (head.status_code, head.content) == (200, b"")
    assert http.post("/static/style.css").status_code == 405
    assert http.get("/static/sample/letter.docx").content[:2] == b"PK"


def test_every_module_of_the_workspace_is_named_and_there(http: httpx.Client) -> None:
    assert "workspace/canvas.js" in WORKSPACE_MODULES
    assert "vendor/signals-core.mjs" in WORKSPACE_MODULES
    for name in WORKSPACE_MODULES:
        script = http.get(f"{VERSIONED}/{name}").text
        taken = re.findall(r'\bfrom\s*"(\.[^"]+)"', script)
        assert len(modules_of(name)) > len(set(taken)), name
        assert set(modules_of(name)) <= set(WORKSPACE_MODULES), name
