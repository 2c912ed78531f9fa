package dev.stretto.contract;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalInts;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Sets properties to wrong values, and prints what comes of it; or copies by what is set. */
final class SettingsProgram {
  private static final int BYTES = 9_000_001;

  private SettingsProgram() {}

  private interface Call {
    void run();
  }

  @Kernel
  static void kernel(ThreadBlock block, GlobalInts out) {
    out.set(block.threadIndexX(), 4711);
  }

  public static void main(String[] arguments) {
    if (arguments.length > 0) {
      copy();
      return;
    }
    Call opening = () -> Device.open("virtual").close();
    for (Map.Entry<String, String> wrong :
        Map.of(
                "awakeNanos", "-1",
                "diagnosis", "",
                "launchPlaces", "yes",
                "leaks", "on",
                "patienceMillis", "0",
                "peerAhead", "65",
                "peerDepth", "none",
                "pollNanos", "3ms",
                "pumps", "0",
                "slotBytes", "4M")
            .entrySet()) {
      twice(wrong.getKey(), wrong.getValue(), opening);
    }
    twice("slots", "1", () -> Device.openAll("virtual:h200x2,seed=1").forEach(Device::close));
    twice("device", "GPU", () -> Device.open().close());
    twice("libcuda", " ", () -> Device.openGpu().close());
    twice("libcuda", "", Device::all);
    try (Device device = Device.open("virtual:h200,seed=1");
        Stream stream = device.stream();
        GlobalInts out = device.allocateInts(1)) {
      Call launch = () -> stream.launch(Grid.of(1, 1), SettingsProgram::kernel, out);
      twice("checked", "maybe", launch);
      twice("cache", "here", launch);
      System.setProperty("dev.stretto.pumps", "what was read once is not read again");
      Device.open("virtual").close();
      launch.run();
      int[] result = new int[1];
      stream.copy(out, result).await();
      System.out.println("result: " + result[0]);
    }
  }

  private static void twice(String word, String wrong, Call call) {
    String name = "dev.stretto." + word;
    System.setProperty(name, wrong);
    for (int i = 0; i < 2; i++) {
      try {
        call.run();
        System.out.println(word + ": taken");
      } catch (RuntimeException | Error e) {
        System.out.println(word + ": " + e.getClass().getSimpleName() + ": " + e.getMessage());
      }
    }
    System.clearProperty(name);
  }

  /** Copies to a device, to another one without access, and back. */
  private static void copy() {
    byte[] bytes = new byte[BYTES];
    new Random(1).nextBytes(bytes);
    byte[] back = new byte[BYTES];
    List<Device> devices = Device.openAll("virtual:h200x2");
    try (Device first = devices.get(0);
        Device second = devices.get(1);
        Stream stream = first.stream();
        Stream other = second.stream();
        GlobalBytes here = first.allocateBytes(BYTES);
        GlobalBytes there = second.allocateBytes(BYTES)) {
      stream.copy(bytes, here);
      other.waitFor(stream.record());
      System.out.println(other.copy(here, there).route().kind());
      other.copy(there, back).await();
    }
    System.out.println(Arrays.equals(bytes, back) ? "equal" : "different");
  }
}
