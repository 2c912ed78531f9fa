package dev.stretto.driver.cuda;

import dev.stretto.driver.ValueCondition;
import java.util.function.IntSupplier;

/** Enqueues that a stream writes a number, or waits for one. */
final class Values {
  private final Context context;
  private final Health health;

  Values(Context context, Health health) {
    this.context = context;
    this.health = health;
  }

  void write(long address, long value, int bytes, long stream) {
    enqueue(
        "cuStreamWriteValue",
        address,
        value,
        bytes,
        stream,
        () ->
            bytes == Integer.BYTES
                ? ValueCalls.writeInt(stream, address, (int) value)
                : ValueCalls.writeLong(stream, address, value));
  }

  void await(long address, long value, int bytes, ValueCondition condition, long stream) {
    int number = condition.ordinal();
    enqueue(
        "cuStreamWaitValue",
        address,
        value,
        bytes,
        stream,
        () ->
            bytes == Integer.BYTES
                ? ValueCalls.waitInt(stream, address, (int) value, number)
                : ValueCalls.waitLong(stream, address, value, number));
  }

  /** Whether a number of such a size can be there. */
  static boolean isPlace(long address, int bytes) {
    return address != 0 && (bytes == Integer.BYTES || bytes == Long.BYTES) && address % bytes == 0;
  }

  private void enqueue(
      String call, long address, long value, int bytes, long stream, IntSupplier enqueues) {
    health.require(stream, "stream");
    if (!isPlace(address, bytes)) {
      throw health.invalid("not the place of a number: %d bytes at 0x%x".formatted(bytes, address));
    }
    Scratch scratch = Scratch.borrow();
    boolean entered = false;
    try {
      entered = context.enter(scratch);
      int result = enqueues.getAsInt();
      if (result != 0) {
        throw health.failure(
            result, call + 8 * bytes, "the number %d at 0x%x".formatted(value, address));
      }
    } finally {
      context.leave(scratch, entered);
      scratch.giveBack();
    }
  }
}
