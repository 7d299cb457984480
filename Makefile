# Every target sets up what it needs: an environment in .venv, a toolchain in the user's data folder.
# Nothing else on the system is changed, except that a missing python3-venv is installed when this
# runs as root on a machine with apt.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
ARCHS ?= gfx90a,gfx942,gfx1100

.PHONY: demo test check bench clean toolchain

demo: $(STAMP) toolchain
	$(BIN)/python -m tests.corpus --arch $(ARCHS) --run gfx90a,gfx1100 -o build/demo -j $(JOBS)

test: $(STAMP) toolchain check
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m pytest -n $(JOBS) tests

check: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(STAMP) toolchain
	$(BIN)/python -m tests.bench

toolchain: $(STAMP)
	@$(BIN)/hipify toolchain status >/dev/null 2>&1 || $(BIN)/hipify toolchain install

$(STAMP): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' || \
	  { echo "hipify needs Python 3.10 or newer: set PYTHON=/path/to/python3" >&2; exit 2; }
	@$(PYTHON) -m venv $(VENV) 2>/dev/null || \
	  { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && \
	    apt-get update -qq && apt-get install -y -qq python3-venv && $(PYTHON) -m venv $(VENV); } || \
	  { echo "no virtual environment: install your system's python3-venv package" >&2; exit 2; }
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache
