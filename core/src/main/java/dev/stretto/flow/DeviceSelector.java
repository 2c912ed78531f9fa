package dev.stretto.flow;

import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Decides which device gets a flow's next chunk: the device that will finish it first, judging by
 * the speeds measured so far.
 *
 * <p>If chunks may leave the flow in any order, only devices that can take a chunk now are
 * compared. An idle device gets a chunk, however slow it is, unless the others would run out of
 * work before it had finished. If chunks leave in order, all devices are compared, and the chunk
 * waits for a full device if that one will still be first; otherwise the others would fill their
 * slots with chunks that wait for the slow device.
 *
 * <p>In modelled time, it may turn out later that another device could have taken a chunk earlier,
 * since threads and seeds run devices in an order of their own. So there, too, a chunk may wait for
 * a device. Guarded by the flow's lock.
 */
final class DeviceSelector {
  /**
   * After this many consecutive chunks went to other devices, an idle device gets one even if it is
   * too slow: it may have become faster, which would go unnoticed otherwise. The number doubles
   * each time.
   */
  private static final int PATIENCE = 64;

  private final List<Lane> lanes;
  private final Permits reads;
  private final boolean modelled;
  private final boolean inOrder;

  /** When the last chunk was assigned, in modelled time. */
  private double dealtNanos;

  private Strangers strangers = new Strangers(1, 1);
  private int patience = PATIENCE;

  /**
   * @param reads when a chunk may be read
   * @param inOrder whether chunks leave the flow in order, so that a device can be ahead of the
   *     others only by its slots
   */
  DeviceSelector(List<Lane> lanes, Permits reads, boolean inOrder) {
    this.lanes = lanes;
    this.reads = reads;
    this.modelled = lanes.getFirst().clock.isModelled();
    this.inOrder = inOrder;
  }

  /**
   * {@return the device that gets the next chunk, or null if waiting is better} Never null while no
   * chunk is in flight.
   *
   * @param remaining the most chunks that may remain, this one included
   * @param isRead whether the chunk has to be read
   */
  @Nullable Lane next(long remaining, boolean isRead) {
    if (lanes.size() == 1) {
      Lane only = lanes.getFirst();
      return only.isFull() ? null : only;
    }
    strangers = strangers();
    double now = now(isRead);
    Lane best = best(now, remaining);
    if (best.isFull()) {
      return null;
    }
    for (Lane lane : lanes) {
      lane.passedOver += lane.backlog() == 0 ? 1 : 0;
    }
    dealtNanos = Math.max(now, available(best, now));
    return best;
  }

  private Lane best(double now, long remaining) {
    if (inOrder) {
      for (Lane lane : lanes) {
        if (lane.passedOver >= patience && remaining > patience && !lane.isFull()) {
          patience *= 2;
          return lane;
        }
      }
      return least(lane -> finish(lane, now));
    }
    Lane best = least(lane -> available(lane, now) <= now ? finish(lane, now) : Double.MAX_VALUE);
    return isWorthIt(best, now, remaining) ? best : least(lane -> finish(lane, now));
  }

  private Lane least(ToDoubleFunction<Lane> measure) {
    return lanes.stream().min(Comparator.comparingDouble(measure)).orElseThrow();
  }

  /** The time at which the chunk can be assigned: as soon as a device can take it. */
  private double now(boolean isRead) {
    double now =
        !modelled
            ? lanes.getFirst().clock.now()
            : isRead ? reads.freeFrom((long) dealtNanos) : dealtNanos;
    double first = lanes.stream().mapToDouble(lane -> available(lane, now)).min().orElseThrow();
    return Math.max(now, first);
  }

  /** The time at which a device can take a chunk. */
  private double available(Lane lane, double now) {
    if (lane.isFull()) {
      return (modelled ? lane.lastFreed() : now) + nanosPerChunk(lane);
    }
    return modelled ? lane.freeSince() : now;
  }

  /** The time at which a device will have finished a chunk that it gets now. */
  private double finish(Lane lane, double now) {
    int before = lane.isFull() ? Math.max(0, lane.backlog() - 1) : lane.backlog();
    double begin = Math.max(now, Math.max(available(lane, now), (double) lane.busyUntil()));
    return begin + (before + 1) * nanosPerChunk(lane);
  }

  private double nanosPerChunk(Lane lane) {
    double known = lane.nanosPerChunk();
    return known > 0 ? known : strangers.nanosPerChunk(lane);
  }

  /**
   * Assumed speeds of devices that have not finished a chunk yet: judged by their links in
   * comparison with those of the others, or the speed of the fastest.
   *
   * @param stretch how many times longer than on its link a chunk took on the others
   * @param least nanoseconds for a chunk on the fastest
   */
  private record Strangers(double stretch, double least) {
    double nanosPerChunk(Lane lane) {
      return lane.nanosOfLink() > 0 ? lane.nanosOfLink() * stretch : least;
    }
  }

  private Strangers strangers() {
    double stretch =
        lanes.stream()
            .filter(lane -> lane.nanosPerChunk() > 0 && lane.nanosOfLink() > 0)
            .mapToDouble(lane -> lane.nanosPerChunk() / lane.nanosOfLink())
            .min()
            .orElse(1);
    double least =
        lanes.stream()
            .mapToDouble(
                lane ->
                    lane.nanosPerChunk() > 0 ? lane.nanosPerChunk() : lane.nanosOfLink() * stretch)
            .filter(nanos -> nanos > 0)
            .min()
            .orElse(1);
    return new Strangers(stretch, least);
  }

  /** Whether the others will still have work when this device has finished a chunk. */
  private boolean isWorthIt(Lane slow, double now, long remaining) {
    double chunks = remaining;
    double chunksPerNano = 0;
    for (Lane other : lanes) {
      if (other != slow) {
        chunks += other.backlog();
        chunksPerNano += 1 / nanosPerChunk(other);
      }
    }
    return finish(slow, now) <= now + chunks / chunksPerNano;
  }
}
