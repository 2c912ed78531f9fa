/** What is checked of arguments wherever kernels are enqueued; not exported. */
@NullMarked
package dev.stretto.kernels.argument;

import org.jspecify.annotations.NullMarked;
