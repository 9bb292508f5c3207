# make play: start the server.   make test: test every feature.   Both set up what they need; the only requirement is Python 3.11 or newer.
# make test-all: include the slow tests.   make test-slow: only the slow tests.   make game GAME=necklace: the tests of one game.
# make docs: build the documentation.   make pages: with games to play beside it.
# make matrix: the tests with the oldest and newest packages, and every Python.   make release-check: rehearse a release.
# See CONTRIBUTING.md.
.PHONY: gallery play test test-all test-slow coverage game check bench train matrix release-check docs pages clean
.DELETE_ON_ERROR:
unexport PYTHONDONTWRITEBYTECODE  # compile each Python file once, not in each process of the tests

VENV := .venv
BIN := $(VENV)/bin
PYTEST_OPTIONS := -n auto --maxprocesses 4 --dist loadfile --no-loadscope-reorder
PYTEST := $(BIN)/python -m pytest $(PYTEST_OPTIONS)
TAUGHT = $(patsubst courtly/games/%/learned.json,%,$(wildcard courtly/games/*/learned.json)) $(patsubst tools/%_weights.py,%,$(wildcard tools/*_weights.py))
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python; do $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$p; break; }; done)

UV := $(shell command -v uv)
ifdef UV
PINNED := pyproject.toml uv.lock
install = UV_PROJECT_ENVIRONMENT=$(VENV) $(UV) sync --quiet --frozen --inexact $(if $(1),--extra $(1))
install_to_play = $(install)
else
PINNED := pyproject.toml
PIP = $(if $(shell test -e $(BIN)/pip && echo own),$(BIN)/python -m pip,$(PYTHON) -m pip --python $(BIN)/python)
pip_install = $(PIP) install --quiet --disable-pip-version-check --no-compile
install = $(pip_install) --editable '.$(if $(1),[$(1)])'
# pip prepares our package while another pip installs the packages that it needs, which saves a quarter of the time
PRINT_REQUIREMENTS = import sys, tomllib; project = tomllib.load(open("pyproject.toml", "rb"))["project"]; \
	print(*project["dependencies"], *project["optional-dependencies"].get(sys.argv[1], []), sep="\n")
install_to_play = $(BIN)/python -c '$(PRINT_REQUIREMENTS)' '$(1)' > $(VENV)/requirements.txt; \
	$(pip_install) --no-deps --editable . & \
	$(pip_install) --requirement $(VENV)/requirements.txt; failed=$$?; wait $$! && test $$failed = 0
endif

play: $(VENV)/.play
	@$(BIN)/courtly serve $(ARGS)

test: $(VENV)/.test $(VENV)/.browser
	@$(PYTEST) -m "not slow" $(ARGS)

test-slow: $(VENV)/.test $(VENV)/.browser
	@$(PYTEST) -m slow $(ARGS)

test-all: $(VENV)/.test $(VENV)/.browser
	@$(PYTEST) $(ARGS)

coverage: $(VENV)/.dev $(VENV)/.browser
	@$(BIN)/coverage erase
	@$(BIN)/coverage run -m pytest $(PYTEST_OPTIONS) $(ARGS)
	@$(BIN)/coverage combine --quiet && $(BIN)/coverage report

game: $(VENV)/.test $(VENV)/.browser
	@test -n "$(GAME)" -a -d "tests/games/$(GAME)" || { echo "make game GAME=…: one of $(patsubst courtly/games/%/game.toml,%,$(wildcard courtly/games/*/game.toml))" >&2; exit 1; }
	@$(PYTEST) -m "not slow" -k "$(GAME)" $(ARGS) tests/games/$(GAME) tests/engine tests/browser/test_$(GAME).py

check: $(VENV)/.dev
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check --quiet . || { echo "some files are not formatted; run .venv/bin/ruff format ." && exit 1; }
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo > $(VENV)/imports.log || { cat $(VENV)/imports.log; exit 1; }
	@$(BIN)/interrogate --quiet courtly/__init__.py courtly/adapters courtly/engine courtly/i18n courtly/lab courtly/testing || { \
		echo "These public definitions need docstrings: .venv/bin/interrogate -v courtly/engine" >&2; exit 1; }
	@$(BIN)/python tools/plain_words.py
	@$(BIN)/python tools/vendor/vendor.py --check
	@$(BIN)/python tools/vendor/vendor.py --types
	@$(BIN)/python tools/vendor/vendor.py --baseline
	@$(BIN)/python tools/vendor/vendor.py --style

bench: $(VENV)/.test
	@$(BIN)/courtly bench $(ARGS)

train: $(VENV)/.train
	@if test -n "$(GAME)" -a -f "tools/$(GAME)_weights.py"; then $(BIN)/python tools/$(GAME)_weights.py $(ARGS); \
	elif test -n "$(GAME)" -a -f "courtly/games/$(GAME)/learned.json"; then $(BIN)/python -m courtly.lab.train_value $(GAME) $(ARGS); \
	else echo "make train GAME=…: one of $(TAUGHT)" >&2; exit 1; fi

matrix: $(VENV)/.test
	@$(BIN)/python tools/matrix.py $(ARGS)

gallery: $(VENV)/.dev $(VENV)/.browser
	@$(BIN)/python tools/gallery/gallery.py $(ARGS)

release-check: $(VENV)/.dev
	@$(BIN)/python tools/release_check.py $(ARGS)

docs: $(VENV)/.docs
	@$(BIN)/sphinx-build -W --keep-going -q -b html docs docs/_build/html
	@echo "The documentation: docs/_build/html/index.html"

pages: docs $(VENV)/.play
	@$(BIN)/courtly site docs/_build/html/play

clean:
	rm -rf $(VENV) docs/_build

# With uv, the packages are those of uv.lock; without it, pip chooses the newest that pyproject.toml allows. From pip 22.3
# on, the environment needs no pip of its own, whose installation takes four seconds.
$(BIN)/python:
ifdef UV
	@$(UV) venv --quiet $(if $(PYTHON),--python "$(PYTHON)") $(VENV)
else
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer was not found; Courtly needs it." >&2; exit 1; }
	@$(PYTHON) -m pip --python "$$(command -v $(PYTHON))" --version >/dev/null 2>&1 && without=--without-pip; \
	$(PYTHON) -m venv $$without $(VENV) || { rm -rf $(VENV); echo "Python's venv module is missing; on Debian and Ubuntu: sudo apt install python3-venv" >&2; exit 1; }
endif

$(VENV)/.play: $(PINNED) | $(BIN)/python
	@echo "Installing Courtly (once) ..."
	@{ $(call install_to_play,native); } || { \
		echo "llvmlite is not available for this Python or machine: the bots knight and master will be missing." >&2; \
		$(call install_to_play,); }
	@touch $@

$(VENV)/.train: $(PINNED) | $(BIN)/python
	@$(call install,train)
	@touch $@ $(VENV)/.play

$(VENV)/.docs: $(PINNED) | $(BIN)/python
	@$(call install,docs)
	@touch $@

$(VENV)/.test: $(PINNED) | $(BIN)/python
	@$(call install,test)
	@touch $@ $(VENV)/.train $(VENV)/.play

$(VENV)/.dev: $(PINNED) | $(BIN)/python
	@$(call install,dev)
	@touch $@ $(VENV)/.test $(VENV)/.train $(VENV)/.play

$(VENV)/.browser: tools/chromium.py | $(VENV)/.test
	@$(BIN)/python tools/chromium.py
	@touch $@
