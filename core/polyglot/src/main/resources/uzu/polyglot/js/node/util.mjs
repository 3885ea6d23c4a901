const { format, inspect: inspected } = globalThis[Symbol.for('uzu.node')];
export const inspect = (value) => inspected(value);
export { format };
export default { inspect, format };
