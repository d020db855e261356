# Notes to pages, LaTeX and print; the first `make` sets everything up in .venv and templates/assets.
#
#   PYTHON  the interpreter .venv is made with (3.10 or newer)      make html PYTHON=python3.12
#   VENV    where the virtual environment is                        make test VENV=.venv-3.12 PYTHON=python3.12
#   JOBS    how many notes are built at a time                      make html JOBS=1
#   PAPER   a4 or letter, whatever the note says                    make pdf PAPER=letter
#   VARIANT handout, instructor, others of the notes; note: itself  make pdf VARIANT=note,handout
#   ENGINE  pdflatex, xelatex or lualatex: PDFs by LaTeX            make pdf ENGINE=lualatex
#   STANDARD pdf/a-2u or pdf/a-3u: PDFs for archives                make pdf STANDARD=pdf/a-3u
#   FLAGS   more options of `scidraft build`                        make html FLAGS=--force

PYTHON ?= python3
VENV ?= .venv
JOBS ?= 0
PAPER ?=
ENGINE ?=
STANDARD ?=
VARIANT ?=
FLAGS ?=
PYTEST_ARGS ?=

MAKEFLAGS += --no-builtin-rules
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

BIN := $(VENV)/bin
NOTES := $(sort $(wildcard notes/*.md))
comma := ,
space := $(subst ,, )
# The formats and variants asked for on the command line: all of them are made in one run of one process.
ON_SHEETS := handout-2up handout-booklet
FORMATS := $(if $(filter all,$(MAKECMDGOALS)),html pdf latex,$(or $(sort $(filter html pdf latex,$(MAKECMDGOALS)) \
  $(if $(filter $(ON_SHEETS),$(MAKECMDGOALS)),pdf)),pdf))
VARIANTS := $(or $(VARIANT),$(subst $(space),$(comma),$(strip $(subst notes,note,$(filter notes handout instructor,$(MAKECMDGOALS))) \
  $(if $(filter handout,$(MAKECMDGOALS)),,$(if $(filter $(ON_SHEETS),$(MAKECMDGOALS)),handout)))))
BUILD := $(BIN)/scidraft build --jobs $(JOBS) $(if $(PAPER),--paper $(PAPER)) $(if $(ENGINE),--engine $(ENGINE)) $(if $(STANDARD),--pdf-standard $(STANDARD)) $(if $(VARIANTS),--variant $(VARIANTS)) -o build $(FLAGS)
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: help html pdf latex all notes handout instructor $(ON_SHEETS) notes-in-all-formats check test accept lint bench-print page-weight math-sheet pictures dist lock clean distclean FORCE

help:  ## show this list
	@echo 'Notes: notes/*.md. Output: build/. One note: make build/NAME.html, .pdf or .tex'
	@sed -n 's/^\([a-z][a-z0-9 -]*\):[^#]*## /\1\t/p' $(firstword $(MAKEFILE_LIST)) | while IFS="$$(printf '\t')" read -r name what; \
	  do printf '  make %-16s %s\n' "$$name" "$$what"; done
	@sed -n '/^#   [A-Z]/s/^#//p' $(firstword $(MAKEFILE_LIST))

# Notes

html: notes-in-all-formats  ## a web page of every note: build/NAME.html
	@:
pdf: notes-in-all-formats  ## a printed handout of every note: build/NAME.pdf
	@:
latex: notes-in-all-formats  ## a LaTeX file of every note: build/NAME.tex
	@:
all: notes-in-all-formats  ## all three
	@:
notes: notes-in-all-formats  ## with handout or instructor: the notes themselves too
	@:
handout: notes-in-all-formats  ## the notes for students: build/NAME-handout.pdf (with html, latex: those)
	@:
instructor: notes-in-all-formats  ## the notes for those who teach: build/NAME-instructor.pdf
	@:
handout-2up: notes-in-all-formats $(VENV)/.dev  ## handouts two pages a sheet: build/NAME-handout-2up.pdf
	@$(call impose,2up,--two-up)
handout-booklet: notes-in-all-formats $(VENV)/.dev  ## handouts to be folded: build/NAME-handout-booklet.pdf
	@$(call impose,booklet,--booklet)
impose = set -e; for note in $(NOTES:notes/%.md=build/%-handout); do \
  $(BIN)/scidraft impose $(2) $(if $(PAPER),--paper $(PAPER)) $$note.pdf -o $$note-$(1).pdf; done

notes-in-all-formats: $(VENV)/.ready
	@$(BUILD) --to $(subst $(space),$(comma),$(FORMATS)) $(NOTES)

# scidraft knows better than make what a note depends on (bibliography, pictures, templates), so it is always asked.
build/%.html: notes/%.md FORCE $(VENV)/.ready
	@$(BUILD) --to html $<
build/%.pdf: notes/%.md FORCE $(VENV)/.ready
	@$(BUILD) --to pdf $<
build/%.tex: notes/%.md FORCE $(VENV)/.ready
	@$(BUILD) --to latex $<
FORCE:

check: $(VENV)/.ready  ## list what is wrong in the notes, and compare the numbers in all outputs; write nothing
	@$(BIN)/scidraft check --jobs $(JOBS) --parity $(if $(ENGINE),--engine $(ENGINE)) $(NOTES)

# The code

test: $(VENV)/.ready $(VENV)/.dev  ## run the test suite
	$(BIN)/python -m pytest $(PYTEST_ARGS)

accept: $(VENV)/.ready $(VENV)/.dev  ## take what the golden cases give now as what they should give
	$(BIN)/python -m pytest tests/test_golden.py --accept -q $(PYTEST_ARGS)

lint: $(VENV)/.ready $(VENV)/.dev  ## ruff and mypy
	$(BIN)/ruff check .
	$(BIN)/ruff format --check --quiet .
	$(BIN)/mypy

bench-print: $(VENV)/.ready $(VENV)/.dev  ## what formulas cost in print: seconds and memory as ratios
	$(BIN)/python tools/bench_print.py

page-weight: $(VENV)/.ready $(VENV)/.dev  ## what formulas add to a web page, in bytes
	$(BIN)/python tools/page_weight.py

math-sheet: $(VENV)/.ready $(VENV)/.dev  ## formulas side by side as we and LaTeX set them: build/math-sheet/sheet.pdf
	@$(BIN)/python tools/math_sheet.py

pictures: $(VENV)/.ready $(VENV)/.dev  ## the pictures of README, in docs/
	@$(BIN)/python tools/pictures.py

dist: $(VENV)/.ready $(VENV)/.dev  ## a wheel and a source archive, in dist/
	$(BIN)/python -m build --no-isolation

lock:  ## choose the newest versions again, for both requirements files
	rm -rf build/lock && $(PYTHON) -m venv build/lock && build/lock/bin/pip install -q uv
	build/lock/bin/uv pip compile pyproject.toml --group build $(LOCK_OPTIONS) -o requirements.lock
	build/lock/bin/uv pip compile pyproject.toml --group dev $(LOCK_OPTIONS) -c requirements.lock -o requirements-dev.lock
	rm -rf build/lock
# With extras: pip takes `fonttools[woff]` for not pinned as soon as a newer fonttools is out, if the file says `fonttools` only.
LOCK_OPTIONS := --quiet --universal --python-version 3.10 --generate-hashes --no-strip-extras --upgrade --no-annotate \
  --custom-compile-command 'make lock' --no-emit-index-url --no-emit-find-links

clean:  ## remove build/
	rm -rf build

distclean: clean  ## remove all that was not in the repository
	rm -rf $(VENV) node_modules templates/assets dist .mypy_cache .pytest_cache .ruff_cache
	find filters tests tools -name __pycache__ -prune -exec rm -rf {} +

# Set-up. Each step leaves a stamp, and is done again when what it was made from changes.

$(VENV)/.python:
	@command -v $(PYTHON) >/dev/null || { echo 'make: $(PYTHON) is missing; name a Python 3.10 or newer with PYTHON=…'; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' || \
	  { echo "make: $$($(PYTHON) -V) is too old; name a Python 3.10 or newer with PYTHON=…"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
	  { echo 'make: $(PYTHON) has no venv; on Debian and Ubuntu: apt-get install --no-install-recommends python3-venv'; exit 1; }
	@echo 'Setting up $(VENV) (once, some 150 MB) …'
	@$(PYTHON) -m venv --clear $(VENV)
	@touch $@

$(VENV)/.requirements: requirements.lock $(VENV)/.python
	@$(BIN)/python -m pip install --quiet --require-hashes -r requirements.lock
	@touch $@

# After .requirements: two pips at a time would be in each other's way.
$(VENV)/.dev: requirements-dev.lock $(VENV)/.requirements
	@$(BIN)/python -m pip install --quiet --require-hashes -r requirements-dev.lock
	@touch $@

# The virtual environment comes first so that a missing python3-venv is told before npm starts.
templates/assets/.made: tools/assets.txt package-lock.json | $(VENV)/.python
	@echo 'Fetching JavaScript and fonts into templates/assets (once) …'
	@$(BIN)/python tools/assets.py

$(VENV)/.scidraft: pyproject.toml hatch_build.py $(VENV)/.requirements templates/assets/.made
	@$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/.ready: $(VENV)/.scidraft
	@$(BIN)/python -m scidraft.libraries --install
	@touch $@
