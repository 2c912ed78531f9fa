package dev.stretto.cli;

import dev.stretto.Device;
import dev.stretto.driver.DeviceProperties;
import dev.stretto.kernel.DeviceKernel;
import dev.stretto.kernel.KernelImage;
import dev.stretto.kernel.KernelMethod;
import dev.stretto.kernel.KernelReference;
import dev.stretto.memory.GlobalBytes;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A kernel that encrypts, and the way it takes a key. */
final class Cipher {
  /**
   * With the image an H200 encrypts 1,450 GB/s (measured; 1,410 at 64 MiB with launches included),
   * which is limited neither by memory nor quite by arithmetic. At the 16.7e12 operations per
   * second of a virtual H200, that corresponds to this many operations for 64 bytes.
   */
  private static final double OPERATIONS_PER_THREAD = 737;

  private static final KernelMethod.Of10<
          GlobalBytes, GlobalBytes, Long, Long, Long, Long, Integer, Integer, Integer, Integer>
      JAVA = ChaCha20Kernel::chacha20;

  private final DeviceKernel kernel;
  private final List<Object> secret;
  private final boolean takesLength;

  private Cipher(DeviceKernel kernel, List<Object> secret, boolean takesLength) {
    this.kernel = kernel.withOperationsPerThread(OPERATIONS_PER_THREAD);
    this.secret = List.copyOf(secret);
    this.takesLength = takesLength;
  }

  /** The Java kernel. */
  static Cipher of(Device device, Secret secret) {
    DeviceProperties properties = device.properties();
    DeviceKernel kernel =
        KernelReference.of(JAVA)
            .compile(List.of(), properties.computeMajor(), properties.computeMinor());
    int[] key = secret.keyWords();
    List<Object> words = new ArrayList<>();
    for (int i = 0; i < key.length; i += 2) {
      words.add(ChaCha20.pair(key[i], key[i + 1]));
    }
    return new Cipher(kernel, withNonce(words, secret), false);
  }

  /** The image that {@code nvcc} has made, with the same Java kernel as its host version. */
  static Cipher ofImage(Secret secret) {
    DeviceKernel kernel =
        DeviceKernel.of(KernelImage.ofPtx(ptx()), "chacha20", ChaCha20.class, "chacha20");
    List<Object> words = new ArrayList<>();
    for (int word : secret.keyWords()) {
      words.add(word);
    }
    return new Cipher(kernel, withNonce(words, secret), true);
  }

  private static List<Object> withNonce(List<Object> words, Secret secret) {
    words.add(0); // the counter, which differs for each chunk
    for (int word : secret.nonceWords()) {
      words.add(word);
    }
    return words;
  }

  private static String ptx() {
    try (InputStream in = Cipher.class.getResourceAsStream("chacha20.ptx")) {
      if (in == null) {
        throw new IllegalStateException("chacha20.ptx is missing beside " + Cipher.class);
      }
      return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  DeviceKernel kernel() {
    return kernel;
  }

  /** The arguments of a launch, with a counter of 0. */
  Object[] arguments(GlobalBytes in, GlobalBytes out) {
    List<Object> arguments = new ArrayList<>(List.of(in, out));
    if (takesLength) {
      arguments.add(in.length());
    }
    arguments.addAll(secret);
    return arguments.toArray();
  }

  /** The number of the argument that is the counter of the first block. */
  int counter() {
    int nonceWords = 3;
    return kernel.parameters().size() - 1 - nonceWords;
  }
}
