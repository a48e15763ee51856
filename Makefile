# Everything a developer does often. `make` alone lists it.
# Only Go and git are needed; tests that want ripgrep or PostgreSQL say so and skip.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

GO        ?= go
BIN       ?= bin/rescore
PKG       ?= ./...
FUZZTIME  ?= 30s
BENCHTIME ?= 1s
BENCHFLAGS ?=
LINTER    ?= golangci-lint

export CGO_ENABLED ?= 0

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: build
build: ## build the binary into bin/
	$(GO) build -trimpath -o $(BIN) ./cmd/rescore

.PHONY: test
test: ## run all tests
	$(GO) test $(PKG)

.PHONY: race
race: ## run all tests under the race detector (needs a C compiler)
	CGO_ENABLED=1 $(GO) test -race $(PKG)

.PHONY: lint
lint: ## vet, formatting, import rules; golangci-lint too where it is installed
	$(GO) vet $(PKG)
	$(GO) test -count=1 ./internal/archtest
	@if command -v $(LINTER) >/dev/null; then $(LINTER) run; \
	else echo "golangci-lint is not installed: its extra checks were left out"; fi

.PHONY: bench
bench: ## what the engine costs, in ratios; see docs/bench.md (BENCHFLAGS=--quick)
	$(GO) build -o bin/rescore-lab ./cmd/rescore-lab
	$(GO) build -trimpath -o $(BIN) ./cmd/rescore
	$(GO) build -trimpath -o bin/floor ./internal/bench/testdata/floor
	$(GO) build -trimpath -tags linked -o bin/floor-linked ./internal/bench/testdata/floor
	bin/rescore-lab bench --rescore $(BIN) --floor bin/floor --floor-linked bin/floor-linked $(BENCHFLAGS)

.PHONY: gobench
gobench: ## run the Go benchmarks (BENCHTIME=1s, PKG=./...)
	$(GO) test -run '^$$' -bench . -benchmem -benchtime $(BENCHTIME) $(PKG)

.PHONY: mutate
mutate: ## make every kind of change to what cards cite; see docs/mutation.md
	$(GO) build -o bin/rescore-lab ./cmd/rescore-lab
	cmd/rescore-lab/mutate.sh bin/rescore-lab

.PHONY: fuzz
fuzz: ## run every fuzz target in turn (FUZZTIME=30s, PKG=./...)
	@for pkg in $$($(GO) list $(PKG)); do \
	  for target in $$($(GO) test -list '^Fuzz' $$pkg | grep '^Fuzz' || true); do \
	    echo "== $$pkg $$target"; \
	    $(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 100x $$pkg; \
	  done; \
	done

.PHONY: demo
demo: ## three pull requests against a GitHub on loopback, then stop
	$(GO) run ./cmd/rescore demo --once
