"""What notebooks show."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape


def table(rows: Iterable[tuple[str, object]]) -> str:
    """A table of names and values; what is None is left out."""
    left = "style='text-align: left'"
    cells = [
        f"<tr><th {left}>{escape(name)}</th><td {left}>{escape(str(value))}</td></tr>"
        for name, value in rows
        if value is not None
    ]
    return f"<table>{''.join(cells)}</table>"


def number(value: float | None, unit: str, digits: int = 0) -> str | None:
    """1234.5 and "MB" as 1,234 MB."""
    return None if value is None else f"{value:,.{digits}f} {unit}"
