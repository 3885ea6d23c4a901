"""Configurations, messages, data enums: what needs no engine."""

from __future__ import annotations

import copy
import json
import math
import pickle

import pytest

import uzu
from uzu import (
    ChatConfig,
    ChatContentBlock,
    ChatDrafter,
    ChatMessage,
    ChatReplyConfig,
    ChatRole,
    ChatSpeculationPreset,
    ChatVerifier,
    ContextLength,
    EngineConfig,
    Feature,
    Grammar,
    ReasoningEffort,
    SamplingMethod,
    SamplingPolicy,
    SamplingSeed,
    ToolChoice,
    ToolDeclaration,
    UzuError,
)
from uzu._messages import message_json, message_of
from uzu._replies import Folded


def test_keys_do_not_show_when_a_configuration_is_printed() -> None:
    config = EngineConfig().with_openai_api_key("sk-secret").with_huggingface_api_key("hf-secret")
    assert "secret" not in repr(config)


def test_a_message_is_built_block_by_block() -> None:
    start = ChatMessage.user()
    message = (
        start.with_reasoning("hm").with_text("Hello, ").with_text("you").with_reasoning_effort(ReasoningEffort.Low)
    )
    assert start.content == ()
    assert (message.text, message.reasoning, message.reasoning_effort) == ("Hello, you", "hm", ReasoningEffort.Low)
    assert message.role == ChatRole.User()
    assert message.content[0] == ChatContentBlock.Reasoning("hm")


def test_a_message_without_text_has_none() -> None:
    message = ChatMessage.for_role(ChatRole.Custom("narrator"))
    assert (message.text, message.reasoning, message.reasoning_effort) == (None, None, None)


def test_with_methods_return_copies() -> None:
    config = ChatReplyConfig.create()
    limited = config.with_token_limit(7).with_stop(["\n"]).with_seed(5)
    assert (config.token_limit, config.stop, config.seed) == (None, (), None)
    assert (limited.token_limit, limited.stop, limited.seed) == (7, ("\n",), 5)
    with pytest.raises(AttributeError):
        limited.token_limit = 8  # type: ignore[misc]


def test_constructors_take_keywords() -> None:
    assert ChatReplyConfig(token_limit=7) == ChatReplyConfig.create().with_token_limit(7)
    assert ChatConfig(sampling_seed=SamplingSeed.Custom(seed=3)).sampling_seed == SamplingSeed.Custom(3)


def test_variants_match_by_position_and_by_name() -> None:
    match SamplingPolicy.Custom(SamplingMethod.Stochastic(temperature=0.5, top_k=40)):
        case SamplingPolicy.Custom(method=SamplingMethod.Stochastic(temperature, top_k)):
            assert (temperature, top_k) == (0.5, 40)
        case _:
            pytest.fail("no match")


def test_variants_are_instances_of_their_enum() -> None:
    greedy = SamplingMethod.Greedy()
    assert isinstance(greedy, SamplingMethod) and isinstance(greedy, SamplingMethod.Greedy)
    assert not isinstance(greedy, SamplingMethod.Stochastic)
    assert repr(SamplingPolicy.Custom(greedy)) == "SamplingPolicy.Custom(method=SamplingMethod.Greedy())"


def test_a_data_enum_itself_has_no_instances() -> None:
    with pytest.raises(TypeError):
        SamplingPolicy()


@pytest.mark.parametrize(
    "value",
    [
        SamplingPolicy.Custom(SamplingMethod.Stochastic(temperature=0.5)),
        ChatMessage.user().with_text("Hi").with_reasoning_effort(ReasoningEffort.High),
        ChatConfig.create().with_context_length(ContextLength.Custom(100)),
        EngineConfig.create(),
    ],
)
def test_values_can_be_copied_pickled_and_compared(value: object) -> None:
    assert pickle.loads(pickle.dumps(value)) == value
    assert copy.deepcopy(value) == value


def test_an_engine_config_reads_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOCAL_PATH", "/models")
    monkeypatch.setenv("OPENAI_API_KEY", "key")
    monkeypatch.setenv("UZU_BACKEND", "cpu")
    config = EngineConfig.create()
    assert (config.local_path, config.openai_api_key, config.backend) == ("/models", "key", uzu.Backend.Cpu)
    assert config.with_local_path("/other").local_path == "/other"
    assert EngineConfig().local_path is None


def test_an_impossible_backend_in_the_environment_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UZU_BACKEND", "gpu")
    with pytest.raises(uzu.InvalidArgument, match="gpu"):
        EngineConfig.create()


def test_configs_become_the_json_of_the_c_abi() -> None:
    config = ChatReplyConfig.create().with_token_limit(3).with_sampling_method(SamplingMethod.Stochastic(top_k=2))
    assert json.loads(config._json()) == {
        "token_limit": 3,
        "sampling": {"method": "stochastic", "top_k": 2},
        "grammar": None,
        "lenient": False,
        "tool_choice": "auto",
        "parallel_tool_calls": True,
        "tool_turn_limit": 10,
        "reasoning_token_limit": None,
        "stop": [],
        "seed": None,
        "logprobs": None,
    }
    chat = ChatConfig.create().with_context_length(ContextLength.Maximal())
    assert json.loads(chat._json()) == {
        "context_length": "maximal",
        "sampling_seed": "default",
        "speculation_preset": "auto",
        "kv_cache": "f16",
        "message_format": None,
    }


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        (ChatReplyConfig().with_grammar(Grammar.JsonAny()), {"grammar": "json_any"}),
        (
            ChatReplyConfig().with_grammar(Grammar.JsonSchema('{ "type": "null" }')),
            {"grammar": {"type": "json_schema", "schema": '{ "type": "null" }', "property_order": "as_given"}},
        ),
        (
            ChatReplyConfig(grammar=Grammar.JsonSchema({"type": "null"})),
            {"grammar": {"type": "json_schema", "schema": '{"type": "null"}', "property_order": "as_given"}},
        ),
        (ChatReplyConfig(grammar=Grammar.Regex("a+")), {"grammar": {"type": "regex", "pattern": "a+"}}),
        (ChatReplyConfig(grammar=Grammar.Ebnf('root ::= "a"')), {"grammar": {"type": "ebnf", "text": 'root ::= "a"'}}),
        (ChatReplyConfig(grammar=Grammar.Choice(["a", "b"])), {"grammar": {"type": "choice", "values": ["a", "b"]}}),
        (ChatReplyConfig().with_lenient(True).with_parallel_tool_calls(False), {"lenient": True}),
        (ChatReplyConfig().with_tool_choice(ToolChoice.None_()), {"tool_choice": "none"}),
        (ChatReplyConfig().with_tool_choice(ToolChoice.Required()), {"tool_choice": "required"}),
        (ChatReplyConfig().with_tool_choice(ToolChoice.Named("look")), {"tool_choice": {"name": "look"}}),
        (ChatReplyConfig().with_tool_turn_limit(3).with_reasoning_token_limit(9), {"reasoning_token_limit": 9}),
    ],
)
def test_grammars_and_tools_become_the_json_of_the_c_abi(config: ChatReplyConfig, expected: dict[str, object]) -> None:
    assert json.loads(config._json()).items() >= expected.items()
    assert pickle.loads(pickle.dumps(config)) == config and len({config, copy.copy(config)}) == 1


def test_a_choice_needs_values() -> None:
    assert Grammar.Choice("yes").values == ("yes",)
    for values in ([], [1]):
        with pytest.raises(uzu.InvalidArgument):
            Grammar.Choice(values)  # type: ignore[arg-type]


def test_every_block_goes_to_the_engine_and_back() -> None:
    message = (
        ChatMessage.assistant()
        .with_reasoning("hm")
        .with_reasoning_effort(ReasoningEffort.Low)
        .with_text("look")
        .with_tool_call(ChatContentBlock.ToolCall("1", "look", {"where": "here"}))
        .with_block(ChatContentBlock.ToolCallCandidate("<tool_call>"))
        .with_block(ChatContentBlock.ToolCallResult("1", "look", {"seen": [1, None]}))
        .with_block(ChatContentBlock.Tools([ToolDeclaration("look", "Looks.", {"type": "object"})]))
        .with_block(ChatContentBlock.Custom("mood", "good"))
        .with_block(ChatContentBlock.Image("a.png"))
    )
    assert message_of(json.loads(json.dumps(message_json(message)))) == message
    assert message.tool_calls == [ChatContentBlock.ToolCall("1", "look", {"where": "here"})]
    with pytest.raises(uzu.InvalidArgument):
        ChatMessage.user().with_tool_call("look")  # type: ignore[arg-type]


def test_a_reply_is_put_together_from_its_deltas() -> None:
    folded = Folded()
    stats = {"duration": 1.0}
    first = folded.reply({"text": "He", "reasoning": "hm", "stats": stats, "finish_reason": None})
    call = {"index": 0, "identifier": "7", "name": "look", "arguments": '{"a":'}
    second = folded.reply({"text": "y", "tool_calls": [call], "stats": stats})
    more = {"index": 0, "identifier": "7", "name": "", "arguments": " 1}"}
    third = folded.reply({"text": "", "tool_calls": [more], "stats": stats})
    assert (first.message.text, first.message.reasoning) == ("He", "hm")
    assert second.message.content[-1] == ChatContentBlock.ToolCallCandidate('look {"a":')
    assert third.message.tool_calls == [ChatContentBlock.ToolCall("7", "look", {"a": 1})]
    whole = message_json(third.message)
    last = folded.reply(
        {"text": "", "message": whole, "finish_reason": "tool_calls", "unenforced": ["format"], "stats": stats}
    )
    assert last.finish_reason is uzu.ChatReplyFinishReason.ToolCalls and last.unenforced == ("format",)
    assert folded.reply({"text": "So", "stats": stats}).message == ChatMessage.assistant().with_text("So")


@pytest.mark.parametrize(
    ("preset", "expected"),
    [
        (None, "auto"),
        (ChatSpeculationPreset.Auto(), "auto"),
        (ChatSpeculationPreset.Off(), "off"),
        (ChatSpeculationPreset.GeneralChat(), "general_chat"),
        (ChatSpeculationPreset.Summarization(), "summarization"),
        (
            ChatSpeculationPreset.Classification(feature=Feature("sentiment", ["Happy", "Sad"])),
            {"type": "classification", "feature": {"name": "sentiment", "values": ["Happy", "Sad"]}},
        ),
        (
            ChatSpeculationPreset.Custom([ChatDrafter.Lookup(), ChatDrafter.Recall(), ChatDrafter.Tables()]),
            {
                "type": "custom",
                "drafters": ["lookup", "recall", "tables"],
                "max_nodes": 32,
                "verifier": "shared_noise",
            },
        ),
        (
            ChatSpeculationPreset.Custom(
                [ChatDrafter.Network(), ChatDrafter.DraftModel("small")], 8, ChatVerifier.Rejection
            ),
            {
                "type": "custom",
                "drafters": ["network", {"type": "draft_model", "identifier": "small"}],
                "max_nodes": 8,
                "verifier": "rejection",
            },
        ),
    ],
)
def test_presets_become_the_json_of_the_c_abi(preset: ChatSpeculationPreset | None, expected: object) -> None:
    config = ChatConfig.create().with_speculation_preset(preset)
    assert json.loads(config._json())["speculation_preset"] == expected
    assert pickle.loads(pickle.dumps(config)) == config and len({config, copy.copy(config)}) == 1


def test_every_error_is_a_runtime_error_with_a_code() -> None:
    error = uzu.ModelCorrupt("bad", {"path": "x"})
    assert isinstance(error, UzuError) and isinstance(error, RuntimeError)
    assert (error.code, str(error), error.details) == ("model_corrupt", "bad", {"path": "x"})
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), again.details) == (uzu.ModelCorrupt, "bad", {"path": "x"})
    codes = {kind.code for kind in UzuError.__subclasses__()}
    assert len(codes) == 20 and "tool_turn_limit" in codes


def test_the_package_is_typed() -> None:
    import importlib.resources

    assert importlib.resources.files("uzu").joinpath("py.typed").is_file()


def test_one_text_is_one_stop() -> None:
    assert ChatReplyConfig(stop="END").stop == ("END",)
    assert ChatReplyConfig.create().with_stop("END") == ChatReplyConfig(stop=["END"])


def test_configs_can_be_hashed() -> None:
    bias = SamplingMethod.Stochastic(logit_bias={5: 1.0})
    assert len({ChatReplyConfig(stop=["a"]), ChatReplyConfig(stop=("a",)), bias, copy.copy(bias)}) == 2


def test_keys_are_not_shown() -> None:
    config = EngineConfig(openai_api_key="secret-1", huggingface_api_key="secret-2")
    assert "secret" not in repr(config)


@pytest.mark.parametrize(
    ("config", "field"),
    [
        (ChatReplyConfig(sampling_policy=SamplingMethod.Greedy()), "sampling_policy"),  # type: ignore[arg-type]
        (ChatReplyConfig(sampling_policy=SamplingPolicy.Default), "sampling_policy"),  # type: ignore[arg-type]
        (ChatReplyConfig(grammar="{}"), "grammar"),  # type: ignore[arg-type]
        (ChatReplyConfig(tool_choice="auto"), "tool_choice"),  # type: ignore[arg-type]
        (ChatConfig(context_length=100), "context_length"),  # type: ignore[arg-type]
        (ChatConfig(sampling_seed=3), "sampling_seed"),  # type: ignore[arg-type]
        (ChatConfig(kv_cache="f16"), "kv_cache"),  # type: ignore[arg-type]
        (ChatConfig(speculation_preset="off"), "speculation_preset"),  # type: ignore[arg-type]
        (ChatConfig(speculation_preset=ChatSpeculationPreset.Classification("x")), "feature"),  # type: ignore[arg-type]
        (ChatConfig(speculation_preset=ChatSpeculationPreset.Custom(["lookup"])), "drafters"),  # type: ignore[list-item]
        (EngineConfig(precision="fast"), "precision"),  # type: ignore[arg-type]
        (ChatReplyConfig.create().with_sampling_method(SamplingMethod.Stochastic(temperature=math.nan)), "temperature"),
        (
            ChatReplyConfig.create().with_sampling_method(SamplingMethod.Stochastic(logit_bias={5: -math.inf})),
            "logit_bias",
        ),
    ],
)
def test_a_wrong_value_is_refused_by_name(config: ChatReplyConfig | ChatConfig | EngineConfig, field: str) -> None:
    with pytest.raises(uzu.InvalidArgument) as caught:
        config._json()
    assert caught.value.details == {"field": field}
