package uzu.backend.cpu;

/**
 * Products of packed matrices with a few or many rows. Addresses are absolute; nothing is allocated per row or output.
 * A result depends on its own row and output only: never on the other rows, on how units are split, or on which twin
 * computes it. Twins agree bit for bit on finite inputs (other inputs give results that aren't finite); what they
 * compute, every operation rounded to float once:
 *
 * <p><b>Prepared inputs</b> of a matrix that takes int8: the row in groups of 32, for each d = max|x| / 127 and q =
 * x / d rounded half to even; where d is below {@link Float#MIN_NORMAL}, d = 0 and q = 0. Otherwise the floats
 * themselves.
 *
 * <p><b>int8 products.</b> acc = 0; for each group in order acc = fma(w·d, isum, acc), then for types with a minimum
 * acc = fma(m, d·qsum, acc), where isum and qsum = Σ q are exact integers (below 2²⁴, so exact as floats) and w, m are:
 * <ul>
 *   <li>Q4_0, Q5_0, Q8_0: w the group's scale, isum = Σ (quant − offset)·q, offset 8, 16, 0;
 *   <li>Q4_1, Q5_1: w the scale, m the minimum, isum = Σ quant·q;
 *   <li>Q4_K, Q5_K: w = scale·sub-scale, m = −(minimum·sub-minimum), isum = Σ quant·q;
 *   <li>Q6_K, Q3_K: w the super scale, isum = Σ over the two halves of sub-scale · Σ (quant − offset)·q, offset 32, 4;
 *   <li>Q2_K: w and isum likewise with offset 0, then acc = fma(−(minimum·d), Σ over the halves of sub-minimum · Σ q,
 *       acc).
 * </ul>
 *
 * <p><b>float products.</b> acc = 0; for each group of 32 columns (the last may be shorter) s = 0, s = fma(w, x, s) for
 * its columns in order, acc = acc + s. A quantised w is dequantised: w·(quant − offset), or w·quant + m, in two
 * roundings.
 *
 * <p><b>Both.</b> y = acc; y = y + bias if there is one; out = out + y if adding, else y.
 */
interface MatrixKernels {
    /** What runs, for reports: {@code scalar}, {@code avx2}, {@code avx512vnni}. */
    String description();

    /** Bytes that {@link #prepare} fills for {@code rows} inputs of {@code columns} floats, whatever the matrix. */
    long preparedBytes(int columns, int rows);

    /**
     * Makes inputs ready for products with {@code matrix}: of rows {@code from} to {@code to} at {@code x}, {@code
     * stride} floats from row to row, the groups of 32 columns from {@code first} to {@code last}. Different workers may
     * prepare different rows or groups at the same time. {@code prepared} is aligned to 64 bytes.
     */
    void prepare(PackedMatrix matrix, long x, int stride, int from, int to, int first, int last, long prepared);

    /** All groups of those rows. */
    default void prepare(PackedMatrix matrix, long x, int stride, int from, int to, long prepared) {
        prepare(matrix, x, stride, from, to, 0, MatrixLayout.groups(matrix.columns()), prepared);
    }

    /**
     * out[row][o] = (add ? out[row][o] : 0) + matrix[o]·x[row] + bias[o] for all {@code rows} and the outputs of units
     * {@code from} to {@code to} (see {@link PackedMatrix#units}); {@code bias} 0 for none.
     */
    void multiply(
            PackedMatrix matrix,
            int from,
            int to,
            long prepared,
            int rows,
            long out,
            int stride,
            long bias,
            boolean add);

    /** out = scale · matrix[row], dequantised. */
    void embed(PackedMatrix matrix, int row, float scale, long out);
}
