package uzu.kotlin

/** Marks what `engineConfig { … }` and its like build, so that blocks don't reach into the ones around them. */
@DslMarker
@Target(AnnotationTarget.CLASS)
annotation class UzuDsl
