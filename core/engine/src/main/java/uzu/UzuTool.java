package uzu;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A method that is a tool; {@link ToolFunction#ofMethods} finds it. Its parameters are the tool's, by their names in the
 * source (compiled with {@code -parameters}) or in {@link UzuParameter}; one of type {@link CancelToken} gets the
 * reply's. What it returns becomes JSON.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface UzuTool {
    /** The method's own where it is empty. */
    String name() default "";

    /** For the model. */
    String description() default "";
}
