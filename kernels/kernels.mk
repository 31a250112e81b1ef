# SPDX-License-Identifier: Apache-2.0
# Included by the Makefile: compiles the kernels' CUDA code anew. Needs no GPU and no CUDA toolkit, only pip to fetch the compiler.

# An early CUDA 12: drivers from 525 on take its PTX; a later one's would be refused by older drivers (error 222).
NVRTC_VERSION := 12.0.140
NVRTC_DIR     := build/nvrtc-$(NVRTC_VERSION)
NVRTC_LIB     := $(NVRTC_DIR)/nvidia/cuda_nvrtc/lib/libnvrtc.so.12

.PHONY: kernels kernels-check

kernels: $(NVRTC_LIB) ## what follows from kernels/src: Go glue and, by NVRTC, kernels/ptx
	go run ./kernels/gen -nvrtc $(NVRTC_LIB) -o kernels

kernels-check: $(NVRTC_LIB) ## see that the committed PTX is what NVRTC makes of the sources
	PARTICLES_NVRTC=$(abspath $(NVRTC_LIB)) go test -count=1 -run PTX ./kernels/...

$(NVRTC_LIB):
	@mkdir -p $(NVRTC_DIR)
	python3 -m pip download --quiet --no-deps --only-binary=:all: --dest $(NVRTC_DIR) nvidia-cuda-nvrtc-cu12==$(NVRTC_VERSION)
	python3 -m zipfile -e $(NVRTC_DIR)/nvidia_cuda_nvrtc_cu12-$(NVRTC_VERSION)-*.whl $(NVRTC_DIR)
	@touch $@
