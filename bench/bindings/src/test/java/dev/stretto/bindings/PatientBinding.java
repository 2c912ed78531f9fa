package dev.stretto.bindings;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A device in this process whose lanes do nothing until they are awaited, so that a buffer that is
 * used again too early shows.
 */
final class PatientBinding implements Binding {
  final long[] in;
  final AtomicLong total = new AtomicLong();
  final ThreadLocal<Boolean> attached = ThreadLocal.withInitial(() -> false);

  PatientBinding(int words) {
    this.in = new long[words];
  }

  @Override
  public void attach() {
    attached.set(true);
  }

  @Override
  public Plain plain() {
    throw new UnsupportedOperationException();
  }

  @Override
  public Submission submission(boolean prepared) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Lane lane(int bytes) {
    return new PatientLane(bytes);
  }

  @Override
  public void clear() {}

  @Override
  public void clearTotal() {
    total.set(0);
  }

  @Override
  public long total() {
    return total.get();
  }

  @Override
  public void close() {}

  private final class PatientLane implements Lane {
    private final ByteBuffer toDevice;
    private final ByteBuffer fromDevice;
    private Runnable pending = () -> {};

    PatientLane(int bytes) {
      this.toDevice = ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
      this.fromDevice = ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    }

    @Override
    public ByteBuffer toDevice() {
      return toDevice;
    }

    @Override
    public ByteBuffer fromDevice() {
      return fromDevice;
    }

    private void enqueue(Runnable work) {
      if (!attached.get()) {
        throw new IllegalStateException("the context is not current on this thread");
      }
      Runnable before = pending;
      pending =
          () -> {
            before.run();
            work.run();
          };
    }

    private LongBuffer input() {
      return toDevice.duplicate().clear().order(ByteOrder.nativeOrder()).asLongBuffer();
    }

    private LongBuffer output() {
      return fromDevice.duplicate().clear().order(ByteOrder.nativeOrder()).asLongBuffer();
    }

    private static int words(long bytes) {
      return Math.toIntExact(bytes / Long.BYTES);
    }

    @Override
    public void in(int bytes, long position) {
      enqueue(() -> input().get(in, words(position), words(bytes)));
    }

    @Override
    public void out(int bytes, long position) {
      enqueue(() -> output().put(in, words(position), words(bytes)));
    }

    /** Instead of the cipher, every bit is inverted. */
    @Override
    public void through(int bytes, long position) {
      enqueue(
          () -> {
            for (int i = 0; i < words(bytes); i++) {
              output().put(i, ~input().get(i));
            }
          });
    }

    @Override
    public void sum(int bytes) {
      enqueue(
          () -> {
            for (int i = 0; i < words(bytes); i++) {
              total.addAndGet(input().get(i));
            }
          });
    }

    @Override
    public void await() {
      pending.run();
      pending = () -> {};
    }
  }
}
