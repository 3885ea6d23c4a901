/** The program behind {@code tools/tools}: a command a class, each of which first does what it needs. */
package uzu.tools;
