/**
 * The server of the JDK's management beans. No other package knows it. {@link
 * dev.stretto.jmx.Beans} says whether the module {@code java.management} is there. Not exported.
 */
@NullMarked
package dev.stretto.jmx;

import org.jspecify.annotations.NullMarked;
