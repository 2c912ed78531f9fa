package com.acme.scale;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import dev.stretto.Device;
import dev.stretto.junit.DeviceTest;

class ScaleTest {
  @DeviceTest(seeds = 20)
  void eachNumberIsMultiplied(Device device) {
    float[] numbers = {1, -2, 0.5f};
    Scale.scale(device, numbers, 3);
    assertArrayEquals(new float[] {3, -6, 1.5f}, numbers);
  }
}
