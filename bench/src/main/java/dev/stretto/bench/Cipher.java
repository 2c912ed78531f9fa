package dev.stretto.bench;

import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.cli.ChaCha20;
import dev.stretto.kernel.DeviceKernel;
import dev.stretto.kernel.KernelImage;
import dev.stretto.memory.GlobalBytes;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The kernel that {@code stretto overlap} runs, with the key of RFC 8439, section 2.4.2. */
final class Cipher {
  private static final int THREADS = 256;
  private static final int BLOCK_BYTES = 64;

  private final DeviceKernel kernel =
      DeviceKernel.of(
          KernelImage.ofPtx(resource(ChaCha20.class, "chacha20.ptx")),
          "chacha20",
          ChaCha20.class,
          "chacha20");

  void enqueue(Stream stream, GlobalBytes from, GlobalBytes to, long position) {
    long bytes = from.byteSize();
    stream.launch(
        Grid.covering((bytes + BLOCK_BYTES - 1) / BLOCK_BYTES, THREADS),
        kernel,
        from,
        to,
        bytes,
        0x03020100,
        0x07060504,
        0x0b0a0908,
        0x0f0e0d0c,
        0x13121110,
        0x17161514,
        0x1b1a1918,
        0x1f1e1d1c,
        (int) (1 + position / BLOCK_BYTES),
        0,
        0x4a000000,
        0);
  }

  static String resource(Class<?> owner, String name) {
    try (InputStream in = owner.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException(name + " is missing beside " + owner.getName());
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
