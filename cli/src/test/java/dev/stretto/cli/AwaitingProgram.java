package dev.stretto.cli;

import dev.stretto.Device;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalBytes;

/** A program that waits for each copy before it enqueues the next one. */
final class AwaitingProgram {
  private static final int BYTES = 1 << 20;

  private AwaitingProgram() {}

  public static void main(String... arguments) {
    int rounds = Integer.parseInt(arguments[0]);
    byte[] host = new byte[BYTES];
    try (Device device = Device.open("virtual");
        Stream stream = device.stream("uploads");
        GlobalBytes array = device.allocateBytes(BYTES)) {
      for (int i = 0; i < rounds; i++) {
        stream.copy(host, array).await();
      }
    }
  }
}
