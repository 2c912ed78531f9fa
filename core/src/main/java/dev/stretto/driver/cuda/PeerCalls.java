package dev.stretto.driver.cuda;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.invoke.MethodHandle;

/** Calls that concern two devices, or an address whose device is not known. */
final class PeerCalls {
  private static final MethodHandle CAN_ACCESS =
      Binder.bind("cuDeviceCanAccessPeer", JAVA_LONG, JAVA_INT, JAVA_INT);
  private static final MethodHandle ATTRIBUTE =
      Binder.bind("cuDeviceGetP2PAttribute", JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT);
  private static final MethodHandle ENABLE =
      Binder.bind("cuCtxEnablePeerAccess", JAVA_LONG, JAVA_INT);
  private static final MethodHandle POOL_ACCESS =
      Binder.bind("cuMemPoolSetAccess", JAVA_LONG, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle COPY =
      Binder.bind(
          "cuMemcpyPeerAsync", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle COPY_PLANES =
      Binder.bind("cuMemcpy3DPeerAsync", JAVA_LONG, JAVA_LONG);
  private static final MethodHandle POINTER =
      Binder.bind("cuPointerGetAttribute", JAVA_LONG, JAVA_INT, JAVA_LONG);

  private PeerCalls() {}

  /** Binds all functions now, by initializing this class. */
  static void bindAll() {}

  /** Writes an {@code int}: whether access can be enabled. */
  static int canAccess(long out, int device, int peer) {
    try {
      return (int) CAN_ACCESS.invokeExact(out, device, peer);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** Writes an {@code int}. */
  static int attribute(long out, int attribute, int device, int peer) {
    try {
      return (int) ATTRIBUTE.invokeExact(out, attribute, device, peer);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** Lets the current context access the memory of another one. */
  static int enable(long peer) {
    try {
      return (int) ENABLE.invokeExact(peer, 0);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** Reads {@code CUmemAccessDesc}s. */
  static int allowPool(long pool, long descriptions, long count) {
    try {
      return (int) POOL_ACCESS.invokeExact(pool, descriptions, count);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** Enqueues a copy between two contexts. */
  static int copy(long dst, long to, long src, long from, long bytes, long stream) {
    try {
      return (int) COPY.invokeExact(dst, to, src, from, bytes, stream);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** Enqueues a copy of planes between two contexts; reads a {@code CUDA_MEMCPY3D_PEER}. */
  static int copyPlanes(long structure, long stream) {
    try {
      return (int) COPY_PLANES.invokeExact(structure, stream);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** Writes the value of the attribute. */
  static int pointer(long out, int attribute, long address) {
    try {
      return (int) POINTER.invokeExact(out, attribute, address);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }
}
