"""Which languages can be read, and what is said when one is missing."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from anonify.errors import Code, FatalError
from anonify.ocr import OcrOptions, languages
from anonify.ocr.engine import Engine
from anonify.ocr.load import LOAD, LoadArgs
from anonify.runs import doctor, open_services
from anonify.sandbox import Pool
from anonify.settings import Settings
from tests.ocr.test_tesseract import DPI, WANTED, page


def test_english_is_there_and_loads_in_the_sandbox() -> None:
    assert "eng" in languages.available()
    assert "osd" not in languages.available()
    assert languages.exchanged() == ()
    with Pool(1) as pool:
        pool.run(LOAD, LoadArgs(OcrOptions()), sources={})


@pytest.mark.parametrize("asked", [("eng", "tlh"), (), ("../eng",), ("eng+eng",), ("osd",)])
def test_a_language_that_is_not_there_is_a_matter_of_configuration(asked: tuple[str, ...]) -> None:
    with pytest.raises(FatalError) as raised:
        languages.check_languages(asked)
    assert raised.value.code is Code.CONFIGURATION


def test_a_wrong_setting_stops_the_start(tmp_path: Path) -> None:
    with pytest.raises(FatalError) as raised:
        open_services(Settings(data_dir=tmp_path, ocr_languages="eng,tlh"))
    assert raised.value.code is Code.CONFIGURATION


def test_the_doctor_names_what_is_missing_and_what_is_there(tmp_path: Path) -> None:
    checks = {check.name: check for check in doctor(Settings(data_dir=tmp_path, ocr_languages="eng,tlh"))}
    assert not checks["languages"].ok
    assert "missing: tlh" in checks["languages"].found
    assert "eng" in checks["languages"].found
    assert "ANONIFY_OCR_LANGUAGES" in checks["languages"].advice


def test_languages_may_lie_in_different_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """English from the package beside another from elsewhere: one engine reads both."""
    own = languages.available()["eng"]
    shutil.copy(own / "eng.traineddata", tmp_path / "xyz.traineddata")
    monkeypatch.setattr(languages, "folders", lambda: (own, tmp_path))
    engine = Engine(("eng", "xyz"))
    engine.show(page(), DPI)
    text = " ".join(word.text for word in engine.words(60))
    assert all(value in text for value in WANTED)


def test_a_file_that_another_package_replaced_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "eng.traineddata"
    file.write_bytes(b"other")
    monkeypatch.setattr(languages, "_packaged", lambda: iter([("eng", file, "wanted")]))
    assert languages.exchanged() == ("eng",)
