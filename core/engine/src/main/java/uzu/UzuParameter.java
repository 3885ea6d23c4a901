package uzu;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** What the model is told of a parameter of a tool, or of a part of a type. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.PARAMETER, ElementType.FIELD, ElementType.METHOD, ElementType.TYPE})
public @interface UzuParameter {
    /** Its description. */
    String value() default "";

    /** Of a tool's parameter: its name, the source's own where it is empty. */
    String name() default "";
}
