package dev.stretto.driver.virtual;

import dev.stretto.driver.KernelTwin.Run.Progress;
import dev.stretto.driver.ValueCondition;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A stream writes a number, or waits for one. */
final class ValueOp extends StreamOp {
  private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();
  private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();
  private static final long PAUSE_NANOS = 20_000;
  private static final long LONGEST_PAUSE_NANOS = 1_000_000;

  private final long address;
  private final long value;
  private final int bytes;

  /** What it waits for; null if it writes. */
  private final @Nullable ValueCondition condition;

  private ValueOp(
      OpQueue stream, long address, long value, int bytes, @Nullable ValueCondition condition) {
    super(stream);
    this.address = address;
    this.value = value;
    this.bytes = bytes;
    this.condition = condition;
  }

  static ValueOp write(OpQueue stream, long address, long value, int bytes) {
    return new ValueOp(stream, address, value, bytes, null);
  }

  static ValueOp await(
      OpQueue stream, long address, long value, int bytes, ValueCondition condition) {
    return new ValueOp(stream, address, value, bytes, condition);
  }

  /**
   * Refuses a place that cannot hold a number for streams.
   *
   * @throws dev.stretto.driver.DriverException if it is not aligned, not the device's, or in memory
   *     of a pool
   */
  static void check(PrimaryContext context, String call, long address, int bytes) {
    context.checkAlive(call);
    if ((bytes != Integer.BYTES && bytes != Long.BYTES) || address % bytes != 0) {
      throw CudaResult.INVALID_VALUE.of(
          call, "%d bytes at %s".formatted(bytes, DeviceSpace.name(address)));
    }
    Reached.check(context, call, address, bytes);
    PrimaryContext owner = context.platform().owner(address);
    if (owner != null && owner.memory().isPooled(address)) {
      throw CudaResult.INVALID_VALUE.of(
          call, DeviceSpace.name(address) + " lies in memory of a pool");
    }
  }

  /** Also refuses a place that the device must not write. */
  static void checkWritten(PrimaryContext context, String call, long address, int bytes) {
    check(context, call, address, bytes);
    context.platform().hostSpace().checkWritten(call, address, bytes);
  }

  boolean waits() {
    return condition != null;
  }

  @Override
  DeviceEngine engine() {
    return DeviceEngine.VALUES;
  }

  @Override
  boolean isLengthOpen() {
    return waits();
  }

  @Override
  long length() {
    return 1;
  }

  @Override
  List<Touched> touches() {
    return List.of(new Touched(address, bytes, condition == null));
  }

  /** Runs it for a thread that nothing else needs. */
  @Override
  void run(long from, long to) {
    long longest = waitsForOthers() ? LONGEST_PAUSE_NANOS / 10 : LONGEST_PAUSE_NANOS;
    long pause = PAUSE_NANOS;
    while (advance(from, to) == Progress.WAITS && !isDropped()) {
      LockSupport.parkNanos(this, pause);
      pause = Math.min(2 * pause, longest);
    }
  }

  private boolean isDropped() {
    context().platform().lock().lock();
    try {
      return done;
    } finally {
      context().platform().lock().unlock();
    }
  }

  @Override
  Progress advance(long from, long to) {
    Backing memory = Reached.at(context(), words(), address);
    try {
      MemorySegment number = memory.read(address - memory.address(), bytes);
      if (condition == null) {
        write(number);
        context().timing().wrote(this, address);
        return Progress.OVER;
      }
      if (!condition.holds(read(number), value, bytes)) {
        return Progress.WAITS;
      }
      context().timing().hasCome(this, address);
      return Progress.OVER;
    } finally {
      memory.release();
    }
  }

  private long read(MemorySegment number) {
    return bytes == Integer.BYTES
        ? (int) INT.getVolatile(number, 0L)
        : (long) LONG.getVolatile(number, 0L);
  }

  private void write(MemorySegment number) {
    if (bytes == Integer.BYTES) {
      INT.setVolatile(number, 0L, (int) value);
    } else {
      LONG.setVolatile(number, 0L, value);
    }
  }

  @Override
  boolean waitsForOthers() {
    HostRange range =
        waits() && !DeviceSpace.isDeviceAddress(address)
            ? context().platform().hostSpace().find(address)
            : null;
    return range != null && range.isShared();
  }

  @Override
  String waitsFor() {
    return condition == null ? "" : words();
  }

  private String words() {
    return condition == null
        ? "the stream writes " + value + " at " + DeviceSpace.name(address)
        : "the number at %s has to be %s %d"
            .formatted(
                DeviceSpace.name(address),
                switch (condition) {
                  case AT_LEAST -> "at least";
                  case EQUAL -> "equal to";
                  case COMMON_BIT -> "one that has a bit in common with";
                  case COMMON_ZERO -> "one that lacks a bit together with";
                },
                value);
  }

  @Override
  String describe() {
    return condition == null
        ? "write of the number %d at %s".formatted(value, DeviceSpace.name(address))
        : "wait for the number at %s".formatted(DeviceSpace.name(address));
  }
}
