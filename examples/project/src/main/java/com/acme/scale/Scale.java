package com.acme.scale;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalFloats;
import java.util.Arrays;

/** Multiplies numbers on a device. */
public final class Scale {
  private Scale() {}

  @Kernel
  private static void times(ThreadBlock block, GlobalFloats numbers, float factor, int n) {
    long i = block.globalIndexX();
    if (i < n) {
      numbers.set(i, factor * numbers.get(i));
    }
  }

  /**
   * Multiplies each number by a factor, in place.
   *
   * @param device where
   * @param numbers what is multiplied
   * @param factor by what
   */
  public static void scale(Device device, float[] numbers, float factor) {
    int n = numbers.length;
    try (Stream stream = device.stream();
        GlobalFloats there = device.allocateFloats(n)) {
      stream.copy(numbers, there);
      stream.launch(Grid.covering(n, 256), Scale::times, there, factor, n);
      stream.copy(there, numbers).await();
    }
  }

  /**
   * Multiplies three numbers, and says in which module Stretto is.
   *
   * @param arguments none
   */
  public static void main(String... arguments) {
    float[] numbers = {1, 2, 3};
    try (Device device = Device.open()) {
      scale(device, numbers, 2);
    }
    System.out.println(Arrays.toString(numbers));
    System.out.println("module " + Device.class.getModule().getName());
  }
}
