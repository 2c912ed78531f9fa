/**
 * Shows when operations ran: a {@link dev.stretto.timeline.Timeline} records the operations of a
 * device, {@link dev.stretto.timeline.Overlap} computes how much of the copying was hidden, and
 * {@link dev.stretto.timeline.TextTimeline}, {@link dev.stretto.timeline.HtmlTimeline} and {@link
 * dev.stretto.timeline.ChromeTrace} display it: in a terminal, in a browser, in Perfetto.
 *
 * <p>All times are those of the device's clock. On a virtual device that clock is modelled: the
 * picture is that of the modelled device, and the same on every run.
 *
 * @see <a href="{@docRoot}/dev.stretto/doc-files/guide/timelines.html">The guide: timelines</a>
 */
@NullMarked
package dev.stretto.timeline;

import org.jspecify.annotations.NullMarked;
