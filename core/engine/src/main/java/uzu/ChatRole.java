package uzu;

/** Who a message is from. Templates know it by its name. */
public record ChatRole(String name) {
    public static final ChatRole SYSTEM = new ChatRole("system");
    public static final ChatRole DEVELOPER = new ChatRole("developer");
    public static final ChatRole USER = new ChatRole("user");
    public static final ChatRole ASSISTANT = new ChatRole("assistant");
    public static final ChatRole TOOL = new ChatRole("tool");
}
