// SPDX-License-Identifier: Apache-2.0

// Command gen writes what follows from the kernels' headers: the Go glue (see package glue), and kernels/ptx, compiled with NVRTC.
// `make kernels` fetches the compiler and runs it.
//
//	go run ./kernels/gen -nvrtc build/nvrtc/nvidia/cuda_nvrtc/lib/libnvrtc.so.12 -o kernels
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"particles/kernels/gen/glue"
	"particles/kernels/nvrtc"
	"particles/kernels/ptx"
	"particles/kernels/src"
)

func main() {
	library := flag.String("nvrtc", "", "path of libnvrtc.so.12; empty: $"+nvrtc.Env+", then where the loader looks")
	out := flag.String("o", "kernels", "folder to write to")
	flag.Parse()
	files, err := glue.Files()
	if err == nil {
		err = errors.Join(write(*out, files), compile(*library, *out))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func compile(library, out string) error {
	compiler, err := nvrtc.Open(library)
	if err != nil {
		return err
	}
	headers, err := src.Headers()
	if err != nil {
		return err
	}
	modules, err := glue.Modules()
	if err != nil {
		return err
	}
	files := map[string][]byte{}
	for _, module := range modules {
		text, err := compiler.Compile(module+".h", headers, ptx.Options...)
		if err != nil {
			return err
		}
		if text, err = ptx.Finish(module, text); err != nil {
			return err
		}
		files["ptx/"+module+".ptx"] = []byte(text)
	}
	return write(out, files)
}

func write(out string, files map[string][]byte) error {
	for path, text := range files {
		path = filepath.Join(out, filepath.FromSlash(path))
		if err := os.WriteFile(path, text, 0o644); err != nil {
			return err
		}
		fmt.Println("wrote", path)
	}
	return nil
}
