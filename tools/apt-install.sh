#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# apt-install.sh PACKAGE...: installs Debian or Ubuntu packages, as root or through sudo, and says what it does.
set -euo pipefail
if ! command -v apt-get >/dev/null; then
	echo "these packages are missing, and there is no apt-get here to install them: $*" >&2
	echo "install what your system calls them, then run make again" >&2
	exit 1
fi
sudo=()
if [ "$(id -u)" != 0 ]; then
	if ! command -v sudo >/dev/null; then
		echo "these packages are missing: $*" >&2
		echo "run as root: apt-get install $*" >&2
		exit 1
	fi
	sudo=(sudo)
fi
echo "installing: $*"
export DEBIAN_FRONTEND=noninteractive
"${sudo[@]}" apt-get update -qq
"${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
