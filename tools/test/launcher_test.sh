#!/bin/sh
# The launcher and the program behind it, as a user's shell sees them. The last line counts the checks.
set -u
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P)
tools=$root/tools/tools
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
passed=0
failed=0

# check NAME STATUS TEXT COMMAND…: the command ends with STATUS and its output holds TEXT.
check() {
    name=$1 status=$2 text=$3
    shift 3
    output=$("$@" 2>&1 </dev/null)
    ended=$?
    case $output in *"$text"*) found=1 ;; *) found=0 ;; esac
    if [ "$ended" -eq "$status" ] && [ "$found" -eq 1 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'FAILED %s: status %s, expected %s and "%s" in:\n%s\n' "$name" "$ended" "$status" "$text" "$output"
    fi
}

# jdk FOLDER VERSION: what looks like a JDK of that version.
jdk() {
    mkdir -p "$1/bin"
    printf '#!/bin/sh\necho "the wrong JDK was run"\nexit 99\n' >"$1/bin/javac"
    cp "$1/bin/javac" "$1/bin/java"
    chmod +x "$1/bin/javac" "$1/bin/java"
    printf 'IMPLEMENTOR="test"\nJAVA_VERSION="%s"\nJAVA_VERSION_DATE="2026-01-01"' "$2" >"$1/release"
}

check "help" 0 "usage: tools/tools" "$tools" help
check "no command" 2 "usage: tools/tools" "$tools"
check "an unknown command is named" 2 "there is no command frobnicate" "$tools" frobnicate
check "an unknown suite is named" 2 "not rust" "$tools" test rust
check "an unknown language is named" 2 "not rust" "$tools" run rust "$tools"
check "a missing file is named" 1 "there is no file" "$tools" run python "$place/none.py"
check "the examples are listed" 2 "quick-start" "$tools" example python frobnicate
check "examples without a name are listed" 2 "quick-start" "$tools" example java

mkdir "$place/a folder"
ln -s "$tools" "$place/a folder/first"
ln -s "a folder/first" "$place/second"
check "through links" 0 "usage: tools/tools" "$place/second" help
cd "$place" || exit 1
check "through links, relative" 0 "usage: tools/tools" ./second help
PATH=$place:$PATH
check "through links, on the path" 0 "usage: tools/tools" second help

jdk "$place/old" 17.0.15
jdk "$place/older" 1.8.0_402
jdk "$place/runtime" 25.0.3
rm "$place/runtime/bin/javac"
for home in "$place/old" "$place/older" "$place/runtime" "$place/nowhere"; do
    check "passes over $home" 0 "usage: tools/tools" env UZU_JAVA_HOME="$home" JAVA_HOME="$home" "$tools" help
done
jdk "$place/new" 26-ea
check "UZU_JAVA_HOME comes first" 99 "the wrong JDK" env UZU_JAVA_HOME="$place/new" "$tools" help

mkdir "$place/bare"
for program in sh cat cksum dirname mkdir mv readlink java; do
    found=$(command -v "$program") && ln -s "$found" "$place/bare/$program"
done
bare() {
    ci=$1
    shift
    env CI="$ci" PATH="$place/bare" "$tools" "$@"
}
check "without cmake the peer is left out aloud" 0 "skipped 1: cmake is missing" bare "" test peer
check "and missed where all has to be there" 1 "FAILED: cmake is missing" bare true test peer
check "without cmake there is no peer to build" 1 "cmake is missing" bare "" bench greedy MODEL

if command -v python3 >/dev/null; then
    printf 'import sys\nprint(sys.argv[1:], "uzu" in sys.modules)\nsys.exit(7)\n' >"$place/script.py"
    check "arguments and status of a script" 7 "['a b', '*', '--help'] False" "$tools" run python script.py 'a b' '*' --help
fi
printf 'void main(String[] arguments) { IO.println(String.join("|", arguments)); System.exit(7); }\n' >"$place/Script.java"
check "arguments and status of a Java file" 7 "a b|*|--help" "$tools" run java Script.java 'a b' '*' --help

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
