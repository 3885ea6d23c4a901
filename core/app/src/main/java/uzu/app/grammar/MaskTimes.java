package uzu.app.grammar;

import java.util.Arrays;
import java.util.List;
import uzu.backend.ArrayLogits;
import uzu.grammar.CompiledGrammar;
import uzu.grammar.GrammarCompiler;
import uzu.grammar.Syntax;
import uzu.speculate.Constraint;
import uzu.tokenizer.Tokenizer;

/**
 * What masks along given texts take on a vocabulary, in nanoseconds each.
 *
 * @param compile by grammar, in order
 * @param first of the masks when a grammar's texts are seen for the first time
 * @param again of the same masks afterwards
 */
record MaskTimes(long[] compile, long[] first, long[] again) {
    /** @param texts one a task, each what the task's grammar allows */
    static MaskTimes measure(Tokenizer tokenizer, List<GrammarTask> tasks, List<String> texts) {
        // with the vocabulary's trie made, and the code seen by the compilers
        pass(tokenizer, new GrammarCompiler(tokenizer, tokenizer.endOfGeneration()), tasks, texts, new long[50]);
        GrammarCompiler compiler = new GrammarCompiler(tokenizer, tokenizer.endOfGeneration());
        compiler.compile(Syntax.json(), false);
        long[] compile = new long[tasks.size()];
        long[] first = pass(tokenizer, compiler, tasks, texts, compile);
        long[] again = pass(tokenizer, compiler, tasks, texts, new long[tasks.size()]);
        return new MaskTimes(compile, first, again);
    }

    private static long[] pass(
            Tokenizer tokenizer,
            GrammarCompiler compiler,
            List<GrammarTask> tasks,
            List<String> texts,
            long[] compile) {
        long[] times = new long[1024];
        int n = 0;
        int size = tokenizer.size();
        ArrayLogits logits = new ArrayLogits(new float[size]);
        for (int i = 0; i < tasks.size(); i++) {
            long start = System.nanoTime();
            CompiledGrammar grammar =
                    compiler.compile(Syntax.jsonSchema(tasks.get(i).schema()), false);
            compile[i] = System.nanoTime() - start;
            int[] tokens = tokenizer.encode(texts.get(i), false);
            Constraint state = grammar.start(tokens.length + 10_000);
            for (int token : tokens) {
                long asked = System.nanoTime();
                state.mask(logits, size);
                if (n == times.length) {
                    times = Arrays.copyOf(times, 2 * n);
                }
                times[n++] = System.nanoTime() - asked;
                state = state.after(token);
            }
        }
        return Arrays.copyOf(times, n);
    }
}
