package dev.stretto.bench.sweep;

import dev.stretto.kernel.DeviceKernel;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.KernelImage;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalBytes;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** A kernel that does nothing, as PTX from nvcc and in Java. */
public final class EmptyKernel {
  /** The PTX. */
  public static final DeviceKernel IMAGE =
      DeviceKernel.of(KernelImage.ofPtx(ptx()), "empty", EmptyKernel.class, "empty");

  private EmptyKernel() {}

  @Kernel
  public static void empty(ThreadBlock block, int number, GlobalBytes pointer, float value) {}

  private static String ptx() {
    try (InputStream in = EmptyKernel.class.getResourceAsStream("/dev/stretto/bench/empty.ptx")) {
      if (in == null) {
        throw new IllegalStateException("empty.ptx is missing");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
