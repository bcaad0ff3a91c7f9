# Every target sets up what it needs: a virtual environment under .venv, made once.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
OLDEST := .venv-oldest
PUBLISHED := .venv-published
PIP := -m pip install --quiet --disable-pip-version-check

.PHONY: demo test test-fast test-oldest check format bench docs clean

demo: .stamp-venv
	$(BIN)/python tools/demo.py

test: .stamp-venv
	$(BIN)/python -m pytest -n 2

test-fast: .stamp-venv
	$(BIN)/python -m pytest -n 2 -m "not slow"

# the oldest NumPy that annotated programs may still use
test-oldest: .stamp-oldest
	$(OLDEST)/bin/python -m pytest -n 2 -m "not slow"

check: .stamp-venv
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python -m pytest tests/test_layers.py

format: .stamp-venv
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: .stamp-venv .stamp-published
	$(BIN)/python benchmarks/generate.py --published $(PUBLISHED)/bin/python

docs: .stamp-docs
	$(BIN)/python tools/language_tables.py --check
	$(BIN)/zensical build --clean

clean:
	rm -rf $(VENV) $(OLDEST) $(PUBLISHED) site .stamp-*

.stamp-venv: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python $(PIP) -e '.[test,check]'
	touch $@

.stamp-docs: .stamp-venv
	$(BIN)/python $(PIP) -e '.[docs]'
	touch $@

.stamp-oldest: pyproject.toml
	$(PYTHON) -m venv $(OLDEST)
	$(OLDEST)/bin/python $(PIP) 'numpy==1.23.5' -e '.[test]'
	touch $@

# the paper authors' own tool, to measure against
.stamp-published:
	$(PYTHON) -m venv $(PUBLISHED)
	$(PUBLISHED)/bin/python $(PIP) 'annotest==0.1.1' numpy
	touch $@
