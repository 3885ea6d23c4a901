package uzu.app;

import java.io.PrintStream;
import java.util.List;
import uzu.UzuException;
import uzu.app.grammar.GrammarBench;
import uzu.app.speculation.SpeculationBench;

/** {@code bench WHAT …}: measurements. Each prints what it compares and how it was taken. */
final class Bench {
    private static final String USAGE = """
            usage: tools/tools bench <what> …
              kernels   matrix kernels by tensor type and rows, attention, row kernels, the team's barrier, sampling,
                        beside what this machine can do at most
                [--threads 1,2] [--rows 1,2,4,8,16,64] [--types q4_1,q6_k] [--kernels NAME]
                [--parts matrices,attention,rows,team,sampling] [--json FILE] [--markdown FILE]
              model MODEL…   decode at two contexts, prefill, passes by rows, and what a fresh process takes; beside
                        llama.cpp on the same file, threads and ids, in turns: with --against llama.cpp
                [--threads 1,2] [--context 128,4096] [--prefill 128,512,2048] [--rows 1,2,4,8,16,32] [--rounds 5]
                [--kernels NAME] [--cache f16] [--start yes|no] [--flash auto|on|off: the peer's]
                [--json FILE] [--markdown FILE]; none instead of numbers leaves a measure out
              start MODEL    a fresh process: loading, the first passes, the first token of a prompt, memory
                [--threads N] [--kernels NAME] [--json FILE]
              profile MODEL  where the time of a pass goes
                [--rows 1,8,256] [--threads N] [--kernels NAME]
              speculation MODEL…   real questions answered plainly, with each drafter, with all, and by llama.cpp
                [--tasks mt-bench,humaneval,summary,edit,copy,records,random] [--questions 10: most of a task]
                [--tokens 256]
                [--drafters lookup,recall,tables,network,texts,draft,auto] [--draft MODEL] [--against llama.cpp]
                [--threads N] [--ids yes: compare ids]
                [--seconds S: then stop with status 3; the same command with --json goes on]
                [--measure no: only report] [--json FILE] [--markdown FILE] [--chart FILE.svg]
                --equality N: instead, whether N replies with drafts are those without [--draft MODEL] [--tokens 40]
                [--seconds S: then stop with status 3] [--from TRIAL]
              grammar MODEL  fifty tasks answered in their schemas with speculation, beside free text without; what masks take
                [--tasks 50] [--tokens 128] [--threads N] [--vocabulary MODEL: masks over another's]
              sampling MODEL what drawing a token costs, from the model's own logits and from hard ones
                [--draws 300]
              quality MODEL… what fast arithmetic costs against exact, on a text; beside a peer's cost
                [--text FILE] [--tokens 2000] [--peer llama.cpp [--limit R]]
              greedy MODEL   greedy continuations beside llama.cpp's
                [--tokens 64] [--precision fast|exact]
            NAME: auto, scalar, vector, avx2, avxvnni, avx512, neon, dotprod, i8mm""";

    private Bench() {}

    static int run(List<String> arguments, PrintStream out) {
        if (arguments.isEmpty()) {
            out.println(USAGE);
            return 2;
        }
        Arguments rest = new Arguments(arguments.subList(1, arguments.size()));
        return switch (arguments.getFirst()) {
            case "kernels" -> new KernelBench(out).run(rest);
            case "model" -> new ModelBench(out).run(rest);
            case "start" -> new StartBench(out).run(rest);
            case "profile" -> new ProfileBench(out).run(rest);
            case "speculation" -> new SpeculationBench(out).run(rest);
            case "grammar" -> new GrammarBench(out).run(rest);
            case "sampling" -> new SamplingBench(out).run(rest);
            case "quality" -> new Quality(out).run(rest);
            case "greedy" -> new Greedy(out).run(rest);
            default ->
                throw new UzuException.InvalidArgument(
                        "bench knows nothing called " + arguments.getFirst() + "\n" + USAGE);
        };
    }
}
