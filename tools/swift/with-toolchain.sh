#!/usr/bin/env bash
# with-toolchain.sh ROOT COMMAND…: runs COMMAND with ROOT/usr laid over /usr: Swift and the C library it was made for come
# first, everything else of this machine stays. The mounts are in a namespace of their own, so nobody else sees them.
# Needs root, or a kernel that lets users make namespaces. What Swift builds needs its C library, and so runs this way too.
set -eu
ROOT=$(realpath "$1")
shift
export ROOT
options=-m
[ "$(id -u)" = 0 ] || options=-Urm
exec unshare $options --propagation private /bin/bash -c '
set -e
mount -t overlay overlay -o "lowerdir=$ROOT/usr:/usr" /usr
if [ -d /lib64 ] && [ ! -L /lib64 ]; then mount --bind "$ROOT/usr/lib64" /lib64; fi
unset ROOT
export PATH=/usr/libexec/swift/bin:$PATH
cd "$PWD"
exec "$@"' with-toolchain "$@"
