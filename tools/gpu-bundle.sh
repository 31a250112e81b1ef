#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# gpu-bundle.sh DIR: puts into DIR the program, every test binary that has something to say on a GPU, their test data and
# run.sh, and beside it DIR.tar.xz of the same. They need no Go, no compiler and no source on the machine that runs them.
set -euo pipefail
cd "$(dirname "$0")/.."
out=$1
rm -rf "$out" "$out.tar.xz"
mkdir -p "$out/tests"
cp build/particles "$out/particles"
strip "$out/particles"
for package in $(go list -f '{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}' ./interop/... ./kernels/... ./sim/... ./render/... ./trace/... ./internal/app/... ./internal/doctor/... ./test/...); do
	dir=${package#particles/}
	mkdir -p "$out/tests/$dir"
	go test -c -ldflags '-s -w' -o "$out/tests/$dir/run.test" "$package"
	[ ! -d "$dir/testdata" ] || cp -r "$dir/testdata" "$out/tests/$dir/"
done
cp tools/gpu-run.sh "$out/run.sh"
chmod +x "$out/run.sh"
tar -C "$(dirname "$out")" -cf - "$(basename "$out")" | xz -T0 -3 >"$out.tar.xz"
size=$(stat -c %s "$out.tar.xz")
echo "$out.tar.xz: $((size / 1000000)) MB, $(find "$out" -name run.test | wc -l) test binaries; there: tar xJf gpu-bundle.tar.xz && gpu-bundle/run.sh"
if [ "$size" -gt 40000000 ]; then
	echo "the bundle is over 40 MB" >&2
	exit 1
fi
