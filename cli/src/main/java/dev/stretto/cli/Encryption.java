package dev.stretto.cli;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Launch;
import dev.stretto.Stream;
import dev.stretto.flow.Chunk;
import dev.stretto.flow.Stage;
import dev.stretto.memory.GlobalBytes;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** Encrypts chunks on a device with one key. A chunk begins at a multiple of 64 bytes. */
final class Encryption implements Stage {
  /** A chunk's size is a multiple of this. */
  static final int GRANULARITY = ChaCha20Kernel.BLOCK_BYTES;

  private final Device device;
  private final Cipher cipher;
  private final ConcurrentMap<Integer, Prepared> prepared = new ConcurrentHashMap<>();

  /** Chunks of one slot follow each other, mostly in the same memory. */
  private record Prepared(GlobalBytes in, GlobalBytes out, Launch launch) {
    boolean fits(Chunk chunk) {
      return same(in, chunk.in()) && same(out, chunk.out());
    }

    // Not by address: new memory often lies at the address of memory that was closed.
    @SuppressWarnings("ReferenceEquality") // the same allocation is meant
    private static boolean same(GlobalBytes one, GlobalBytes other) {
      return one.allocation() == other.allocation()
          && one.byteOffset() == other.byteOffset()
          && one.length() == other.length();
    }
  }

  Encryption(Device device, Cipher cipher) {
    this.device = device;
    this.cipher = cipher;
  }

  /** Forgets launches that were prepared for memory that is gone. */
  void forget() {
    prepared.clear();
  }

  @Override
  public void enqueue(Stream stream, Chunk chunk) {
    Prepared last = prepared.get(chunk.slot());
    if (last == null || !last.fits(chunk)) {
      last = prepare(chunk.in(), chunk.out());
      prepared.put(chunk.slot(), last);
    }
    stream.launch(last.launch.set(cipher.counter(), Secret.counterAt(chunk.position())));
  }

  private Prepared prepare(GlobalBytes in, GlobalBytes out) {
    long threads = Math.ceilDiv(in.length(), ChaCha20Kernel.BLOCK_BYTES);
    Grid grid = Grid.covering(threads, ChaCha20Kernel.THREADS);
    Launch launch = device.prepare(grid, cipher.kernel(), cipher.arguments(in, out));
    return new Prepared(in, out, launch);
  }
}
