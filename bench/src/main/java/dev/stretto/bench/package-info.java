/** Benchmarks: on a GPU compared with the same job in C++, and on the host with JMH. */
@NullMarked
package dev.stretto.bench;

import org.jspecify.annotations.NullMarked;
