# SPDX-License-Identifier: Apache-2.0
# particles: everything a person or CI needs starts here. `make help` lists the targets.

SHELL       := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)
LDFLAGS := -X particles/cmd/particles/internal/build.Version=$(VERSION)
BIN     := build/particles
TOOLS   := go tool -modfile=tools/go.mod

# Debian and Ubuntu packages: command or file that shows it is there, then the package.
BUILD_NEEDS := g++:g++ pkg-config:pkg-config \
	/usr/include/GL/gl.h:libgl-dev /usr/include/X11/Xlib.h:libx11-dev /usr/include/X11/extensions/Xrandr.h:libxrandr-dev \
	/usr/include/X11/extensions/Xinerama.h:libxinerama-dev /usr/include/X11/Xcursor/Xcursor.h:libxcursor-dev \
	/usr/include/X11/extensions/XInput2.h:libxi-dev /usr/include/X11/extensions/xf86vmode.h:libxxf86vm-dev
RUN_NEEDS   := lib/libGL.so.1:libgl1 lib/libEGL.so.1:libegl1 lib/libEGL_mesa.so.0:libegl-mesa0 lib/libGLX_mesa.so.0:libglx-mesa0 \
	dri/swrast_dri.so:libgl1-mesa-dri
TEST_NEEDS  := Xvfb:xvfb xauth:xauth xdotool:xdotool openbox:openbox wmctrl:wmctrl xprop:x11-utils nm:binutils

.PHONY: help run build test check vet lint fmt race e2e bench gpu-bundle clean build-deps run-deps test-deps

help: ## list the targets
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "  %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: build ## install what is missing, build, and open the window (ARGS="scene --flag ..." are passed on)
	@$(BIN) run $(ARGS)

build: build-deps run-deps ## build the program into build/particles
	@mkdir -p build
	go build -ldflags '$(LDFLAGS)' -o $(BIN) ./cmd/particles

test: build test-deps lint race e2e ## everything CI runs: linters, unit tests with the race detector, end-to-end tests

lint: build-deps ## go vet, staticcheck, gofumpt
	go vet ./...
	$(TOOLS) staticcheck ./...
	@bad=$$($(TOOLS) gofumpt -l $$(git ls-files '*.go')); [ -z "$$bad" ] || { echo "not formatted (make fmt):"; echo "$$bad"; exit 1; }

fmt: ## format all Go files
	$(TOOLS) gofumpt -w $$(git ls-files '*.go')

race: build-deps test-deps ## all tests in this process with the race detector, in any order; cgo's strict pointer checks where C is called
	go test -race -shuffle=on -timeout 20m $$(go list ./... | grep -v /test/e2e)
	GOEXPERIMENT=cgocheck2 go test -timeout 20m ./interop/... ./kernels/...

e2e: build test-deps ## what only an ordinary build can show: allocations, reference pictures, the real window
	go test -timeout 20m -count=1 ./internal/app/... ./interop/... ./sim/... ./render/... ./trace/... ./test/...

bench: build-deps ## Go benchmarks
	go test -run '^$$' -bench . -benchmem ./kernels/... ./sim/... ./interop/... ./trace/... ./render/...

-include kernels/kernels.mk

gpu-bundle: build ## build/gpu-bundle(.tar.xz): the program, the test binaries and a script, to be run on a GPU machine without Go
	@tools/gpu-bundle.sh build/gpu-bundle

clean: ## remove what was built
	rm -rf build

# missing NEEDS: the packages of the list that are not there.
define missing
for need in $(1); do what=$${need%%:*}; package=$${need##*:}; \
	case $$what in \
	/*) [ -e $$what ] ;; \
	lib/*) ldconfig -p 2>/dev/null | grep -q "$${what#lib/}" || /sbin/ldconfig -p | grep -q "$${what#lib/}" ;; \
	dri/*) compgen -G "/usr/lib/*/dri/*swrast_dri.so" >/dev/null || compgen -G "/usr/lib/*/libgallium*.so" >/dev/null ;; \
	*) command -v $$what >/dev/null ;; \
	esac || echo $$package; done
endef
define install
@packages=$$($(call missing,$(1)) | sort -u); [ -z "$$packages" ] || tools/apt-install.sh $$packages
endef

build-deps:
	$(call install,$(BUILD_NEEDS))
run-deps:
	$(call install,$(RUN_NEEDS))
test-deps:
	$(call install,$(TEST_NEEDS))
