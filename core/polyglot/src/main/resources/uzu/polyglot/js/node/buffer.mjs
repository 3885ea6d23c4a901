const { Buffer, Blob, File, atob, btoa } = globalThis;
export { Buffer, Blob, File, atob, btoa };
export default { Buffer, Blob, File, atob, btoa };
