# Every target sets up what it needs: a virtual environment under .venv, made once.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
OLDEST := .venv-oldest
PUBLISHED := .venv-published
FRAMEWORKS := .venv-frameworks
HYPOTHESIS_TORCH := .venv-hypothesis-torch
# worksteal: neighbours stay together, so that one worker makes what a module's tests share;
# three for two processors, as many tests wait for limits of time
THREE := -n 3 --dist worksteal
USUAL := not exhaustive and not frameworks
# the tests start hundreds of processes: none of them should compile annotest anew
unexport PYTHONDONTWRITEBYTECODE
PIP := -m pip install --quiet --disable-pip-version-check
# first and by itself: what depends on it must not bring another build
TORCH := torch==2.13.0

.PHONY: demo test test-fast test-slow test-oldest test-frameworks soak check format bench docs clean

demo: .stamp-venv
	$(BIN)/python tools/demo.py

test: .stamp-venv
	$(BIN)/python -m pytest $(THREE) -m "$(USUAL)"

test-fast: .stamp-venv
	$(BIN)/python -m pytest $(THREE) -m "not slow and $(USUAL)"

# whole tables, every variant with spawned processes: before a release, and not in .ci/run
test-slow: .stamp-venv
	$(BIN)/python -m pytest $(THREE) -m "exhaustive and not frameworks"

# the oldest NumPy that annotated programs may still use
test-oldest: .stamp-oldest
	$(OLDEST)/bin/python -m pytest $(THREE) -m "not slow and $(USUAL)"

# real torch, keras, tensorflow and jax, and libraries on top of torch: about 4.0 GB
test-frameworks: .stamp-frameworks
	$(FRAMEWORKS)/bin/python -m pytest -m "frameworks and not exhaustive" tests/frameworks tests/wild

# all of it, with a thousand forks for each framework: an hour or so
soak: .stamp-frameworks
	ANNOTEST_FORKS=1000 $(FRAMEWORKS)/bin/python -m pytest -m frameworks tests/frameworks tests/wild --durations=0

check: .stamp-venv
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python -m pytest tests/test_layers.py

format: .stamp-venv
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: .stamp-venv .stamp-published .stamp-frameworks .stamp-hypothesis-torch
	$(BIN)/python benchmarks/generate.py --published $(PUBLISHED)/bin/python
	$(FRAMEWORKS)/bin/python benchmarks/engine.py
	$(FRAMEWORKS)/bin/python benchmarks/memory.py
	$(BIN)/python benchmarks/relations.py
	$(BIN)/python benchmarks/relations_tensors.py
	$(BIN)/python benchmarks/arrays.py
	$(BIN)/python benchmarks/tensors.py --theirs $(HYPOTHESIS_TORCH)
	$(BIN)/python benchmarks/diversity.py

docs: .stamp-docs
	$(BIN)/python tools/language_tables.py --check
	$(BIN)/zensical build --clean

clean:
	rm -rf $(VENV) $(OLDEST) $(PUBLISHED) $(FRAMEWORKS) $(HYPOTHESIS_TORCH) site .stamp-*

.stamp-venv: pyproject.toml
	$(PYTHON) -m venv $(VENV)
ifneq ($(TORCH),no)
	$(BIN)/python $(PIP) '$(TORCH)'
endif
	$(BIN)/python $(PIP) -e '.[test,check]'
	touch $@

.stamp-docs: .stamp-venv
	$(BIN)/python $(PIP) -e '.[docs]'
	touch $@

.stamp-oldest: pyproject.toml
	$(PYTHON) -m venv $(OLDEST)
	$(OLDEST)/bin/python $(PIP) 'numpy==1.23.5' -e '.[test]'
	touch $@

.stamp-frameworks: pyproject.toml
	$(PYTHON) -m venv $(FRAMEWORKS)
	$(FRAMEWORKS)/bin/python $(PIP) '$(TORCH)'
	$(FRAMEWORKS)/bin/python $(PIP) 'keras==3.15.*' 'jax==0.10.*' 'tensorflow-cpu==2.21.*'
	$(FRAMEWORKS)/bin/python $(PIP) '$(TORCH)' einops==0.8.2 transformers==5.23.0 monai==1.6.1
	$(FRAMEWORKS)/bin/python $(PIP) -e '.[test]'
	touch $@

# the paper authors' own tool, to measure against
.stamp-published:
	$(PYTHON) -m venv $(PUBLISHED)
	$(PUBLISHED)/bin/python $(PIP) 'annotest==0.1.1' numpy
	touch $@

# a folder of its own, without the torch that it would bring
.stamp-hypothesis-torch: .stamp-venv
	$(BIN)/python $(PIP) --no-deps --target $(HYPOTHESIS_TORCH) 'hypothesis-torch==2.0.7'
	touch $@
