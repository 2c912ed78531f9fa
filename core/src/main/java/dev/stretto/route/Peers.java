package dev.stretto.route;

import dev.stretto.driver.PeerProperties;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A device's relations to others: the memory that it may access, and streams for copies. */
public final class Peers {
  private final DeviceRuntime engine;

  /** The enabled accesses, oldest first; access to a device may be enabled several times. */
  @GuardedBy("links")
  private final Map<DeviceRuntime, ArrayDeque<PeerLink>> links = new HashMap<>();

  /** Idle streams of this device for copies that were enqueued on another device's stream. */
  private final ArrayDeque<StreamQueue> idle = new ArrayDeque<>();

  Peers(DeviceRuntime engine) {
    this.engine = engine;
  }

  /** {@return whether another device belongs to the same driver, so that copies need no host} */
  public boolean isKin(DeviceRuntime other) {
    return other.lock == engine.lock;
  }

  /** {@return whether the other object is an opening of the same device} */
  public boolean isSame(DeviceRuntime other) {
    return isKin(other)
        && other.driver().properties().ordinal() == engine.driver().properties().ordinal();
  }

  /** {@return how this device reaches the memory of another device of the same driver} */
  public PeerProperties of(DeviceRuntime other) {
    other.requireUsable();
    return other.call(() -> engine.call(() -> engine.driver().peer(other.driver())));
  }

  /** {@return this device's access to the memory of another, or null} */
  public @Nullable PeerLink to(DeviceRuntime other) {
    synchronized (links) {
      ArrayDeque<PeerLink> open = links.get(other);
      return open == null ? null : open.peekFirst();
    }
  }

  /** {@return the access of either device to the other's memory, or null} */
  public @Nullable PeerLink between(DeviceRuntime other) {
    PeerLink link = to(other);
    return link == null ? other.peers().to(engine) : link;
  }

  void add(DeviceRuntime other, PeerLink link) {
    synchronized (links) {
      links.computeIfAbsent(other, _ -> new ArrayDeque<>(2)).add(link);
    }
  }

  void remove(DeviceRuntime other, PeerLink link) {
    synchronized (links) {
      links.computeIfPresent(
          other,
          (_, open) -> {
            open.remove(link);
            return open.isEmpty() ? null : open;
          });
    }
  }

  /**
   * {@return a stream of this device that nobody else uses} Each copy has its own stream: on a
   * shared one, a copy that has to wait would hold up others for which it may be waiting.
   */
  StreamQueue borrow() {
    synchronized (engine.lock) {
      engine.requireUsable();
      StreamQueue queue = idle.pollFirst();
      return queue == null
          ? engine.streams().open(0, StreamName.ofStretto("stream of copies from other devices"))
          : queue;
    }
  }

  /** Takes back a stream that is idle. */
  void giveBack(StreamQueue queue) {
    synchronized (engine.lock) {
      if (queue.isOpen()) {
        idle.addFirst(queue);
      }
    }
  }
}
