package uzu.model;

/**
 * An RMS norm of an exported model.
 *
 * @param plus added to each stored scale
 */
record ExportedNorm(float epsilon, float plus, boolean hasScale) {
    static ExportedNorm read(ExportedObject norm) {
        norm.refuse("has_biases");
        return readScales(norm);
    }

    /** Of a norm whose biases are read elsewhere. */
    static ExportedNorm readScales(ExportedObject norm) {
        double epsilon = norm.positive("epsilon");
        double plus = norm.numberOr("scale_offset", 0);
        String upcast = norm.text("upcast_mode"); // how far results are rounded in between; here never
        if (!upcast.equals("only_normalization") && !upcast.equals("full_layer")) {
            throw norm.unsupported("upcast_mode", upcast, "only_normalization, full_layer");
        }
        norm.refuse("subtract_mean");
        norm.has("has_biases");
        boolean hasScale = norm.flag("has_scale", true);
        norm.finish();
        return new ExportedNorm((float) epsilon, (float) plus, hasScale);
    }
}
