# `make demo` and `make test` need nothing but Python 3.11: the first to run sets everything up.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready

.PHONY: demo test check bench fuzz guided load faults docs site pictures clean

demo: $(READY)
	@PATH="$(CURDIR)/$(BIN):$$PATH" examples/demo.sh

test: check
	$(BIN)/pytest -n 2

check: $(READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy --strict src

bench: $(READY)
	@$(BIN)/python benchmarks/bench.py

# What these try and found is told in docs/reliability.md.
HARD := OMP_NUM_THREADS=1 PYTHONPATH=tests:tests/hard $(BIN)/python

fuzz: $(READY)
	$(HARD) tests/hard/fuzz.py

guided: $(READY)
	$(BIN)/python -m pip install --quiet --constraint constraints.txt \
		--no-build-isolation --editable '.[hard]'
	for parser in values programs texts; do $(HARD) tests/hard/guided.py $$parser -runs=200000; done
	$(BIN)/pytest tests/hard/test_openapi.py

load: $(READY)
	$(HARD) benchmarks/load.py

faults: $(READY)
	$(HARD) tests/hard/faults.py

docs: $(READY)
	$(BIN)/typer workings.cli utils docs --name workings --output docs/commands.md
	$(BIN)/python tools/settings_page.py > docs/settings.md

site: docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

# Of the explanation, with the weights that are shipped; the README's sample is written anew too.
pictures: $(READY)
	$(BIN)/python tools/pictures.py

clean:
	rm -rf .venv site .hypothesis .mypy_cache .pytest_cache .ruff_cache

$(READY): pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --constraint constraints.txt hatchling editables
	$(BIN)/python -m pip install --quiet --constraint constraints.txt \
		--no-build-isolation --editable '.[dev,train,web,docs,browser]'
	touch $@
