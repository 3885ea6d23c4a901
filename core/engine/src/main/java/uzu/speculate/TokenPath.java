package uzu.speculate;

/** The tokens of a conversation so far, the last of which needn't be committed yet. */
public interface TokenPath {
    int size();

    int get(int index);
}
