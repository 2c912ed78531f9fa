/**
 * Exceptions for failures on a GPU that the JDK has no type for. All are unchecked, and each
 * message has the numbers and the way out.
 *
 * @see <a href="{@docRoot}/dev.stretto/doc-files/guide/errors.html">The guide: errors</a>
 */
@NullMarked
package dev.stretto.fault;

import org.jspecify.annotations.NullMarked;
