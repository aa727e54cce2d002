# Every target does its own set-up; nothing here needs anything but python3 (3.11 or later) and make.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
# A file's tests share what is expensive, so a file stays on one worker. Tests wait for servers, browsers and
# commands about a quarter of their time: one worker more than cores keeps the cores busy.
WORKERS ?= $(shell expr $$(nproc 2> /dev/null || echo 1) + 1)
PYTEST := $(BIN)/pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder
REVS ?= HEAD~1 HEAD
CLAIM ?= standard
# Servers, workers and commands that tests start would compile the package again, and pytest all tests.
unexport PYTHONDONTWRITEBYTECODE
JOBS ?= $(shell nproc 2> /dev/null || echo 1)

.PHONY: help browser node setup census serve site test lint types package docs unit compile coverage test-slow test-versions review bench bench-shift bench-big bench-study bench-dataset bench-census bench-compare bench-service bench-site bench-rooms bench-hostile pictures screenshots proof proof-quick clean

help:  ## list the targets
	@grep -E '^[a-z-]+:.*##' Makefile | sed 's/:.*## /\t/' | expand -t 16

setup: $(VENV)/.ready  ## a virtual environment in .venv with the package and its tools

$(VENV)/.ready: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[all]' --group dev
	touch $@

census: setup  ## solve every deal
	$(BIN)/collapsi census

serve: setup  ## the page to play and analyse on
	$(BIN)/collapsi serve

site: setup  ## the page as a folder of files for any web host, in build/site
	$(BIN)/collapsi site --out build/site

test: setup  ## every check: lint, types, package, manual, repository review, tests
	$(MAKE) --jobs=2 lint types package docs review
	$(MAKE) unit

lint: setup node
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/lint-imports --no-logo
	! command -v npm > /dev/null || { $(MAKE) --no-print-directory node_modules/.ready && node_modules/.bin/biome check --error-on-warnings; }

node_modules/.ready: package-lock.json
	npm ci --no-audit --no-fund --loglevel=error
	touch $@

browser: setup  # for the tests of the page: Chromium, installed where that needs nobody's leave
	$(BIN)/python -m tests.browser.chromium

node: setup  # for the page's linter and the page without a service: Node and npm, likewise
	$(BIN)/python -m tests.node

types: setup
	$(BIN)/mypy

unit: setup browser node compile  ## the quick tests
	$(PYTEST)

compile: setup  # machine code of all kernels, once before the tests' workers need it
	$(BIN)/python -m tests.compile

package: setup  ## wheel and source archive in dist/, checked
	rm -rf dist
	$(BIN)/python -m build --no-isolation
	$(BIN)/twine check --strict dist/*
	$(BIN)/check-wheel-contents dist/*.whl

docs: setup  ## the manual, in build/manual/index.html
	$(BIN)/sphinx-build --quiet --fail-on-warning --keep-going docs build/manual

test-slow: setup browser node compile  ## the exhaustive tests, marked slow, and the quick ones with other random examples
	$(PYTEST) -m 'slow or not slow' --hypothesis-profile explore

coverage: setup browser node compile  ## which lines the quick tests execute, and by which test (build/coverage)
	mkdir -p build/coverage
	$(PYTEST) --cov --cov-context=test --cov-report=term --junitxml=build/coverage/tests.xml -o junit_duration_report=call

test-versions:  ## every check on each Python we support, each in an environment of its own
	for version in 3.11 3.12 3.13; do $(MAKE) test PYTHON=python$$version VENV=.venv-$$version || exit 1; done
	if command -v python3.14 > /dev/null; then $(MAKE) test PYTHON=python3.14 VENV=.venv-3.14; else echo "python3.14 is not installed: left out"; fi

review: setup
	$(BIN)/repo-review .

bench: setup  ## measure the solver
	$(BIN)/python benchmarks/solver.py

bench-shift: setup  ## measure the shifting board's solver (minutes)
	$(BIN)/python benchmarks/shift.py

bench-big: setup  ## measure the big board's solver (minutes)
	$(BIN)/python benchmarks/big.py

bench-study: setup  ## measure what parts, files and workers of a study cost (minutes)
	$(BIN)/python benchmarks/study.py

bench-dataset: setup  ## measure a dataset of solved positions
	$(BIN)/python benchmarks/dataset.py

bench-census: setup  ## measure the census (minutes)
	$(BIN)/python benchmarks/census.py

bench-service: setup  ## measure the service
	$(BIN)/python benchmarks/service.py

bench-site: setup browser node  ## measure the page without a service, in Chromium
	$(BIN)/python -m benchmarks.site

bench-rooms: setup  ## measure 100 live rooms with a move every second (ten minutes)
	$(BIN)/python -m benchmarks.rooms

bench-hostile: setup  ## measure the service beside 500 hostile clients
	$(BIN)/python benchmarks/hostile.py

bench-compare: setup  ## measure a commit against the one before: make bench-compare REVS="HEAD~1 HEAD"
	$(BIN)/python benchmarks/compare.py $(REVS)

pictures: setup  ## draw the README's pictures again
	$(BIN)/python docs/pictures.py

screenshots: setup browser  ## take the README's pictures of the page again
	$(BIN)/python -m tests.browser.screenshots

proof-quick: setup  ## check the general theorems of the proof in proof/ and samples (a minute; needs Coq)
	@$(BIN)/python -m proof.check --quick --jobs $(JOBS)

proof: setup  ## prove the census: half an hour of CPU and the same for the second check, resumable (needs Coq)
	@$(BIN)/python -m proof.check --claim $(CLAIM) --jobs $(JOBS)

clean:  ## remove environments and caches
	rm -rf .venv .venv-3.* build dist node_modules .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
