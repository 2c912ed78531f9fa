package dev.stretto.file;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** What the page cache has of a file that is mapped (mincore). */
final class PageCache {
  private static final int PAGE = 4096;

  /** Where a thread looks, so many pages at each place. */
  private static final int PAGES = 4;

  private static final ThreadLocal<MemorySegment> FLAGS =
      ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(PAGES));

  private final FileCalls calls;
  private final MemorySegment mapped;

  /**
   * @param mapped the file, of which nothing is read; aligned to a page
   */
  PageCache(FileCalls calls, MemorySegment mapped) {
    this.calls = calls;
    this.mapped = mapped;
  }

  /**
   * {@return the share of some bytes that the page cache has} It is looked up at a few places.
   *
   * @param position of the first byte
   * @param places where to look
   */
  double share(long position, long bytes, int places) {
    MemorySegment flags = FLAGS.get();
    long end = Math.min(position + bytes, mapped.byteSize());
    int looked = 0;
    int found = 0;
    for (int i = 0; i < places; i++) {
      long at = position + (end - position) / places * i & -PAGE;
      long looks = Math.min((long) PAGES * PAGE, end - at);
      if (looks <= 0 || calls.cached(mapped.address() + at, looks, flags.address()) != 0) {
        continue;
      }
      for (long page = 0; page < Math.ceilDiv(looks, PAGE); page++) {
        looked++;
        found += flags.get(ValueLayout.JAVA_BYTE, page) & 1;
      }
    }
    return looked == 0 ? 1 : found / (double) looked;
  }
}
