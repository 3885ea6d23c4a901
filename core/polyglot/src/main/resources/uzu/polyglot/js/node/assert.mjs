export * from 'node:assert/strict';
export { default } from 'node:assert/strict';
