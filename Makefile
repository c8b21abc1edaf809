# Everything a person types; `make` alone lists it. What is installed stays in .venv, what is kept in data.

PYTHONS := python3 python3.14 python3.13 python3.12 python3.11
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-input --require-hashes

# The first Python on PATH that is new enough and for which $(1) runs.
find_python = $(shell for name in $(PYTHONS); do \
	$$name -c "import sys; assert sys.version_info >= (3, 11); $(1)" 2>/dev/null && echo $$name && break; done)

.PHONY: help run demo test test-postgres test-book check format bench coverage install lock
.DEFAULT_GOAL := help

help: ## List these commands
	@awk 'BEGIN {FS = ":.*## "} /^[a-z-]+:.*## / {printf "make %-13s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: $(VENV)/.run ## Start the site and print its addresses; PORT=8123 takes another port
	@$(BIN)/python manage.py serve

demo: $(VENV)/.run ## Start the site with a made-up club of its own, to look around in
	@$(BIN)/python manage.py demo

test: $(VENV)/.dev ## Run all tests, those in a browser too (installs one where none is found)
	@$(BIN)/python -m tests.browser.chromium
	@$(BIN)/python manage.py compile_translations
	$(BIN)/pytest --numprocesses=2 --dist=worksteal

test-postgres: $(VENV)/.dev ## Run the tests that use the database on a PostgreSQL of their own (installs one where none is found)
	@$(BIN)/python manage.py compile_translations
	$(BIN)/python -m tests.postgres $(BIN)/pytest --numprocesses=2 --dist=worksteal $(DATABASE_TESTS)

test-book: $(VENV)/.dev ## Run the part of these tests that writes, sums and checks the book
	@$(BIN)/python manage.py compile_translations
	$(BIN)/python -m tests.postgres $(BIN)/pytest --numprocesses=2 --dist=worksteal $(BOOK)

BOOK := $(addprefix tests/test_,$(addsuffix .py,ledger rounds_ledger payments amend adjustments all_paid carry_over \
	club_settle conflicts concurrency backup statistics_plans))

# Not the engine, which knows no database, and not the browser, which does not see which one it is.
DATABASE_TESTS := --ignore=tests/engine --ignore=tests/browser

torture: $(VENV)/.dev ## Many writers at once, a server killed 20 times, random evenings, on both databases: some minutes
	$(TORTURE) concurrency && $(TORTURE) crash && $(TORTURE) evenings && $(TORTURE) growth
	$(ON_POSTGRES) concurrency && $(ON_POSTGRES) crash && $(ON_POSTGRES) growth

TORTURE := $(BIN)/python -m tests.torture
ON_POSTGRES := $(BIN)/python -m tests.postgres $(TORTURE)

check: $(VENV)/.dev ## Look for faults without running the program: form, types, imports, templates, settings
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/djlint --lint --quiet templates
	$(BIN)/python manage.py compile_translations --check
	$(BIN)/python manage.py makemigrations --check --dry-run
	$(BIN)/python manage.py check --deploy --fail-level WARNING
	CAPSA_HTTPS=1 $(BIN)/python manage.py check --deploy --fail-level WARNING

format: $(VENV)/.dev ## Put the code into its usual form
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/.dev ## Measure the engine against other evaluators
	@$(BIN)/python -m tests.benchmarks

coverage: $(VENV)/.dev ## Run the tests and show which lines they never reach
	$(BIN)/pytest --cov

install: $(VENV)/.dev ## Make .venv with everything that developers need

lock: $(VENV)/.dev ## For maintainers: choose new versions within the bounds of pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check "uv~=0.13"
	$(BIN)/uv pip compile $(LOCK) -o requirements.txt
	$(BIN)/uv pip compile $(LOCK) --group dev --group bench -c requirements.txt -o requirements-dev.txt

LOCK := --quiet --upgrade --universal --generate-hashes --no-annotate --no-header --python-version 3.11 pyproject.toml

$(VENV)/.run: requirements.txt | $(BIN)/python
	@echo "Installing what Capsa Ledger needs; this takes a while the first time."
	@$(PIP) -r requirements.txt
	@touch $@

# The developers' list holds the whole of the other one in the same versions.
$(VENV)/.dev: requirements-dev.txt requirements.txt | $(BIN)/python
	@echo "Installing what developing Capsa Ledger needs; this takes a while the first time."
	@$(PIP) -r requirements-dev.txt
	@touch $(VENV)/.run $@

$(BIN)/python:
	@$(or $(call find_python,import ensurepip; import venv),$(error $(cannot_install))) -m venv --clear $(VENV)

cannot_install = $(or \
	$(foreach name,$(call find_python,pass),$(name) lacks its venv module: sudo apt install $(name)-venv),\
	Capsa Ledger needs Python 3.11 or newer: sudo apt install python3.11-venv)
