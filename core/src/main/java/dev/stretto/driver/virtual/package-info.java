/**
 * The driver that needs no GPU. It models the memory, streams, engines and clock of devices, and
 * enforces CUDA's rules more strictly than CUDA does.
 *
 * <p>One {@link dev.stretto.driver.virtual.Platform} holds the state that the devices of a driver
 * share: the lock that guards every queue, the host's memory and clock, and the scheduler. Each
 * ordinal has one {@link dev.stretto.driver.virtual.PrimaryContext} while it is open. Calls become
 * operations in streams; {@link dev.stretto.driver.virtual.StreamOrder} says which of them may run,
 * a {@link dev.stretto.driver.virtual.Scheduler} picks when they do. Their modelled times are fixed
 * when they are submitted, so they do not depend on the scheduler.
 */
@NullMarked
package dev.stretto.driver.virtual;

import org.jspecify.annotations.NullMarked;
