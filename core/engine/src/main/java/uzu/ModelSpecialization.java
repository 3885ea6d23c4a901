package uzu;

/** What a model was made for. */
public enum ModelSpecialization {
    CHAT,
    CODE
}
