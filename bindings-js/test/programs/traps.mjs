// V8 finds accesses out of bounds by SIGSEGV; the JVM, which came later, must hand on those that aren't its own.
import { Engine } from 'uzu';

const engine = await Engine.create();
// (module (memory 1) (func (export "load") (param i32) (result i32) (i32.load (local.get 0))))
const bytes = Uint8Array.from([
    0, 97, 115, 109, 1, 0, 0, 0, 1, 6, 1, 96, 1, 127, 1, 127, 3, 2, 1, 0, 5, 3, 1, 0, 1, 7, 8, 1, 4, 108, 111, 97, 100,
    0, 0, 10, 9, 1, 7, 0, 32, 0, 40, 2, 0, 11,
]);
const { instance } = await WebAssembly.instantiate(bytes);
try {
    instance.exports.load(0x7fffffff);
} catch (error) {
    console.log(error.name);
}
await engine.close();
