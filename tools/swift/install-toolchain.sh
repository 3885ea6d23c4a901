#!/usr/bin/env bash
# install-toolchain.sh FOLDER: Swift as Debian 13 packs it, unpacked into FOLDER/root; prints that folder. Nothing outside of
# FOLDER changes: apt gets a configuration, lists and archives of its own, and asks the server that this machine's apt asks.
# Packages are verified by Debian's keys, as apt always does. Interrupted, it goes on where it stopped.
set -euo pipefail
suite=trixie
packages="swiftlang libc6-dev libstdc++-14-dev base-files bash coreutils libc-bin sed grep ca-certificates tzdata"
folder=$(realpath -m "$1")
root=$folder/root
apt=$folder/apt
architecture=$(dpkg --print-architecture)
wanted="1 $suite $architecture $packages"

installed() { [ "$(cat "$root/.stamp" 2>/dev/null)" = "$wanted" ]; }
fail() { echo "install swift: $*" >&2; exit 1; }

if installed; then echo "$root"; exit 0; fi
mkdir -p "$folder"
exec 9>"$folder/lock"
flock 9
if installed; then echo "$root"; exit 0; fi

keys=
for file in /usr/share/keyrings/debian-archive-keyring.{pgp,gpg}; do
  [ -r "$file" ] && keys=$file
done
[ -n "$keys" ] || fail "Debian's keys are missing: apt-get install debian-archive-keyring"
server=$(apt-get indextargets --format '$(SITE) $(ORIGIN) $(LABEL)' 'Created-By: Packages' 2>/dev/null |
  awk '$2 == "Debian" && $3 == "Debian" { n[$1]++ } END { for (s in n) print n[s], s }' | sort -rn | awk 'NR == 1 { print $2 }')
[ -n "$server" ] || fail "apt knows no server of Debian's packages; apt-get update, then try again"

mkdir -p "$apt"/{state/lists/partial,cache/archives/partial,etc/{apt.conf.d,preferences.d,sources.list.d}}
: >"$apt/state/status"
{
  cat <<END
Dir::State "$apt/state";
Dir::State::status "$apt/state/status";
Dir::Cache "$apt/cache";
Dir::Etc "$apt/etc";
APT::Architecture "$architecture";
APT::Architectures { "$architecture"; };
APT::Install-Recommends "false";
APT::Sandbox::User "";
Acquire::Languages "none";
Acquire::IndexTargets::deb::DEP-11::DefaultEnabled "false";
Acquire::Retries "3";
Debug::NoLocking "true";
END
  # proxies, certificates and the like, as this machine's apt has them
  apt-config dump | grep -E '^Acquire::(http|https|Check-Valid-Until|Check-Date)\b.* ".+";$' || true
} >"$apt/apt.conf"
echo "deb [signed-by=$keys] $server $suite main" >"$apt/etc/sources.list"
export APT_CONFIG=$apt/apt.conf
apt-get -q update >&2
# shellcheck disable=SC2086 # a list
apt-get -q -y --download-only install $packages >&2

rm -rf "$root.new"
mkdir -p "$root.new"/usr/{bin,sbin,lib,lib64}
for name in bin sbin lib lib64; do ln -s "usr/$name" "$root.new/$name"; done
# a third of the size: debugger, language servers, static and embedded standard libraries, documentation
leave=(--exclude=*/lib/swift/embedded/* --exclude=*/lib/swift_static/* --exclude=*/FrameworkABIBaseline/*
  --exclude=*/liblldb.so* --exclude=*/bin/lldb* --exclude=*/bin/repl_swift --exclude=*/libsourcekitdInProc.so
  --exclude=*/bin/sourcekit-lsp --exclude=*/bin/clangd --exclude=*/bin/docc
  --exclude=*/usr/share/doc/* --exclude=*/usr/share/man/* --exclude=*/usr/share/locale/* --exclude=*/usr/share/info/*)
for archive in "$apt"/cache/archives/*.deb; do
  dpkg-deb --fsys-tarfile "$archive" | tar -C "$root.new" -x --keep-directory-symlink --no-same-owner "${leave[@]}" -f -
done
ln -sf bash "$root.new/usr/bin/sh"
echo "$wanted" >"$root.new/.stamp"
rm -rf "$root"
mv "$root.new" "$root"
rm -rf "$apt"
echo "$root"
