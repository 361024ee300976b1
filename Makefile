# Two commands set everything up: `make run` plays a demonstration, `make test` passes the tests.
# Both are idempotent, in any order, on Debian 12 or 13 and Raspberry Pi OS.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

# On a Raspberry Pi lgpio comes from apt, so the environment sees the system's packages there.
SITE := $(if $(wildcard /proc/device-tree/model),--system-site-packages,)

.PHONY: run test test-slow lint types bench bench-vision clean

run: $(STAMP)
	$(BIN)/tablepi demo --hands 2 --seed 7 --mistakes

test: $(STAMP)
	$(BIN)/python -m pytest -n auto

test-slow: $(STAMP)
	$(BIN)/python -m pytest -n auto --slow

lint: $(STAMP)
	$(BIN)/ruff check . && $(BIN)/ruff format --check .

types: $(STAMP)
	$(BIN)/mypy

bench: $(STAMP)
	$(BIN)/python -m tests.bench

bench-vision: $(STAMP)
	$(BIN)/python -m tests.bench.vision

$(STAMP): pyproject.toml Makefile
	test -x $(BIN)/python || $(PYTHON) -m venv $(SITE) $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	-$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[oracle]'
	-$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[nfc]'
	touch $@

clean:
	rm -rf $(VENV) build *.egg-info
