package dev.stretto.examples.kmeans;

import dev.stretto.Device;
import dev.stretto.Registration;
import dev.stretto.fault.PinnedBudgetException;
import dev.stretto.flow.Source;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Parts of files that are mapped and pinned once, so that a device reads all passes out of the page
 * cache by itself.
 */
final class PinnedShare implements Opener, AutoCloseable {
  /** Whole pages on every machine. */
  private static final long PAGES = 64 << 10;

  /** The rest of the machine needs some memory, too. */
  private static final double MOST = 0.9;

  private final Device device;
  private final long budgetBefore;
  private final long bytes;
  private final Arena arena = Arena.ofShared();
  private final Map<PointPart, MemorySegment> points = new HashMap<>();

  private PinnedShare(Device device, long bytes) {
    this.device = device;
    this.budgetBefore = device.pinned().budgetBytes();
    this.bytes = bytes;
  }

  /**
   * {@return the parts, pinned} Raises the device's budget of pinned memory by what they take,
   * until they are closed.
   *
   * @throws PinnedBudgetException if they cannot be pinned
   */
  static PinnedShare of(Device device, List<PointPart> parts) {
    PinnedShare share =
        new PinnedShare(device, parts.stream().mapToLong(PinnedShare::mappedBytes).sum());
    share.requireMemory();
    boolean pinned = false;
    try {
      device.pinnedBudget(share.budgetBefore + share.bytes);
      parts.forEach(share::pin);
      pinned = true;
      return share;
    } catch (PinnedBudgetException e) {
      throw new PinnedBudgetException(
          "--pin: the share of %d bytes cannot be pinned: %s; without --pin it is read through pinned buffers"
              .formatted(share.bytes, e.getMessage()),
          e);
    } finally {
      if (!pinned) {
        share.close();
      }
    }
  }

  /** Pinned pages stay in memory. The system would end processes to find place for too many. */
  private void requireMemory() {
    long memory =
        ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class)
            .getTotalMemorySize();
    if (bytes > MOST * memory) {
      close();
      throw new PinnedBudgetException(
          "--pin: the share of %d bytes cannot be pinned: that is more than %.0f %% of the %d bytes of memory of this machine or container; share the files among more machines, or leave --pin out, which reads them through pinned buffers"
              .formatted(bytes, 100 * MOST, memory));
    }
  }

  /** A mapping begins with a page, and a part anywhere. */
  private static long mappedAt(PointPart part) {
    return part.position() & -PAGES;
  }

  private static long mappedBytes(PointPart part) {
    return (part.position() + part.bytes() - mappedAt(part) + PAGES - 1) & -PAGES;
  }

  private void pin(PointPart part) {
    long begin = part.position() - mappedAt(part);
    try (FileChannel channel = FileChannel.open(Path.of(part.name()))) {
      MemorySegment mapped =
          channel.map(MapMode.READ_ONLY, mappedAt(part), begin + part.bytes(), arena);
      Registration _ = device.register(mapped, arena); // the arena ends it
      points.put(part, mapped.asSlice(begin, part.bytes()));
    } catch (IOException e) {
      throw new UncheckedIOException(part.name() + " cannot be mapped: " + e.getMessage(), e);
    }
  }

  /** {@return how many bytes are pinned, in whole pages} */
  long bytes() {
    return bytes;
  }

  /** {@return the points of a part of this share, which a flow copies where they lie} */
  @Override
  public Source open(PointPart part) {
    MemorySegment segment = points.get(part);
    if (segment == null) {
      throw new IllegalArgumentException(part + " is no part of this share of " + points.size());
    }
    return Source.of(segment);
  }

  /** Unpins and unmaps everything, after the last copy. */
  @Override
  public void close() {
    arena.close();
    device.pinnedBudget(budgetBefore);
  }
}
