package uzu.chat.parse;

import uzu.ToolChoice;

/**
 * Which calls a reply may or must have.
 *
 * @param parallel whether there may be several calls
 * @param constrainedArguments whether arguments follow the tools' schemas, not only the form of a call
 * @param maySayNothing whether a reply without calls may be blank
 */
public record CallRules(ToolChoice choice, boolean parallel, boolean constrainedArguments, boolean maySayNothing) {}
