"""The transport of CPython: libuzu through ctypes, which needs no compiler and lets other threads run meanwhile."""

from __future__ import annotations

import ctypes
import os
import sys
from pathlib import Path

from ._arguments import checked
from ._errors import InvalidArgument, InvalidState, error_of_text

_OK, _TIMEOUT, _END = 0, 1, 2


class _String(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("length", ctypes.c_int64)]


def _library_path() -> Path:
    """UZU_LIBRARY, else the library that the wheel carries."""
    given = os.environ.get("UZU_LIBRARY")
    if given:
        return Path(given)
    name = "libuzu.dylib" if sys.platform == "darwin" else "libuzu.so"
    return Path(__file__).parent / "native" / name


def _encode(text: str) -> bytes:
    checked(text, str, "a text")
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as failure:
        raise InvalidArgument(f"A text isn't valid Unicode: {failure}") from failure


class NativeTransport:
    def __init__(self) -> None:
        path = _library_path()
        if not path.is_file():
            raise InvalidState(f"uzu's native library isn't there: {path}", {"path": str(path)})
        try:
            self._library = ctypes.CDLL(str(path))
        except OSError as failure:
            raise InvalidState(f"uzu's native library can't be loaded: {failure}", {"path": str(path)}) from failure
        self._library.uzu_version.restype = ctypes.c_char_p
        # Other threads needn't run while so short a call does.
        self._free = ctypes.PyDLL(str(path)).uzu_string_free
        self._free.argtypes = [ctypes.POINTER(_String)]
        self._free.restype = None

    def version(self) -> str:
        version: bytes = self._library.uzu_version()
        return version.decode()

    def text(self, function: str, handle: int, *texts: str | None) -> str:
        out = _String()
        self._call(function, handle, texts, ctypes.byref(out))
        return self._take(out)

    def number(self, function: str, handle: int, *texts: str | None) -> int:
        out = ctypes.c_uint64()
        self._call(function, handle, texts, ctypes.byref(out))
        return out.value

    def run(self, function: str, handle: int, *texts: str | None) -> None:
        self._call(function, handle, texts)

    def queue_add(self, queue: int, stream: int) -> None:
        error = _String()
        result = self._library.uzu_queue_add(ctypes.c_uint64(queue), ctypes.c_uint64(stream), ctypes.byref(error))
        self._check(result, error)

    def queue_next(self, queue: int, timeout_ms: int) -> str | None:
        out, error = _String(), _String()
        result = self._library.uzu_queue_next(
            ctypes.c_uint64(queue), ctypes.c_int64(timeout_ms), ctypes.byref(out), ctypes.byref(error)
        )
        if result == _END:
            return None
        if result == _TIMEOUT:
            return ""
        self._check(result, error)
        return self._take(out)

    def _call(self, function: str, handle: int, texts: tuple[str | None, ...], *out: object) -> None:
        arguments: list[object] = []
        # What makes something of nothing takes no handle.
        if function not in ("engine_create", "queue_create", "json_complete"):
            arguments.append(ctypes.c_uint64(handle))
        for text in texts:
            encoded = None if text is None else _encode(text)
            arguments.append(encoded)
            arguments.append(ctypes.c_int64(0 if encoded is None else len(encoded)))
        error = _String()
        result = getattr(self._library, f"uzu_{function}")(*arguments, *out, ctypes.byref(error))
        self._check(result, error)

    def _check(self, result: int, error: _String) -> None:
        if result != _OK:
            raise error_of_text(self._take(error), result)

    def _take(self, string: _String) -> str:
        if not string.data:
            return ""
        try:
            return ctypes.string_at(string.data, string.length).decode("utf-8")
        finally:
            self._free(ctypes.byref(string))
