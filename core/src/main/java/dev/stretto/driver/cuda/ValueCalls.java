package dev.stretto.driver.cuda;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.invoke.MethodHandle;

/** Calls that make streams write numbers and wait for them. They need a current context. */
final class ValueCalls {
  private static final MethodHandle WRITE_INT =
      Binder.bind("cuStreamWriteValue32", JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT);
  private static final MethodHandle WRITE_LONG =
      Binder.bind("cuStreamWriteValue64", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT);
  private static final MethodHandle WAIT_INT =
      Binder.bind("cuStreamWaitValue32", JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT);
  private static final MethodHandle WAIT_LONG =
      Binder.bind("cuStreamWaitValue64", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT);

  private ValueCalls() {}

  /** Binds all functions now, by initializing this class. */
  static void bindAll() {}

  static int writeInt(long stream, long address, int value) {
    try {
      return (int) WRITE_INT.invokeExact(stream, address, value, 0);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  static int writeLong(long stream, long address, long value) {
    try {
      return (int) WRITE_LONG.invokeExact(stream, address, value, 0);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  static int waitInt(long stream, long address, int value, int condition) {
    try {
      return (int) WAIT_INT.invokeExact(stream, address, value, condition);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  static int waitLong(long stream, long address, long value, int condition) {
    try {
      return (int) WAIT_LONG.invokeExact(stream, address, value, condition);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }
}
