package dev.stretto.cli;

import dev.stretto.Copy;
import dev.stretto.Device;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalInts;

/** A program that reads what it copies out, in time or too early. */
final class RacingProgram {
  private RacingProgram() {}

  public static void main(String[] arguments) {
    boolean waits = arguments[0].equals("good");
    Device device = Device.open("virtual:h200,seed=1");
    Stream stream = device.stream();
    GlobalInts array = device.allocateInts(1000);
    stream.fill(array, 7);
    int[] host = new int[1000];
    long sum = 0;
    for (int i = 0; i < 5; i++) {
      Copy copy = stream.copy(array, host);
      if (waits) {
        copy.await();
      }
      sum += host[2];
      copy.await();
    }
    System.out.println(sum);
    System.exit(3);
  }
}
