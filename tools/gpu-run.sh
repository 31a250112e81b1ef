#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# run.sh [PATTERN]: runs all tests of this bundle (or those whose folder matches PATTERN) and prints "N passed, N failed, N skipped".
# Tests that want a window use DISPLAY; without one they skip and say so. Exits 1 when a test failed. LOG=FILE keeps the whole output.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
pattern=${1:-.}
log=${LOG:-$(mktemp)}
export PARTICLES_BIN=$here/particles
passed=0 failed=0 skipped=0
: >"$log"
for test in $(cd "$here/tests" && find . -name run.test | sort | sed 's,^\./,,'); do
	dir=${test%/run.test}
	[[ $dir =~ $pattern ]] || continue
	one=$(mktemp)
	(cd "$here/tests/$dir" && ./run.test -test.v -test.timeout 300s -test.short="${SHORT:-false}") >"$one" 2>&1
	code=$?
	p=$(grep -c '^--- PASS' "$one") f=$(grep -c '^--- FAIL' "$one") s=$(grep -c '^--- SKIP' "$one")
	# A binary that ended badly without naming a test (a crash, a time-out) is a failure of its own.
	[ $code = 0 ] || [ "$f" != 0 ] || f=1
	echo "$dir: $p passed, $f failed, $s skipped"
	[ "$f" = 0 ] || grep -B2 -A25 -E '^\s*--- FAIL|^panic:|^fatal error|SIGSEGV|_test.go:[0-9]+:' "$one" | head -120
	grep -A3 '^--- SKIP' "$one" | grep -E '_test.go|testenv' | sort | uniq -c | sort -rn | head -3
	{ echo "=== $dir"; cat "$one"; } >>"$log"
	rm -f "$one"
	passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
