/**
 * Every way of copying, filling, allocating, launching and waiting, over sizes, streams and
 * threads, under the names and by the rules of {@code bench/cpp/sweep.cu}, which does the same in
 * C++.
 */
@NullMarked
package dev.stretto.bench.sweep;

import org.jspecify.annotations.NullMarked;
