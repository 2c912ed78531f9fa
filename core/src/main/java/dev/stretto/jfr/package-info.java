/**
 * Events of the JDK's Flight Recorder. They are off unless a recording enables them by name; while
 * off, they cost the read of a field that the JIT folds. Everything goes through {@link
 * dev.stretto.jfr.Flight}, which does nothing if the module {@code jdk.jfr} is absent. Not
 * exported.
 */
@NullMarked
package dev.stretto.jfr;

import org.jspecify.annotations.NullMarked;
