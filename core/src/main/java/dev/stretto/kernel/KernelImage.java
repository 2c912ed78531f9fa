package dev.stretto.kernel;

import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * A compiled kernel file: PTX, which the driver assembles for the device that it runs on, or a
 * cubin for one architecture. An image may hold several kernels. It is loaded on a device once,
 * when one of its kernels is first prepared or launched there.
 */
public final class KernelImage {
  private final byte[] bytes;
  private final boolean ptx;

  private KernelImage(byte[] bytes, boolean ptx) {
    this.bytes = bytes;
    this.ptx = ptx;
  }

  /**
   * {@return an image of PTX text}
   *
   * <p>The driver assembles the text when it is loaded, and refuses it with the assembler's log if
   * that fails.
   *
   * @param text as {@code nvcc -ptx} writes it
   */
  public static KernelImage ofPtx(String text) {
    return new KernelImage(
        Objects.requireNonNull(text, "text").getBytes(StandardCharsets.UTF_8), true);
  }

  /**
   * {@return an image of machine code}
   *
   * @param bytes as {@code nvcc -cubin} writes it; copied
   */
  public static KernelImage ofCubin(byte[] bytes) {
    return new KernelImage(Objects.requireNonNull(bytes, "bytes").clone(), false);
  }

  /** {@return a copy of the image's bytes} */
  public byte[] bytes() {
    return bytes.clone();
  }

  /** {@return whether the image is PTX text} */
  public boolean isPtx() {
    return ptx;
  }

  @Override
  public String toString() {
    return (ptx ? "PTX of " : "cubin of ") + bytes.length + " bytes";
  }
}
