# This file makes the virtual environment that everything runs in, and gives short names
# to commands: modules in tools/, or tools of others. README.md and CONTRIBUTING.md have
# the same lines for people without make.

WINDOWS := $(filter Windows_NT,$(OS))
PYTHON ?= $(if $(WINDOWS),python,python3)
VENV := .venv
PY := $(VENV)/$(if $(WINDOWS),Scripts,bin)/python
PIP := $(PY) -m pip --disable-pip-version-check --quiet install
INSTALLED := $(VENV)/.installed

CHAPTERS := $(sort $(wildcard chapters/*.ipynb))

export PYTHONUTF8 := 1

# A chapter, CH=04, or a problem set, PS=ps1, whose master lies in the folder COURSE.
SETS := $(CH) $(PS)
MASTERS := $(if $(COURSE),--course "$(COURSE)")

# Said before anything is installed.
ifeq ($(filter course,$(MAKECMDGOALS))$(origin DIR),courseundefined)
$(error Say where: make course DIR=../autograd-course)
endif
ifeq ($(filter grade,$(MAKECMDGOALS))$(origin FROM),gradeundefined)
$(error Say what was handed in: make grade FROM=submissions.zip)
endif
ifeq ($(filter engine,$(MAKECMDGOALS))$(and $(STEPS),$(FROM)),engine)
$(error Say which steps, and what was handed in: make engine STEPS=graph FROM=submissions.zip)
endif
ifneq ($(filter handout gradescope gate,$(MAKECMDGOALS)),)
ifeq ($(strip $(CH)$(PS)),)
$(error Say which: CH=04, or PS=ps1 COURSE=../autograd-course)
endif
endif
ifeq ($(filter repository,$(MAKECMDGOALS))$(origin URL),repositoryundefined)
$(error Say which: make repository URL=https://...)
endif

.PHONY: help book pdf epub test check torch serve lab refresh course handout grade engine gradescope gate repository lock linkcheck clean
.DEFAULT_GOAL := help

help:
	@echo "make book                 build the book into _build/html"
	@echo "make pdf                  build it, and print it into _build/autograd-bottom-up.pdf"
	@echo "make epub                 build it, and write it as an EPUB for e-readers"
	@echo "make serve                serve the built book at http://127.0.0.1:8000/"
	@echo "make lab                  open the notebooks in JupyterLab"
	@echo "make test                 prove everything (ARGS='tests/book/test_growth.py' for less)"
	@echo "make check                the tests of what changed, without a build (ARGS=--all)"
	@echo "make torch                install PyTorch, SciPy and micrograd, which tests use"
	@echo "make refresh              execute the notebooks whose code changed"
	@echo "make course DIR=...       write a private repository with problem sets for a class"
	@echo "make handout CH=04        write students' notebooks into handout/ (PS=ps1 COURSE=...)"
	@echo "make grade FROM=...       judge what was handed in, into grades/ (CH=04, or PS=ps1)"
	@echo "make engine STEPS=graph FROM=...  judge the engines that students write"
	@echo "make gradescope CH=04     write an autograder for Gradescope into autograder/"
	@echo "make gate CH=04           try whether a set can be trusted with marks"
	@echo "make repository URL=...   set the repository's address; URL= clears it"
	@echo "make lock                 resolve requirements.txt into requirements.lock again"
	@echo "make linkcheck            check the links that lead out of the book"
	@echo "make clean                remove what was built; the environment stays"

book: $(INSTALLED)
	@$(PY) -m tools.build $(ARGS)

pdf: book
	@$(PY) -m press.paper.pdf $(ARGS)

epub: book
	@$(PY) -m press.paper.epub

test: $(INSTALLED)
	@$(PY) -m tools.test $(ARGS)

check: $(INSTALLED)
	@$(PY) -m tools.check $(ARGS)

# No requirements: where they are missing, what compares with PyTorch or micrograd and
# runs in SciPy is skipped, and said to be. What PyTorch needs takes mpmath back to 1.3, which the tests
# bear.
torch: $(INSTALLED)
	@$(PIP) torch==2.13.0 scipy==1.17.1 micrograd==0.1.0 $(ARGS)

serve: $(INSTALLED)
	$(if $(wildcard _build/html/.nojekyll),,$(error There is no complete book. Run: make book))
	@$(PY) -m http.server --bind 127.0.0.1 --directory _build/html $(or $(PORT),8000)

# JupyterLab hides the stored drawings of notebooks that this machine has not signed.
lab: $(INSTALLED)
	@$(PY) -m jupyter trust $(CHAPTERS) >/dev/null
	@$(PY) -m jupyterlab --ServerApp.root_dir=. $(firstword $(CHAPTERS)) $(ARGS)

refresh: $(INSTALLED)
	@$(PY) -m tools.refresh $(ARGS)

course: $(INSTALLED)
	@$(PY) -m course.sets.create "$(DIR)"

handout: $(INSTALLED)
	@$(PY) -m course.sets.handout $(SETS) $(MASTERS) $(ARGS)

grade: $(INSTALLED)
	@$(PY) -m course.desk.grade $(foreach set,$(SETS),--set $(set)) $(MASTERS) \
		--from "$(FROM)" $(if $(ROSTER),--roster "$(ROSTER)") \
		$(if $(CANVAS),--canvas "$(CANVAS)") $(ARGS)

engine: $(INSTALLED)
	@$(PY) -m course.engine $(STEPS) $(MASTERS) --from "$(FROM)" \
		$(if $(ROSTER),--roster "$(ROSTER)") $(if $(CANVAS),--canvas "$(CANVAS)") $(ARGS)

gradescope: $(INSTALLED)
	@$(PY) -m course.systems.gradescope $(SETS) $(MASTERS) $(ARGS)

gate: $(INSTALLED)
	@$(PY) -m course.judge.gate $(SETS) $(MASTERS) $(ARGS)

# The address in pyproject.toml is nothing that must be installed again.
repository: $(INSTALLED)
	@$(PY) -m tools.repository "$(URL)"
	@touch $(INSTALLED)

# For every system at once, and naming neither an index nor a path of this machine. What
# is locked keeps its version: make lock ARGS=--upgrade.
lock: $(INSTALLED)
	@$(PY) -m uv pip compile requirements.txt --output-file=requirements.lock \
		--no-config --universal --python-version=3.11 --fork-strategy=fewest \
		--generate-hashes --no-emit-index-url --no-emit-find-links --no-header \
		--no-strip-extras \
		--quiet $(ARGS)

linkcheck: $(INSTALLED)
	@$(PY) -m tools.build --builder linkcheck

clean:
	rm -rf _build build dist *.egg-info .coverage .hypothesis .mypy_cache .pytest_cache .ruff_cache

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
