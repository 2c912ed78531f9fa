package dev.stretto.route;

import dev.stretto.fault.ClosedException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lends a fixed number of pinned buffers of one size. A returned buffer is lent again after the
 * last copy that uses it. If none is left, takers wait in order of arrival.
 */
public final class PinnedLeases extends Resource {
  /**
   * A taker that waits for a buffer. One method is called once, on any thread, and must not block.
   */
  public interface Taker {
    /**
     * Receives a buffer.
     *
     * @param block the buffer, which the taker has to close
     */
    void lent(PinnedBlock block);

    /**
     * Is called if there will be no buffer.
     *
     * @param why the cause
     */
    void refused(RuntimeException why);
  }

  private final Pinned pinned;
  private final long byteSize;
  private final ArrayDeque<Long> idle = new ArrayDeque<>();

  @GuardedBy("this")
  private final ArrayDeque<Taker> waiting = new ArrayDeque<>();

  private PinnedLeases(Pinned pinned, long byteSize) {
    this.pinned = pinned;
    this.byteSize = byteSize;
  }

  /**
   * {@return buffers that are pinned from now on}
   *
   * @param pinned the memory in whose budget they count
   * @param bytesEach at least 1
   * @param count at least 1
   */
  public static PinnedLeases open(Pinned pinned, long bytesEach, int count) {
    pinned.requireWithinBudget(bytesEach, count);
    PinnedLeases leases = new PinnedLeases(pinned, bytesEach);
    return pinned
        .device()
        .call(
            () -> {
              try {
                for (int i = 0; i < count; i++) {
                  leases.idle.add(pinned.take(bytesEach));
                }
              } catch (RuntimeException e) {
                leases.unpinIdle(() -> {});
                throw e;
              }
              if (!pinned.resources().adopt(leases)) {
                boolean _ = leases.closeAfterLastUse();
                throw pinned.device().closedException();
              }
              return leases;
            });
  }

  /** {@return how many buffers could be lent now} */
  public synchronized int available() {
    return idle.size();
  }

  /** {@return a buffer, or null if none is left or other takers wait for one} */
  public @Nullable PinnedBlock tryLend() {
    requireOpen();
    Long address;
    synchronized (this) {
      address = waiting.isEmpty() ? idle.poll() : null;
    }
    return address == null ? null : lendOrKeep(address);
  }

  /** Lends a buffer as soon as there is one; at once if there is. */
  public void lend(Taker taker) {
    requireOpen();
    Long address;
    synchronized (this) {
      address = waiting.isEmpty() ? idle.poll() : null;
      if (address == null) {
        waiting.add(taker);
      }
    }
    if (address != null) {
      taker.lent(lendOrKeep(address));
    } else if (!isOpen()) {
      refuseAll(); // the leases were closed meanwhile
    }
  }

  /** Forgets a taker that no longer waits. */
  public synchronized void forget(Taker taker) {
    boolean _ = waiting.remove(taker);
  }

  private void requireOpen() {
    pinned.device().requireUsable();
    if (!isOpen()) {
      throw closed();
    }
  }

  private static RuntimeException closed() {
    return new ClosedException("the pinned buffers are closed");
  }

  private PinnedBlock lendOrKeep(long address) {
    try {
      return lend(address);
    } catch (RuntimeException e) {
      keep(address);
      throw e;
    }
  }

  private void keep(long address) {
    synchronized (this) {
      if (isOpen()) {
        idle.push(address);
        return;
      }
    }
    pinned.giveBack(address, byteSize, () -> {});
  }

  private PinnedBlock lend(long address) {
    return pinned.device().call(() -> pinned.lend(address, byteSize, this));
  }

  /**
   * Takes a buffer back after its last use, and lends it to the next taker.
   *
   * @return false if no taker will ever need it, so that the caller has to unpin it
   */
  boolean takeBack(long address) {
    Taker next;
    synchronized (this) {
      if (!isOpen() || pinned.device().isClosed() || pinned.device().isLost()) {
        next = null;
      } else {
        next = waiting.poll();
        if (next == null) {
          idle.push(address); // the last one used is still in the caches
          return true;
        }
      }
    }
    if (next == null) {
      refuseAll();
      return false;
    }
    PinnedBlock block;
    try {
      block = lend(address);
    } catch (RuntimeException e) {
      next.refused(e);
      return false;
    }
    next.lent(block);
    return true;
  }

  private void refuseAll() {
    List<Taker> refused;
    synchronized (this) {
      refused = new ArrayList<>(waiting);
      waiting.clear();
    }
    refused.forEach(taker -> taker.refused(refusal()));
  }

  private RuntimeException refusal() {
    try {
      pinned.device().requireUsable();
      return closed();
    } catch (RuntimeException e) {
      return e;
    }
  }

  @Override
  public String describe() {
    return "pinned buffers of " + byteSize + " bytes each";
  }

  /** Buffers that are lent are unpinned when they come back. */
  @Override
  protected void release() {
    refuseAll();
    unpinIdle(
        () -> {
          pinned.resources().released(this);
          gone();
        });
  }

  private void unpinIdle(Runnable unpinned) {
    List<Long> addresses;
    synchronized (this) {
      addresses = new ArrayList<>(idle);
      idle.clear();
    }
    Countdown last = new Countdown(addresses.size() + 1, unpinned);
    addresses.forEach(address -> pinned.giveBack(address, byteSize, last));
    last.run();
  }
}
