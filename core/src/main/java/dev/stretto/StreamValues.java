package dev.stretto;

import dev.stretto.driver.GraphWork;
import dev.stretto.driver.ValueCondition;
import dev.stretto.enqueue.ArrayMemory;
import dev.stretto.memory.GlobalArray;
import dev.stretto.observe.Observation;
import dev.stretto.observe.Observers;
import dev.stretto.observe.Work;
import dev.stretto.observe.WorkKind;
import dev.stretto.order.Footprint;
import dev.stretto.order.Issue;
import dev.stretto.order.Way;
import dev.stretto.route.DeviceBlock;
import dev.stretto.route.DeviceRuntime;
import dev.stretto.route.OpenStream;
import dev.stretto.route.StreamQueue;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Numbers that a stream writes, and for which it waits. */
final class StreamValues {
  private static final Way WRITES = new Way(true, true, false);
  private static final Way READS = new Way(false, true, false);

  /**
   * A number in memory.
   *
   * @param memory the memory that holds it
   * @param address of the number
   * @param bytes its size
   */
  private record Place(DeviceBlock memory, long address, int bytes) {
    static Place of(DeviceRuntime engine, String who, GlobalArray array, long index) {
      Objects.requireNonNull(array, "array");
      Objects.checkIndex(index, array.length());
      if (!(array.allocation() instanceof ArrayMemory memory)) {
        throw new IllegalArgumentException(array + " is not memory of a device");
      }
      DeviceBlock block = memory.block();
      if (!engine.peers().isSame(block.engine())) {
        throw new IllegalArgumentException(array + " lies on another device than " + who);
      }
      if (block.isPooled()) {
        throw new IllegalArgumentException(
            array
                + " lies in a pool of the driver, and streams write and wait for numbers only"
                + " outside: allocate it with device.allocateSignals or allocateLongSignals, or"
                + " take a view of pinned memory");
      }
      int bytes = array.elementBytes();
      return new Place(block, array.address() + index * bytes, bytes);
    }

    @Nullable Issue issue(StreamQueue queue, String what, Way way) {
      Issue issue = queue.issue(what, Observers::trail);
      if (issue != null) {
        boolean isRight = false;
        try {
          issue.accesses(memory.accesses(), Footprint.of(address, bytes), way);
          issue.ready();
          isRight = true;
        } finally {
          if (!isRight) {
            issue.failed();
          }
        }
      }
      return issue;
    }
  }

  private StreamValues() {}

  static void write(
      OpenStream stream, Observers observers, GlobalArray array, long index, long value) {
    StreamQueue queue = stream.queue();
    Place place = Place.of(stream.engine(), queue.describe(), array, index);
    Issue issue = place.issue(queue, "a write of a number", WRITES);
    Observation begin = null;
    long sequence = -1;
    try {
      begin = observers.before(stream, WorkKind.WRITE_VALUE);
      sequence =
          queue.writeValue(place.memory, place.memory.isView(), place.address, value, place.bytes);
    } finally {
      Issue.end(issue, sequence);
      letGo(begin, sequence);
    }
    report(begin, stream, observers, WorkKind.WRITE_VALUE, "write value", sequence, place.bytes);
    if (issue != null) {
      queue.wroteValue(place.memory.accesses(), place.address, value, sequence);
    }
  }

  static void await(
      OpenStream stream,
      Observers observers,
      GlobalArray array,
      long index,
      long value,
      ValueCondition condition) {
    Objects.requireNonNull(condition, "condition");
    StreamQueue queue = stream.queue();
    Place place = Place.of(stream.engine(), queue.describe(), array, index);
    requirePossible(condition, value, place.bytes);
    Issue issue = place.issue(queue, "a wait for a number", READS);
    Observation begin = null;
    long sequence = -1;
    try {
      begin = observers.before(stream, WorkKind.WAIT_VALUE);
      sequence = queue.waitValue(place.memory, place.address, value, place.bytes, condition);
    } finally {
      Issue.end(issue, sequence);
      letGo(begin, sequence);
    }
    report(begin, stream, observers, WorkKind.WAIT_VALUE, "wait for value", sequence, 0);
    if (issue != null) {
      queue.waitsForValue(
          place.memory.accesses(),
          place.address,
          number -> condition.holds(number, value, place.bytes));
    }
  }

  /** {@return the node that writes a number} */
  static NodeWork.OnDevice writing(
      DeviceRuntime engine, GlobalArray array, long index, long value) {
    Place place = Place.of(engine, engine.name(), array, index);
    return NodeWorks.made(
        engine,
        GraphNode.Kind.WRITE_VALUE,
        "write of the number " + value,
        new GraphWork.WriteValue(place.address, value, place.bytes),
        List.of(place.memory),
        new NodeUse(place.memory::accesses, Footprint.of(place.address, place.bytes), WRITES));
  }

  /** {@return the node that waits for a number} */
  static NodeWork.OnDevice waiting(
      DeviceRuntime engine, GlobalArray array, long index, long value, ValueCondition condition) {
    Objects.requireNonNull(condition, "condition");
    Place place = Place.of(engine, engine.name(), array, index);
    requirePossible(condition, value, place.bytes);
    return NodeWorks.made(
        engine,
        GraphNode.Kind.WAIT_VALUE,
        "wait for a number: " + condition + " " + value,
        new GraphWork.WaitValue(place.address, value, place.bytes, condition),
        List.of(place.memory),
        new NodeUse(place.memory::accesses, Footprint.of(place.address, place.bytes), READS));
  }

  /** Makes a stream wait for another process, as observers see it. */
  static void awaitEvent(OpenStream stream, Observers observers, IpcEvent event, long number) {
    Observation begin = observers.before(stream, WorkKind.WAIT_EVENT);
    boolean waits = false;
    try {
      waits = event.makeWait(stream.queue(), stream.engine(), number);
    } finally {
      if (begin != null && !waits) {
        begin.letGo();
      }
    }
    if (waits) {
      long sequence = stream.queue().lastIssued();
      report(begin, stream, observers, WorkKind.WAIT_EVENT, "wait for " + event, sequence, 0);
    }
  }

  private static void letGo(@Nullable Observation begin, long sequence) {
    if (begin != null && sequence < 0) {
      begin.letGo();
    }
  }

  private static void report(
      @Nullable Observation begin,
      OpenStream stream,
      Observers observers,
      WorkKind kind,
      String name,
      long sequence,
      long bytes) {
    if (begin != null) {
      observers.after(begin, stream, new Work(kind, name, sequence, bytes));
    }
  }

  private static void requirePossible(ValueCondition condition, long value, int bytes) {
    boolean isOver =
        switch (condition) {
          case AT_LEAST, EQUAL -> false;
          case COMMON_BIT -> value == 0;
          case COMMON_ZERO -> (bytes == Integer.BYTES ? (int) value : value) == -1;
        };
    if (isOver) {
      throw new IllegalArgumentException(
          "no number has a %s in common with %d, so the stream would wait for ever"
              .formatted(condition == ValueCondition.COMMON_BIT ? "bit" : "zero", value));
    }
  }
}
