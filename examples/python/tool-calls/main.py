"""The model calls functions of this program, and answers with what they say."""

import asyncio
import sys
from dataclasses import dataclass
from typing import Annotated

from uzu import (
    ChatConfig,
    ChatMessage,
    ChatReplyConfig,
    ChatSessionStreamChunk,
    Engine,
    EngineConfig,
    SamplingMethod,
    uzu_tool_function,
)


@dataclass
class Coordinate:
    latitude: float
    longitude: float


@uzu_tool_function
async def get_location() -> Coordinate:
    """Return the coordinates of the place where the user is now."""
    return Coordinate(latitude=51.5074, longitude=-0.1278)


@uzu_tool_function(name="get_temperature", description="Return the temperature in degrees Celsius at a coordinate.")
def temperature(
    latitude: Annotated[float, "Latitude in decimal degrees."],
    longitude: Annotated[float, "Longitude in decimal degrees."],
) -> str:
    return f"{25.0 - abs(latitude) / 10:.0f} °C"


async def main(identifier: str) -> None:
    engine = await Engine.create(EngineConfig.create())
    model = await engine.model(identifier)
    if model is None:
        raise RuntimeError("Model not found")
    async for _ in (await engine.download(model)).iterator():
        pass

    session = await engine.chat(model, ChatConfig.create())
    await session.add_tools([get_location, temperature])
    question = ChatMessage.user().with_text("What temperature is it now where I am?")
    config = ChatReplyConfig.create().with_sampling_method(SamplingMethod.Greedy()).with_token_limit(256)
    stream = await session.reply_with_stream([question], config)
    async for chunk in stream.iterator():
        match chunk:
            case ChatSessionStreamChunk.ToolResults(results):
                print(*(f"{result.name} said {result.value}" for result in results), sep="\n")
            case ChatSessionStreamChunk.Replies([reply]) if reply.finish_reason is not None:
                print(*(f"calling {call.name} with {call.arguments}" for call in reply.message.tool_calls), sep="\n")
                print(reply.message.text or "")
            case ChatSessionStreamChunk.Error(error):
                raise error


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else "huggingface:smollm2:135m:gguf:q4_1:4"))
