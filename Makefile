# Every command is a module in tools/. This file makes the virtual environment that they
# run in, and gives them short names. README.md has the same lines for people without make.

WINDOWS := $(filter Windows_NT,$(OS))
PYTHON ?= $(if $(WINDOWS),python,python3)
VENV := .venv
PY := $(VENV)/$(if $(WINDOWS),Scripts,bin)/python
PIP := $(PY) -m pip --disable-pip-version-check --quiet install
INSTALLED := $(VENV)/.installed

export PYTHONUTF8 := 1

.PHONY: help book test serve lab refresh repository lock linkcheck clean
.DEFAULT_GOAL := help

help:
	@echo "make book                 build the book into _build/html"
	@echo "make serve                open the built book in a browser"
	@echo "make lab                  open the notebooks in JupyterLab"
	@echo "make test                 prove everything (ARGS='tests/test_growth.py' for less)"
	@echo "make refresh              execute the notebooks whose code changed"
	@echo "make repository URL=...   set the repository's address; URL= clears it"
	@echo "make lock                 resolve requirements.txt into requirements.lock again"
	@echo "make linkcheck            check the links that lead out of the book"
	@echo "make clean                remove what was built; the environment stays"

book: $(INSTALLED)
	@$(PY) -m tools.build $(ARGS)

test: $(INSTALLED)
	@$(PY) -m tools.test $(ARGS)

serve: $(INSTALLED)
	@$(PY) -m tools.serve $(ARGS)

lab: $(INSTALLED)
	@$(PY) -m tools.lab $(ARGS)

refresh: $(INSTALLED)
	@$(PY) -m tools.refresh $(ARGS)

repository: $(INSTALLED)
	$(if $(filter undefined,$(origin URL)),$(error Say which: make repository URL=https://...))
	@$(PY) -m tools.repository "$(URL)"

lock: $(INSTALLED)
	@$(PY) -m tools.lock $(ARGS)

linkcheck: $(INSTALLED)
	@$(PY) -m tools.build --builder linkcheck

clean:
	rm -rf _build _extra build dist *.egg-info .hypothesis .mypy_cache .pytest_cache .ruff_cache

# The last line builds Matplotlib's list of fonts, which otherwise announces itself on the
# first figure that is drawn.
$(INSTALLED): requirements.lock pyproject.toml
	@$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11) and 'The book needs Python 3.11 or later, and $(PYTHON) is ' + sys.version.split()[0] + '. Name another: make PYTHON=python3.13')"
	@echo "Installing into $(VENV); this takes about a minute."
	@$(PYTHON) -m venv $(VENV)
	@$(PIP) --require-hashes --only-binary :all: -r requirements.lock
	@$(PIP) --no-deps --no-build-isolation -e .
	@$(PY) -c "import matplotlib.font_manager"
	@touch $@
