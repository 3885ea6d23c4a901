package uzu.backend.cpu;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import uzu.backend.Activation;

/** What {@link TinyModel} should compute, in doubles and plain loops, token after token of one sequence. */
final class TinyReference {
    private final TinyModel model;
    private final List<List<double[]>> keys = new ArrayList<>();
    private final List<List<double[]>> values = new ArrayList<>();

    TinyReference(TinyModel model) {
        this.model = model;
        for (int layer = 0; layer < TinyModel.LAYERS; layer++) {
            keys.add(new ArrayList<>());
            values.add(new ArrayList<>());
        }
    }

    double[] next(int token) {
        int position = keys.getFirst().size();
        double[] x = new double[TinyModel.WIDTH];
        for (int i = 0; i < x.length; i++) {
            x[i] = 1.5 * model.weights.get("embed")[token * TinyModel.WIDTH + i];
        }
        for (int layer = 0; layer < TinyModel.LAYERS; layer++) {
            String l = layer + ".";
            double[] n = norm(x, l + "norm", x.length);
            double[] q = norm(times(l + "q", n), l + "q.norm", model.headSize);
            double[] k = times(l + "k", n);
            for (int i = 0; i < k.length; i++) {
                k[i] += model.weights.get(l + "k.bias")[i];
            }
            rotate(q, position, layer);
            rotate(k, position, layer);
            keys.get(layer).add(k);
            values.get(layer).add(times(l + "v", n));
            add(x, times(l + "o", attend(q, position, layer)));
            n = norm(x, l + "ffn.norm", x.length);
            double[] gate = times(l + "gate", n);
            double[] up = times(l + "up", n);
            for (int i = 0; i < gate.length; i++) {
                gate[i] = activate(TinyModel.activation(layer), gate[i]) * up[i];
            }
            add(x, times(l + "down", gate));
        }
        double[] logits = times("embed", norm(x, "norm", x.length));
        for (int i = 0; i < logits.length; i++) {
            logits[i] = TinyModel.LOGIT_CAP * Math.tanh(logits[i] / TinyModel.LOGIT_CAP);
        }
        return logits;
    }

    private double[] attend(double[] q, int position, int layer) {
        int size = model.headSize;
        int window = TinyModel.window(layer);
        int first = window == 0 ? 0 : Math.max(0, position - window + 1);
        double[] out = new double[q.length];
        for (int head = 0; head < TinyModel.HEADS; head++) {
            int kv = head / (TinyModel.HEADS / TinyModel.KV_HEADS);
            double[] scores = new double[position + 1];
            double max = Double.NEGATIVE_INFINITY;
            for (int j = first; j <= position; j++) {
                double dot = 0;
                for (int c = 0; c < size; c++) {
                    dot += q[head * size + c] * keys.get(layer).get(j)[kv * size + c];
                }
                double score = TinyModel.SCALE * dot;
                scores[j] = layer == 2 ? TinyModel.SCORE_CAP * Math.tanh(score / TinyModel.SCORE_CAP) : score;
                max = Math.max(max, scores[j]);
            }
            double sum = 0;
            for (int j = first; j <= position; j++) {
                double e = Math.exp(scores[j] - max);
                sum += e;
                for (int c = 0; c < size; c++) {
                    out[head * size + c] += e * values.get(layer).get(j)[kv * size + c];
                }
            }
            for (int c = 0; c < size; c++) {
                out[head * size + c] /= sum;
            }
        }
        return out;
    }

    private void rotate(double[] x, int position, int layer) {
        float[] frequencies = model.ropes[layer % 2].frequencies();
        double magnitude = model.ropes[layer % 2].magnitude();
        int half = frequencies.length;
        for (int head = 0; head < x.length; head += model.headSize) {
            for (int i = 0; i < half; i++) {
                double angle = (float) position * frequencies[i];
                double a = x[head + i];
                double b = x[head + half + i];
                x[head + i] = magnitude * (a * Math.cos(angle) - b * Math.sin(angle));
                x[head + half + i] = magnitude * (b * Math.cos(angle) + a * Math.sin(angle));
            }
        }
    }

    private double[] times(String name, double[] x) {
        float[] matrix = model.weights.get(name);
        double[] out = new double[matrix.length / x.length];
        for (int i = 0; i < matrix.length; i++) {
            out[i / x.length] += matrix[i] * x[i % x.length];
        }
        return out;
    }

    private double[] norm(double[] x, String name, int columns) {
        float[] weight = model.weights.get(name);
        double[] out = new double[x.length];
        for (int start = 0; start < x.length; start += columns) {
            double mean =
                    Arrays.stream(x, start, start + columns).map(v -> v * v).sum() / columns;
            for (int c = 0; c < columns; c++) {
                out[start + c] = x[start + c] / Math.sqrt(mean + TinyModel.EPSILON) * weight[c];
            }
        }
        return out;
    }

    private static double activate(Activation activation, double x) {
        return switch (activation) {
            case SILU -> x / (1 + Math.exp(-x));
            case GELU_TANH -> 0.5 * x * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x * x * x)));
        };
    }

    private static void add(double[] x, double[] y) {
        for (int i = 0; i < x.length; i++) {
            x[i] += y[i];
        }
    }
}
