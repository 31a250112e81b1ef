#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# run.sh [PATTERN]: runs all tests of this bundle (or those whose folder matches PATTERN) and prints "N passed, N failed, N skipped",
# subtests counted. What this machine must have is in PARTICLES_REQUIRE: a test that misses it fails instead of being left out; "gpu", and
# "display" where DISPLAY is set, unless it says otherwise. Exits 1 when a test failed. LOG=FILE keeps the whole output.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
pattern=${1:-.}
log=${LOG:-$(mktemp)}
export PARTICLES_BIN=$here/particles
export PARTICLES_REQUIRE=${PARTICLES_REQUIRE-gpu${DISPLAY:+,display}}
passed=0 failed=0 skipped=0
: >"$log"
for test in $(cd "$here/tests" && find . -name run.test | sort | sed 's,^\./,,'); do
	dir=${test%/run.test}
	[[ $dir =~ $pattern ]] || continue
	one=$(mktemp)
	(cd "$here/tests/$dir" && ./run.test -test.v -test.timeout 300s -test.short="${SHORT:-false}") >"$one" 2>&1
	code=$?
	p=$(grep -cE '^ *--- PASS' "$one") f=$(grep -cE '^ *--- FAIL' "$one") s=$(grep -cE '^ *--- SKIP' "$one")
	# A binary that ended badly without naming a test (a crash, a time-out) is a failure of its own.
	[ $code = 0 ] || [ "$f" != 0 ] || f=1
	echo "$dir: $p passed, $f failed, $s skipped"
	[ "$f" = 0 ] || grep -B2 -A25 -E '^\s*--- FAIL|^panic:|^fatal error|SIGSEGV|_test.go:[0-9]+:' "$one" | head -120
	grep -A3 -E '^ *--- SKIP' "$one" | grep -E '_test.go|testenv' | sort | uniq -c | sort -rn | head -3
	{ echo "=== $dir"; cat "$one"; } >>"$log"
	rm -f "$one"
	passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
