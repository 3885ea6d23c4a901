const { ReadableStream, WritableStream, TransformStream, TextDecoderStream, TextEncoderStream } = globalThis;
export { ReadableStream, WritableStream, TransformStream, TextDecoderStream, TextEncoderStream };
export default { ReadableStream, WritableStream, TransformStream, TextDecoderStream, TextEncoderStream };
