package dev.stretto.kernel.machine;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The barrier objects of a block by their address, so that none is looked for twice. */
final class KnownBarriers {
  private final SteppedBlock block;
  private final int places;
  private @Nullable Mbarrier[] known = {};
  private long changes = -1;

  /**
   * Creates an empty list.
   *
   * @param bytes how much shared memory the block has
   */
  KnownBarriers(SteppedBlock block, long bytes) {
    this.block = block;
    this.places = (int) (bytes / Long.BYTES);
  }

  /** The barrier object at an address, or null if there is none. */
  @Nullable Mbarrier at(Mbarriers all, int address) {
    int place = address / Long.BYTES;
    if (address % Long.BYTES != 0 || place < 0 || place >= places) {
      return null;
    }
    if (changes != all.changes()) {
      changes = all.changes();
      if (known.length == 0) {
        known = new Mbarrier[places];
      } else {
        Arrays.fill(known, null);
      }
    }
    Mbarrier barrier = known[place];
    if (barrier == null) {
      barrier = all.find(block.storageAt(address), block.firstByte(address));
      known[place] = barrier;
    }
    return barrier;
  }
}
