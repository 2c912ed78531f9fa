/**
 * Runs a program under many schedules of seeded devices, and works on those that fail: an {@link
 * dev.stretto.schedule.Explorer} finds one, repeats it and makes it short; a {@link
 * dev.stretto.schedule.Trace} is what happened, as text.
 *
 * @see <a href="{@docRoot}/dev.stretto/doc-files/guide/testing-without-a-gpu.html">The guide:
 *     testing without a GPU</a>
 */
@NullMarked
package dev.stretto.schedule;

import org.jspecify.annotations.NullMarked;
