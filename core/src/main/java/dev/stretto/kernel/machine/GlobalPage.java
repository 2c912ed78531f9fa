package dev.stretto.kernel.machine;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A part of memory: what was done last to each group of bytes. */
final class GlobalPage {
  /** The logarithm of the number of bytes of a page. */
  static final int BITS = 12;

  static final int BYTES = 1 << BITS;

  private static final int WORD = 2;

  /** The logarithm of the bytes of a group: all accesses begin and end with groups. */
  int unit = WORD;

  @Nullable GlobalAccess[] writes = {};
  @Nullable Object[] others = {};

  /** Plain accesses, where places have numbers and groups are words. */
  private @Nullable PackedAccesses packed;

  /**
   * Creates a page.
   *
   * @param areNumbered whether places have numbers
   */
  GlobalPage(boolean areNumbered) {
    if (areNumbered) {
      packed = new PackedAccesses(BYTES >> WORD, true);
    } else {
      open();
    }
  }

  private void open() {
    writes = new @Nullable GlobalAccess[BYTES >> unit];
    others = new @Nullable Object[BYTES >> unit];
  }

  /** Notes a plain read; false if it has to be looked at. */
  boolean reads(int from, int bytes, int thread, HappensBefore order, int place) {
    return packed != null && packed.reads(from, bytes, thread, order, place);
  }

  /** Notes a plain write; false if it has to be looked at. */
  boolean writes(int from, int bytes, int thread, HappensBefore order, int place) {
    return packed != null && packed.writes(from, bytes, thread, order, place);
  }

  /** Has the accesses to a group as objects from now on. */
  void opens(int group, CallPath[] places) {
    PackedAccesses from = packed;
    if (from == null || !from.has(group)) {
      return;
    }
    if (writes.length == 0) {
      open();
    }
    from.give(
        group,
        new PackedAccesses.Receiver() {
          @Override
          public void write(int word, int cluster, int thread, int clock, int place) {
            writes[word] = access(ThreadAccess.WRITE, cluster, thread, clock, places[place]);
          }

          @Override
          public void read(int word, int cluster, int thread, int clock, int place) {
            GlobalAccess read = access(ThreadAccess.READ, cluster, thread, clock, places[place]);
            others[word] = others[word] == null ? read : longer(others[word], read);
          }
        });
  }

  /** {@return accesses with another one} */
  private static @Nullable GlobalAccess[] longer(Object before, GlobalAccess another) {
    if (before instanceof GlobalAccess one) {
      return new @Nullable GlobalAccess[] {one, another, null, null};
    }
    @Nullable GlobalAccess[] some = (GlobalAccess[]) before;
    for (int i = 0; i < some.length; i++) {
      if (some[i] == null) {
        some[i] = another;
        return some;
      }
    }
    @Nullable GlobalAccess[] more = Arrays.copyOf(some, some.length + some.length / 2);
    more[some.length] = another;
    return more;
  }

  private static GlobalAccess access(
      ThreadAccess kind, int cluster, int thread, int clock, CallPath line) {
    return new GlobalAccess(kind, cluster, thread, clock, true, line, null, null);
  }

  /** Makes groups as small as an access demands. */
  void refine(int to, CallPath[] places) {
    for (int group = 0; packed != null && group < BYTES >> unit; group++) {
      opens(group, places);
    }
    packed = null;
    @Nullable GlobalAccess[] finer = new @Nullable GlobalAccess[BYTES >> to];
    @Nullable Object[] finerOthers = new @Nullable Object[BYTES >> to];
    for (int i = 0; i < finer.length; i++) {
      finer[i] = writes[i >> (unit - to)];
      Object all = others[i >> (unit - to)];
      finerOthers[i] = all instanceof GlobalAccess[] some ? some.clone() : all;
    }
    writes = finer;
    others = finerOthers;
    unit = to;
  }
}
