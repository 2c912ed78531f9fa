package dev.stretto.file;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A file to read at any position. What the page cache has comes from there; the rest comes past it
 * (O_DIRECT), which disks do faster if several threads ask, and which leaves the cache to others.
 */
final class ReadableFile extends ForwardingChannel {
  /** Disks are asked for so much at a time. */
  private static final int MOST_PAST = 1 << 20;

  private static final int ALIGNMENT = 4096;
  private static final int NOT_SUPPORTED = 95;

  /** So many places of the bytes that are to be read are looked up in the page cache. */
  private static final int PLACES = 4;

  /** If the page cache has so much of them, they come from there. */
  private static final double ENOUGH_CACHED = 0.5;

  /** Of less, no question is asked. */
  private static final int LEAST_ASKED = 64 << 10;

  /** Where a thread reads what is not aligned. */
  private static final ThreadLocal<MemorySegment> BOUNCE =
      ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(MOST_PAST, ALIGNMENT));

  private final FileCalls calls;
  private final Descriptor descriptor;
  private final String path;
  private final Arena arena = Arena.ofShared();
  private final PageCache cache;

  /** Opened when the page cache first lacks something. */
  private final AtomicReference<@Nullable Descriptor> past = new AtomicReference<>();

  /** Whether the file system refuses to read past the cache. */
  private volatile boolean isPlain;

  /**
   * @param plain the file
   * @param descriptor of the same file; closed with this channel
   * @param path of the file, by that descriptor
   * @throws IOException if it cannot be mapped
   */
  ReadableFile(FileChannel plain, FileCalls calls, Descriptor descriptor, String path)
      throws IOException {
    super(plain);
    this.calls = calls;
    this.descriptor = descriptor;
    this.path = path;
    // Only so that the system can be asked what its cache has. Asking by a read that does not wait
    // (RWF_NOWAIT) would make it read ahead what is then read past the cache.
    this.cache =
        new PageCache(calls, plain.map(FileChannel.MapMode.READ_ONLY, 0, plain.size(), arena));
  }

  @Override
  public int read(ByteBuffer into, long position) throws IOException {
    if (isPlain
        || !into.isDirect()
        || into.remaining() < LEAST_ASKED
        || position < 0
        || cache.share(position, into.remaining(), PLACES) >= ENOUGH_CACHED) {
      return super.read(into, position);
    }
    long read = readPast(MemorySegment.ofBuffer(into), position);
    return read < 0 ? super.read(into, position) : arrived(into, read);
  }

  private static int arrived(ByteBuffer into, long bytes) {
    into.position(into.position() + Math.toIntExact(bytes));
    return bytes == 0 ? -1 : (int) bytes;
  }

  /** {@return how many bytes were read; 0 at the end; negative if the file is not read so} */
  private long readPast(MemorySegment into, long position) throws IOException {
    Descriptor open = past();
    if (open == null) {
      return -1;
    }
    long read;
    if (isAligned(into.address()) && isAligned(position) && into.byteSize() >= ALIGNMENT) {
      long bytes = Math.min(MOST_PAST, into.byteSize() & -ALIGNMENT);
      read = open.use(number -> calls.readPast(number, into.address(), bytes, position));
    } else {
      read = readAround(open, into, position);
    }
    if (read == -FileCalls.INTERRUPTED) {
      return readPast(into, position);
    }
    if (read == -FileCalls.INVALID || read == -NOT_SUPPORTED) {
      isPlain = true;
      return read;
    }
    if (read < 0) {
      throw new IOException(calls.name((int) -read));
    }
    return read;
  }

  private static boolean isAligned(long number) {
    return (number & ALIGNMENT - 1) == 0;
  }

  /** Reads the blocks in which bytes lie that are not aligned, and takes the bytes out of them. */
  private long readAround(Descriptor open, MemorySegment into, long position) throws IOException {
    MemorySegment blocks = BOUNCE.get();
    long begin = position & -ALIGNMENT;
    long before = position - begin;
    long end = position + into.byteSize() + ALIGNMENT - 1 & -ALIGNMENT;
    long bytes = Math.min(end - begin, MOST_PAST);
    long read = open.use(number -> calls.readPast(number, blocks.address(), bytes, begin));
    if (read < 0) {
      return read;
    }
    long useful = Math.clamp(read - before, 0, into.byteSize());
    MemorySegment.copy(blocks, before, into, 0, useful);
    return useful;
  }

  private @Nullable Descriptor past() {
    Descriptor open = past.get();
    if (open != null) {
      return open;
    }
    int number = calls.openPast(path);
    if (number < 0) {
      isPlain = true;
      return null;
    }
    Descriptor opened = new Descriptor(calls, number);
    if (past.compareAndSet(null, opened)) {
      if (!isOpen()) {
        opened.close();
      }
      return opened;
    }
    opened.close();
    return past.get();
  }

  @Override
  protected void implCloseChannel() throws IOException {
    Descriptor open = past.get();
    if (open != null) {
      open.close();
    }
    descriptor.close();
    arena.close();
    super.implCloseChannel();
  }
}
