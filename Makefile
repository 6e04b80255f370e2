# Every task of the project. `make help` lists them.
PYTHON ?= python3
VENV ?= .venv
PEERS ?= peers
BIN := $(VENV)/bin
FAST := $(VENV)/.installed
FULL := $(VENV)/.installed-with-frameworks

.DEFAULT_GOAL := help
.PHONY: help setup demo test check fix-style new-rule new-op docs bench clean

help: ## List the tasks
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  %-10s %s\n", $$1, $$2}'

$(FAST): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --editable ".[dev]"
	@touch $@

# torch first and by itself: an exact version, so that a local CPU build is taken where the machine offers one.
$(FULL): $(FAST)
	$(BIN)/python -m pip install --quiet torch==2.13.0
	$(BIN)/python -m pip install --quiet --editable ".[dev,oracle]"
	@touch $@

setup: $(FAST) ## Create .venv and install dllint with its development tools

demo: $(FAST) ## Set up and run `dllint check` on fixtures/
	@$(BIN)/dllint check --isolated --exit-zero fixtures

test: $(FULL) ## Set up with the real frameworks and run all tests
	KERAS_BACKEND=torch $(BIN)/python -m pytest

check: $(FULL) ## What CI runs: style, types, tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	KERAS_BACKEND=torch $(BIN)/python -m pytest

fix-style: $(FAST) ## Sort imports and format
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

new-rule: $(FAST) ## Write a rule and its test: make new-rule CODE=DLT123 NAME=kebab-case-name FAMILY=tensor
	$(BIN)/dllint dev new-rule $(CODE) $(NAME) --family $(FAMILY)

new-op: $(FAST) ## Write an operation and its test: make new-op NAME=roll FAMILY=reshape
	$(BIN)/dllint dev new-op $(NAME) --family $(FAMILY)

docs: $(FAST) ## Write the generated pages under docs/
	$(BIN)/dllint dev docs

bench: $(FAST) ## Measure recall and false alarms: make bench PEERS=folder-of-checkouts
	$(BIN)/python -m benchmarks.recall.run --peers $(PEERS)

clean: ## Remove the virtual environment and caches
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache
