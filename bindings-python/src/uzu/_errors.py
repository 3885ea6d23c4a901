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
    """An argument, or a field of a configuration, can't be what it is; ``details`` names it."""

    code = "invalid_argument"


class InvalidState(UzuError):
    """Not now: a second reply while one is made, say, or uzu in a forked child."""

    code = "invalid_state"


class ModelNotFound(UzuError):
    """No model is known by the identifier."""

    code = "model_not_found"


class ModelUnsupported(UzuError):
    """The model has something that the engine doesn't know."""

    code = "model_unsupported"


class ModelCorrupt(UzuError):
    """A file of the model is damaged or incomplete."""

    code = "model_corrupt"


class TensorMissing(UzuError):
    """The model's files lack a tensor."""

    code = "tensor_missing"


class DownloadFailed(UzuError):
    """A download failed; resuming it may help."""

    code = "download_failed"


class DiskFull(UzuError):
    """There is no room left on the disk."""

    code = "disk_full"


class Offline(UzuError):
    """Something would have to be fetched, and the engine may not or can't."""

    code = "offline"


class OutOfMemory(UzuError):
    """There isn't enough memory."""

    code = "out_of_memory"


class ContextOverflow(UzuError):
    """The conversation is longer than the session's context."""

    code = "context_overflow"


class GrammarUnsupported(UzuError):
    """The grammar has a keyword or a construct that can't be enforced."""

    code = "grammar_unsupported"


class GrammarDeadEnd(UzuError):
    """The grammar allows no token here."""

    code = "grammar_dead_end"


class TemplateFailed(UzuError):
    """The model's chat template refuses the conversation."""

    code = "template_failed"


class ToolFailed(UzuError):
    """A tool failed."""

    code = "tool_failed"


class ToolTurnLimit(UzuError):
    """The model calls tools again and again, more often than the reply's limit."""

    code = "tool_turn_limit"


class Cancelled(UzuError):
    """The call was cancelled."""

    code = "cancelled"


class ProviderFailed(UzuError):
    """A provider of cloud models failed."""

    code = "provider_failed"


class Closed(UzuError):
    """The engine, session or stream was closed."""

    code = "closed"


class Internal(UzuError):
    """A fault of uzu's."""

    code = "internal"


_BY_CODE: dict[str, type[UzuError]] = {kind.code: kind for kind in UzuError.__subclasses__()}


def error_of(json_object: dict[str, Any]) -> UzuError:
    """The error that {code, message, details} describes."""
    kind = _BY_CODE.get(json_object["code"], Internal)
    return kind(json_object["message"], json_object.get("details"))


def error_of_text(text: str, result: int) -> UzuError:
    """As `error_of`, from JSON; a call that had no memory for its error leaves the text empty."""
    return error_of(json.loads(text)) if text else Internal(f"The engine failed with result {result}")
