package dev.stretto.driver.cuda;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.invoke.MethodHandle;

/** Calls about memory: device memory, its pools, pinned host memory. */
final class MemoryCalls {
  private static final MethodHandle POOL_CREATE =
      Binder.bind("cuMemPoolCreate", JAVA_LONG, JAVA_LONG);
  private static final MethodHandle POOL_DESTROY = Binder.bind("cuMemPoolDestroy", JAVA_LONG);
  private static final MethodHandle POOL_GET =
      Binder.bind("cuMemPoolGetAttribute", JAVA_LONG, JAVA_INT, JAVA_LONG);
  private static final MethodHandle POOL_SET =
      Binder.bind("cuMemPoolSetAttribute", JAVA_LONG, JAVA_INT, JAVA_LONG);
  private static final MethodHandle POOL_TRIM =
      Binder.bind("cuMemPoolTrimTo", JAVA_LONG, JAVA_LONG);
  private static final MethodHandle POOL_ALLOC =
      Binder.bind("cuMemAllocFromPoolAsync", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle FREE_ASYNC =
      Binder.bind("cuMemFreeAsync", JAVA_LONG, JAVA_LONG);
  private static final MethodHandle ALLOC = Binder.bind("cuMemAlloc", JAVA_LONG, JAVA_LONG);
  private static final MethodHandle FREE = Binder.bind("cuMemFree", JAVA_LONG);
  private static final MethodHandle INFO = Binder.bind("cuMemGetInfo", JAVA_LONG, JAVA_LONG);
  private static final MethodHandle HOST_ALLOC =
      Binder.bind("cuMemHostAlloc", JAVA_LONG, JAVA_LONG, JAVA_INT);
  private static final MethodHandle HOST_FREE = Binder.bind("cuMemFreeHost", JAVA_LONG);
  private static final MethodHandle REGISTER =
      Binder.bind("cuMemHostRegister", JAVA_LONG, JAVA_LONG, JAVA_INT);
  private static final MethodHandle UNREGISTER = Binder.bind("cuMemHostUnregister", JAVA_LONG);

  private MemoryCalls() {}

  /** Binds all functions now, by initializing this class. */
  static void bindAll() {}

  /** Writes the pool. */
  static int createPool(long pool, long properties) {
    try {
      return (int) POOL_CREATE.invokeExact(pool, properties);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** Destroys a pool once its memory is free. */
  static int destroyPool(long pool) {
    try {
      return (int) POOL_DESTROY.invokeExact(pool);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** Writes a {@code cuuint64_t}. */
  static int poolAttribute(long pool, int attribute, long value) {
    try {
      return (int) POOL_GET.invokeExact(pool, attribute, value);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** Reads a {@code cuuint64_t}. */
  static int setPoolAttribute(long pool, int attribute, long value) {
    try {
      return (int) POOL_SET.invokeExact(pool, attribute, value);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** Returns unused memory to the device. */
  static int trimPool(long pool, long keepBytes) {
    try {
      return (int) POOL_TRIM.invokeExact(pool, keepBytes);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** Writes the address. */
  static int allocateFromPool(long address, long bytes, long pool, long stream) {
    try {
      return (int) POOL_ALLOC.invokeExact(address, bytes, pool, stream);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** Frees in the order of the stream. */
  static int freeToPool(long address, long stream) {
    try {
      return (int) FREE_ASYNC.invokeExact(address, stream);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** Writes the address. May wait for the device. Needs a current context. */
  static int allocate(long address, long bytes) {
    try {
      return (int) ALLOC.invokeExact(address, bytes);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** Waits for the device. Needs a current context. */
  static int free(long address) {
    try {
      return (int) FREE.invokeExact(address);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** Writes two {@code size_t}s. Needs a current context. */
  static int info(long free, long total) {
    try {
      return (int) INFO.invokeExact(free, total);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** Writes the address. Needs a current context. */
  static int allocateHost(long address, long bytes, int flags) {
    try {
      return (int) HOST_ALLOC.invokeExact(address, bytes, flags);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** Needs a current context. */
  static int freeHost(long address) {
    try {
      return (int) HOST_FREE.invokeExact(address);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** Needs a current context. */
  static int registerHost(long address, long bytes, int flags) {
    try {
      return (int) REGISTER.invokeExact(address, bytes, flags);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** Needs a current context. */
  static int unregisterHost(long address) {
    try {
      return (int) UNREGISTER.invokeExact(address);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }
}
