#!/bin/sh
# Compiles libuzu_kernels; see kernels.build.
set -eu
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
case $(uname -m) in x86_64 | amd64) machine=x86_64 ;; arm64 | aarch64) machine=aarch64 ;; *) machine=$(uname -m) ;; esac
case $(uname -s) in Darwin) system=macos ;; *) system=linux ;; esac
platform=${2:-$system-$machine}
system=${platform%%-*} machine=${platform#*-} pic=-fPIC link= math=
case $system in
    macos) suffix=dylib link=-Wl,-install_name,@rpath/libuzu_kernels.dylib ;;
    windows) suffix=dll pic= ;;
    *) suffix=so math=-lm ;; # a JVM has it loaded, other hosts may not
esac
out=${1:-$here/../../../target/native/$platform}
mkdir -p "$out"
library=$out/libuzu_kernels.$suffix
[ -f "$library" ] && [ -z "$(find "$here" -type f -newer "$library")" ] && exit 0
compiler=${CC:-$(command -v cc || command -v gcc || command -v clang || true)}
[ -n "$compiler" ] || { echo "no C compiler: install gcc or clang" >&2; exit 1; }
work=$(mktemp -d "$out/build.XXXXXX")
trap 'rm -rf "$work"' EXIT
: >"$work/start"
# Zig has its own spelling of features. Sources are in an order that keeps sums in registers, and schedulers that run
# before registers are allocated undo it: without, GCC's code for ARM has a third less instructions, Clang's for x86 is
# up to 8 % faster.
spelling= order=-fno-schedule-insns
$compiler -dM -E -o "$work/macros" -x c /dev/null
if grep -q __clang__ "$work/macros"; then
    case $machine in x86_64) order=-misched-prera-direction=topdown ;; *) order=-enable-misched=false ;; esac
    order="-mllvm $order"
fi
case $compiler in *zig*) spelling='s/-march=armv8[.0-9]*-a/-mcpu=generic/' ;; esac
common=$(sed -n 's/^all *- *//p' "$here/kernels.build")
grep -E "^(any|$machine) " "$here/kernels.build" | sed "$spelling" | {
    jobs=
    while read -r _ file flags; do
        if ! $compiler $flags -E -o "$work/probe" -x c /dev/null >/dev/null 2>&1; then
            echo "$file left out: $compiler doesn't know all of $flags" >&2
            continue
        fi
        $compiler $common $order $pic $flags -c "$here/$file" -o "$work/${file%.c}.o" & jobs="$jobs $!"
    done
    for job in $jobs; do wait "$job"; done
}
${LD:-$compiler} -shared $link -o "$work/libuzu_kernels.$suffix" "$work"/*.o $math
touch -r "$work/start" "$work/libuzu_kernels.$suffix" # sources may have changed meanwhile
mv -f "$work/libuzu_kernels.$suffix" "$library"
