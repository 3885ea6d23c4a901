#!/bin/sh
# Compiles libuzu_kernels; see kernels.build.
set -eu
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
case $(uname -m) in x86_64 | amd64) machine=x86_64 ;; arm64 | aarch64) machine=aarch64 ;; *) machine=$(uname -m) ;; esac
case $(uname -s) in Darwin) system=macos suffix=dylib ;; *) system=linux suffix=so ;; esac
out=${1:-$here/../../../target/native/$system-$machine}
mkdir -p "$out"
library=$out/libuzu_kernels.$suffix
[ -f "$library" ] && [ -z "$(find "$here" -type f -newer "$library")" ] && exit 0
compiler=${CC:-$(command -v cc || command -v gcc || command -v clang || true)}
[ -n "$compiler" ] || { echo "no C compiler: install gcc or clang" >&2; exit 1; }
work=$(mktemp -d "$out/build.XXXXXX")
trap 'rm -rf "$work"' EXIT
common=$(sed -n 's/^all *- *//p' "$here/kernels.build")
grep -E "^(any|$machine) " "$here/kernels.build" | {
    jobs=
    while read -r _ file flags; do
        $compiler $common $flags -c "$here/$file" -o "$work/${file%.c}.o" & jobs="$jobs $!"
    done
    for job in $jobs; do wait "$job"; done
}
$compiler -shared -o "$work/library" "$work"/*.o
mv -f "$work/library" "$library"
