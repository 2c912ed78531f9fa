/**
 * Everything that can go wrong on a GPU and that the JDK has no type for. All unchecked, each with
 * the numbers and the way out.
 */
@NullMarked
package dev.stretto.fault;

import org.jspecify.annotations.NullMarked;
