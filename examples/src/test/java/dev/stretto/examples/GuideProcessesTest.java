package dev.stretto.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Device;
import dev.stretto.IpcArena;
import dev.stretto.IpcEvent;
import dev.stretto.LimitedPool;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalInts;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** What the guide says of processes that share a device. */
class GuideProcessesTest {
  private static final int ROUNDS = 10;

  @Test
  void oneProcessFillsAndAnotherOneSums() throws IOException {
    Process other =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                GuideProcessesTest.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    BufferedReader in = new BufferedReader(new InputStreamReader(other.getInputStream(), UTF_8));
    try (PrintStream out = new PrintStream(other.getOutputStream(), true, UTF_8);
        Device device = Device.open("virtual");
        Stream stream = device.stream()) {
      // @start region="fills"
      try (IpcArena arena = device.ipcArena()) {
        GlobalInts numbers = arena.allocate(4 * 1_000, GlobalInts::of);
        IpcEvent filled = arena.event();
        out.println(HexFormat.of().formatHex(arena.handle(numbers)));
        out.println(HexFormat.of().formatHex(arena.handle(filled)));
        IpcEvent summed = arena.openEvent(HexFormat.of().parseHex(in.readLine()));
        for (int round = 1; round <= ROUNDS; round++) {
          stream.waitFor(summed, round - 1); // the other process has read the last ones
          stream.fill(numbers, round);
          stream.record(filled);
        }
        stream.waitFor(summed, ROUNDS);
        stream.await();
      }
      // @end
      assertThat(in.readLine()).isEqualTo("55000");
    } finally {
      other.destroy();
    }
  }

  @Test
  void arraysComeOutOfAPool() {
    try (Device device = Device.open("virtual");
        Stream stream = device.stream();
        IpcArena arena = device.ipcArena()) {
      // @start region="pool"
      LimitedPool pool = arena.memoryPool(64 << 20);
      try (GlobalInts frame = stream.allocateInts(pool, 1_000)) { // in the order of the stream
        stream.fill(frame, 7);
        byte[] handle = arena.handle(frame); // the other process opens it with arena.open
        assertThat(handle).hasSizeLessThan(300);
      } // freed when the other process has closed it too
      // @end
      stream.await();
    }
  }

  /** The other process. */
  public static void main(String[] args) throws IOException {
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, UTF_8));
    PrintStream out = new PrintStream(System.out, true, UTF_8);
    long sum = 0;
    try (Device device = Device.open("virtual");
        PinnedArena pinned = device.pinnedArena();
        Stream stream = device.stream()) {
      MemorySegment host = pinned.allocate(ValueLayout.JAVA_INT, 1_000);
      // @start region="sums"
      try (IpcArena arena = device.ipcArena()) {
        GlobalInts numbers = arena.open(HexFormat.of().parseHex(in.readLine()), GlobalInts::of);
        IpcEvent filled = arena.openEvent(HexFormat.of().parseHex(in.readLine()));
        IpcEvent summed = arena.event();
        out.println(HexFormat.of().formatHex(arena.handle(summed)));
        for (int round = 1; round <= ROUNDS; round++) {
          stream.waitFor(filled, round);
          stream.copy(numbers, host).await(); // a ProcessGoneException if the other one has ended
          stream.record(summed);
          for (int i = 0; i < 1_000; i++) {
            sum += host.getAtIndex(ValueLayout.JAVA_INT, i);
          }
        }
        stream.await();
      }
      // @end
    }
    out.println(sum);
  }
}
