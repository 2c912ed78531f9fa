/**
 * What the program's own classes do with host memory: an agent makes them call this package. Not
 * exported; the agent exports it to the modules whose classes it changes.
 */
@NullMarked
package dev.stretto.order.program;

import org.jspecify.annotations.NullMarked;
