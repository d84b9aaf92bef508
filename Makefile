# SPDX-FileCopyrightText: The Plumbline authors
# SPDX-License-Identifier: GPL-3.0-or-later

# `make run` and `make test` are all that a newcomer needs on Debian 12; see README.md.

BUILD ?= build

.PHONY: all run test bench install clean

all: $(BUILD)/build.ninja
	@ninja -C $(BUILD)

$(BUILD)/build.ninja:
	@.ci/install-packages build
	@.ci/configure $(BUILD)

run:
	@.ci/install-packages build
	@.ci/configure $(BUILD)
	@ninja -C $(BUILD)
	@.ci/run-demo $(BUILD)

test:
	@.ci/install-packages test
	@.ci/configure $(BUILD)
	@ninja -C $(BUILD)
	@.ci/run-tests $(BUILD)

bench:
	@.ci/install-packages bench
	@.ci/configure build-bench -Dbuildtype=release -Dbench=true -Dui=false
	@ninja -C build-bench
	@.ci/run-bench build-bench

install: all
	@ninja -C $(BUILD) install

clean:
	rm -rf $(BUILD) build-bench
