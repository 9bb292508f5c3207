# make play: sit down at a table.   make test: everything is tested.   Both do all their own set-up; Python 3.11 or newer is all they need.
.PHONY: play test check bench clean
.DELETE_ON_ERROR:

VENV := .venv
BIN := $(VENV)/bin
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python; do $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$p; break; }; done)

play: $(VENV)/.play
	@$(BIN)/courtly serve $(ARGS)

test: $(VENV)/.test $(VENV)/.browser
	@$(BIN)/python -m pytest -n auto --maxprocesses 4 --dist loadfile --no-loadscope-reorder $(ARGS)

check: $(VENV)/.dev
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/python tools/vendor/vendor.py --check
	@$(BIN)/python tools/vendor/vendor.py --types

bench: $(VENV)/.test
	@$(BIN)/courtly bench $(ARGS)

clean:
	rm -rf $(VENV)

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "Courtly needs Python 3.11 or newer, and none was found." >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); echo "Python's venv module is missing; on Debian and Ubuntu: sudo apt install python3-venv" >&2; exit 1; }

$(VENV)/.play: pyproject.toml | $(BIN)/python
	@echo "Setting the table (once) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/.test: pyproject.toml | $(BIN)/python
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test]'
	@touch $@ $(VENV)/.play

$(VENV)/.dev: pyproject.toml | $(BIN)/python
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@ $(VENV)/.test $(VENV)/.play

$(VENV)/.browser: tools/chromium.py | $(VENV)/.test
	@$(BIN)/python tools/chromium.py
	@touch $@
