#!/usr/bin/env python3
"""fetch_npm.py PACKAGE VERSION DIR [MEMBER ...]

Takes files out of an npm package, through npm and the registry it is configured with. MEMBER and DIR are as in
fetch_sdist.py, and a second call with the same arguments does nothing.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import fetch_sdist


def fetch(package, version, members, into):
    npm = shutil.which("npm")
    if npm is None:
        sys.exit("fetch_npm: npm is missing; it comes with Node.js")
    with tempfile.TemporaryDirectory() as folder:
        command = [npm, "pack", "--silent", "--pack-destination", folder, f"{package}@{version}"]
        packed = subprocess.run(command, capture_output=True, text=True, check=False)
        archives = list(Path(folder).glob("*.tgz"))
        if packed.returncode != 0 or len(archives) != 1:
            sys.exit(f"fetch_npm: npm pack {package}@{version} failed: {packed.stderr.strip()}")
        with open(archives[0], "rb") as stream:
            count = fetch_sdist.unpack(stream, members, into)
    if count == 0:
        sys.exit(f"fetch_npm: {package} {version} holds none of {' '.join(members)}")
    return count


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    fetch_sdist.once(*sys.argv[1:4], sys.argv[4:], fetch)
