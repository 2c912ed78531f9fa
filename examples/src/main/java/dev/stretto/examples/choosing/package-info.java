/** Kernels that are chosen by what a device can. */
@NullMarked
package dev.stretto.examples.choosing;

import org.jspecify.annotations.NullMarked;
