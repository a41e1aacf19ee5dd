"""Presidio or a bare spaCy model over lines of texts, for comparison; run by an interpreter that has them.

    PYTHON benchmarks/peer_presidio.py --model NAME [--language en] [--names-only] < texts.jsonl > predictions.jsonl

`--model blank` runs Presidio with an empty pipeline, that is its patterns alone.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable
from typing import Any

Find = Callable[[str], Iterable[tuple[int, int, str]]]

CATEGORIES = {
    "PERSON": "person", "PER": "person", "LOCATION": "address", "PHONE_NUMBER": "phone", "EMAIL_ADDRESS": "email",
    "CREDIT_CARD": "financial", "IBAN_CODE": "bank-account", "US_BANK_NUMBER": "bank-account",
    "US_SSN": "government-id", "US_PASSPORT": "government-id", "US_DRIVER_LICENSE": "government-id",
    "US_ITIN": "government-id", "UK_NHS": "government-id", "UK_NINO": "government-id", "IN_PAN": "government-id",
    "IN_AADHAAR": "government-id", "ES_NIF": "government-id", "IT_FISCAL_CODE": "government-id",
    "PL_PESEL": "government-id", "URL": "url", "IP_ADDRESS": "other", "CRYPTO": "bank-account",
}  # fmt: skip
"""Presidio's and spaCy's kinds as ours; DATE_TIME, NRP and others have no counterpart and are left out."""


def main() -> None:
    """Read texts, print predictions."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", default="blank")
    parser.add_argument("--language", default="en")
    parser.add_argument("--names-only", action="store_true")
    options = parser.parse_args()
    find = _spacy(options) if options.names_only else _presidio(options)
    for line in sys.stdin:
        entry = json.loads(line)
        found = [{"start": a, "end": b, "category": c} for a, b, c in find(entry["text"])]
        print(json.dumps({"id": entry["id"], "detections": found}))


def _spacy(options: argparse.Namespace) -> Find:
    import spacy

    nlp = spacy.load(options.model)
    return lambda text: [(e.start_char, e.end_char, "person") for e in nlp(text).ents if e.label_ in ("PER", "PERSON")]


def _presidio(options: argparse.Namespace) -> Find:
    import spacy
    from presidio_analyzer import AnalyzerEngine  # type: ignore[import-not-found]  # likewise
    from presidio_analyzer.nlp_engine import SpacyNlpEngine  # type: ignore[import-not-found]  # likewise

    class Engine(SpacyNlpEngine):  # type: ignore[misc]  # likewise
        def load(self) -> None:
            name = options.model
            self.nlp: dict[str, Any] = {
                options.language: spacy.blank(options.language) if name == "blank" else spacy.load(name)
            }

    engine = Engine(models=[{"lang_code": options.language, "model_name": options.model}])
    engine.load()
    analyzer = AnalyzerEngine(nlp_engine=engine, supported_languages=[options.language])
    return lambda text: [
        (r.start, r.end, CATEGORIES[r.entity_type])
        for r in analyzer.analyze(text, options.language)
        if r.entity_type in CATEGORIES
    ]


if __name__ == "__main__":
    main()
