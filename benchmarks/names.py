"""Detection without a key: speed and memory on growing text, the model's start-up, and what is found, peers beside it.

    python -m benchmarks.names [--gold DIR --score SCORE.py] [--peer PYTHON --peer-args "--model … --language …"]

Texts are eight paragraphs, one in each language, with a name in each, repeated.  `--gold` scores ours (and the peer) on
labelled text; PYTHON is an interpreter that has the peer's packages (see `peer_presidio.py`).
"""

from __future__ import annotations

import argparse
import json
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from .measure import Measured, run
from .table import show

__all__ = ["main"]

SIZES: Final = (20_000, 200_000, 2_000_000)
"""Code points of the texts."""

PARAGRAPHS: Final = """\
On Monday the committee met in the old library. Margaret Holloway asked who had ordered the tiles, and nobody
could say; the minutes of March were approved as they stood, with two small changes to the list of costs.
Der Ausschuss hat am Dienstag getagt. Katharina Obermeier legte die Zahlen des letzten Jahres vor, und die
Versammlung beschloss, das Dach noch vor dem Winter decken zu lassen, wenn die Angebote rechtzeitig kommen.
La réunion de mercredi a duré trois heures. Étienne Deschamps a présenté le devis, puis on a parlé du
chauffage, des fenêtres du premier étage et de la fête prévue au mois de juin dans la cour de l'école.
El jueves se revisaron las cuentas. Rosario Villanueva explicó por qué subió el precio del agua, y se acordó
pedir otra oferta antes de firmar nada con la empresa que lleva el mantenimiento del edificio.
Venerdì si è parlato del giardino. Giancarlo Bertolini ha portato i disegni, e il consiglio ha chiesto di
spostare le panchine più vicino alla fontana, dove in estate c'è un po' d'ombra.
Zaterdag was er weinig volk. Marieke van den Broek las de brief van de gemeente voor, en men besloot om pas na
de vakantie te antwoorden, wanneer iedereen de stukken heeft kunnen lezen.
No domingo não houve reunião. Joaquim Nascimento deixou as chaves na receção e pediu que alguém regasse as
plantas da entrada enquanto a obra da escada não estiver terminada.
W poniedziałek omówiono budżet. Agnieszka Wróblewska przedstawiła trzy oferty na remont schodów i poproszono
ją, aby sprawdziła jeszcze, ile kosztowałoby samo malowanie ścian.
"""


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--gold", type=Path)
    parser.add_argument("--score", type=Path)
    parser.add_argument("--peer")
    parser.add_argument("--peer-args", default="--model blank")
    options, _ = parser.parse_known_args()
    peer = _peer(options.peer, options.peer_args) if options.peer else None
    with tempfile.TemporaryDirectory() as folder:
        _start_up()
        _speed(Path(folder), peer)
        if options.gold and options.score:
            _scores(Path(folder), options.gold, options.score, peer)


def _ours(texts: Path) -> list[str]:
    return [sys.executable, "-m", "anonify", "detect", "--jsonl", str(texts)]


def _peer(python: str, arguments: str) -> list[str]:
    script = Path(__file__).with_name("peer_presidio.py")
    return [python, str(script), *shlex.split(arguments)]


def _run(command: list[str], texts: Path) -> Measured:
    if "--jsonl" in command:
        return run(command)
    return run(["sh", "-c", f"exec {shlex.join(command)} < {shlex.quote(str(texts))}"])


def _start_up() -> None:
    code = (
        "import time; t = time.perf_counter(); from anonify.detection.names import network; network(); "
        "print(time.perf_counter() - t)"
    )
    seconds = sorted(float(run([sys.executable, "-c", code]).stdout) for _ in range(5))
    print(f"\nThe model is loaded in {seconds[2]:.2f} s (median of 5, imports included)\n")


def _speed(folder: Path, peer: list[str] | None) -> None:
    rows: list[list[str]] = []
    whole = PARAGRAPHS
    texts = folder / "speed.jsonl"
    texts.write_text(json.dumps({"id": "0", "text": "."}) + "\n")
    programs = {"ours": _ours(texts), **({"peer": peer} if peer else {})}
    empty = {name: _run(command, texts).seconds for name, command in programs.items()}
    for size in SIZES:
        lines = (whole * (size // len(whole) + 1))[:size]
        pages = [lines[start : start + 20_000] for start in range(0, size, 20_000)]
        texts.write_text("".join(json.dumps({"id": str(n), "text": t}) + "\n" for n, t in enumerate(pages)))
        for name, command in programs.items():
            seen = _run(command, texts)
            speed = size / max(0.01, seen.seconds - empty[name])
            rows.append(
                [
                    f"{size:,}",
                    name,
                    f"{seen.seconds:.1f}",
                    f"{speed:,.0f}",
                    f"{seen.peak_process:.0f}",
                    f"{seen.peak_tree:.0f}",
                ]
            )
    show(
        "Detection", ["characters", "", "s", "characters/s without start-up", "MiB, largest process", "MiB, all"], rows
    )


def _scores(folder: Path, gold: Path, score: Path, peer: list[str] | None) -> None:
    texts = folder / "gold.jsonl"
    emitted = subprocess.run(
        [sys.executable, str(score), "--gold", str(gold), "--emit-texts"], capture_output=True, check=True
    )
    texts.write_bytes(emitted.stdout)
    for name, command in {"ours": _ours(texts), **({"peer": peer} if peer else {})}.items():
        found = folder / f"{name}.jsonl"
        found.write_text(_run(command, texts).stdout)
        print(f"\n{name}")
        subprocess.run([sys.executable, str(score), "--gold", str(gold), "--pred", str(found)], check=True)


if __name__ == "__main__":
    main()
