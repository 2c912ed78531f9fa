/**
 * Runs a kernel's Java method on the host: finds out whether its threads wait for each other, and
 * calls it for every thread of a launch. This package does not know the vocabulary in which the
 * method is written. Callers supply it along with the method.
 */
@NullMarked
package dev.stretto.kernel.host;

import org.jspecify.annotations.NullMarked;
