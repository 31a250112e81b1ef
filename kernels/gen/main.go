// SPDX-License-Identifier: Apache-2.0

// Command gen compiles kernels/src to kernels/ptx with NVRTC. `make kernels` fetches the compiler and runs it.
//
//	go run ./kernels/gen -nvrtc build/nvrtc/nvidia/cuda_nvrtc/lib/libnvrtc.so.12 -o kernels/ptx
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"particles/kernels/nvrtc"
	"particles/kernels/ptx"
	"particles/kernels/src"
)

func main() {
	library := flag.String("nvrtc", "", "path of libnvrtc.so.12; empty: $"+nvrtc.Env+", then where the loader looks")
	out := flag.String("o", "kernels/ptx", "folder to write to")
	flag.Parse()
	if err := run(*library, *out); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(library, out string) error {
	compiler, err := nvrtc.Open(library)
	if err != nil {
		return err
	}
	headers, err := src.Headers()
	if err != nil {
		return err
	}
	for _, module := range src.Modules {
		text, err := compiler.Compile(module+".h", headers, ptx.Options...)
		if err != nil {
			return err
		}
		if text, err = ptx.Finish(module, text); err != nil {
			return err
		}
		path := filepath.Join(out, module+".ptx")
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return err
		}
		fmt.Println("wrote", path)
	}
	return nil
}
