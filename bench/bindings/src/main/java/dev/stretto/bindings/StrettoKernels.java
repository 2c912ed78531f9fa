package dev.stretto.bindings;

import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.cli.ChaCha20;
import dev.stretto.kernel.Atomics;
import dev.stretto.kernel.DeviceKernel;
import dev.stretto.kernel.KernelImage;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalLongs;

/** The kernels for Stretto, each with a Java method that does the same on a virtual device. */
final class StrettoKernels {
  static final DeviceKernel EMPTY = kernel("empty");

  private static final DeviceKernel SUM = kernel("sum");
  private static final DeviceKernel CIPHER =
      DeviceKernel.of(KernelImage.ofPtx(Kernels.cipher()), "chacha20", ChaCha20.class, "chacha20");

  private StrettoKernels() {}

  private static DeviceKernel kernel(String name) {
    return DeviceKernel.of(KernelImage.ofPtx(Kernels.others()), name, StrettoKernels.class, name);
  }

  static void encipher(Stream stream, GlobalBytes from, GlobalBytes to, long position) {
    stream.launch(
        Grid.of(Kernels.cipherBlocks(from.byteSize()), Kernels.THREADS),
        CIPHER,
        from,
        to,
        from.byteSize(),
        Kernels.KEY.get(0),
        Kernels.KEY.get(1),
        Kernels.KEY.get(2),
        Kernels.KEY.get(3),
        Kernels.KEY.get(4),
        Kernels.KEY.get(5),
        Kernels.KEY.get(6),
        Kernels.KEY.get(7),
        Kernels.counter(position),
        Kernels.NONCE.get(0),
        Kernels.NONCE.get(1),
        Kernels.NONCE.get(2));
  }

  static void add(Stream stream, GlobalLongs words, GlobalLongs total) {
    long count = words.length();
    stream.launch(Grid.of(Kernels.sumBlocks(count), Kernels.THREADS), SUM, words, count, total);
  }

  /** The twin of the kernel that does nothing. */
  static void empty(ThreadBlock block, int number, GlobalLongs pointer, float value) {}

  /** The twin of the sum. */
  static void sum(ThreadBlock block, GlobalLongs words, long count, GlobalLongs total) {
    long mine = 0;
    long stride = (long) block.gridSizeX() * block.blockSizeX();
    for (long i = block.globalIndexX(); i < count; i += stride) {
      mine += words.get(i);
    }
    Atomics.add(total, 0, mine);
  }
}
