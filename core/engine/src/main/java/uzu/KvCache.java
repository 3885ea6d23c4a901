package uzu;

/** How keys and values are stored; a row reads its own batch's keys and values as they are stored. */
public enum KvCache {
    F16,
    F32,
    BF16
}
