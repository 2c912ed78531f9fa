/**
 * The driver that needs no GPU: devices whose memory, streams, engines and clock are modelled, and
 * that keep CUDA's rules more strictly than CUDA does.
 *
 * <p>One {@link dev.stretto.driver.virtual.Platform} holds what the devices of a driver share: the
 * lock that guards every queue, the host's memory and clock, and the scheduler. Each ordinal has
 * one {@link dev.stretto.driver.virtual.PrimaryContext} while anybody holds it open. Calls become
 * operations in streams; {@link dev.stretto.driver.virtual.StreamOrder} says which of them may run,
 * a {@link dev.stretto.driver.virtual.Scheduler} picks when they do, and their modelled times are
 * fixed when they are submitted and so do not depend on that.
 */
@NullMarked
package dev.stretto.driver.virtual;

import org.jspecify.annotations.NullMarked;
