/** The command {@code stretto}. */
@NullMarked
package dev.stretto.cli;

import org.jspecify.annotations.NullMarked;
