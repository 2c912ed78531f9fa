package dev.stretto.driver.cuda;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.invoke.MethodHandle;

/** Calls about streams and events. Those that only name existing ones need no current context. */
final class StreamCalls {
  private static final MethodHandle CREATE =
      Binder.bind("cuStreamCreateWithPriority", JAVA_LONG, JAVA_INT, JAVA_INT);
  private static final MethodHandle DESTROY = Binder.bind("cuStreamDestroy", JAVA_LONG);
  private static final MethodHandle AWAIT = Binder.bind("cuStreamSynchronize", JAVA_LONG);
  private static final MethodHandle WAIT_EVENT =
      Binder.bind("cuStreamWaitEvent", JAVA_LONG, JAVA_LONG, JAVA_INT);
  private static final MethodHandle EVENT_CREATE =
      Binder.bind("cuEventCreate", JAVA_LONG, JAVA_INT);
  private static final MethodHandle EVENT_DESTROY = Binder.bind("cuEventDestroy", JAVA_LONG);
  private static final MethodHandle RECORD = Binder.bind("cuEventRecord", JAVA_LONG, JAVA_LONG);
  private static final MethodHandle QUERY = Binder.bind("cuEventQuery", JAVA_LONG);
  private static final MethodHandle EVENT_AWAIT = Binder.bind("cuEventSynchronize", JAVA_LONG);
  private static final MethodHandle ELAPSED =
      Binder.bind("cuEventElapsedTime", JAVA_LONG, JAVA_LONG, JAVA_LONG);

  private static final MethodHandle STREAM_QUERY = Binder.bind("cuStreamQuery", JAVA_LONG);

  private static final MethodHandle FLAGS = Binder.bind("cuStreamGetFlags", JAVA_LONG, JAVA_LONG);

  private static final MethodHandle CONTEXT = Binder.bind("cuStreamGetCtx", JAVA_LONG, JAVA_LONG);

  private StreamCalls() {}

  /** Writes the context to which a stream belongs. */
  static int context(long stream, long context) {
    try {
      return (int) CONTEXT.invokeExact(stream, context);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** Writes the flags with which a stream was created. */
  static int flags(long stream, long flags) {
    try {
      return (int) FLAGS.invokeExact(stream, flags);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** Returns whether a stream is idle, as a result code. */
  static int queryStream(long stream) {
    try {
      return (int) STREAM_QUERY.invokeExact(stream);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** Binds all functions now, by initializing this class. */
  static void bindAll() {}

  /** Writes the stream. Needs a current context. */
  static int create(long stream, int flags, int priority) {
    try {
      return (int) CREATE.invokeExact(stream, flags, priority);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  static int destroy(long stream) {
    try {
      return (int) DESTROY.invokeExact(stream);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** Blocks until the stream is idle. */
  static int await(long stream) {
    try {
      return (int) AWAIT.invokeExact(stream);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  static int waitEvent(long stream, long event, int flags) {
    try {
      return (int) WAIT_EVENT.invokeExact(stream, event, flags);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** Writes the event. Needs a current context. */
  static int createEvent(long event, int flags) {
    try {
      return (int) EVENT_CREATE.invokeExact(event, flags);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  static int destroyEvent(long event) {
    try {
      return (int) EVENT_DESTROY.invokeExact(event);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  static int record(long event, long stream) {
    try {
      return (int) RECORD.invokeExact(event, stream);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  static int query(long event) {
    try {
      return (int) QUERY.invokeExact(event);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** Blocks until the event is done. */
  static int awaitEvent(long event) {
    try {
      return (int) EVENT_AWAIT.invokeExact(event);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** Writes a {@code float}. */
  static int elapsed(long milliseconds, long start, long end) {
    try {
      return (int) ELAPSED.invokeExact(milliseconds, start, end);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }
}
