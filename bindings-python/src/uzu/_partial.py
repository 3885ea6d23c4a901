"""What there is of a JSON text that isn't finished."""

from __future__ import annotations

import json
import re
from typing import Any

_SCALAR = re.compile(r"[-+.\w]+")
_DIGITS = re.compile(r"-?[0-9](?:[-+.eE0-9]*[0-9])?")
_ESCAPE = re.compile(r'\\(?:u[0-9a-fA-F]{4}|["\\/bfnrt])')


def partial_value(text: str) -> Any:
    """The value as far as it goes: texts and numbers as they stand, other words only once they are whole.

    None when there is nothing yet, or when the text is no JSON.
    """
    try:
        return json.loads(text)
    except ValueError:
        pass
    try:
        return json.loads(_closed(text))
    except ValueError:
        return None


def _closed(text: str) -> str:
    """The longest beginning that is whole once what is open is closed, with that."""
    open_brackets: list[str] = []
    certain = ""
    expects_key = False
    index = 0
    while index < len(text):
        letter = text[index]
        if letter in "{[":
            open_brackets.append("}" if letter == "{" else "]")
            expects_key = letter == "{"
            index += 1
        elif letter in "}]":
            if not open_brackets or open_brackets.pop() != letter:
                return certain
            expects_key = False
            index += 1
        elif letter == '"':
            end = _string_end(text, index)
            is_key = expects_key
            if end is None:
                return certain if is_key else _cut_string(text, index) + _closers(open_brackets)
            expects_key = False
            index = end
            if is_key:
                continue  # a key alone is nothing yet
        elif letter == ",":
            expects_key = bool(open_brackets) and open_brackets[-1] == "}"
            index += 1
            continue
        elif scalar := _SCALAR.match(text, index):
            index = scalar.end()
            if index == len(text) and scalar[0] not in ("true", "false", "null"):
                digits = _DIGITS.match(scalar[0])
                return text[: scalar.start()] + digits[0] + _closers(open_brackets) if digits else certain
        else:
            index += 1  # white space, a colon
            continue
        certain = text[:index] + _closers(open_brackets)
    return certain


def _closers(open_brackets: list[str]) -> str:
    return "".join(reversed(open_brackets))


def _string_end(text: str, start: int) -> int | None:
    index = start + 1
    while index < len(text):
        if text[index] == '"':
            return index + 1
        index += 2 if text[index] == "\\" else 1
    return None


def _cut_string(text: str, start: int) -> str:
    """The text with a string that ends where it does, but for half an escape; a surrogate needs its other half."""
    index = start + 1
    while index < len(text):
        if text[index] == "\\":
            escape = _ESCAPE.match(text, index)
            if escape is None:
                break
            is_high = re.match(r"\\u[dD][89abAB]", escape[0]) is not None
            if is_high and not re.match(r"\\u[dD][c-fC-F]", text[escape.end() :]):
                break
            index = escape.end()
        else:
            index += 1
    return text[:index] + '"'
