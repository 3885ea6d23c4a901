"""Errors: one class a code, all of them RuntimeErrors."""

from __future__ import annotations

import json
from typing import Any, ClassVar


class UzuError(RuntimeError):
    """What went wrong: a code, a message to act on, and the path, field or tensor at fault in ``details``."""

    code: ClassVar[str] = "internal"
    details: dict[str, str]

    def __init__(self, message: str, details: dict[str, str] | None = None) -> None:
        super().__init__(message)
        self.details = dict(details or {})

    def __reduce__(self) -> Any:
        return type(self), (str(self), self.details)


class InvalidArgument(UzuError):
    code = "invalid_argument"


class InvalidState(UzuError):
    code = "invalid_state"


class ModelNotFound(UzuError):
    code = "model_not_found"


class ModelUnsupported(UzuError):
    code = "model_unsupported"


class ModelCorrupt(UzuError):
    code = "model_corrupt"


class TensorMissing(UzuError):
    code = "tensor_missing"


class DownloadFailed(UzuError):
    code = "download_failed"


class DiskFull(UzuError):
    code = "disk_full"


class Offline(UzuError):
    code = "offline"


class OutOfMemory(UzuError):
    code = "out_of_memory"


class ContextOverflow(UzuError):
    code = "context_overflow"


class GrammarUnsupported(UzuError):
    code = "grammar_unsupported"


class GrammarDeadEnd(UzuError):
    code = "grammar_dead_end"


class TemplateFailed(UzuError):
    code = "template_failed"


class ToolFailed(UzuError):
    code = "tool_failed"


class ToolTurnLimit(UzuError):
    code = "tool_turn_limit"


class Cancelled(UzuError):
    code = "cancelled"


class ProviderFailed(UzuError):
    code = "provider_failed"


class Closed(UzuError):
    code = "closed"


class Internal(UzuError):
    code = "internal"


_BY_CODE: dict[str, type[UzuError]] = {kind.code: kind for kind in UzuError.__subclasses__()}


def error_of(json_object: dict[str, Any]) -> UzuError:
    """The error that {code, message, details} describes."""
    kind = _BY_CODE.get(json_object["code"], Internal)
    return kind(json_object["message"], json_object.get("details"))


def error_of_text(text: str, result: int) -> UzuError:
    """As `error_of`, from JSON; a call that had no memory for its error leaves the text empty."""
    return error_of(json.loads(text)) if text else Internal(f"The engine failed with result {result}")
