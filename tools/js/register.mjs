// node --import tools/js/register.mjs FILE: the file finds the package uzu, and may be TypeScript, wherever it lies.
import { register } from 'node:module';

register('./hooks.mjs', import.meta.url);
