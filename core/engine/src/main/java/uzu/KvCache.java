package uzu;

/** How keys and values are stored; a row reads its own batch's keys and values as they are stored. */
public enum KvCache {
    /** Half precision. */
    F16,
    F32,
    BF16,
    /** Eight bits, with a scale for 32 numbers of a head: 0.53 of half precision's memory. */
    Q8,
    /** Values in four bits, with a scale and a minimum for 32 numbers, keys as in Q8: 0.42 of half precision's memory. */
    Q4
}
