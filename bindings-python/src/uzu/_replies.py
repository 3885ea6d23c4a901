"""Replies and their figures."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from ._content import ChatContentBlock
from ._enums import ChatReplyFinishReason
from ._html import number, table
from ._messages import ChatMessage, message_of

T = TypeVar("T")


@dataclass(frozen=True)
class ChatReplySpeculatorStats:
    """What speculation brought. Passes over the prompt, the last of which brings the first token, aren't counted."""

    tokens_per_forward_pass: float
    """Tokens that a pass of decoding brought, on average: 1 without drafts."""
    num_decode_forward_passes: int
    num_tokens_drafted: int = 0
    """Tokens that drafters proposed and passes verified."""
    num_tokens_accepted: int = 0
    """Of these, the ones that became part of the reply."""
    passes_by_accepted: Sequence[int] = ()
    """How many passes accepted 0, 1, 2, … drafted tokens."""
    drafting_seconds: float = 0.0
    verifying_seconds: float = 0.0
    """In passes of decoding, shared with other replies where these were in the same pass."""
    sampling_seconds: float = 0.0
    """In drawing tokens from the results of passes."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "passes_by_accepted", tuple(self.passes_by_accepted))


@dataclass(frozen=True)
class ChatReplyStats:
    """Figures of a reply. Times are seconds from the call, template and tokenizer included."""

    duration: float
    time_to_first_token: float | None = None
    prefill_tokens_per_second: float | None = None
    generate_tokens_per_second: float | None = None
    tokens_count_input: int | None = None
    """Tokens of the prompt, cached ones included."""
    tokens_count_output: int | None = None
    tokens_count_cached: int | None = None
    """Prompt tokens that needn't be computed again."""
    tokens_count: int = 0
    memory_used_bytes: int | None = None
    speculator_stats: ChatReplySpeculatorStats | None = None
    seed: int | None = None
    """The seed that repeats this reply."""

    def _repr_html_(self) -> str:
        memory = None if self.memory_used_bytes is None else self.memory_used_bytes / 1e6
        drafts = self.speculator_stats
        return table(
            [
                ("Duration", number(self.duration, "s", 2)),
                ("Time to first token", number(self.time_to_first_token, "s", 3)),
                ("Prompt", number(self.tokens_count_input, "tokens")),
                ("… of them cached", number(self.tokens_count_cached, "tokens")),
                ("… read at", number(self.prefill_tokens_per_second, "tokens/s")),
                ("Reply", number(self.tokens_count_output, "tokens")),
                ("… made at", number(self.generate_tokens_per_second, "tokens/s", 1)),
                ("Tokens a pass", None if drafts is None else f"{drafts.tokens_per_forward_pass:.2f}"),
                ("Memory", number(memory, "MB")),
                ("Seed", self.seed),
            ]
        )


@dataclass(frozen=True)
class TokenLogprob:
    """How likely a token was in the model's own distribution."""

    token: int
    text: str
    logprob: float
    alternatives: Sequence[TokenLogprob] = ()


@dataclass(frozen=True)
class ChatReply:
    """The model's answer; ``finish_reason`` is None while it is being made."""

    message: ChatMessage
    stats: ChatReplyStats
    finish_reason: ChatReplyFinishReason | None = None
    unenforced: Sequence[str] = ()
    """Keywords of a lenient grammar that the reply may violate; known at its end."""
    logprobs: Sequence[TokenLogprob] = ()


@dataclass(frozen=True)
class Completion:
    """A text continued, without the text it continues."""

    text: str
    stats: ChatReplyStats
    finish_reason: ChatReplyFinishReason | None = None
    logprobs: Sequence[TokenLogprob] = ()


class Folded:
    """A reply put together from the deltas that a stream hands out; a new one after each turn of tool calls."""

    def __init__(self) -> None:
        self._start_anew()

    def reply(self, chunk: dict[str, Any]) -> ChatReply:
        self._add(chunk)
        whole = chunk.get("message")
        reply = _made(
            ChatReply,
            {
                "message": self._so_far() if whole is None else message_of(whole),
                "stats": _stats(chunk["stats"]),
                "finish_reason": _reason(chunk),
                "unenforced": tuple(chunk.get("unenforced", ())),
                "logprobs": self._logprobs,
            },
        )
        if whole is not None:
            self._start_anew()
        return reply

    def completion(self, chunk: dict[str, Any]) -> Completion:
        self._add(chunk)
        return Completion(self._text, _stats(chunk["stats"]), _reason(chunk), self._logprobs)

    def _start_anew(self) -> None:
        self._text = ""
        self._reasoning = ""
        self._calls: dict[int, dict[str, str]] = {}
        self._logprobs: tuple[TokenLogprob, ...] = ()

    def _add(self, chunk: dict[str, Any]) -> None:
        self._text += chunk["text"]
        self._reasoning += chunk.get("reasoning", "")
        for delta in chunk.get("tool_calls", ()):
            call = self._calls.setdefault(delta["index"], {"identifier": "", "name": "", "arguments": ""})
            call["identifier"] = delta["identifier"]
            call["name"] += delta["name"]
            call["arguments"] += delta["arguments"]
        if "logprobs" in chunk:
            self._logprobs += tuple(_logprob(each) for each in chunk["logprobs"])

    def _so_far(self) -> ChatMessage:
        message = ChatMessage.assistant()
        if self._reasoning:
            message = message.with_reasoning(self._reasoning)
        if self._text:
            message = message.with_text(self._text)
        for _, call in sorted(self._calls.items()):
            message = message.with_block(_call_so_far(**call))
        return message


def _call_so_far(identifier: str, name: str, arguments: str) -> ChatContentBlock:
    try:
        values = json.loads(arguments)
    except ValueError:
        values = None
    if isinstance(values, dict):
        return ChatContentBlock.ToolCall(identifier, name, values)
    return ChatContentBlock.ToolCallCandidate(f"{name} {arguments}")


def _made(kind: type[T], fields: dict[str, Any]) -> T:
    """A frozen dataclass from all its fields, without an __init__ that sets one by one: this runs for each chunk."""
    instance = object.__new__(kind)
    instance.__dict__.update(fields)
    return instance


def _stats(json_object: dict[str, Any]) -> ChatReplyStats:
    speculator = json_object.get("speculator_stats")
    fields = {**json_object, "speculator_stats": ChatReplySpeculatorStats(**speculator) if speculator else None}
    return _made(ChatReplyStats, fields)


def _reason(chunk: dict[str, Any]) -> ChatReplyFinishReason | None:
    reason = chunk.get("finish_reason")
    return None if reason is None else ChatReplyFinishReason(reason)


def _logprob(json_object: dict[str, Any]) -> TokenLogprob:
    alternatives = tuple(_logprob(each) for each in json_object["alternatives"])
    return TokenLogprob(json_object["token"], json_object["text"], json_object["logprob"], alternatives)
