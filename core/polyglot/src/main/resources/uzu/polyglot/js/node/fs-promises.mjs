import { promises } from 'node:fs';

export const { readFile, writeFile, mkdir, mkdtemp, readdir, rm } = promises;
export default promises;
