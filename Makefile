# `make run` and `make test` work from a fresh clone: every target makes the environment it needs.

SHELL := /bin/bash
PORT ?= 3000
# Where `make run` keeps sessions, uploads, jobs; empty: in memory.
DATA ?= .cache/data
# Python 3.13 as on Lambda, else the newest there is. A version manager's shim may be there and not run, so each is tried.
PYENV_ROOT ?= $(HOME)/.pyenv
PYTHON_3_13 = $(shell for each in python3.13 $(wildcard $(PYENV_ROOT)/versions/3.13*/bin/python3.13); do \
	$$each -c 'import sys; print(sys.executable)' 2>/dev/null && break; done)
PYTHON ?= $(or $(PYTHON_3_13),$(shell for each in python3.12 python3.11 python3; do \
	$$each -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$each; break; }; done))
# Tests start hundreds of processes of these modules.
unexport PYTHONDONTWRITEBYTECODE

# One more than there are cores: tests in browsers and clients mostly wait.
WORKERS = $(shell .venv/bin/python -c 'import os; print(min(4, (os.cpu_count() or 1) + 1))')

# AWS's Runtime Interface Emulator comes with the SAM CLI; tests that need it run where `make sam` has been.
RIE = $(wildcard .venv-sam/lib/python3*/site-packages/samcli/local/rapid/aws-lambda-rie-x86_64)

# With PIP_NO_INDEX=1, pip asks no network and takes what `make wheels` kept.
export PIP_FIND_LINKS := $(strip $(PIP_FIND_LINKS) $(wildcard $(CURDIR)/.wheels))
QUIETLY = --quiet --disable-pip-version-check
# What pip says about a network that is not there is long and misleading; it is in a file, and one line says what to do.
not_installed = { echo "$(1) could not be installed$$(grep -q 'connection broken' $(@D)/pip.log && \
	echo ': no package index was reached'); pip's messages are in $(@D)/pip.log, CONTRIBUTING.md says how to work without a network" >&2; exit 1; }
or_not_installed = 2> $(@D)/pip.log || $(call not_installed,$(1))

include layers/layer.mk

.DEFAULT_GOAL := help

.PHONY: help run test simulate prove-steps test-engines test-package rehearse-upgrade ministack coverage lint format docs bench bench-peers load package lock wheels agents-layer sbom verify-aws cyclonedx audit venv sam agui-clients durable-streams mcp-clients frameworks otlp-receiver browser-tools screenshots dynamodb-local kotlin-client android-chat solar-terms classifiers release clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: venv ## serve the whole API on this machine; DATA=folder keeps its data there, DATA= keeps it in memory
	@DATA="$(DATA)" PORT=$(PORT) exec .venv/bin/python -m local # exec: who ends make ends the server

# In order of the folders: slow files, which have few tests, would else come last and leave one process to wait for.
test: venv ## every test
	@echo "running the tests in $(WORKERS) processes, five to ten minutes"
	@YARROW_RIE=$(abspath $(RIE)) .venv/bin/pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder $(OPTIONS)

SEEDS ?= 0-1000
simulate: venv ## clients and functions on virtual time, with faults of AWS at any call; SEEDS=7 or SEEDS=0-20000, SCENARIO=conversation
	.venv/bin/python -m tests.simulation $(subst -, ,$(SEEDS)) $(if $(findstring -,$(SEEDS)),,$(SEEDS)) $(SCENARIO)

KILLS ?= 500
prove-steps: venv ## kill workers at every call of five agents, and compare what their runs did and told; KILLS=500, half an hour
	.venv/bin/python -m tests.proof --kills $(KILLS)

test-engines: venv dynamodb-local ## the tests that keep their table in DynamoDB Local; `make test` runs those too if it is there
	.venv/bin/pytest -rs -k dynamodb_local tests/integration tests/e2e

# Of a build, since .ci/run makes it once for both.
packaged_tests = @test -f .aws-sam/build/template.yaml || { echo "there is no package: run \`make package\` first" >&2; exit 1; }; \
	SECONDS=0; .venv/bin/pytest -rs -o timeout=600 $(1) && echo "$@ took $$((SECONDS / 60)) min $$((SECONDS % 60)) s"

test-package: venv ministack ## what `make package` built, deployed on a second emulator of AWS and used as clients do
	$(call packaged_tests,tests/packaged/test_product.py)

LAST_RELEASE ?= $(or $(shell git tag --list 'v*' --sort=-version:refname --no-contains HEAD 2>/dev/null | head -1),$(shell cat tests/packaged/last_release 2>/dev/null))

rehearse-upgrade: venv ministack .cache/last-release/$(LAST_RELEASE)/.ready ## an upgrade from the last release and its way back, with data and active runs
	$(call packaged_tests,--last-release .cache/last-release/$(LAST_RELEASE)/.aws-sam/build tests/packaged/test_upgrade.py)

# In a copy of the release's files, with the SAM CLI and the wheels that are here.
.cache/last-release/%/.ready: | sam
	@echo "building the package of $*"
	@rm -rf $(@D) && mkdir -p $(@D)
	@git archive $* | tar -x -C $(@D)
	@ln -s $(CURDIR)/.venv-sam $(@D)/.venv-sam && touch .venv-sam/.ready
	@if [ -d .wheels ]; then cp -R .wheels $(@D)/ && rm -f $(@D)/.wheels/lambda/.ready; fi
	@$(MAKE) -C $(@D) package
	@touch $@

ministack: .cache/ministack/.ready ## MiniStack, the second emulator, in an environment of its own

# Functions run by its Python, so it is that of Lambda.
.cache/ministack/.ready: constraints-ministack.txt | python-3.13
	@echo "setting up MiniStack"
	@$(PYTHON_3_13) -m venv --clear $(@D)
	@$(@D)/bin/python -m pip install $(QUIETLY) --constraint constraints-ministack.txt ministack \
		$(call or_not_installed,MiniStack of constraints-ministack.txt)
	@touch $@

coverage: venv ## branch coverage of the unit and contract tests, with a floor; .coverage/html shows what is missed
	@# Measured, tests take several times as long: nothing that counts seconds of its own stands here.
	.venv/bin/pytest -n auto --maxprocesses 4 --dist loadfile -o timeout=900 --hypothesis-profile=ci -k 'not take_no_time' \
		--cov --cov-report=term --cov-report=html tests/unit tests/contract

lint: venv ## style, types, template
	.venv/bin/ruff check
	.venv/bin/ruff format --check
	.venv/bin/mypy
	.venv/bin/cfn-lint template.yaml

format: venv ## fix style where ruff can
	.venv/bin/ruff check --fix
	.venv/bin/ruff format

docs: venv ## build the documentation into site/; a link that leads nowhere is an error
	NO_MKDOCS_2_WARNING=1 .venv/bin/python -m mkdocs build --quiet

bench: venv ## side-by-side benchmarks: one table, and bench.json
	.venv/bin/python -m tests.bench

bench-peers: .cache/bench-peers/aegra/.ready .cache/bench-peers/langgraph-dev/.ready ## what `make bench` measures runs beside

MINUTES ?= 15
STREAMS ?= 200
RUNS ?= 50

load: venv ## a soak of the local stack at all its doors; MINUTES=15 STREAMS=200 RUNS=50
	.venv/bin/python -m tests.load --minutes $(MINUTES) --streams $(STREAMS) --runs $(RUNS)

.cache/bench-peers/aegra/.ready: PEER = aegra-api
.cache/bench-peers/langgraph-dev/.ready: PEER = langgraph-cli[inmem]
.cache/bench-peers/%/.ready:
	@echo "setting up $* with $$($(PYTHON) --version)"
	@$(PYTHON) -m venv $(@D)
	@$(@D)/bin/python -m pip install --quiet --disable-pip-version-check '$(PEER)'
	@touch $@

# The layers' wheels are downloaded once for each lock file and checked by its hashes; the build itself asks no network.
package: python-3.13 sam .wheels/lambda/.ready ## build what `sam deploy` uploads, of the versions that were tested
	PATH="$(dir $(PYTHON_3_13)):$$PATH" SAM_CLI_TELEMETRY=0 PIP="$(LAMBDA_PIP)" PIP_NO_INDEX=1 PIP_FIND_LINKS=$(CURDIR)/.wheels/lambda \
		.venv-sam/bin/sam build

python-3.13:
	@test -n "$(PYTHON_3_13)" || { echo "Python 3.13 is needed to build for Lambda" >&2; exit 1; }

LAMBDA_PIP = $(CURDIR)/.venv-sam/bin/python -m pip

.wheels/lambda/.ready: $(wildcard layers/*/requirements.lock) layers/layer.mk | sam
	@echo "downloading the wheels of the layers"
	@mkdir -p $(@D)
	@$(foreach lock,$(filter %.lock,$^),$(LAMBDA_PIP) download $(QUIETLY) --no-deps --require-hashes $(FOR_LAMBDA) \
		--find-links $(@D) --dest $(@D) --requirement $(lock) $(call or_not_installed,the wheels of $(lock));)
	@touch $@

lock: venv ## write layers/*/requirements.lock after a change of dependencies
	.venv/bin/python -m tools.lock_layers $(FOR_LAMBDA)

LAYERS ?= core,models
LAYER ?= layer
agents-layer: venv ## install into LAYER, for Lambda, what REQUIREMENTS=file needs beside LAYERS (core,models)
	@mkdir -p $(LAYER)
	@.venv/bin/python -m tools.agents_layer "$(REQUIREMENTS)" $(LAYERS) $(FOR_LAMBDA) > $(LAYER)/requirements.lock
	@.venv/bin/python -m pip install $(QUIETLY) --no-deps --no-compile --require-hashes $(FOR_LAMBDA) --upgrade \
		--target $(LAYER)/python --requirement $(LAYER)/requirements.lock
	@.venv/bin/python -m tools.layer_size "$(LAYER)/python" $(LAYERS)

wheels: venv sam .wheels/lambda/.ready ## keep in .wheels all that `make venv sam package ministack` installs, for PIP_NO_INDEX=1
	@.venv/bin/python -m pip wheel --quiet --wheel-dir .wheels --constraint constraints.txt --group dev . ./layers/core/liuyao ./layers/core/yarrow_agents './clients/python[cli]' pip 'setuptools>=80'
	@.venv-sam/bin/python -m pip wheel --quiet --wheel-dir .wheels --constraint constraints-sam.txt aws-sam-cli
	@.venv/bin/python -m pip wheel --quiet --wheel-dir .wheels --constraint constraints-ministack.txt ministack
	@rm .wheels/yarrow-* .wheels/yarrow_client-* .wheels/yarrow_agents-* .wheels/liuyao-*

solar-terms: venv ## make the shipped table of solar terms again
	.venv/bin/python -m tools.make_solar_terms

classifiers: venv ## train the shipped classifiers again and print their figures; fifteen minutes
	@.venv/bin/python -m pip install $(QUIETLY) --constraint constraints.txt --constraint constraints-train.txt --group train
	.venv/bin/python -m tools.train_cautions
	.venv/bin/python -m tools.train_care
	.venv/bin/python -m tools.classification.train_focus
	.venv/bin/python -m tools.classification.train_about
	.venv/bin/python -m tools.classification.train_form
	.venv/bin/python -m tools.train_polarity
	.venv/bin/python -m tools.train_review

release: venv ## VERSION=1.2.0: set the version everywhere, build what is published into dist/, commit, tag; DRY_RUN=1 in a copy
	@test -n "$(VERSION)" || { echo "say which: make release VERSION=1.2.0" >&2; exit 1; }
	@.venv/bin/python -m tools.release prepare $(VERSION) $(if $(DRY_RUN),--dry-run)

venv: .venv/.ready ## the environment of everything below: .venv, pinned by constraints.txt

.venv/.ready: pyproject.toml layers/core/liuyao/pyproject.toml layers/core/yarrow_agents/pyproject.toml clients/python/pyproject.toml constraints.txt
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed: make PYTHON=/path/to/python3.13 …" >&2; exit 1; }
	@echo "installing $$(grep -c == constraints.txt) packages into .venv with $$($(PYTHON) --version), one to five minutes"
	@$(PYTHON) -m venv --clear .venv
	@.venv/bin/python -m pip install $(QUIETLY) --constraint constraints.txt --upgrade pip $(call or_not_installed,pip)
	@.venv/bin/python -m pip install $(QUIETLY) --constraint constraints.txt --editable . --editable layers/core/liuyao --editable layers/core/yarrow_agents --editable 'clients/python[cli]' --group dev \
		$(call or_not_installed,the packages of constraints.txt)
	@touch $@

sam: .venv-sam/.ready ## the SAM CLI, in an environment of its own: its pins are not ours

.venv-sam/.ready: constraints-sam.txt
	@echo "installing the SAM CLI into .venv-sam, about a minute"
	@$(PYTHON) -m venv --clear .venv-sam
	@.venv-sam/bin/python -m pip install $(QUIETLY) --constraint constraints-sam.txt aws-sam-cli \
		$(call or_not_installed,the SAM CLI of constraints-sam.txt)
	@touch $@

agui-clients: .cache/agui-clients/.ready ## the AG-UI clients and front ends that /send-message is tested with

.cache/agui-clients/.ready: tests/clients/package.json
	@command -v npm > /dev/null || { echo "npm is needed to fetch the AG-UI clients" >&2; exit 1; }
	@echo "fetching AG-UI clients and front ends (1 GB)"
	@mkdir -p $(@D) && cp $< $(@D)/
	@npm install --prefix $(@D) --no-package-lock --no-audit --no-fund --ignore-scripts --silent
	@touch $@

frameworks: venv ## install the frameworks that the adapters of LangGraph and others are tested with
	@.venv/bin/python -m pip install $(QUIETLY) --constraint constraints.txt --constraint constraints-frameworks.txt --group frameworks
	@.venv/bin/python -m pip install $(QUIETLY) --no-deps --constraint constraints.txt --constraint constraints-frameworks.txt --group strands

durable-streams: .cache/durable-streams/.ready ## the client and the conformance suite of Durable Streams

.cache/durable-streams/.ready: tests/clients/durable_streams/package.json tests/clients/durable_streams/reading.test.mjs
	@command -v npm > /dev/null || { echo "npm is needed to fetch the packages of Durable Streams" >&2; exit 1; }
	@echo "fetching the client and the conformance suite of Durable Streams (70 MB)"
	@mkdir -p $(@D) && cp $^ $(@D)/
	@npm install --prefix $(@D) --no-package-lock --no-audit --no-fund --ignore-scripts --silent
	@touch $@

otlp-receiver: .cache/otlp-receiver/receiver ## compile the OTLP receiver of the OpenTelemetry Collector

.cache/otlp-receiver/receiver: $(addprefix tests/clients/otlp_receiver/,main.go go.mod go.sum)
	@command -v go > /dev/null || { echo "Go is needed to compile the OTLP receiver" >&2; exit 1; }
	@echo "compiling the OTLP receiver of the OpenTelemetry Collector"
	@cd tests/clients/otlp_receiver && go build -o $(CURDIR)/$@ .

mcp-clients: .cache/mcp-clients/.ready ## clients and the conformance suite of the Model Context Protocol

# The suite needs Node 22, which the package `node` fetches in a script of its own.
.cache/mcp-clients/.ready: tests/clients/mcp/package.json
	@command -v npm > /dev/null || { echo "npm is needed to fetch clients of the Model Context Protocol" >&2; exit 1; }
	@echo "fetching clients and the conformance suite of the Model Context Protocol (250 MB)"
	@mkdir -p $(@D) && cp $< $(@D)/
	@npm install --prefix $(@D) --no-package-lock --no-audit --no-fund --ignore-scripts --silent
	@cd $(@D)/node_modules/node && node installArchSpecificPackage > /dev/null 2>&1
	@touch $@

browser-tools: .cache/browser-tools/.ready ## what the console is tested with in Chromium: Playwright and axe-core

.cache/browser-tools/.ready: tests/browser/package.json
	@command -v npm > /dev/null || { echo "npm is needed to fetch Playwright and axe-core" >&2; exit 1; }
	@echo "fetching Playwright and axe-core (15 MB)"
	@mkdir -p $(@D) && cp $< $(@D)/
	@npm install --prefix $(@D) --no-package-lock --no-audit --no-fund --ignore-scripts --silent
	@touch $@

screenshots: venv browser-tools ## pictures of every view of the console, in .cache/screenshots
	.venv/bin/python -m tests.browser.screenshots .cache/screenshots

verify-aws: venv ## STACK=name: verify in a deployment what only AWS can show, as a user whose token is YARROW_TOKEN
	@test -n "$(STACK)" || { echo "say which: make verify-aws STACK=yarrow" >&2; exit 1; }
	@.venv/bin/python -m tools.verify_aws $(STACK)

sbom: venv cyclonedx ## what is in the built layers, as CycloneDX; `make package` comes first
	.venv/bin/python -m tools.make_sbom

audit: .cache/audit/.ready ## known vulnerabilities of the pinned packages; asks PyPI
	.cache/audit/bin/pip-audit --strict --no-deps --disable-pip --requirement constraints.txt

.cache/audit/.ready:
	@echo "installing pip-audit into $(@D)"
	@$(PYTHON) -m venv $(@D)
	@$(@D)/bin/python -m pip install --quiet pip-audit
	@touch $@

cyclonedx: .cache/cyclonedx/.ready ## what makes the bill of materials, in an environment of its own

# Not in .venv: with its dependencies there, whatever imports jsonschema, the local stack too, starts 2.5 s later.
.cache/cyclonedx/.ready:
	@echo "installing cyclonedx-bom into $(@D)"
	@$(PYTHON) -m venv $(@D)
	@$(@D)/bin/python -m pip install $(QUIETLY) 'cyclonedx-bom>=7.5,<8' $(call or_not_installed,cyclonedx-bom)
	@touch $@

dynamodb-local: .cache/dynamodb-local/.ready ## Amazon's own DynamoDB Local, the second engine of the store's tests

.cache/dynamodb-local/.ready: tests/engines/pom.xml
	@command -v mvn > /dev/null || { echo "Maven (mvn) is needed to fetch DynamoDB Local" >&2; exit 1; }
	@echo "fetching DynamoDB Local"
	@rm -rf $(@D)
	@mvn --quiet --batch-mode -Dstyle.color=never --file $< dependency:copy-dependencies || \
		{ echo "DynamoDB Local could not be fetched from Maven Central; Maven says why above" >&2; exit 1; }
	@touch $@

kotlin-client: .cache/kotlin-client/.ready ## compile the client for Android and the JVM, and its tests

.cache/kotlin-client/.ready: clients/kotlin/pom.xml $(shell find clients/kotlin/src -name '*.kt')
	@command -v mvn > /dev/null || { echo "Maven (mvn) is needed to compile the Kotlin client" >&2; exit 1; }
	@echo "compiling the Kotlin client"
	@rm -rf $(@D)
	@mvn --quiet --batch-mode -Dstyle.color=never --file $< test-compile
	@touch $@

android-chat: .cache/android-chat/.ready ## compile what the sample for Android has beside Android, and its tests

.cache/android-chat/.ready: examples/android_chat/core/pom.xml $(wildcard examples/android_chat/core/src/*/kotlin/*.kt clients/kotlin/src/main/kotlin/yarrow/*.kt)
	@command -v mvn > /dev/null || { echo "Maven (mvn) is needed to compile the sample" >&2; exit 1; }
	@echo "compiling the sample for Android"
	@rm -rf $(@D)
	@mvn --quiet --batch-mode -Dstyle.color=never --file $< test-compile
	@touch $@

clean: ## remove environments, caches, what was built and what `make run` has kept in .cache/data
	rm -rf .cache .wheels .venv .venv-sam .aws-sam .mypy_cache .pytest_cache .ruff_cache .hypothesis .coverage site dist bench.json
