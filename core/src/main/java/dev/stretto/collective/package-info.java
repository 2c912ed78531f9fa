/**
 * Shares data among several devices: a {@link dev.stretto.collective.Collective} broadcasts,
 * scatters, gathers and exchanges arrays by copies and events alone, in chunks that devices pass on
 * while the next ones arrive. A {@link dev.stretto.collective.Communicator} does it between
 * processes, by NCCL or over TCP, and combines arrays.
 *
 * @see <a href="{@docRoot}/dev.stretto/doc-files/guide/20-several-devices.html">The guide: several
 *     devices</a>
 */
@NullMarked
package dev.stretto.collective;

import org.jspecify.annotations.NullMarked;
