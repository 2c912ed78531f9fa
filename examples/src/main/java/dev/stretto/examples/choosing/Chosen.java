package dev.stretto.examples.choosing;

import dev.stretto.Device;
import dev.stretto.Stream;
import dev.stretto.driver.DeviceProperties;
import dev.stretto.examples.attention.FlashAttention;
import dev.stretto.examples.attention.Shape;
import dev.stretto.examples.hopper.Attention;
import dev.stretto.memory.GlobalBfloats;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalHalfs;

/**
 * Attention with the fastest kernel that the stream's device can run. What only one compute
 * capability has, such as the warp groups of 9.0, is compiled for no other device.
 */
public final class Chosen {
  private Chosen() {}

  // @start region="choose"
  /** Exactly 9.0: newer devices have no {@code wgmma}. */
  private static boolean hasWarpGroups(Device device) {
    DeviceProperties properties = device.properties();
    return properties.computeMajor() == 9 && properties.computeMinor() == 0;
  }

  // @end

  /**
   * Enqueues attention of bfloat16 numbers: by warp groups on 9.0, else by {@link FlashAttention}.
   *
   * @param stream of a device from 8.0 on; older ones have no products of bfloat16 numbers
   * @param shape the size
   * @param q queries
   * @param k keys
   * @param v values
   * @param o receives the result
   * @param lse receives the logarithms of the sums of exponentials
   * @throws dev.stretto.fault.KernelRefusedException on an older device; use binary16 there
   */
  public static void attend(
      Stream stream,
      Shape shape,
      GlobalBfloats q,
      GlobalBfloats k,
      GlobalBfloats v,
      GlobalBfloats o,
      GlobalFloats lse) {
    Device device = stream.device();
    if (hasWarpGroups(device)) {
      int multiprocessors = device.properties().multiprocessors();
      Attention.enqueue(stream, multiprocessors, shape, q, k, v, o, lse);
    } else {
      stream.launch(FlashAttention.prepare(device, step(device), shape, q, k, v, o, lse));
    }
  }

  /**
   * Enqueues attention of binary16 numbers: by warp groups on 9.0, else by {@link FlashAttention}.
   *
   * @param stream of any device
   * @param shape the size
   * @param q queries
   * @param k keys
   * @param v values
   * @param o receives the result
   * @param lse receives the logarithms of the sums of exponentials
   */
  public static void attend(
      Stream stream,
      Shape shape,
      GlobalHalfs q,
      GlobalHalfs k,
      GlobalHalfs v,
      GlobalHalfs o,
      GlobalFloats lse) {
    Device device = stream.device();
    if (hasWarpGroups(device)) {
      int multiprocessors = device.properties().multiprocessors();
      Attention.enqueue(stream, multiprocessors, shape, q, k, v, o, lse);
    } else {
      stream.launch(FlashAttention.prepare(device, step(device), shape, q, k, v, o, lse));
    }
  }

  /** The tuned kernel's tiles need 96 KiB, and a block of 7.5 has 64. */
  private static FlashAttention.Step step(Device device) {
    return device.properties().computeMajor() >= 8
        ? FlashAttention.Step.TUNED
        : FlashAttention.Step.PLAIN_LOADS;
  }
}
