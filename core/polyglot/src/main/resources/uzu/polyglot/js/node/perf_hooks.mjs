const { performance } = globalThis;
export { performance };
export default { performance };
