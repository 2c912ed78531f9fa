package dev.stretto.file;

import dev.stretto.driver.HostBytes;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * A file to write at any position. A system admits one writer of a file at a time, however many
 * threads call; so a file whose length is known is mapped, with its room on the disk allocated
 * before and in large pages, and the threads write into that memory side by side. Where that would
 * be slower, they write as usual.
 */
public final class WritableFile extends ForwardingChannel {
  /** Of less, mapping costs more than it saves. */
  private static final long LEAST_MAPPED = 16 << 20;

  /** So many places of an old file are looked up in the page cache. */
  private static final int LOOKS = 256;

  /** An old file is mapped if so much of it is in the page cache. */
  private static final double ENOUGH_CACHED = 0.95;

  private final FileCalls calls;
  private final Path path;
  private final Descriptor descriptor;
  private final ReadWriteLock unmapping = new ReentrantReadWriteLock();
  private @Nullable Arena arena;
  private volatile @Nullable MemorySegment mapped;

  /**
   * @param plain the file
   * @param descriptor of the same file; closed with this channel
   */
  WritableFile(FileChannel plain, FileCalls calls, Descriptor descriptor, Path path) {
    super(plain);
    this.calls = calls;
    this.path = path;
    this.descriptor = descriptor;
  }

  /**
   * Prepares for so many bytes from the beginning on, before the first of them is written.
   *
   * @throws IOException if there is no room for them
   */
  public void expect(long bytes) throws IOException {
    if (bytes < LEAST_MAPPED) {
      return;
    }
    long before = size();
    int failed = (int) descriptor.use(number -> calls.allocate(number, bytes));
    if (failed == -FileCalls.NO_SPACE
        || failed == -FileCalls.QUOTA
        || failed == -FileCalls.TOO_LARGE) {
      if (size() > before) {
        truncate(before);
      }
      throw new IOException(
          "%d bytes have no room there: %s; %d bytes are free"
              .formatted(bytes, calls.name(-failed), Files.getFileStore(path).getUsableSpace()));
    }
    if (failed != 0) {
      return; // without room, a page that is written could not be refused, but would end the JVM
    }
    map(before, bytes);
  }

  private void map(long before, long bytes) {
    Arena opened = Arena.ofShared();
    try {
      MemorySegment memory = plain.map(FileChannel.MapMode.READ_WRITE, 0, bytes, opened);
      int _ = calls.wantLargePages(memory.address(), bytes);
      if (before == 0 ? isFast(memory) : isCached(memory, Math.min(before, bytes))) {
        arena = opened;
        mapped = memory;
        return;
      }
    } catch (IOException | UnsupportedOperationException | InternalError e) {
      // A file system that maps nothing: it is written as usual.
    }
    opened.close();
  }

  /**
   * Whether threads get new pages side by side: large ones, or those of a file system in memory. To
   * get small pages of a disk's file system, more than a few threads are slower than one.
   */
  private boolean isFast(MemorySegment memory) throws IOException {
    if (Files.getFileStore(path).type().equals("tmpfs")) {
      return true;
    }
    memory.set(ValueLayout.JAVA_BYTE, 0, (byte) 0);
    return calls.isLargePage(memory.address()) == 1;
  }

  /** Whether the page cache has an old file: else each page would be read before it is written. */
  private boolean isCached(MemorySegment memory, long bytes) {
    return new PageCache(calls, memory).share(0, bytes, LOOKS) >= ENOUGH_CACHED;
  }

  /** {@return whether several threads write side by side} */
  public boolean isMapped() {
    return mapped != null;
  }

  @Override
  public int write(ByteBuffer from, long position) throws IOException {
    int bytes = from.remaining();
    try {
      if (!writeMapped(from, position)) {
        return super.write(from, position);
      }
      from.position(from.limit());
      return bytes;
    } catch (ClosedChannelException e) {
      throw e;
    } catch (IOException e) {
      throw new WriteException(e.toString(), e);
    }
  }

  private boolean writeMapped(ByteBuffer from, long position) throws IOException {
    unmapping.readLock().lock();
    try {
      MemorySegment memory = mapped;
      if (memory == null || position + from.remaining() > memory.byteSize()) {
        return false;
      }
      HostBytes.copy(MemorySegment.ofBuffer(from), 0, memory, position, from.remaining());
      return true;
    } catch (InternalError e) {
      throw new WriteException("it was truncated while it was written, or its disk has failed", e);
    } finally {
      unmapping.readLock().unlock();
    }
  }

  @Override
  protected void implCloseChannel() throws IOException {
    unmapping.writeLock().lock();
    try {
      mapped = null;
      if (arena != null) {
        arena.close();
      }
    } finally {
      unmapping.writeLock().unlock();
    }
    descriptor.close();
    super.implCloseChannel();
  }
}
