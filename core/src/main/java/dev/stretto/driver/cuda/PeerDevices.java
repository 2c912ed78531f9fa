package dev.stretto.driver.cuda;

import dev.stretto.driver.DriverException;
import dev.stretto.driver.PeerProperties;
import dev.stretto.driver.PeerProperties.Link;
import dev.stretto.driver.PointerProperties;
import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;

/** The relations of one GPU to the others. */
final class PeerDevices {
  private static final int NATIVE_ATOMICS = 3;

  private static final int MEMORY_TYPE = 2;
  private static final int IS_MANAGED = 8;
  private static final int DEVICE_ORDINAL = 9;
  private static final int RANGE_START = 11;
  private static final int RANGE_SIZE = 12;
  private static final int HOST_MEMORY = 1;

  /** Guards enabling access, for all devices. */
  private static final Object ENABLING = new Object();

  private final int device;
  private final Context context;
  private final Health health;
  private final DeviceMemory memory;

  /** Openings of other devices to whose memory this one's access was refused. */
  private final Set<PeerDevices> refused = Collections.newSetFromMap(new WeakHashMap<>());

  PeerDevices(int device, Context context, Health health, DeviceMemory memory) {
    this.device = device;
    this.context = context;
    this.health = health;
    this.memory = memory;
  }

  PeerProperties of(PeerDevices peer) {
    health.require();
    boolean access =
        ask(
            scratch -> PeerCalls.canAccess(scratch.at(Scratch.OUT), device, peer.device),
            "cuDeviceCanAccessPeer",
            peer);
    // Only NVLink has native atomic operations, and CUDA does not reveal the link in another way.
    boolean atomics =
        access
            && ask(
                scratch ->
                    PeerCalls.attribute(
                        scratch.at(Scratch.OUT), NATIVE_ATOMICS, device, peer.device),
                "cuDeviceGetP2PAttribute",
                peer);
    Link link = atomics ? Link.NVLINK : access ? Link.PCIE : Link.HOST;
    return new PeerProperties(access, link, atomics, 0);
  }

  private boolean ask(Context.Body body, String call, PeerDevices peer) {
    Scratch scratch = Scratch.borrow();
    try {
      scratch.write(Scratch.OUT, 0);
      int result = body.call(scratch);
      if (result != 0) {
        throw health.failure(result, call, "of device " + peer.device);
      }
      return scratch.read(Scratch.OUT) != 0;
    } finally {
      scratch.giveBack();
    }
  }

  /**
   * Enables access in both directions. For each copy between the devices, the driver chooses one of
   * the two accesses when it gets the copy: the sender's if there is one. If an access is disabled
   * while a copy uses it, or perhaps if one is enabled while a copy uses the other, both devices
   * are lost (CUDA_ERROR_LAUNCH_FAILED). So access is enabled before the first copy, and never
   * disabled. It ends with the contexts, and that to a pool ends with the pool.
   */
  void enable(PeerDevices peer) {
    health.require();
    peer.health.require();
    Context.assertMayBlock("enabling access between devices");
    synchronized (ENABLING) {
      enableOneWay(peer);
      if (!peer.refused.contains(this)) {
        enableBack(peer);
      }
    }
  }

  private void enableOneWay(PeerDevices peer) {
    context.run(
        _ -> {
          int result = PeerCalls.enable(peer.context.handle());
          return result == CudaError.PEER_ACCESS_ALREADY_ENABLED ? 0 : result;
        },
        result -> health.failure(result, "cuCtxEnablePeerAccess", "of device " + peer.device));
    // Access needs two calls: the one above is for plain allocations, this one for the pool's
    // memory.
    peer.memory.allow(device, this);
  }

  private void enableBack(PeerDevices peer) {
    try {
      peer.enableOneWay(this);
    } catch (DriverException e) {
      if (e.kind() == DriverException.Kind.LOST) {
        throw e;
      }
      // Then there is access in only one direction. A later attempt could coincide with copies.
      boolean _ = peer.refused.add(this);
    }
  }

  void copy(long dst, PeerDevices to, long src, PeerDevices from, long bytes, long stream) {
    health.require(stream, "stream");
    if (dst == 0 || src == 0 || bytes <= 0) {
      throw health.invalid("not a valid copy: " + values(dst, to, src, from, bytes));
    }
    Scratch scratch = Scratch.borrow();
    boolean entered = false;
    try {
      entered = context.enter(scratch);
      int result =
          PeerCalls.copy(dst, to.context.handle(), src, from.context.handle(), bytes, stream);
      if (result != 0) {
        throw failure(
            result, "cuMemcpyPeerAsync", to, from, scratch, values(dst, to, src, from, bytes));
      }
    } finally {
      context.leave(scratch, entered);
      scratch.giveBack();
    }
  }

  /**
   * {@return the exception for a failed copy} If a device is lost, calls of other devices that use
   * its memory fail too.
   */
  DriverException failure(
      int result, String call, PeerDevices to, PeerDevices from, Scratch scratch, String values) {
    PeerDevices other = to == this ? from : to;
    boolean mine = !CudaError.isSticky(result) || !isAnswering(scratch);
    return (mine ? this : other).health.failure(result, call, values);
  }

  Context context() {
    return context;
  }

  int ordinal() {
    return device;
  }

  private static boolean isAnswering(Scratch scratch) {
    return MemoryCalls.info(scratch.at(Scratch.OUT), scratch.at(Scratch.SECOND)) == 0;
  }

  private static String values(long dst, PeerDevices to, long src, PeerDevices from, long bytes) {
    return "%d bytes to 0x%x of device %d from 0x%x of device %d"
        .formatted(bytes, dst, to.device, src, from.device);
  }

  PointerProperties pointer(long address) {
    health.require();
    Scratch scratch = Scratch.borrow();
    boolean entered = false;
    try {
      entered = context.enter(scratch);
      int type = (int) read(scratch, MEMORY_TYPE, address);
      if (type == 0) {
        return PointerProperties.ORDINARY;
      }
      PointerProperties.Kind kind =
          (int) read(scratch, IS_MANAGED, address) != 0
              ? PointerProperties.Kind.MANAGED
              : type == HOST_MEMORY ? PointerProperties.Kind.PINNED : PointerProperties.Kind.DEVICE;
      return new PointerProperties(
          kind,
          (int) read(scratch, DEVICE_ORDINAL, address),
          read(scratch, RANGE_START, address),
          read(scratch, RANGE_SIZE, address));
    } finally {
      context.leave(scratch, entered);
      scratch.giveBack();
    }
  }

  /** {@return an attribute, or 0 for memory that the driver does not know} */
  private long read(Scratch scratch, int attribute, long address) {
    scratch.write(Scratch.OUT, 0);
    int result = PeerCalls.pointer(scratch.at(Scratch.OUT), attribute, address);
    return switch (result) {
      case 0 -> scratch.read(Scratch.OUT);
      case CudaError.INVALID_VALUE -> 0;
      default ->
          throw health.failure(result, "cuPointerGetAttribute", "0x" + Long.toHexString(address));
    };
  }
}
