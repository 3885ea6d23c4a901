"""What there is of a JSON text that isn't finished."""

from __future__ import annotations

import json
from typing import Any

from ._runtime import runtime


def partial_value(text: str) -> Any:
    """The value as far as it goes: texts and numbers as they stand, other words only once they are whole.

    None when there is nothing yet, or when the text is no JSON.
    """
    try:
        return json.loads(text)
    except ValueError:
        return json.loads(runtime().transport.text("json_complete", 0, text))
