package uzu.grammar;

import java.util.ArrayList;
import java.util.List;

/** Shapes that refer to each other: what is possible among them, and at what cost. */
final class ShapeGraph {
    private final List<ValueShape> shapes = new ArrayList<>();

    ValueShape create() {
        ValueShape shape = new ValueShape();
        shapes.add(shape);
        return shape;
    }

    /** To be called when all are filled. */
    void settle() {
        boolean news = true;
        while (news) {
            news = false;
            for (ValueShape shape : shapes) {
                news |= shape.findPossible();
            }
        }
        shapes.forEach(ValueShape::dropImpossible);
        news = true;
        while (news) {
            news = false;
            for (ValueShape shape : shapes) {
                news |= shape.shorten();
            }
        }
        shapes.forEach(ValueShape::settle);
    }

    /** No byte of a value makes what is to come longer by more. */
    int dearest() {
        int dearest = 0;
        for (ValueShape shape : shapes) {
            dearest = shape.isPossible() ? Math.max(dearest, shape.dearest()) : dearest;
        }
        return dearest;
    }
}
