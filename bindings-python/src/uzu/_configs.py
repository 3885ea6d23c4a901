"""How engines, sessions and replies are set up. Immutable: the ``with_`` methods return a copy."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ._arguments import checked, json_text
from ._enums import Backend, KvCache, Precision, PropertyOrder
from ._errors import InvalidArgument
from ._grammar import Grammar, ToolChoice
from ._speculation import preset_json
from ._unions import ChatSpeculationPreset, ContextLength, SamplingMethod, SamplingPolicy, SamplingSeed


@dataclass(frozen=True)
class EngineConfig:
    """How an engine runs. `create` reads the environment; what is given wins.

    Keys are for cloud models, which this version doesn't know yet. They don't show when a configuration is printed.
    """

    openai_api_key: str | None = field(default=None, repr=False)
    anthropic_api_key: str | None = field(default=None, repr=False)
    gemini_api_key: str | None = field(default=None, repr=False)
    xai_api_key: str | None = field(default=None, repr=False)
    baseten_api_key: str | None = field(default=None, repr=False)
    openrouter_api_key: str | None = field(default=None, repr=False)
    huggingface_api_key: str | None = field(default=None, repr=False)
    mirai_api_key: str | None = field(default=None, repr=False)
    local_path: str | None = None
    """A folder of one's own models."""
    lalamo_path: str | None = None
    allow_ollama_usage: bool = True
    allow_lmstudio_usage: bool = True
    cache_path: str | None = None
    """Where downloaded models lie; None: UZU_CACHE, else ~/.cache/uzu."""
    precision: Precision = Precision.Fast
    backend: Backend = Backend.Auto
    threads: int = 0
    """Worker threads of a pass; 0: the physical cores that this process may use."""
    offline: bool = False
    """Whether nothing may be fetched."""

    @staticmethod
    def create() -> EngineConfig:
        """The settings that the environment gives; what it doesn't has its default."""
        read = os.environ.get
        backend = (read("UZU_BACKEND") or "auto").lower()
        if backend not in [each.value for each in Backend]:
            raise InvalidArgument(f"UZU_BACKEND is auto, cpu or metal, not {backend}", {"variable": "UZU_BACKEND"})
        return EngineConfig(
            openai_api_key=read("OPENAI_API_KEY"),
            anthropic_api_key=read("ANTHROPIC_API_KEY"),
            gemini_api_key=read("GEMINI_API_KEY"),
            xai_api_key=read("XAI_API_KEY"),
            baseten_api_key=read("BASETEN_API_KEY"),
            openrouter_api_key=read("OPENROUTER_API_KEY"),
            huggingface_api_key=read("HF_TOKEN"),
            mirai_api_key=read("MIRAI_API_KEY"),
            local_path=read("LOCAL_PATH") or None,
            lalamo_path=read("LALAMO_PATH") or None,
            cache_path=read("UZU_CACHE") or None,
            backend=Backend(backend),
        )

    def with_openai_api_key(self, openai_api_key: str | None) -> EngineConfig:
        """A copy with another `openai_api_key`."""
        return replace(self, openai_api_key=openai_api_key)

    def with_anthropic_api_key(self, anthropic_api_key: str | None) -> EngineConfig:
        """A copy with another `anthropic_api_key`."""
        return replace(self, anthropic_api_key=anthropic_api_key)

    def with_gemini_api_key(self, gemini_api_key: str | None) -> EngineConfig:
        """A copy with another `gemini_api_key`."""
        return replace(self, gemini_api_key=gemini_api_key)

    def with_xai_api_key(self, xai_api_key: str | None) -> EngineConfig:
        """A copy with another `xai_api_key`."""
        return replace(self, xai_api_key=xai_api_key)

    def with_baseten_api_key(self, baseten_api_key: str | None) -> EngineConfig:
        """A copy with another `baseten_api_key`."""
        return replace(self, baseten_api_key=baseten_api_key)

    def with_openrouter_api_key(self, openrouter_api_key: str | None) -> EngineConfig:
        """A copy with another `openrouter_api_key`."""
        return replace(self, openrouter_api_key=openrouter_api_key)

    def with_huggingface_api_key(self, huggingface_api_key: str | None) -> EngineConfig:
        """A copy with another `huggingface_api_key`."""
        return replace(self, huggingface_api_key=huggingface_api_key)

    def with_mirai_api_key(self, mirai_api_key: str | None) -> EngineConfig:
        """A copy with another `mirai_api_key`."""
        return replace(self, mirai_api_key=mirai_api_key)

    def with_local_path(self, local_path: str | os.PathLike[str] | None) -> EngineConfig:
        """A copy with another `local_path`."""
        return replace(self, local_path=None if local_path is None else os.fspath(local_path))

    def with_lalamo_path(self, lalamo_path: str | os.PathLike[str] | None) -> EngineConfig:
        """A copy with another `lalamo_path`."""
        return replace(self, lalamo_path=None if lalamo_path is None else os.fspath(lalamo_path))

    def with_allow_ollama_usage(self, allow_ollama_usage: bool) -> EngineConfig:
        """A copy with another `allow_ollama_usage`."""
        return replace(self, allow_ollama_usage=allow_ollama_usage)

    def with_allow_lmstudio_usage(self, allow_lmstudio_usage: bool) -> EngineConfig:
        """A copy with another `allow_lmstudio_usage`."""
        return replace(self, allow_lmstudio_usage=allow_lmstudio_usage)

    def with_cache_path(self, cache_path: str | os.PathLike[str] | None) -> EngineConfig:
        """A copy with another `cache_path`."""
        return replace(self, cache_path=None if cache_path is None else os.fspath(cache_path))

    def with_precision(self, precision: Precision) -> EngineConfig:
        """A copy with another `precision`."""
        return replace(self, precision=precision)

    def with_backend(self, backend: Backend) -> EngineConfig:
        """A copy with another `backend`."""
        return replace(self, backend=backend)

    def with_threads(self, threads: int) -> EngineConfig:
        """A copy with another `threads`."""
        return replace(self, threads=threads)

    def with_offline(self, offline: bool) -> EngineConfig:
        """A copy with another `offline`."""
        return replace(self, offline=offline)

    def _json(self) -> str:
        return json_text(
            {
                "local_path": None if self.local_path is None else os.fspath(self.local_path),
                "cache_path": None if self.cache_path is None else os.fspath(self.cache_path),
                "precision": checked(self.precision, Precision, "precision").value,
                "backend": checked(self.backend, Backend, "backend").value,
                "threads": self.threads,
                "offline": self.offline,
            }
        )


@dataclass(frozen=True)
class ChatConfig:
    """How a session or an instance is set up."""

    context_length: ContextLength = ContextLength.Default()
    sampling_seed: SamplingSeed = SamplingSeed.Default()
    speculation_preset: ChatSpeculationPreset | None = ChatSpeculationPreset.Auto()
    """None: the same as Auto."""
    kv_cache: KvCache = KvCache.F16
    message_format: str | None = None
    """How the model writes reasoning and calls, by a name of docs/messages.md; None: as its chat template says."""

    @staticmethod
    def create() -> ChatConfig:
        """The defaults."""
        return ChatConfig()

    def with_context_length(self, context_length: ContextLength) -> ChatConfig:
        """A copy with another `context_length`."""
        return replace(self, context_length=context_length)

    def with_sampling_seed(self, sampling_seed: SamplingSeed) -> ChatConfig:
        """A copy with another `sampling_seed`."""
        return replace(self, sampling_seed=sampling_seed)

    def with_speculation_preset(self, speculation_preset: ChatSpeculationPreset | None) -> ChatConfig:
        """A copy with another `speculation_preset`."""
        return replace(self, speculation_preset=speculation_preset)

    def with_kv_cache(self, kv_cache: KvCache) -> ChatConfig:
        """A copy with another `kv_cache`."""
        return replace(self, kv_cache=kv_cache)

    def with_message_format(self, message_format: str | None) -> ChatConfig:
        """A copy with another `message_format`. A name that isn't known is refused when a session begins."""
        return replace(self, message_format=message_format)

    def _json(self) -> str:
        length: object = "default"
        match checked(self.context_length, ContextLength, "context_length"):
            case ContextLength.Custom(tokens):
                length = tokens
            case ContextLength.Maximal():
                length = "maximal"
        seed = checked(self.sampling_seed, SamplingSeed, "sampling_seed")
        return json_text(
            {
                "context_length": length,
                "sampling_seed": seed.seed if isinstance(seed, SamplingSeed.Custom) else "default",
                "speculation_preset": preset_json(self.speculation_preset),
                "kv_cache": checked(self.kv_cache, KvCache, "kv_cache").value,
                "message_format": self.message_format,
            }
        )


@dataclass(frozen=True)
class ChatReplyConfig:
    """How one reply is made."""

    token_limit: int | None = None
    sampling_policy: SamplingPolicy = SamplingPolicy.Default()
    grammar: Grammar | None = None
    """What the reply's text must be; None: free."""
    lenient: bool = False
    """Whether keywords of the grammar that can't be enforced are reported in the reply instead of refused."""
    tool_choice: ToolChoice = ToolChoice.Auto()
    parallel_tool_calls: bool = True
    """Whether one reply may call several tools."""
    tool_turn_limit: int = 10
    """How many times in a row calls are answered before the next is a ToolTurnLimit error."""
    reasoning_token_limit: int | None = None
    """Most tokens of thinking, which then ends; None: no limit of its own."""
    stop: str | Sequence[str] = ()
    """Texts that end the reply; it holds only what comes before."""
    seed: int | None = None
    """For this reply; None: as the session says."""
    logprobs: int | None = None
    """How many of the likeliest tokens to report beside each token drawn."""

    def __post_init__(self) -> None:
        # One text is one stop, not one for each of its letters; a tuple can be hashed.
        object.__setattr__(self, "stop", (self.stop,) if isinstance(self.stop, str) else tuple(self.stop))

    @staticmethod
    def create() -> ChatReplyConfig:
        """The defaults."""
        return ChatReplyConfig()

    def with_token_limit(self, token_limit: int | None) -> ChatReplyConfig:
        """A copy with another `token_limit`."""
        return replace(self, token_limit=token_limit)

    def with_sampling_policy(self, sampling_policy: SamplingPolicy) -> ChatReplyConfig:
        """A copy with another `sampling_policy`."""
        return replace(self, sampling_policy=sampling_policy)

    def with_sampling_method(self, sampling_method: SamplingMethod) -> ChatReplyConfig:
        """Short for a custom policy."""
        return replace(self, sampling_policy=SamplingPolicy.Custom(sampling_method))

    def with_grammar(self, grammar: Grammar | None) -> ChatReplyConfig:
        """A copy with another `grammar`."""
        return replace(self, grammar=grammar)

    def with_lenient(self, lenient: bool) -> ChatReplyConfig:
        """A copy with another `lenient`."""
        return replace(self, lenient=lenient)

    def with_tool_choice(self, tool_choice: ToolChoice) -> ChatReplyConfig:
        """A copy with another `tool_choice`."""
        return replace(self, tool_choice=tool_choice)

    def with_parallel_tool_calls(self, parallel_tool_calls: bool) -> ChatReplyConfig:
        """A copy with another `parallel_tool_calls`."""
        return replace(self, parallel_tool_calls=parallel_tool_calls)

    def with_tool_turn_limit(self, tool_turn_limit: int) -> ChatReplyConfig:
        """A copy with another `tool_turn_limit`."""
        return replace(self, tool_turn_limit=tool_turn_limit)

    def with_reasoning_token_limit(self, reasoning_token_limit: int | None) -> ChatReplyConfig:
        """A copy with another `reasoning_token_limit`."""
        return replace(self, reasoning_token_limit=reasoning_token_limit)

    def with_stop(self, stop: str | Sequence[str]) -> ChatReplyConfig:
        """A copy with another `stop`."""
        return replace(self, stop=stop)

    def with_seed(self, seed: int | None) -> ChatReplyConfig:
        """A copy with another `seed`."""
        return replace(self, seed=seed)

    def with_logprobs(self, logprobs: int | None) -> ChatReplyConfig:
        """A copy with another `logprobs`."""
        return replace(self, logprobs=logprobs)

    def _json(self) -> str:
        policy = checked(self.sampling_policy, SamplingPolicy, "sampling_policy")
        return json_text(
            {
                "token_limit": self.token_limit,
                "sampling": _sampling_json(policy.method) if isinstance(policy, SamplingPolicy.Custom) else "default",
                "grammar": None if self.grammar is None else _grammar_json(self.grammar),
                "lenient": self.lenient,
                "tool_choice": _tool_choice_json(self.tool_choice),
                "parallel_tool_calls": self.parallel_tool_calls,
                "tool_turn_limit": self.tool_turn_limit,
                "reasoning_token_limit": self.reasoning_token_limit,
                "stop": list(self.stop),
                "seed": self.seed,
                "logprobs": self.logprobs,
            }
        )


def _grammar_json(grammar: Grammar) -> object:
    match checked(grammar, Grammar, "grammar"):
        case Grammar.JsonSchema(schema, order):
            order = checked(order, PropertyOrder, "grammar.property_order")
            return {"type": "json_schema", "schema": schema, "property_order": order.value}
        case Grammar.Regex(pattern):
            return {"type": "regex", "pattern": pattern}
        case Grammar.Ebnf(text):
            return {"type": "ebnf", "text": text}
        case Grammar.Choice(values):
            return {"type": "choice", "values": list(values)}
    return "json_any"


def _tool_choice_json(choice: ToolChoice) -> object:
    match checked(choice, ToolChoice, "tool_choice"):
        case ToolChoice.Named(name):
            return {"name": name}
        case ToolChoice.Required():
            return "required"
        case ToolChoice.None_():
            return "none"
    return "auto"


def _sampling_json(method: SamplingMethod) -> dict[str, object]:
    if isinstance(checked(method, SamplingMethod, "sampling_policy.method"), SamplingMethod.Greedy):
        return {"method": "greedy"}
    fields: dict[str, object] = {key: value for key, value in vars(method).items() if value is not None}
    for name, value in fields.items():
        numbers = value.values() if isinstance(value, dict) else [value]
        if any(isinstance(number, float) and not math.isfinite(number) for number in numbers):
            raise InvalidArgument(f"{name} must be finite, not {value}", {"field": name})
    return {"method": "stochastic", **fields}


def chat_json(config: ChatConfig | None) -> str:
    return ChatConfig.create()._json() if config is None else checked(config, ChatConfig, "config")._json()


def reply_json(config: ChatReplyConfig | None) -> str:
    return ChatReplyConfig.create()._json() if config is None else checked(config, ChatReplyConfig, "config")._json()
