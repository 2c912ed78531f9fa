package dev.stretto.kernel.machine;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The last accesses to each group of bytes of an array: of four bytes, until an access does not
 * begin and end with such groups.
 */
final class SharedShadow implements PackedAccesses.Receiver {
  private static final int WORD = 4;

  /** The last plain write. */
  record Write(int thread, int clock, @Nullable CallPath line) {}

  /** Products of warp groups that have read since the last copy or write, the newest first. */
  record Products(SharedRaceDetector.Product product, @Nullable Products before) {}

  /** Bulk copies to global memory that have read since the last write, the newest first. */
  record Stores(PendingStore store, @Nullable Stores before) {}

  int unit = WORD;
  @Nullable PendingCopy[] copies = {};
  @Nullable Stores[] stores = {};
  @Nullable Object @Nullable [] barriers;
  @Nullable SharedReads[] reads = {};
  @Nullable Write[] writes = {};
  @Nullable Products[] products = {};

  private final SharedStorage storage;
  private final int words;

  /** Where plain accesses are kept as numbers; null if no places have numbers. */
  private final @Nullable PackedAccesses plain;

  /** The same while groups are words. */
  private @Nullable PackedAccesses packed;

  private final CallPath[] places;

  /**
   * Creates the shadow of an array.
   *
   * @param places the places that have numbers
   */
  SharedShadow(SharedStorage storage, CallPath[] places) {
    this.storage = storage;
    this.words = (storage.bytes() + WORD - 1) / WORD;
    this.plain = places.length == 0 ? null : new PackedAccesses(words, false);
    this.places = places;
  }

  /** Forgets all accesses. */
  void begin() {
    unit = WORD;
    barriers = null;
    packed = plain;
    if (plain == null) {
      open();
    } else {
      plain.clear();
      copies = new @Nullable PendingCopy[0];
    }
  }

  private void open() {
    copies = new @Nullable PendingCopy[words];
    stores = new @Nullable Stores[words];
    reads = new @Nullable SharedReads[words];
    writes = new @Nullable Write[words];
    products = new @Nullable Products[words];
  }

  /** Makes the groups as small as an access demands. */
  void fits(int from, int bytes) {
    int least = Integer.lowestOneBit(from | bytes);
    if (least >= unit) {
      return;
    }
    spread(least);
  }

  private void spread(int least) {
    for (int word = 0; word < words; word++) {
      opens(word);
    }
    packed = null;
    storage.unpack();
    int times = unit / least;
    copies = spread(copies, times);
    stores = spread(stores, times);
    reads = spread(reads, times);
    writes = spread(writes, times);
    products = spread(products, times);
    barriers = barriers == null ? null : spread(barriers, times);
    unit = least;
    for (int i = 0; i < copies.length; i++) {
      PendingCopy copy = copies[i];
      if (copy != null && i % times != 0) {
        copy.takes();
      }
    }
  }

  private static <T> @Nullable T[] spread(@Nullable T[] of, int times) {
    @Nullable T[] spread = Arrays.copyOf(of, of.length * times);
    for (int i = spread.length - 1; i >= 0; i--) {
      spread[i] = spread[i / times];
    }
    return spread;
  }

  /** Plain accesses, while groups are words; null if there are none. */
  @Nullable PackedAccesses packed() {
    return packed;
  }

  /** Has the accesses to a group as objects from now on. */
  void opens(int word) {
    PackedAccesses from = packed;
    if (from == null || !from.has(word)) {
      return;
    }
    if (copies.length == 0) {
      open();
    }
    from.give(word, this);
  }

  @Override
  public void write(int word, int cluster, int thread, int clock, int place) {
    writes[word] = new Write(thread, clock, places[place]);
  }

  @Override
  public void read(int word, int cluster, int thread, int clock, int place) {
    reads[word] = new SharedReads(thread, clock, places[place], reads[word]);
  }

  /**
   * Notes that a thread has written a group, and that nothing else matters any more.
   *
   * @param place the number of the place where; -1 if it has none
   */
  void isWritten(int word, Write write, int place) {
    products[word] = null;
    reads[word] = null;
    PackedAccesses plainly = packed;
    boolean isPacked =
        plainly != null
            && copies[word] == null
            && stores[word] == null
            && (barriers == null || barriers[word] == null)
            && plainly.takes(word, write.thread, write.clock, place);
    writes[word] = isPacked ? null : write;
  }

  /** Notes which barrier object some bytes are; null if they are none. */
  void barrier(int at, int bytes, @Nullable Object barrier) {
    for (int word = at / unit; word < (at + bytes) / unit; word++) {
      opens(word);
    }
    @Nullable Object[] known = barriers;
    if (known == null) {
      known = new @Nullable Object[writes.length];
      barriers = known;
    }
    Arrays.fill(known, at / unit, (at + bytes) / unit, barrier);
  }
}
