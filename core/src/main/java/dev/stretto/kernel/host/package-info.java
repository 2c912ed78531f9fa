/**
 * The Java method that is a kernel, on the host: whether its threads wait for each other, and how
 * it is called for every thread of a launch. It does not know the vocabulary in which the method is
 * written; that comes with the method.
 */
@NullMarked
package dev.stretto.kernel.host;

import org.jspecify.annotations.NullMarked;
