"""What a program does first, for the cache of what a Java runtime has loaded and linked by then (JEP 483).

    python warm_up.py MODEL LIBJVM

UZU_LIBRARY names the libuzu whose runtime this is, UZU_JAVA_OPTIONS where it writes what it records, at its end.
"""

import asyncio
import ctypes
import sys

from uzu import ChatMessage, ChatReplyConfig, Engine, Grammar, SamplingMethod

DESTROY_JAVA_VM = 3  # of JNI's table, behind three that are reserved


async def main(identifier: str) -> None:
    async with await Engine.create() as engine:
        await engine.models()
        model = await engine.model(identifier)
        async for _ in await engine.download(model):
            pass
        session = await engine.chat(model)
        input = [ChatMessage.system().with_text("You are a helpful assistant"), ChatMessage.user().with_text("Hello")]
        async for _ in await session.reply_with_stream(input, ChatReplyConfig(token_limit=24)):
            pass
        grammar = Grammar.JsonSchema('{"type": "object", "properties": {"name": {"type": "string"}}}')
        config = ChatReplyConfig(token_limit=24, grammar=grammar).with_sampling_method(SamplingMethod.Greedy())
        await session.reply([ChatMessage.user().with_text("Say it in JSON")], config)


def end(libjvm: str) -> None:
    """The JVM writes only when it is told to end."""
    vm, count = ctypes.c_void_p(), ctypes.c_int()
    ctypes.CDLL(libjvm).JNI_GetCreatedJavaVMs(ctypes.byref(vm), 1, ctypes.byref(count))
    table = ctypes.cast(vm, ctypes.POINTER(ctypes.POINTER(ctypes.c_void_p)))[0]
    ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)(table[DESTROY_JAVA_VM])(vm)


asyncio.run(main(sys.argv[1]))
end(sys.argv[2])
