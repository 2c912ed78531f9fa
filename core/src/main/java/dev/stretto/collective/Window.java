package dev.stretto.collective;

import dev.stretto.Event;
import dev.stretto.Stream;
import dev.stretto.fault.ClosedException;
import dev.stretto.memory.GlobalBytes;
import java.util.Objects;

/**
 * Memory of a device to which all other ranks of a communicator have access too, for all-gathers
 * and all-to-alls without kernels: NCCL's symmetric window, {@code ncclCommWindowRegister}, with
 * {@code NCCL_CTA_POLICY_ZERO}. {@link Communicator#awaitWindow} makes one of each rank's.
 *
 * {@snippet :
 * try (Window all = ranks.awaitWindow(4 * bytesEach)) { // of four ranks
 *   GlobalFloats own = all.memory().asFloats().slice(rank * floatsEach, floatsEach);
 *   stream.launch(grid, step, own);
 *   all.allGather(stream, bytesEach); // the multiprocessors are free meanwhile
 * }
 * }
 *
 * <p>The device's copy engines do the work if {@link #isByCopyEngines()}: NCCL from 2.28 on, with 2
 * to 16 ranks on GPUs that reach each other's memory. Otherwise the operations are those of the
 * communicator, with the same results. Copy engines need some 10 microseconds more than kernels for
 * an operation. They leave the multiprocessors alone, except for an all-to-all of many bytes: NCCL
 * then moves a rank's own part by a kernel.
 *
 * <p>The memory is used as any array's: by copies, launches and other streams. Only the
 * communicator's own operations take no part of it, since NCCL requires that all ranks use windows
 * there, or none.
 */
public final class Window implements AutoCloseable {
  private final Communicator ranks;
  private final GlobalBytes memory;
  private final boolean isRegistered;

  Window(Communicator ranks, GlobalBytes memory, boolean isRegistered) {
    this.ranks = ranks;
    this.memory = memory;
    this.isRegistered = isRegistered;
  }

  /** {@return this rank's memory} It is uninitialized, and closed with the window. */
  public GlobalBytes memory() {
    return memory;
  }

  /** {@return whether copy engines do the work; the same for all ranks} */
  public boolean isByCopyEngines() {
    return isRegistered;
  }

  /**
   * Gives all ranks the parts of all, in place: part k of the memory is what rank k has there.
   *
   * @param stream of the communicator's device
   * @param bytesEach how many bytes a part has; the same on all ranks. The parts lie one after the
   *     other from the beginning of the memory on
   * @return an event that happens when the operation is done on this rank
   * @throws IllegalArgumentException if the number is not positive, or the parts do not fit
   * @throws ClosedException if the window is closed
   * @throws RuntimeException otherwise as {@link Communicator#allGather}
   */
  public Event allGather(Stream stream, long bytesEach) {
    Objects.requireNonNull(stream, "stream");
    return ranks.enqueue(stream, ranks.arguments().gatherWithin(memory, bytesEach, isRegistered));
  }

  /**
   * Sends each rank its part of this memory, and receives a part of each in another window: part k
   * goes to rank k, and what rank k has sent becomes part k there.
   *
   * @param stream of the communicator's device
   * @param to another window of the communicator, the same on all ranks
   * @param bytesEach how many bytes a part has; the same on all ranks
   * @return an event that happens when the operation is done on this rank
   * @throws IllegalArgumentException if the number is not positive, the parts do not fit into both,
   *     or the other window is this one or another communicator's
   * @throws ClosedException if a window is closed
   * @throws RuntimeException otherwise as {@link Communicator#allToAll}
   */
  public Event allToAll(Stream stream, Window to, long bytesEach) {
    Objects.requireNonNull(stream, "stream");
    Objects.requireNonNull(to, "to");
    if (to.ranks != ranks) {
      throw new IllegalArgumentException("%s is not a window of %s".formatted(to, ranks));
    }
    return ranks.enqueue(
        stream,
        ranks.arguments().exchange(memory, to.memory, bytesEach, isRegistered && to.isRegistered));
  }

  /**
   * Closes this rank's memory, which is given back when nothing here uses it any more. Other ranks'
   * windows are not affected: their operations with it have to be called before. Does not block.
   * Closing it again has no further effect.
   */
  @Override
  public void close() {
    ranks.arguments().forget(memory);
    memory.close();
  }

  /** {@return the bytes and the communicator} */
  @Override
  public String toString() {
    return "a window of %d bytes, %s".formatted(memory.byteSize(), ranks);
  }
}
