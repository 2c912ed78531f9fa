package dev.stretto.cli;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Launch;
import dev.stretto.Stream;
import dev.stretto.flow.Chunk;
import dev.stretto.flow.Flow;
import dev.stretto.flow.Sink;
import dev.stretto.flow.Source;
import dev.stretto.flow.Stage;
import dev.stretto.kernel.DeviceKernel;
import dev.stretto.kernel.KernelImage;
import dev.stretto.memory.GlobalBytes;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** Encrypts chunks on a device with one key. A chunk begins at a multiple of 64 bytes. */
final class Encryption implements Stage {
  /** What a chunk's size is a multiple of. */
  static final int GRANULARITY = ChaCha20.BLOCK_BYTES;

  /**
   * An H200 encrypts 1,450 GB/s (measured; launches included it is 1,410 at 64 MiB), which is bound
   * neither by memory nor quite by arithmetic. With 16.7e12 operations a second, as a virtual H200
   * is modelled, that is this many for 64 bytes.
   */
  private static final double OPERATIONS_PER_THREAD = 737;

  private static final int COUNTER = 11;
  private static final int WARM_UP_BYTES = 64 << 10;

  private static final DeviceKernel KERNEL =
      DeviceKernel.of(KernelImage.ofPtx(ptx()), "chacha20", ChaCha20.class, "chacha20")
          .withOperationsPerThread(OPERATIONS_PER_THREAD);

  private final Device device;
  private final int[] key;
  private final int[] nonce;
  private final ConcurrentMap<Integer, Prepared> prepared = new ConcurrentHashMap<>();

  /** Chunks of one slot follow each other, mostly in the same memory. */
  private record Prepared(GlobalBytes in, GlobalBytes out, Launch launch) {
    boolean fits(Chunk chunk) {
      return same(in, chunk.in()) && same(out, chunk.out());
    }

    // Not by address: new memory often lies where memory that was closed has been.
    @SuppressWarnings("ReferenceEquality") // the very same allocation is meant
    private static boolean same(GlobalBytes one, GlobalBytes other) {
      return one.allocation() == other.allocation()
          && one.byteOffset() == other.byteOffset()
          && one.length() == other.length();
    }
  }

  Encryption(Device device, Secret secret) {
    this.device = device;
    this.key = secret.keyWords();
    this.nonce = secret.nonceWords();
  }

  private static String ptx() {
    try (InputStream in = Encryption.class.getResourceAsStream("chacha20.ptx")) {
      if (in == null) {
        throw new IllegalStateException("chacha20.ptx is missing beside " + Encryption.class);
      }
      return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Has everything loaded and measured that is needed once, so that no mode has to pay for it. */
  void warmUp() {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment host = arena.allocate(WARM_UP_BYTES);
      Flow.on(device)
          .from(Source.of(host.asReadOnly()))
          .through(this)
          .to(Sink.of(arena.allocate(WARM_UP_BYTES)))
          .inPlace()
          .granularity(GRANULARITY)
          .start()
          .await();
    }
    prepared.clear();
  }

  @Override
  public void enqueue(Stream stream, Chunk chunk) {
    Prepared last = prepared.get(chunk.slot());
    if (last == null || !last.fits(chunk)) {
      last = prepare(chunk.in(), chunk.out(), chunk.byteSize());
      prepared.put(chunk.slot(), last);
    }
    stream.launch(last.launch.set(COUNTER, Secret.counterAt(chunk.position())));
  }

  private Prepared prepare(GlobalBytes in, GlobalBytes out, long bytes) {
    long threads = Math.ceilDiv(bytes, ChaCha20.BLOCK_BYTES);
    Launch launch =
        device.prepare(
            Grid.covering(threads, ChaCha20.THREADS),
            KERNEL,
            in,
            out,
            bytes,
            key[0],
            key[1],
            key[2],
            key[3],
            key[4],
            key[5],
            key[6],
            key[7],
            0,
            nonce[0],
            nonce[1],
            nonce[2]);
    return new Prepared(in, out, launch);
  }
}
