"""A package index of this machine's own, over HTTP, that has the parts of a model which lies in the cache."""

from __future__ import annotations

import hashlib
import io
import os
import threading
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import NamedTuple

CATALOG = Path(__file__).parents[2] / "core/engine/src/main/resources/uzu/registry/catalog.txt"


class Part(NamedTuple):
    package: str
    version: str
    member: str
    size: int

    @property
    def wheel(self) -> str:
        return f"{self.package.replace('-', '_')}-{self.version}-py3-none-any.whl"


def parts_of(identifier: str) -> list[Part]:
    """What the engine's catalog says of a model."""
    section = CATALOG.read_text().split(f"[{identifier}]\n")[1].split("\n[")[0]
    lines = [line.removeprefix("part = ").split() for line in section.splitlines() if line.startswith("part = ")]
    return [Part(package, version, member, int(size)) for package, version, member, size, _ in lines]


class PackageIndex(ThreadingHTTPServer):
    """Serves a model's parts as wheels; of the package named `stalling` it sends one half and then nothing more."""

    daemon_threads = True

    def __init__(self, model: Path, parts: list[Part]) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.model = model
        self.parts = {part.package: part for part in parts}
        self.offsets = {part.package: sum(each.size for each in parts[:i]) for i, part in enumerate(parts)}
        self.stalling: str | None = None
        self.released = threading.Event()
        # Packages in the order that their wheels were asked for.
        self.asked: list[str] = []

    def __enter__(self) -> PackageIndex:
        threading.Thread(target=self.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *args: object) -> None:
        self.released.set()
        self.shutdown()
        self.server_close()

    @property
    def variables(self) -> dict[str, str]:
        """What points pip here, and to no other index."""
        return {
            "PIP_INDEX_URL": f"http://127.0.0.1:{self.server_port}/simple",
            "PIP_EXTRA_INDEX_URL": "",
            "PIP_CONFIG_FILE": os.devnull,
            "NO_PROXY": "127.0.0.1",
            "no_proxy": "127.0.0.1",
        }

    def wheel(self, part: Part) -> bytes:
        with self.model.open("rb") as file:
            file.seek(self.offsets[part.package])
            content = file.read(part.size)
        about = f"{part.package.replace('-', '_')}-{part.version}.dist-info"
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as wheel:
            wheel.writestr(part.member, content)
            metadata = f"Metadata-Version: 2.1\nName: {part.package}\nVersion: {part.version}\n"
            wheel.writestr(f"{about}/METADATA", metadata)
            wheel.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
            wheel.writestr(f"{about}/RECORD", "")
        return packed.getvalue()


class Handler(BaseHTTPRequestHandler):
    server: PackageIndex

    def do_GET(self) -> None:
        folder, name = self.path.strip("/").split("/")[:2]
        if folder == "simple":
            part = self.server.parts[name]
            self.answer("text/html", f'<a href="/files/{name}/{part.wheel}">{part.wheel}</a>'.encode())
            return
        self.server.asked.append(name)
        wheel = self.server.wheel(self.server.parts[name])
        if name == self.server.stalling:
            self.answer("application/zip", wheel, len(wheel) // 2)
            self.server.released.wait()
        else:
            self.answer("application/zip", wheel)

    def answer(self, kind: str, content: bytes, sent: int | None = None) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content[:sent])
        self.wfile.flush()

    def log_message(self, *args: object) -> None:
        """Says nothing."""
