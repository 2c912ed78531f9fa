/**
 * Enqueues copies: checks both ends, decides the way, hands the copy to the stream's queue and
 * reports it to observers. Of the public types it knows arrays only; the caller provides the form
 * of a copy. Not exported.
 */
@NullMarked
package dev.stretto.enqueue;

import org.jspecify.annotations.NullMarked;
