package dev.stretto.driver.cuda;

import dev.stretto.driver.DriverException;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The primary context of one device, and the rule by which it is current.
 *
 * <p>CUDA keeps the current context for each platform thread, and other CUDA libraries in the
 * process change it as they please. So nothing is remembered here: {@code cuCtxGetCurrent} (a read
 * of a thread-local variable) says what is current, and
 *
 * <ul>
 *   <li>if it is this context, nothing needs doing;
 *   <li>if there is none and this is the first device, it becomes current and stays so. The CUDA
 *       runtime would make that very context current for a thread that has none, so no other
 *       library sees a difference;
 *   <li>otherwise this context is pushed for the length of the call and popped after it, so that a
 *       library that shares the thread finds its own again.
 * </ul>
 *
 * <p>A virtual thread stays on its carrier between {@link #enter} and {@link #leave}, because it
 * leaves one only where it blocks, and nothing between the two blocks but the call itself, which
 * pins. So no lock is taken between the two, and no module is loaded: {@link #assertMayBlock} says
 * so wherever the driver takes one.
 *
 * <p>Which calls are made with the context current:
 *
 * <ul>
 *   <li>Creating streams and events, plain allocation, pinning, modules and {@code cuMemGetInfo}
 *       are: they act on the current context.
 *   <li>Copies and launches are: CUDA checks their addresses and functions against the current
 *       context, not the stream's, so that a copy fails while another context is current
 *       (NVIDIA/cccl#9615).
 *   <li>Fills are, too. They are said to work without, but the documentation does not say so.
 *   <li>Recording, querying, awaiting and destroying events, waiting for them, destroying and
 *       awaiting streams, and allocating from and freeing to a pool are not: their handles name the
 *       context.
 *   <li>Whatever names the stream handles 1 and 2 is: they stand for streams of the current
 *       context.
 * </ul>
 */
final class Context {
  /** A call that needs the context, and the memory for its answer. */
  @FunctionalInterface
  interface Body {
    /** {@return the result code} */
    int call(Scratch scratch);
  }

  /** Where assertions are on, the threads that are between {@link #enter} and {@link #leave}. */
  private static final ThreadLocal<@Nullable Boolean> INSIDE = new ThreadLocal<>();

  private final int device;
  private final long handle;
  private final boolean first;
  private final Health health;

  private Context(int device, long handle, boolean first, Health health) {
    this.device = device;
    this.handle = handle;
    this.first = first;
    this.health = health;
  }

  /** Retains the primary context of a device, which is created if no one else has. */
  static Context retain(int ordinal, int device, Health health) {
    Scratch scratch = Scratch.borrow();
    try {
      int result = ContextCalls.retain(scratch.at(Scratch.OUT), device);
      if (result != 0) {
        throw health.failure(result, "cuDevicePrimaryCtxRetain", "");
      }
      return new Context(device, scratch.read(Scratch.OUT), ordinal == 0, health);
    } finally {
      scratch.giveBack();
    }
  }

  /**
   * Makes this context current on the calling thread.
   *
   * @return what {@link #leave} is to be given
   */
  boolean enter(Scratch scratch) {
    assert begin();
    int result = ContextCalls.current(scratch.at(Scratch.CONTEXT));
    if (result == 0 && scratch.read(Scratch.CONTEXT) == handle) {
      return false;
    }
    return change(result == 0 && scratch.read(Scratch.CONTEXT) == 0);
  }

  private boolean change(boolean none) {
    boolean stays = none && first;
    int result = stays ? ContextCalls.makeCurrent(handle) : ContextCalls.push(handle);
    if (result != 0) {
      throw health.failure(result, stays ? "cuCtxSetCurrent" : "cuCtxPushCurrent", "");
    }
    return !stays;
  }

  /**
   * Makes the context before this one current again.
   *
   * @param entered what {@link #enter} has returned
   */
  void leave(Scratch scratch, boolean entered) {
    assert end();
    if (entered) {
      // A failure here would hide that of the call itself, and leaves nothing that could be undone.
      int _ = ContextCalls.pop(scratch.at(Scratch.CONTEXT));
    }
  }

  /**
   * Sees to it that the calling thread is not between {@link #enter} and {@link #leave}: where it
   * may block, a virtual thread may go on on another carrier, which has another context.
   *
   * @param what it is about to do
   */
  static void assertMayBlock(String what) {
    assert INSIDE.get() == null
        : "the thread may block (" + what + ") while it relies on its carrier's context";
  }

  private static boolean begin() {
    INSIDE.set(true);
    return true;
  }

  private static boolean end() {
    INSIDE.set(null); // not removed: hot paths do not allocate with assertions either
    return true;
  }

  /**
   * Makes a rare call with this context current. The calls that enqueue work write this out, so
   * that nothing is allocated.
   *
   * @return what the call left at {@link Scratch#OUT}
   */
  long obtain(Body body, IntFunction<DriverException> failure) {
    Scratch scratch = Scratch.borrow();
    boolean entered = false;
    int result;
    long out;
    try {
      entered = enter(scratch);
      result = body.call(scratch);
      out = scratch.read(Scratch.OUT);
    } finally {
      leave(scratch, entered);
      scratch.giveBack();
    }
    if (result != 0) {
      throw failure.apply(result);
    }
    return out;
  }

  /** Makes a rare call with this context current, for what it does. */
  void run(Body body, IntFunction<DriverException> failure) {
    long _ = obtain(body, failure);
  }

  /** {@return what CUDA calls it} */
  long handle() {
    return handle;
  }

  /** Undoes {@link #retain}. */
  void release() {
    int result = ContextCalls.release(device);
    if (result != 0 && !health.isLost()) {
      throw health.failure(result, "cuDevicePrimaryCtxRelease", "");
    }
  }
}
