"""Programs of uzu 0.6 as its users have them: only package and model are others. Each is a function of its own."""

import asyncio
import sys
from typing import Annotated

from pydantic import BaseModel

from uzu import (
    ChatConfig,
    ChatMessage,
    ChatReplyConfig,
    ChatSessionStreamChunk,
    ChatSpeculationPreset,
    Engine,
    EngineConfig,
    Feature,
    Grammar,
    Model,
    ReasoningEffort,
    SamplingMethod,
    SamplingPolicy,
    uzu_tool_function,
)

MODEL = sys.argv[1]


async def found(engine: Engine) -> Model:
    model = await engine.model(MODEL)
    if model is None:
        raise RuntimeError("Model not found")
    async for update in (await engine.download(model)).iterator():
        print(f"Download progress: {update.progress}")
    return model


async def quick_start() -> None:
    engine_config = EngineConfig.create().with_openai_api_key("OPENAI_API_KEY")
    engine = await Engine.create(engine_config)
    model = await found(engine)

    messages = [
        ChatMessage.system().with_text("You are a helpful assistant"),
        ChatMessage.user().with_text("Tell me a short story about a tiny robot"),
    ]
    session = await engine.chat(model, ChatConfig.create())
    replies = await session.reply(messages, ChatReplyConfig.create().with_token_limit(24))
    if replies:
        print(f"Reasoning: {replies[0].message.reasoning}")
        print(f"Text: {replies[0].message.text}")


async def streaming() -> None:
    engine = await Engine.create(EngineConfig.create())
    model = await found(engine)

    messages = [
        ChatMessage.system().with_reasoning_effort(ReasoningEffort.Disabled),
        ChatMessage.user().with_text("Tell me a short, funny story about a robot"),
    ]
    session = await engine.chat(model, ChatConfig.create())
    stream = await session.reply_with_stream(messages, ChatReplyConfig.create().with_token_limit(24))
    message: ChatMessage | None = None
    async for chunk in stream.iterator():
        if isinstance(chunk, ChatSessionStreamChunk.Replies):
            reply = chunk.replies[0]
            message = reply.message
            print(f"Generated tokens: {reply.stats.tokens_count_output}")
        elif isinstance(chunk, ChatSessionStreamChunk.Error):
            print(f"Error: {chunk.error}")
    if message is not None:
        print(f"Text: {message.text}")


async def classification() -> None:
    engine = await Engine.create(EngineConfig.create())
    model = await found(engine)

    feature = Feature(name="sentiment", values=["Happy", "Sad", "Angry", "Fearful", "Surprised", "Disgusted"])
    chat_config = ChatConfig.create().with_speculation_preset(ChatSpeculationPreset.Classification(feature=feature))
    session = await engine.chat(model, chat_config)
    prompt = (
        'Text is: "Today\'s been awesome! Everything just feels right." '
        f"Choose {feature.name} from the list: {', '.join(feature.values)}. Answer with one word."
    )
    messages = [
        ChatMessage.system().with_reasoning_effort(ReasoningEffort.Disabled),
        ChatMessage.user().with_text(prompt),
    ]
    chat_reply_config = (
        ChatReplyConfig.create()
        .with_token_limit(32)
        .with_sampling_policy(SamplingPolicy.Custom(method=SamplingMethod.Greedy()))
    )
    replies = await session.reply(messages, chat_reply_config)
    print(f"Prediction: {replies[0].message.text}")
    print(f"Generated tokens: {replies[0].stats.tokens_count_output}")


async def summarization() -> None:
    engine = await Engine.create(EngineConfig.create())
    model = await found(engine)

    session = await engine.chat(model, ChatConfig.create().with_speculation_preset(ChatSpeculationPreset.Summarization()))
    text = "A language model guesses the next word of a text, again and again. " * 8
    messages = [ChatMessage.user().with_text(f'Text is: "{text}". Write only a summary.')]
    sampling = SamplingMethod.Stochastic(
        temperature=0.3,
        top_k=20,
        top_p=0.9,
        min_p=None,
        repetition_penalty=None,
        suffix_repetition_length=None,
    )
    config = ChatReplyConfig.create().with_token_limit(32).with_sampling_method(sampling)
    reply = (await session.reply(messages, config))[0]
    print(f"Summary: {reply.message.text}")
    print(f"Generation t/s: {reply.stats.generate_tokens_per_second}")


class Country(BaseModel):
    name: str
    capital: str


async def structured_output() -> None:
    engine = await Engine.create(EngineConfig.create())
    model = await found(engine)

    session = await engine.chat(model, ChatConfig.create())
    messages = [ChatMessage.user().with_text("Give me a JSON array of 2 countries with their capitals")]
    config = ChatReplyConfig.create().with_token_limit(160).with_grammar(Grammar.from_type(list[Country]))
    replies = await session.reply(messages, config)
    countries = replies[0].message.text_decoded(list[Country])
    print(f"Countries: {[type(country).__name__ for country in countries or []]}")


@uzu_tool_function
def get_temperature(
    latitude: Annotated[float, "Degrees north."], longitude: Annotated[float, "Degrees east."]
) -> str:
    """Return the temperature at a coordinate."""
    return "17 °C"


@uzu_tool_function(name="get_location", description="Return the coordinates of the user.")
async def locate() -> dict[str, float]:
    return {"latitude": 51.5, "longitude": -0.1}


async def tool_calling() -> None:
    engine = await Engine.create(EngineConfig.create())
    model = await found(engine)

    session = await engine.chat(model, ChatConfig.create())
    await session.add_tool(get_temperature)
    await session.add_tool(locate)
    messages = [ChatMessage.user().with_text("What is the temperature where I am?")]
    replies = await session.reply(messages, ChatReplyConfig.create().with_token_limit(48))
    print(f"Finished: {replies[-1].finish_reason is not None}")


async def main() -> None:
    for snippet in (quick_start, streaming, classification, summarization, structured_output, tool_calling):
        print(f"== {snippet.__name__}")
        await snippet()


if __name__ == "__main__":
    asyncio.run(main())
