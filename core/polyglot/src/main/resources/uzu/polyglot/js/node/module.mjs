export const { createRequire } = globalThis[Symbol.for('uzu.node')].require;
export const builtinModules = [
    'assert', 'async_hooks', 'buffer', 'crypto', 'events', 'fs', 'module', 'os', 'path', 'perf_hooks', 'process',
    'readline/promises', 'stream/web', 'test', 'timers', 'url', 'util',
];
export const isBuiltin = (name) => builtinModules.includes(String(name).replace(/^node:/, ''));
export default { createRequire, builtinModules, isBuiltin };
