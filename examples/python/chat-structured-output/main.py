"""The reply is JSON of a type of this program, whatever the model, and becomes a value of it."""

import asyncio
import sys
from dataclasses import dataclass

from uzu import (
    ChatConfig,
    ChatMessage,
    ChatReplyConfig,
    Engine,
    EngineConfig,
    Grammar,
    ReasoningEffort,
    SamplingMethod,
)


@dataclass
class Country:
    name: str
    capital: str


@dataclass
class CountryList:  # or a pydantic model, a TypedDict, list[Country]
    countries: list[Country]


async def main(identifier: str) -> None:
    engine = await Engine.create(EngineConfig.create())
    model = await engine.model(identifier)
    if model is None:
        raise RuntimeError("Model not found")
    async for _ in (await engine.download(model)).iterator():
        pass

    session = await engine.chat(model, ChatConfig.create())
    messages = [
        ChatMessage.system().with_reasoning_effort(ReasoningEffort.Disabled),
        ChatMessage.user().with_text("Give me a JSON object with a list of 3 countries, each with name and capital"),
    ]
    config = ChatReplyConfig(token_limit=256, grammar=Grammar.from_type(CountryList))
    config = config.with_sampling_method(SamplingMethod.Greedy())
    message = (await session.reply(messages, config))[-1].message
    print(message.text)
    found = message.text_decoded(CountryList)
    for country in found.countries if found else []:
        print(f"The capital of {country.name} is {country.capital}")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else "huggingface:smollm2:135m:gguf:q4_1:4"))
