/** The tests that aren't of Node.js itself, for GraalJS, where one program runs them all. */
import './values.test.mjs';
import './engine.test.mjs';
import './chat.test.mjs';
import './tools.test.mjs';
