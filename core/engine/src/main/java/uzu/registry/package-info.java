/** Catalogs, downloads and storage of models. */
@NullMarked
package uzu.registry;

import org.jspecify.annotations.NullMarked;
