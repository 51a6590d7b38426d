# Every target does all of its own set-up on a fresh Debian 12 with Rust; see CONTRIBUTING.md for what each one is for.

TARGET := $(or $(CARGO_TARGET_DIR),target)
export FARSIDE_TARGET := $(abspath $(TARGET))
SUITE_OPTIONS ?=
# On a terminal, cargo shows how far it is: the first build takes minutes.
QUIET := $(shell [ -t 2 ] || echo --quiet)
# The command and what lies beside it for MPI programs.
COMMAND := $(addprefix -p farside-,cli interpose callbacks llvm-filter gcc-filter llvm-front)

.PHONY: help demo test nightly suite bench-check bench-litmus bench-lint bench-robust bench-rma build fmt lint tidy
.PHONY: unit setup site clean

help:
	@sed -n 's/^## //p' Makefile

## make demo         find the bugs of examples/ under both MPI libraries, and write an HTML report
demo: setup
	@cargo build --release $(QUIET) $(COMMAND)
	@scripts/demo

## make test         everything that must hold: format, lints, unit tests, every sixth pair of MPI programs by turns
test: setup
	@scripts/test

## make nightly      make test, and the long forms: suite 10 times and at -O2, more property test cases
nightly: setup
	@scripts/nightly

## make suite        only the MPI suite (SUITE_OPTIONS="--topic fence" selects)
suite: build
	@$(TARGET)/release/farside-suite --work $(TARGET)/suite $(SUITE_OPTIONS)

## make bench-check  measure what checking costs; writes a folder in bench/results
bench-check: build
	@$(TARGET)/release/farside-bench check
	@$(TARGET)/release/farside-bench engine

## make bench-lint   measure what farside lint takes against compiling; writes into the same folder
bench-lint: build
	@$(TARGET)/release/farside-bench lint

## make bench-robust measure how large programs farside robust decides; writes into the same folder
bench-robust: build
	@$(TARGET)/release/farside-bench robust

## make bench-litmus measure what the outcomes of litmus tests cost; writes into the same folder
bench-litmus: build
	@$(TARGET)/release/farside-bench litmus

## make bench-rma    measure what one-sided calls cost, with farside and with the MPIs; writes into the same folder
bench-rma: build
	@cargo build --release --quiet -p farside --example rows
	@$(TARGET)/release/farside-bench rma

## make build        the farside command and its two libraries, into target/release
build: setup
	@cargo build --release $(QUIET) --workspace

## make unit         unit tests only
unit: setup
	@scripts/unit

## make fmt          format the Rust sources
fmt:
	@cargo fmt --all

## make lint         what CI says about format and lints
lint:
	@cargo fmt --all --check
	@cargo clippy --quiet --workspace --all-targets -- -D warnings

## make tidy         circles of modules, banned words, long lines, dead links
tidy:
	@scripts/tidy

## make setup        install missing Debian packages
setup:
	@scripts/setup

## make site         the book of docs/, with its search, and the playground, into target/book
site:
	@scripts/book
	@scripts/playground

## make clean        remove everything that was built
clean:
	@cargo clean --quiet
