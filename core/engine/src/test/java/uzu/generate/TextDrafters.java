package uzu.generate;

import java.util.List;
import uzu.speculate.Conditions;
import uzu.speculate.Drafter;
import uzu.speculate.NgramTables;
import uzu.speculate.NgramTablesBuilder;
import uzu.speculate.Proposer;
import uzu.speculate.Recall;
import uzu.speculate.Tables;

/** Drafters that know some texts, prompts with their replies, beforehand. */
final class TextDrafters {
    private TextDrafters() {}

    /** Every other text was said in another conversation. */
    static Drafter recall(List<List<Integer>> texts, int promptLength) {
        Recall recall = new Recall();
        for (int i = 0; i < texts.size(); i += 2) {
            Tokens said = new Tokens();
            texts.get(i).forEach(said::add);
            try (Proposer proposer = recall.proposer()) {
                proposer.reply(promptLength);
                proposer.begin(said, Conditions.GREEDY);
            }
        }
        return recall;
    }

    /** Bigrams and trigrams of the texts. */
    static Drafter tables(List<List<Integer>> texts) {
        NgramTablesBuilder builder = new NgramTablesBuilder(0, 2, 2);
        for (List<Integer> text : texts) {
            for (int i = 2; i < text.size(); i += 3) {
                int before = text.get(i - 1);
                double[] all = {1};
                int[] next = {text.get(i)};
                builder.add(1, NgramTablesBuilder.hash(before), 2, next, all);
                builder.add(2, NgramTablesBuilder.hash(text.get(i - 2), before), 2, next, all);
            }
        }
        NgramTables tables = NgramTables.of(builder.build(), "test");
        return new Tables(() -> tables);
    }
}
