/**
 * Enqueuing copies: checks both ends, decides the way, hands over to the stream's queue and reports
 * to those who observe. Knows no type of a program's but arrays; the caller gives the form of a
 * copy. Not exported.
 */
@NullMarked
package dev.stretto.enqueue;

import org.jspecify.annotations.NullMarked;
