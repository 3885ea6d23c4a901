"""The model calls functions of this program, and answers with what they say."""

import asyncio
import sys
from typing import Annotated

from uzu import (
    ChatConfig,
    ChatMessage,
    ChatReplyConfig,
    ChatSessionStreamChunk,
    Engine,
    EngineConfig,
    SamplingMethod,
    ToolChoice,
    uzu_tool_function,
)


@uzu_tool_function
async def get_location() -> dict[str, float]:
    """Return the coordinates of the place where the user is now."""
    return {"latitude": 51.5074, "longitude": -0.1278}


@uzu_tool_function(name="get_temperature")
def temperature(latitude: Annotated[float, "As get_location returns it."], longitude: float) -> str:
    """Return the temperature in degrees Celsius at a coordinate."""
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
    question = ChatMessage.user().with_text("Where am I, and what temperature is it there?")
    # Small models rather guess than ask: here they have to.
    config = ChatReplyConfig(token_limit=256, tool_choice=ToolChoice.Required())
    stream = await session.reply_with_stream([question], config.with_sampling_method(SamplingMethod.Greedy()))
    async for chunk in stream.iterator():
        match chunk:
            case ChatSessionStreamChunk.ToolResults(results):
                for result in results:
                    print(f"{result.name} said {result.value}")
            case ChatSessionStreamChunk.Replies([reply]) if reply.finish_reason is not None:
                for call in reply.message.tool_calls:
                    print(f"calling {call.name} with {call.arguments}")
                print(reply.message.text or "")
            case ChatSessionStreamChunk.Error(error):
                raise error


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else "huggingface:smollm2:135m:gguf:q4_1:4"))
