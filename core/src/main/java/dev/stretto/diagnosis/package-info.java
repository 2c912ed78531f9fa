/**
 * The findings of a {@link dev.stretto.Diagnosis}: calls that blocked the host, and work that was
 * serial without need. Each finding has its rule, its place in the program, and advice on what to
 * write instead.
 *
 * @see <a href="{@docRoot}/dev.stretto/doc-files/guide/07-hidden-synchronization.html">The guide:
 *     hidden synchronization</a>
 */
@NullMarked
package dev.stretto.diagnosis;

import org.jspecify.annotations.NullMarked;
