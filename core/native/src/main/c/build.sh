#!/bin/sh
# Builds libuzu, the native-image host of uzu.h, over libuzu_image:  build.sh IMAGE_DIR OUT_DIR
# IMAGE_DIR has libuzu_image and the headers that native-image has made. Needs a C compiler (CC, else cc).
set -eu
image=${1:?usage: build.sh IMAGE_DIR OUT_DIR}
out=${2:?usage: build.sh IMAGE_DIR OUT_DIR}
here=$(cd "$(dirname "$0")" && pwd)
bridge=$here/../../../../bridge/src/main/c
version=${UZU_VERSION:-$(sed -n 's:.*<version>\(.*\)</version>.*:\1:p' "$here/../../../../../pom.xml" | head -n 1)}
case $(uname -s) in
    Darwin)
        suffix=dylib
        flags="-dynamiclib -install_name @rpath/libuzu.dylib -Wl,-rpath,@loader_path"
        ;;
    *)
        suffix=so
        # Threads that have called end in it: it must stay where it is.
        # shellcheck disable=SC2016
        flags='-shared -Wl,-soname,libuzu.so -Wl,-z,defs -Wl,-z,nodelete -Wl,-rpath,$ORIGIN'
        ;;
esac
mkdir -p "$out"
cp "$image/libuzu_image.$suffix" "$out/"
# shellcheck disable=SC2086
"${CC:-cc}" -std=c11 -O2 -g -fPIC -fvisibility=hidden -Wall -Wextra -Werror -Wno-unused-parameter \
    -DUZU_VERSION="\"$version\"" -I"$bridge" -I"$image" $flags -o "$out/libuzu.$suffix" \
    "$here/host_native.c" "$bridge/functions.c" "$bridge/result.c" "$bridge/caller_stack.c" "$bridge/library.c" \
    -L"$out" -luzu_image -ldl -lpthread
cp "$bridge/uzu.h" "$out/uzu.h"
