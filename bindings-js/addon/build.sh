#!/bin/sh
# Builds the addon for Node.js:  build.sh HEADERS UZU_H OUT_DIR
# HEADERS has node_api.h, UZU_H is the folder of uzu.h. Needs a C compiler (CC, else cc). Linux and macOS.
set -eu
headers=${1:?usage: build.sh HEADERS UZU_H OUT_DIR}
uzu=${2:?usage: build.sh HEADERS UZU_H OUT_DIR}
out=${3:?usage: build.sh HEADERS UZU_H OUT_DIR}
here=$(cd "$(dirname "$0")" && pwd)
cc=${CC:-cc}
command -v "$cc" >/dev/null || {
    echo "build.sh: no C compiler ($cc): install gcc or clang" >&2
    exit 1
}
# Node's own functions are found in the program that loads the addon.
case $(uname -s) in
    Darwin) flags="-bundle -undefined dynamic_lookup" ;;
    *) flags="-shared" ;;
esac
mkdir -p "$out"
# shellcheck disable=SC2086
"$cc" -std=c11 -D_GNU_SOURCE -DNAPI_VERSION=8 -O2 -g -fPIC -fvisibility=hidden -Wall -Wextra -Werror \
    -I"$headers" -I"$uzu" $flags -o "$out/.uzu.node.$$" \
    "$here/addon.c" "$here/environment.c" "$here/library.c" "$here/reader.c" "$here/threads.c" -ldl -lpthread
mv "$out/.uzu.node.$$" "$out/uzu.node"
