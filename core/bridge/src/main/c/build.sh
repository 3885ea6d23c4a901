#!/bin/sh
# Builds libuzu, the embedded-JVM host of uzu.h:  build.sh OUT_DIR
# Needs a C compiler (CC, else cc) and a JDK's headers (JAVA_HOME). Linux and macOS; Windows has no host yet.
set -eu
out=${1:?usage: build.sh OUT_DIR}
here=$(cd "$(dirname "$0")" && pwd)
cc=${CC:-cc}
version=${UZU_VERSION:-$(sed -n 's:.*<version>\(.*\)</version>.*:\1:p' "$here/../../../../../pom.xml" | head -n 1)}
: "${JAVA_HOME:?JAVA_HOME must name a JDK: jni.h is needed}"
fail() {
    echo "build.sh: $1" >&2
    exit 1
}
[ -f "$JAVA_HOME/include/jni.h" ] || fail "no include/jni.h in JAVA_HOME ($JAVA_HOME): a JDK is needed"
command -v "$cc" >/dev/null || fail "no C compiler ($cc): install gcc or clang"
case $(uname -s) in
    Darwin) platform=darwin; library=libuzu.dylib; flags="-dynamiclib -install_name @rpath/libuzu.dylib" ;;
    # Java keeps addresses of its functions for good: it must stay where it is.
    *) platform=linux; library=libuzu.so; flags="-shared -Wl,-soname,libuzu.so -Wl,-z,defs -Wl,-z,nodelete" ;;
esac
mkdir -p "$out"
# shellcheck disable=SC2086
"$cc" -std=c11 -O2 -g -fPIC -fvisibility=hidden -Wall -Wextra -Werror -Wno-unused-parameter \
    -DUZU_VERSION="\"$version\"" -I"$JAVA_HOME/include" -I"$JAVA_HOME/include/$platform" \
    $flags -o "$out/.$library.$$" \
    "$here/functions.c" "$here/result.c" "$here/caller_stack.c" "$here/library.c" \
    "$here/host_jvm.c" "$here/jvm_home.c" "$here/jvm_classes.c" "$here/jvm_locale.c" "$here/jvm_start.c" \
    "$here/jvm_signals.c" -ldl -lpthread
mv "$out/.$library.$$" "$out/$library"
cp "$here/uzu.h" "$out/uzu.h"
