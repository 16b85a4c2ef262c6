# make play   set everything up and start the game
# make test   set everything up and run the first tier of the tests, in about five minutes
# make test-all  set everything up and run both tiers, as CI does
# make prove  write a certificate of every game and variant, check it with the scripts in checkers/, and see forged ones refused
# make clauses  break each rule of docs/rules.md once, in a copy, and show the test that notices
# make mutants  change one sign, constant or branch at a time, 120 in all, and show the test that notices
# make proofs  run the slow tests: more sizes, more rounds, ten million moves of every game
# make coverage  count how often the arena's intervals contain the true value, in 2,000 runs of each kind
# make check  check style, types and import rules
# make proofs-store, make proofs-web  long stress tests: 200 kills, 1,000 races, 1,000 rounds of four clients on one match
# make bench  run the speed benchmarks, each with its limit; also pgx and others if they are installed in .venv
# make load   measure how many moves per second and how many spectators the site handles
# make siege  run every misbehaving client at once during matches, and 200 players behind one address
# make class-load  a class of 200 scripted pupils behind one address for ten minutes
# make clocks  measure what response times reveal, and how small a difference would be found
# make kills  kill sites, workers and terminals 1,000 times during matches that others watch
# make screenshots  take screenshots of the site for the README
# make pictures, make terminal-pictures  draw the charts of the documentation; take screenshots of the terminal
# make learning-pictures  draw how the examples learn; takes a few minutes
# make equilibria  solve Binary Battle again and write what the package ships
# make lowest  run the first tier of the tests, without a browser, with the oldest packages that pyproject.toml allows; needs uv
# make lock   pin the newest packages that fit pyproject.toml
PYTHON ?= python3
# Compiled files are kept: the tests start many programs, and each would compile everything again.
unexport PYTHONDONTWRITEBYTECODE
BIN := .venv/bin

.PHONY: play test test-all mutants prove clauses proofs proofs-store proofs-web coverage bench load siege class-load kills clocks screenshots check pictures terminal-pictures learning-pictures equilibria lowest lock clean

# Leaving by Ctrl-C or Ctrl-D is no failure.
play: .venv/play
	@$(BIN)/bitduel || case $$? in 1|130) ;; *) exit 1;; esac

# Many tests wait for a browser or a server, so there are two workers more than cores.
WORKERS ?= $(shell echo $$(($$(nproc 2> /dev/null || echo 2) + 2)))
PARALLEL = -n $(WORKERS) --dist worksteal

# The first tier prefers the browser without windows: the same engine, and a quarter of the processor time.
test: export BITDUEL_BROWSER ?= $(shell command -v chromium-headless-shell)
test: .venv/dev
	$(BIN)/python -m pytest $(PARALLEL) $(ARGS)

test-all: .venv/dev
	$(BIN)/python -m pytest $(PARALLEL) -m "not slow" $(ARGS)

prove: .venv/dev
	$(BIN)/python scripts/prove.py $(ARGS)

clauses: .venv/dev
	$(BIN)/python scripts/clauses.py $(ARGS)

mutants: .venv/dev
	$(BIN)/python -m scripts.mutants $(ARGS)

proofs: .venv/dev
	$(BIN)/python -m pytest -m slow $(ARGS)

proofs-store: .venv/dev
	BITDUEL_KILLS=200 BITDUEL_RACES=1000 $(BIN)/python -m pytest -m "not slow" tests/storage tests/terminal/test_autosave.py $(ARGS)

proofs-web: .venv/dev
	BITDUEL_RACES=1000 BITDUEL_ROUNDS=1000 $(BIN)/python -m pytest -m "not slow" tests/web --ignore tests/web/browser $(ARGS)

coverage: .venv/dev
	BITDUEL_COVERAGE=2000 $(BIN)/python -m pytest -n auto -rP tests/arena/test_coverage.py $(ARGS)

load: .venv/dev
	$(BIN)/python -m scripts.load $(ARGS)

bench: .venv/dev
	$(BIN)/python -m benchmarks $(ARGS)

siege: .venv/dev
	$(BIN)/python -m scripts.siege $(ARGS)
	$(BIN)/python -m scripts.one_address

class-load: .venv/dev
	$(BIN)/python -m scripts.class_load $(ARGS)

clocks: .venv/dev
	$(BIN)/python -m scripts.timing $(ARGS)

kills: .venv/dev
	$(BIN)/python -m scripts.kills $(ARGS)

screenshots: .venv/dev
	$(BIN)/python scripts/screenshots.py

check: .venv/dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/python -m pytest -q tests/test_architecture.py

pictures: .venv/dev
	$(BIN)/python scripts/pictures.py

terminal-pictures: .venv/dev
	$(BIN)/python scripts/terminal_pictures.py

learning-pictures: .venv/dev
	$(BIN)/python -m scripts.learning_pictures

# A virtual environment without its own pip works on every Debian and Ubuntu too, where ensurepip is missing.
.venv/bin/python:
	$(PYTHON) -m venv --without-pip .venv

INSTALL = $(PYTHON) -m pip --python $(BIN)/python --disable-pip-version-check install --quiet

.venv/play: .venv/bin/python requirements.lock pyproject.toml
	@echo "Setting up bitduel in .venv ..."
	@$(INSTALL) --require-hashes -r requirements.lock
	@$(INSTALL) --no-deps --no-build-isolation --editable .
	@touch $@

.venv/dev: .venv/bin/python requirements-dev.lock pyproject.toml
	@echo "Setting up bitduel and its tests in .venv ..."
	@$(INSTALL) --require-hashes -r requirements-dev.lock
	@$(INSTALL) --no-deps --no-build-isolation --editable .
	@touch .venv/play $@

# Locks record names, versions and hashes; never where a package was downloaded from.
COMPILE = uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	--no-annotate --no-header

lock:
	$(COMPILE) --group play --extra web --extra llm --extra postgresql pyproject.toml -o requirements.lock
	$(COMPILE) --group dev --extra all pyproject.toml -o requirements-dev.lock

equilibria: .venv/dev
	$(BIN)/python scripts/equilibria.py

# With the oldest Python as well, for which the oldest packages were made.
LOWEST := .venv-lowest
lowest: $(LOWEST)/ready
	$(LOWEST)/bin/python -m pytest $(PARALLEL) --ignore tests/web/browser $(ARGS)

$(LOWEST)/ready: pyproject.toml requirements-dev.lock
	@command -v uv > /dev/null || { echo "make lowest needs uv: pip install uv" >&2; exit 1; }
	@echo "Setting up bitduel with its oldest packages in $(LOWEST) ..."
	@uv venv --quiet --clear --python 3.11 $(LOWEST)
	@uv pip install --quiet --python $(LOWEST) --resolution lowest-direct --group dev --extra all -r pyproject.toml
	@uv pip install --quiet --python $(LOWEST) --no-deps --editable .
	@touch $@

clean:
	rm -rf .venv $(LOWEST)
