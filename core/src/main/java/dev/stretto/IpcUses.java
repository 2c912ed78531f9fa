package dev.stretto;

import dev.stretto.process.Descriptors;
import dev.stretto.process.Shared;
import dev.stretto.route.DeviceRuntime;
import dev.stretto.route.OwnPool;
import dev.stretto.route.Resource;
import dev.stretto.route.UsedElsewhere;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** A resource as other processes see it: each use of theirs keeps it, closed or not. */
final class IpcUses implements Shared {
  private final DeviceRuntime engine;
  private final Resource resource;
  private final byte[] opens;
  private final int descriptor;
  private final Deque<UsedElsewhere> uses = new ArrayDeque<>();

  /**
   * Creates it without a use.
   *
   * @param opens what opens it at the driver
   */
  IpcUses(DeviceRuntime engine, Resource resource, byte[] opens) {
    this(engine, resource, opens, Descriptors.NONE);
  }

  private IpcUses(DeviceRuntime engine, Resource resource, byte[] opens, int descriptor) {
    this.engine = engine;
    this.resource = resource;
    this.opens = opens.clone();
    this.descriptor = descriptor;
  }

  /** {@return those of a pool, which a descriptor opens} */
  static IpcUses of(DeviceRuntime engine, OwnPool pool) {
    return new IpcUses(engine, pool, new byte[] {1}, pool.descriptor());
  }

  @Override
  public synchronized byte @Nullable [] opened() {
    if (engine.isClosed() || engine.isLost()) {
      return null;
    }
    // A pool that its program has closed is there as long as one of its arrays.
    UsedElsewhere use =
        resource instanceof OwnPool
            ? UsedElsewhere.beginHeld(engine, resource)
            : UsedElsewhere.begin(engine, resource);
    if (use == null) {
      return null;
    }
    uses.add(use);
    return opens.clone();
  }

  @Override
  public int descriptor() {
    return descriptor;
  }

  @Override
  public synchronized void closed() {
    UsedElsewhere use = uses.poll();
    if (use != null) {
      boolean _ = use.closeAfterLastUse();
      engine.finishIfClosed();
    }
  }
}
