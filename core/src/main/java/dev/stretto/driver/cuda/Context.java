package dev.stretto.driver.cuda;

import dev.stretto.driver.DriverException;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The primary context of one device, and the rules for making it current.
 *
 * <p>CUDA keeps a current context for each platform thread, and other CUDA libraries in the process
 * may change it at any time. So nothing is cached here: {@code cuCtxGetCurrent} (a read of a
 * thread-local variable) returns the current context, and
 *
 * <ul>
 *   <li>if it is this context, nothing needs doing;
 *   <li>if there is none and this is the first device, this context becomes current and stays so.
 *       The CUDA runtime would make the same context current for a thread that has none, so no
 *       other library sees a difference;
 *   <li>otherwise this context is pushed before the call and popped after it, so that a library
 *       that shares the thread finds its own context again.
 * </ul>
 *
 * <p>A virtual thread stays on its carrier between {@link #enter} and {@link #leave}, because it
 * leaves its carrier only when it blocks, and only the native call between the two can block, which
 * pins the thread. So no lock may be taken and no module loaded between the two; {@link
 * #assertMayBlock} checks this wherever the driver takes a lock.
 *
 * <p>Calls that are made with the context current, and calls that are not:
 *
 * <ul>
 *   <li>Creating streams and events, plain allocation, pinning, modules and {@code cuMemGetInfo}
 *       are: they act on the current context.
 *   <li>Copies and launches are: CUDA checks their addresses and functions against the current
 *       context, not the stream's, so that a copy fails while another context is current
 *       (NVIDIA/cccl#9615).
 *   <li>Fills are, too. They reportedly work without, but this is not documented.
 *   <li>Recording, querying, awaiting and destroying events, waiting for them, destroying and
 *       awaiting streams, and allocating from and freeing to a pool are not: their handles name the
 *       context.
 *   <li>Calls with the stream handles 1 and 2 are: these handles stand for streams of the current
 *       context.
 * </ul>
 */
final class Context {
  /** A call that needs the context, and memory for its result. */
  @FunctionalInterface
  interface Body {
    /** {@return the result code} */
    int call(Scratch scratch);
  }

  /** If assertions are enabled, marks threads between {@link #enter} and {@link #leave}. */
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

  /** Retains the primary context of a device, which is created if nobody has created it before. */
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
   * @return the argument for {@link #leave}
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

  /** Runs code with this context current, whatever it does; not for virtual threads that block. */
  void run(Runnable work) {
    if (isCurrent()) {
      try {
        work.run();
      } finally {
        if (!isCurrent()) { // the code has made another one current
          int _ = ContextCalls.makeCurrent(handle);
        }
      }
      return;
    }
    int pushed = ContextCalls.push(handle);
    if (pushed != 0) {
      throw health.failure(pushed, "cuCtxPushCurrent", "");
    }
    try {
      work.run();
    } finally {
      Scratch scratch = Scratch.borrow();
      int _ = ContextCalls.pop(scratch.at(Scratch.CONTEXT));
      scratch.giveBack();
    }
  }

  private boolean isCurrent() {
    Scratch scratch = Scratch.borrow();
    try {
      return ContextCalls.current(scratch.at(Scratch.CONTEXT)) == 0
          && scratch.read(Scratch.CONTEXT) == handle;
    } finally {
      scratch.giveBack();
    }
  }

  /**
   * Restores the context that was current before this one.
   *
   * @param entered the result of {@link #enter}
   */
  void leave(Scratch scratch, boolean entered) {
    assert end();
    if (entered) {
      // An exception here would hide a failure of the call itself, and nothing could be undone.
      int _ = ContextCalls.pop(scratch.at(Scratch.CONTEXT));
    }
  }

  /**
   * Asserts that the calling thread is not between {@link #enter} and {@link #leave}: after a
   * virtual thread has blocked, it may continue on another carrier with another context.
   *
   * @param what the thread is about to do
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
    INSIDE.set(null); // not removed: hot paths do not allocate, even with assertions
    return true;
  }

  /**
   * Makes a rare call with this context current. Calls that enqueue work repeat this code inline,
   * so that nothing is allocated.
   *
   * @return the result that the call has written to {@link Scratch#OUT}
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

  /** Makes a rare call without a result with this context current. */
  void run(Body body, IntFunction<DriverException> failure) {
    long _ = obtain(body, failure);
  }

  /** {@return the driver's handle} */
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
