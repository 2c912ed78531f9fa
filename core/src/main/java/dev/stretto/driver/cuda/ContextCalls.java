package dev.stretto.driver.cuda;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.invoke.MethodHandle;

/** Calls about contexts and the current context of the calling thread. */
final class ContextCalls {
  private static final MethodHandle RETAIN =
      Binder.bind("cuDevicePrimaryCtxRetain", JAVA_LONG, JAVA_INT);
  private static final MethodHandle RELEASE = Binder.bind("cuDevicePrimaryCtxRelease", JAVA_INT);
  private static final MethodHandle CURRENT = Binder.bindInstant("cuCtxGetCurrent", JAVA_LONG);
  private static final MethodHandle SET = Binder.bind("cuCtxSetCurrent", JAVA_LONG);
  private static final MethodHandle PUSH = Binder.bind("cuCtxPushCurrent", JAVA_LONG);
  private static final MethodHandle POP = Binder.bind("cuCtxPopCurrent", JAVA_LONG);
  private static final MethodHandle PRIORITIES =
      Binder.bind("cuCtxGetStreamPriorityRange", JAVA_LONG, JAVA_LONG);

  private ContextCalls() {}

  /** Binds all functions now, by initializing this class. */
  static void bindAll() {}

  /** Writes the primary context, which is created if it does not exist. */
  static int retain(long context, int device) {
    try {
      return (int) RETAIN.invokeExact(context, device);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** Undoes one {@link #retain}. */
  static int release(int device) {
    try {
      return (int) RELEASE.invokeExact(device);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** Writes the current context, or 0. A read of a thread-local variable. */
  static int current(long context) {
    try {
      return (int) CURRENT.invokeExact(context);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** Replaces the current context of the calling thread. */
  static int makeCurrent(long context) {
    try {
      return (int) SET.invokeExact(context);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** Makes a context current until {@link #pop}. */
  static int push(long context) {
    try {
      return (int) PUSH.invokeExact(context);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** Writes the context that was current, and makes the one before it current. */
  static int pop(long context) {
    try {
      return (int) POP.invokeExact(context);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** Writes two {@code int}s. Needs a current context. */
  static int priorityRange(long least, long greatest) {
    try {
      return (int) PRIORITIES.invokeExact(least, greatest);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }
}
