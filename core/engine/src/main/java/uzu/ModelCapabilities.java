package uzu;

/**
 * What a model on this machine can do, read from its files without loading the weights.
 *
 * @param chat whether it has a chat template
 * @param reasoning whether its template knows a reasoning mode
 * @param tools how it is told of tools
 * @param contextLength most tokens of a conversation
 */
public record ModelCapabilities(boolean chat, boolean reasoning, ToolSupport tools, int contextLength) {}
