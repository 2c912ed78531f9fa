package dev.stretto.route;

import dev.stretto.driver.PeerProperties;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What one device has to do with others: whose memory it may address, and streams for copies. */
public final class Peers {
  private final DeviceRuntime engine;

  /** The rights in force, oldest first: the same may have been asked for several times. */
  private final Map<DeviceRuntime, ArrayDeque<PeerLink>> links = new HashMap<>();

  /** Streams of this device's for copies that another device's stream was asked for. */
  private final ArrayDeque<StreamQueue> idle = new ArrayDeque<>();

  Peers(DeviceRuntime engine) {
    this.engine = engine;
  }

  /** {@return whether another device is one of the same driver's, so that copies need no host} */
  public boolean isKin(DeviceRuntime other) {
    return other.lock == engine.lock;
  }

  /** {@return whether another opening is of the very same device} */
  public boolean isSame(DeviceRuntime other) {
    return isKin(other)
        && other.driver().properties().ordinal() == engine.driver().properties().ordinal();
  }

  /** {@return how this device reaches the memory of another of the same driver's} */
  public PeerProperties of(DeviceRuntime other) {
    other.requireUsable();
    return other.call(() -> engine.call(() -> engine.driver().peer(other.driver())));
  }

  /** {@return this device's right to address the memory of another, or null} */
  public @Nullable PeerLink to(DeviceRuntime other) {
    synchronized (links) {
      ArrayDeque<PeerLink> open = links.get(other);
      return open == null ? null : open.peekFirst();
    }
  }

  /** {@return a right of either device to address the other's memory, or null} */
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
   * {@return a stream of this device's that nobody else uses} Each copy has its own: on a shared
   * one a copy that has to wait would hold up others, for which it may be waiting.
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

  /** Takes a stream back that is idle. */
  void giveBack(StreamQueue queue) {
    synchronized (engine.lock) {
      if (queue.isOpen()) {
        idle.addFirst(queue);
      }
    }
  }
}
