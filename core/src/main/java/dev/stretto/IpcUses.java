package dev.stretto;

import dev.stretto.process.Shared;
import dev.stretto.route.DeviceRuntime;
import dev.stretto.route.Resource;
import dev.stretto.route.UsedElsewhere;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A resource as other processes see it: each use of theirs keeps it, closed or not. */
final class IpcUses implements Shared {
  private final DeviceRuntime engine;
  private final Resource resource;
  private final Supplier<byte[]> opens;
  private final Deque<UsedElsewhere> uses = new ArrayDeque<>();

  /**
   * Creates it without a use.
   *
   * @param opens makes what opens it at the driver
   */
  IpcUses(DeviceRuntime engine, Resource resource, Supplier<byte[]> opens) {
    this.engine = engine;
    this.resource = resource;
    this.opens = opens;
  }

  @Override
  public synchronized byte @Nullable [] opened() {
    if (engine.isClosed() || engine.isLost()) {
      return null;
    }
    UsedElsewhere use = UsedElsewhere.begin(engine, resource);
    if (use == null) {
      return null;
    }
    boolean isOpened = false;
    try {
      byte[] bytes = opens.get();
      uses.add(use);
      isOpened = true;
      return bytes;
    } finally {
      if (!isOpened) {
        boolean _ = use.closeAfterLastUse();
      }
    }
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
