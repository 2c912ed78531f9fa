/** Numbered examples, each a page long and each with its expected output. */
@NullMarked
package dev.stretto.examples;

import org.jspecify.annotations.NullMarked;
