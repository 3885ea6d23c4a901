"""Replies that follow grammars."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass

import pytest
from pydantic import BaseModel

import uzu
from uzu import ChatMessage, ChatReplyFinishReason, ChatSessionStreamChunk, Grammar, ReasoningEffort

from .conftest import GREEDY, Loaded

ASK = [ChatMessage.user().with_text("What temperature is it?")]


@dataclass
class Country:
    name: str
    capital: str


@pytest.mark.parametrize("seed", [1, 2])
def test_a_reply_is_a_value_of_a_type(loaded: Loaded, seed: int) -> None:
    async def run() -> None:
        session = await loaded.session()
        method = uzu.SamplingMethod.Stochastic(temperature=0.7)
        config = uzu.ChatReplyConfig(token_limit=120, seed=seed, grammar=Grammar.from_type(list[Country]))
        partial = []
        stream = await session.reply_with_stream(
            [ChatMessage.user().with_text("List 3 countries with their capitals")], config.with_sampling_method(method)
        )
        async for chunk in stream:
            assert isinstance(chunk, ChatSessionStreamChunk.Replies)
            message = chunk.replies[0].message
            partial.append(message.text_decoded_partially())
        countries = message.text_decoded(list[Country])
        assert countries is not None and all(isinstance(country, Country) for country in countries)
        assert partial[-1] == json.loads(message.text or "")

    asyncio.run(run())


@pytest.mark.parametrize(
    ("grammar", "texts"),
    [
        (Grammar.Choice(["yes", "no"]), ("yes", "no")),
        (Grammar.Regex("[ab]c"), ("ac", "bc")),
        (Grammar.JsonSchema({"const": "a"}), ('"a"',)),
        (Grammar.JsonSchema('{"enum": [true]}'), ("true",)),
    ],
)
def test_a_reply_follows_its_grammar(loaded: Loaded, grammar: Grammar, texts: tuple[str, ...]) -> None:
    async def run() -> None:
        reply = (await (await loaded.session()).reply(ASK, GREEDY.with_token_limit(20).with_grammar(grammar)))[0]
        assert reply.message.text in texts
        assert reply.finish_reason is ChatReplyFinishReason.Stop

    asyncio.run(run())


class Capital(BaseModel):
    country: str
    capital: str


class CapitalList(BaseModel):
    capitals: list[Capital]


def test_a_schema_that_pydantic_made_is_followed(loaded: Loaded) -> None:
    async def run() -> None:
        schema = json.dumps(CapitalList.model_json_schema())
        messages = [
            ChatMessage.system().with_reasoning_effort(ReasoningEffort.Disabled),
            ChatMessage.user().with_text("Give me a JSON object with a list of 2 countries and their capitals"),
        ]
        config = GREEDY.with_token_limit(200).with_grammar(Grammar.JsonSchema(schema))
        replies = await (await loaded.session()).reply(messages, config)
        CapitalList.model_validate_json(replies[0].message.text or "")

    asyncio.run(run())


def test_a_keyword_that_is_not_enforced_is_named_or_let_be(loaded: Loaded) -> None:
    async def run() -> None:
        session = await loaded.session()
        grammar = Grammar.JsonSchema({"type": "string", "maxLength": 5, "pattern": r"(a)\1"})
        with pytest.raises(uzu.GrammarUnsupported) as caught:
            await session.reply(ASK, GREEDY.with_grammar(grammar))
        assert caught.value.details["keyword"] == "pattern"
        reply = (await session.reply(ASK, GREEDY.with_token_limit(20).with_grammar(grammar).with_lenient(True)))[0]
        assert isinstance(json.loads(reply.message.text or ""), str)

    asyncio.run(run())
