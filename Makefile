PYTHON ?= python3
BIN := .venv/bin
HOST ?= 127.0.0.1
PORT ?= 8000
# Compiled once: the sandbox's processes write no bytecode, and each would compile every parser for itself.
KEPT := PYTHONDONTWRITEBYTECODE=

.PHONY: help setup dev run demo test test-all check format docs bench fuzz lock clean

help: ## list these targets
	@awk -F':.*## ' '/^[a-z-]+:.*## / {printf "%-10s %s\n", $$1, $$2}' Makefile

.venv/setup: requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo 'anonify needs Python 3.11 or newer; run make PYTHON=/path/to/python3.11'; exit 1; }
	@$(BIN)/python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || $(PYTHON) -m venv --clear .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	$(BIN)/python -m compileall -q src
	@touch $@

.venv/dev: .venv/setup requirements-dev.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.lock
	@touch $@

setup: .venv/setup ## create .venv with the anonify command

dev: .venv/dev ## setup plus the tools that tests and checks need

run: setup ## serve on http://127.0.0.1:8000; PORT=8001 for another port
	$(BIN)/anonify serve --host $(HOST) --port $(PORT)

demo: setup ## redact the documents in examples/ and print what was removed and verified
	$(BIN)/anonify redact examples --out examples/redacted --accept high --report --force

test: dev ## every test but the slow ones, two at a time where time is not measured
	$(BIN)/python -m compileall -q src
	$(KEPT) $(BIN)/python -m pytest -m "alone and not slow"
	$(KEPT) $(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder -m "not slow and not alone"

test-all: dev ## every test
	$(BIN)/python -m compileall -q src
	$(KEPT) $(BIN)/python -m pytest

check: dev ## format, lint, types, import rules
	$(BIN)/ruff format --check src tests benchmarks training
	$(BIN)/ruff check src tests benchmarks training
	$(BIN)/mypy
	$(BIN)/lint-imports

format: dev ## rewrite the sources in the house style
	$(BIN)/ruff format src tests benchmarks training
	$(BIN)/ruff check --fix src tests benchmarks training

bench: dev ## print the benchmark tables
	$(BIN)/python -m benchmarks

fuzz: dev ## mutate files of every format for ten minutes
	$(BIN)/python -m tests.fuzz --seconds 600

docs: dev ## write the reference pages from the code
	$(BIN)/python tools/reference.py

lock: dev ## resolve the dependencies again
	$(BIN)/python -m pip install --quiet uv
	for name in requirements requirements-dev; do $(BIN)/uv pip compile --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --quiet $$name.in -o $$name.lock; done

clean: ## remove what the targets above have made
	rm -rf .venv build dist examples/redacted .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
