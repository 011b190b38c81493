# `make help` lists the targets. They need Python 3.11 or later; the first one run sets up .venv.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready
LOCKS := requirements/dev.txt requirements/torch.txt

.PHONY: help demo test check bench fuzz guided load faults docs site pictures browser lock clean

help:  ## List the targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/\1|\2/p' $(MAKEFILE_LIST) \
		| while IFS='|' read -r name text; do printf '%-10s %s\n' "$$name" "$$text"; done

demo: $(READY)  ## Answer questions about three example passages
	@PATH="$(CURDIR)/$(BIN):$$PATH" examples/demo.sh

# A file runs in one process, so that its fixtures (a reader, a server, Ray) are made once.
test: check  ## Run the checks and all tests, and report coverage
	$(BIN)/pytest -n 2 --dist loadfile --cov --cov-report=term:skip-covered

check: $(READY)  ## Check format, style, types and imports
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(READY)  ## Measure speed and memory against the budgets
	@$(BIN)/python benchmarks/bench.py

# docs/reliability.md describes these four and their results.
HARD := OMP_NUM_THREADS=1 PYTHONPATH=tests:tests/hard $(BIN)/python

fuzz: $(READY)  ## Feed random bad input to every parser
	$(HARD) tests/hard/fuzz.py

guided: $(READY)  ## Fuzz the parsers, guided by coverage (Linux on x86-64)
	for parser in values programs texts; do $(HARD) tests/hard/guided.py $$parser -runs=200000; done

load: $(READY)  ## Put the service under load
	$(HARD) benchmarks/load.py

faults: $(READY)  ## Kill processes and fill disks while files are written
	$(HARD) tests/hard/faults.py

docs: $(READY)  ## Write the generated pages of docs from the code
	$(BIN)/typer workings.cli utils docs --name workings --output docs/commands.md
	$(BIN)/python tools/settings_page.py > docs/settings.md
	$(BIN)/python tools/explanation_schema.py > docs/explanation.schema.json

site: docs  ## Build the documentation as a site in site/
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

pictures: $(READY)  ## Take the pictures and the README's sample again (needs Chromium)
	$(BIN)/python tools/pictures.py

browser:  ## Install Chromium from the system's packages (as root), for the browser tests
	tools/install_browser.sh

COMPILE := $(BIN)/uv pip compile --quiet pyproject.toml --constraint requirements/torch.txt \
	--universal --python-version 3.11.5 --no-python-downloads --generate-hashes \
	--no-emit-package torch --no-annotate --custom-compile-command 'make lock'

lock: $(READY)  ## Resolve the locked versions again (UPGRADE=--upgrade for the newest)
	$(BIN)/python -m pip install --quiet uv==0.13.8
	$(COMPILE) $(UPGRADE) --extra dev --output-file requirements/dev.txt
	$(COMPILE) --constraint requirements/dev.txt --extra web --extra files \
		--output-file requirements/serve.txt

clean:  ## Remove .venv, the site and all caches
	rm -rf .venv site .coverage .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache

# The locks list every package, so that pip resolves nothing (--no-deps). `pip check` verifies it.
$(READY): pyproject.toml $(LOCKS)
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --no-deps --require-hashes -r requirements/dev.txt
	$(BIN)/python -m pip install --quiet -r requirements/torch.txt
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	$(BIN)/python -m pip check
	touch $@
