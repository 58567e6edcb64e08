# Two commands: `make run` and `make test`. The work is done in scripts/.

.DEFAULT_GOAL := help
.PHONY: help run build site test bench clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-6s %s\n", $$1, $$2 }' Makefile

run: ## build what is missing, then serve
	@exec scripts/run.sh

build: ## the release server and its site, without serving
	@exec scripts/build.sh

site: ## the site alone: target/site
	@exec scripts/build.sh --site

test: ## every check and test; ends with one line: N passed, N failed
	@exec scripts/test.sh

bench: ## the benchmarks
	cargo bench -p shared
	cargo bench -p server

clean: ## remove what was built; the installed tools in .tools stay
	rm -rf target end2end/test-results
