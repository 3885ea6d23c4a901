"""What a docstring says of a function and of its parameters, in the style of Google, numpy or Sphinx."""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass, field

_PARAMETERS = ("args", "arguments", "parameters", "params")
_OTHERS = "returns|return|yields|raises|examples|example|notes|note|see also|references|warnings|attributes"
_SECTIONS = (*_PARAMETERS, "keyword args", "keyword arguments", "other parameters", *_OTHERS.split("|"))
_NAME = r"\*{0,2}[A-Za-z_]\w*"
_GOOGLE = re.compile(rf"({_NAME})\s*(?:\([^)]*\))?\s*:\s*(.*)")
_NUMPY = re.compile(rf"({_NAME}(?:\s*,\s*{_NAME})*)\s*(?::.*)?$")
_SPHINX = re.compile(rf":(?:param|parameter|arg|argument)\s+(?:[^:]*\s)?({_NAME})\s*:\s*(.*)")
_SPHINX_FIELD = re.compile(r":[a-z]+(?:\s[^:]*)?:")


@dataclass
class Docstring:
    """The description without its sections, and the descriptions of parameters."""

    description: str = ""
    parameters: dict[str, str] = field(default_factory=dict)


def docstring_of(text: str | None) -> Docstring:
    result = Docstring()
    if not text:
        return result
    lines = inspect.cleandoc(text).splitlines()
    described: list[str] = []
    in_sections = False
    index = 0
    while index < len(lines):
        line = lines[index]
        section = _section(lines, index)
        if section is not None:
            in_sections = True
            title, index = section
            end = _end(lines, index)
            if title in _PARAMETERS:
                _read(lines[index:end], result.parameters)
            index = end
            continue
        if _SPHINX_FIELD.match(line):
            in_sections = True
            end = index + 1
            while end < len(lines) and (lines[end].startswith((" ", "\t")) or not lines[end].strip()):
                end += 1
            found = _SPHINX.match(line)
            if found:
                result.parameters[found[1].lstrip("*")] = _joined([found[2], *lines[index + 1 : end]])
            index = end
            continue
        if not in_sections:
            described.append(line)
        index += 1
    result.description = "\n".join(described).strip()
    return result


def _section(lines: list[str], index: int) -> tuple[str, int] | None:
    """The title of the section that begins here, and where its text does."""
    line = lines[index].rstrip()
    title = line.rstrip(":").lower()
    if title not in _SECTIONS:
        return None
    following = lines[index + 1] if index + 1 < len(lines) else ""
    if re.fullmatch(r"-{3,}\s*", following):
        return title, index + 2
    # "Returns: a number" on one line is text; "Args:" alone is a title.
    return (title, index + 1) if line.endswith(":") else None


def _end(lines: list[str], start: int) -> int:
    index = start
    while index < len(lines) and _section(lines, index) is None and not _SPHINX_FIELD.match(lines[index]):
        left = bool(lines[index].strip()) and not lines[index].startswith((" ", "\t"))
        indented = start < len(lines) and lines[start].startswith((" ", "\t"))
        if left and indented:
            break  # Google's sections are indented, and end where text isn't
        index += 1
    return index


def _read(lines: list[str], parameters: dict[str, str]) -> None:
    depth = min((_indent(line) for line in lines if line.strip()), default=0)
    is_numpy = depth == 0
    names: list[str] = []
    text: list[str] = []

    def store() -> None:
        for name in names:
            parameters[name] = _joined(text)

    for line in lines:
        found = None
        if line.strip() and _indent(line) == depth:
            found = (_NUMPY if is_numpy else _GOOGLE).match(line.strip())
        if found is None:
            text.append(line)
            continue
        store()
        names = [name.strip().lstrip("*") for name in found[1].split(",")]
        text = [] if is_numpy else [found[2]]
    store()


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _joined(lines: list[str]) -> str:
    return " ".join(line.strip() for line in lines if line.strip())
