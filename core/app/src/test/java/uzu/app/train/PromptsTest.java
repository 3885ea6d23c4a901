package uzu.app.train;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PromptsTest {
    private static List<int[]> turns(int from, int to) {
        List<int[]> turns = new ArrayList<>();
        for (int i = from; i < to; i++) {
            turns.add(new int[] {7, i});
        }
        return turns;
    }

    private static List<Integer> draw(Prompts prompts, int count) {
        Random random = new Random(5);
        List<Integer> drawn = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            drawn.add(prompts.next(random).tokens()[1]);
        }
        return drawn;
    }

    @Test
    void noneComesAgainBeforeAllHaveCome() {
        List<Integer> drawn = draw(Prompts.of(List.of(turns(0, 50)), 1), 100);
        assertEquals(50, drawn.subList(0, 50).stream().distinct().count());
        assertEquals(50, drawn.subList(50, 100).stream().distinct().count());
    }

    @Test
    void thoseOfEarlierRunsAreLeftOutUntilAllOthersHaveCome() {
        Prompts prompts = Prompts.of(List.of(turns(0, 50)), 1);
        List<int[]> used = turns(10, 40);
        used.add(new int[] {7, 99});
        assertEquals(30, prompts.leaveOut(used));
        List<Integer> drawn = draw(prompts, 50);
        assertEquals(20, drawn.subList(0, 20).stream().distinct().count());
        assertTrue(drawn.subList(0, 20).stream().noneMatch(i -> i >= 10 && i < 40), drawn::toString);
    }

    @Test
    void thePromptOfADialogueIsFoundBetweenTheTemplatesPieces() {
        Turns turns = new Turns(new int[][] {{1, 2}, {1, 3, 3, 2}}, new int[] {8, 9}, new int[] {8, 2}, new int[] {8});
        for (int[] opening : turns.openings()) {
            Dialogue dialogue = new Dialogue();
            dialogue.given(opening);
            dialogue.given(new int[] {40, 41});
            dialogue.given(turns.toAnswer());
            dialogue.read(50, Dialogue.ASSISTANT, new int[Dialogue.TOP], new float[Dialogue.TOP]);
            assertArrayEquals(new int[] {40, 41}, turns.prompt(dialogue));
        }
    }
}
