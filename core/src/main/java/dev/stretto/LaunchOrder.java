package dev.stretto;

import dev.stretto.driver.LaunchShape;
import dev.stretto.fault.RaceException;
import dev.stretto.kernel.ArgumentBytes;
import dev.stretto.kernel.DeviceKernel;
import dev.stretto.kernel.Parameter;
import dev.stretto.memory.TensorMap;
import dev.stretto.observe.Observers;
import dev.stretto.order.Footprint;
import dev.stretto.order.Issue;
import dev.stretto.order.Way;
import dev.stretto.route.DeviceBlock;
import dev.stretto.route.PackedLaunch;
import dev.stretto.route.StreamQueue;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * What a launch accesses, for the check of the order. The bytes are computed again only if an
 * argument or the shape has changed.
 */
final class LaunchOrder {
  /**
   * What was computed.
   *
   * @param values a copy of the packed arguments that it was computed from
   */
  private record Computed(LaunchShape shape, MemorySegment values, List<ArgumentBytes> bytes) {}

  private final DeviceKernel kernel;
  private final String name;
  private volatile @Nullable Computed last;

  LaunchOrder(DeviceKernel kernel) {
    this.kernel = kernel;
    this.name = "kernel " + kernel.entry();
  }

  /**
   * {@return a launch that is about to be enqueued, or null if the order is not checked}
   *
   * @param memory finds the memory of an argument
   * @param maps finds an argument that is a tensor map, or null if the program has forgotten it
   * @throws RaceException if it races with an operation before
   */
  @Nullable Issue begin(
      StreamQueue queue,
      PackedLaunch packed,
      IntFunction<DeviceBlock> memory,
      IntFunction<@Nullable TensorMap> maps) {
    Issue issue = queue.issue(name, Observers::trail);
    if (issue == null) {
      return null;
    }
    boolean isRight = false;
    try {
      for (NodeUse use : uses(packed, memory, maps)) {
        issue.accesses(use.memory().get(), use.bytes(), use.way());
      }
      issue.ready();
      isRight = true;
    } finally {
      if (!isRight) {
        issue.failed();
      }
    }
    return issue;
  }

  /** {@return the memory that a launch accesses} */
  List<NodeUse> uses(
      PackedLaunch packed, IntFunction<DeviceBlock> memory, IntFunction<@Nullable TensorMap> maps) {
    boolean isAssumed = kernel.reach().isAssumed();
    List<NodeUse> uses = new ArrayList<>();
    for (ArgumentBytes bytes : computed(packed)) {
      DeviceBlock block = memory.apply(bytes.argument());
      uses.add(
          new NodeUse(
              block::accesses,
              footprint(bytes, packed.values(), block, maps),
              new Way(bytes.isWritten(), bytes.isAtomic(), isAssumed)));
    }
    return uses;
  }

  private List<ArgumentBytes> computed(PackedLaunch packed) {
    Computed known = last;
    if (known == null
        || !known.shape.equals(packed.shape())
        || !isAlike(known.values, packed.values())) {
      MemorySegment copy = MemorySegment.ofArray(packed.values().toArray(ValueLayout.JAVA_BYTE));
      known = new Computed(packed.shape(), copy, kernel.reach().at(packed.shape(), copy));
      last = known;
    }
    return known.bytes;
  }

  /** Whether arguments are the same, apart from where arrays lie: bytes are counted from there. */
  private boolean isAlike(MemorySegment values, MemorySegment others) {
    long from = 0;
    for (Parameter parameter : kernel.parameters()) {
      if (parameter.isArray()) {
        long address = parameter.offset();
        if (MemorySegment.mismatch(values, from, address, others, from, address) >= 0) {
          return false;
        }
        from = address + Long.BYTES;
      }
    }
    long end = values.byteSize();
    return MemorySegment.mismatch(values, from, end, others, from, end) < 0;
  }

  private Footprint footprint(
      ArgumentBytes bytes,
      MemorySegment values,
      DeviceBlock block,
      IntFunction<@Nullable TensorMap> maps) {
    Parameter parameter = kernel.parameters().get(bytes.argument());
    if (parameter.isTensorMap()) {
      TensorMap map = maps.apply(bytes.argument());
      return map == null
          ? Footprint.of(block.address(), block.byteSize())
          : Footprint.of(block.address() + map.array().byteOffset(), map.array().byteSize());
    }
    long address = values.get(ValueLayout.JAVA_LONG_UNALIGNED, parameter.offset());
    return new Footprint(
        address + bytes.offset(),
        bytes.width(),
        bytes.pitch(),
        bytes.rows(),
        bytes.plane(),
        bytes.planes());
  }
}
