package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Copy;
import dev.stretto.Event;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.driver.Driver;
import dev.stretto.fault.CopyFailedException;
import dev.stretto.memory.GlobalBytes;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A host thread that stages a copy may die of anything: its stream goes on, and in order. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DiedStagingThreadTest {
  /** Several pieces, but too few for threads that hand over pieces by themselves. */
  private static final int BYTES = 300 << 10;

  /** Throws an error out of the first copy that the driver is asked for. */
  private static final class FirstCopyKills extends DriverTap {
    private final AtomicBoolean armed = new AtomicBoolean();

    FirstCopyKills(Driver driver) {
      super(driver);
    }

    @Override
    void before(Call call) {
      if (call == Call.COPY && armed.compareAndSet(true, false)) {
        throw new OutOfMemoryError("injected");
      }
    }
  }

  @Test
  void theStreamGoesOnOnceAlthoughAnotherPieceComesLater() throws Exception {
    FirstCopyKills[] tap = new FirstCopyKills[1];
    CountDownLatch laterPieces = new CountDownLatch(1);
    CountDownLatch inCallback = new CountDownLatch(1);
    CountDownLatch callbackMayEnd = new CountDownLatch(1);
    try (Machine.Opened opened =
            new Machine("virtual+real-time").open(driver -> tap[0] = new FirstCopyKills(driver));
        SlowFile file = new SlowFile(laterPieces);
        Stream stream = opened.device().stream();
        GlobalBytes array = opened.device().allocateBytes(BYTES);
        GlobalBytes ones = opened.device().allocateBytes(8);
        PinnedArena pinned = opened.device().pinnedArena()) {
      MemorySegment next = pinned.allocate(8);
      stream.fill(ones, (byte) 1).await();
      tap[0].armed.set(true);
      Copy copy = stream.copy(file, 0, array);
      Event _ =
          stream.then(
              () -> {
                inCallback.countDown();
                awaitIn(callbackMayEnd);
              });
      Copy last = stream.copy(ones, next);
      inCallback.await();
      laterPieces.countDown();
      Thread.sleep(300);
      assertThat(next.get(ValueLayout.JAVA_BYTE, 0)).as("behind a callback that runs").isZero();
      callbackMayEnd.countDown();
      assertThatThrownBy(last::await).isInstanceOf(CopyFailedException.class); // what was before it
      assertThat(next.get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) 1);
      assertThatThrownBy(copy::await)
          .isInstanceOf(CopyFailedException.class)
          .hasRootCauseInstanceOf(OutOfMemoryError.class);
    }
  }

  private static void awaitIn(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** A file of zeros, all of which comes later but the first piece. */
  private static final class SlowFile extends FileChannel {
    private final CountDownLatch laterPieces;

    SlowFile(CountDownLatch laterPieces) {
      this.laterPieces = laterPieces;
    }

    @Override
    public int read(ByteBuffer into, long position) {
      if (position > 0) {
        awaitIn(laterPieces);
      }
      int bytes = into.remaining();
      into.position(into.limit());
      return bytes;
    }

    @Override
    public long size() {
      return BYTES;
    }

    @Override
    public void force(boolean metaData) {}

    @Override
    protected void implCloseChannel() {}

    @Override
    public int read(ByteBuffer into) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long read(ByteBuffer[] into, int offset, int length) {
      throw new UnsupportedOperationException();
    }

    @Override
    public int write(ByteBuffer from) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long write(ByteBuffer[] from, int offset, int length) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long position() {
      throw new UnsupportedOperationException();
    }

    @Override
    public FileChannel position(long newPosition) {
      throw new UnsupportedOperationException();
    }

    @Override
    public FileChannel truncate(long size) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long transferTo(long position, long count, WritableByteChannel target) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long transferFrom(ReadableByteChannel from, long position, long count) {
      throw new UnsupportedOperationException();
    }

    @Override
    public int write(ByteBuffer from, long position) {
      throw new UnsupportedOperationException();
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long position, long size) {
      throw new UnsupportedOperationException();
    }

    @Override
    public FileLock lock(long position, long size, boolean shared) {
      throw new UnsupportedOperationException();
    }

    @Override
    public FileLock tryLock(long position, long size, boolean shared) {
      throw new UnsupportedOperationException();
    }
  }
}
