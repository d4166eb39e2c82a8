# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The commands of this project. `make demo` is the first look, `make test` the whole truth.
#   make test T="tests/apis -k add"    only some of the Python tests
.DEFAULT_GOAL := build
.PHONY: setup build demo test test-long test-sanitize bench docs lint format lock clean

# Any compiler with C++20 will do; the one the set-up installs is the default.
ifeq ($(origin CXX), default)
CXX := /usr/lib/llvm-19/bin/clang++
endif
export CXX
python := .venv/bin/python
build_dir := build/cmake
T :=

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile

setup: ## install what is missing, create .venv
	@tools/setup.sh

build: setup ## build and install into .venv
	@tools/build.sh $(build_dir)

demo: build ## run the lessons in examples/, and a copy of the first with a race
	@$(python) tools/demo.py

test: build ## all tests
	@$(python) tools/run_tests.py --build $(build_dir) $(if $(T),-- $(T))

test-long: build ## all tests, those that take minutes too, and a longer fuzz
	@$(python) tools/run_tests.py --build $(build_dir) --long $(if $(T),-- $(T))

test-sanitize: setup ## all tests under AddressSanitizer and UndefinedBehaviorSanitizer
	@tools/build.sh build/sanitize --sanitize
	@$(python) tools/run_tests.py --build build/sanitize --sanitize $(if $(T),-- $(T))

bench: build ## measure, write build/bench.json
	@$(python) bench/run.py

docs: build ## the site, in build/docs
	@$(python) tools/make_docs.py build/docs

sources = $(shell git ls-files 'src/*.cpp' 'src/*.h' 'tools/*.cpp')
lint: setup ## style of Python and C++, warnings as errors
	@.venv/bin/ruff check . && .venv/bin/ruff format --check .
	@/usr/lib/llvm-19/bin/clang-format --dry-run -Werror $(sources)
	@tools/build.sh build/lint --werror

format: setup ## put Python and C++ into the project's style
	@.venv/bin/ruff check --fix --quiet . ; .venv/bin/ruff format .
	@/usr/lib/llvm-19/bin/clang-format -i $(sources)

lock: setup ## pin requirements.in in requirements.lock
	@tools/lock.sh

clean: ## remove build products
	rm -rf build
