package dev.stretto.bench.processes;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.IpcArena;
import dev.stretto.IpcEvent;
import dev.stretto.Launch;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

/**
 * What {@code bench/cpp/processes.cu} measures: one process fills an array, another one sums it,
 * and so on. Rows of a table.
 */
public final class HandOvers {
  private static final int[] BYTES = {4 << 10, 1 << 20, 16 << 20};
  private static final int WARM = 200;
  private static final int BLOCKS = 132;
  private static final int THREADS = 256;

  private HandOvers() {}

  /**
   * Measures, and prints the rows.
   *
   * @param name the device
   * @param rounds how many hand-overs there are of each kind
   */
  public static void run(String name, int rounds, PrintStream out) throws IOException {
    Process other =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "--enable-native-access=ALL-UNNAMED",
                    "-cp",
                    System.getProperty("java.class.path"),
                    HandOvers.class.getName(),
                    name,
                    Integer.toString(rounds)))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (Device device = Device.open(name);
        IpcArena arena = device.ipcArena();
        Stream stream = device.stream()) {
      InputStream answers = other.getInputStream();
      OutputStream orders = other.getOutputStream();
      IpcEvent filled = arena.event();
      send(orders, arena.handle(filled));
      IpcEvent emptied = arena.openEvent(HexFormat.of().parseHex(line(answers)));
      int base = 0;
      for (int bytes : BYTES) {
        GlobalInts array = arena.allocate(bytes, GlobalInts::of);
        send(orders, arena.handle(array));
        require(line(answers).equals("opened"));
        for (int count : new int[] {WARM, rounds}) {
          long start = System.nanoTime();
          for (int round = 1; round <= count; round++) {
            stream.fill(array, round % 7);
            stream.record(filled);
            orders.write(1);
            orders.flush();
            require(answers.read() == 2);
            stream.waitFor(emptied);
          }
          stream.await();
          row(out, bytes, count, "each awaited", start);
          base += count;
        }
        for (int count : new int[] {WARM, rounds}) {
          require(line(answers).equals("ready"));
          long start = System.nanoTime();
          for (int round = 1; round <= count; round++) {
            stream.waitFor(emptied, base + round - 1);
            stream.fill(array, round % 7);
            stream.record(filled);
          }
          stream.waitFor(emptied, base + count);
          stream.await();
          row(out, bytes, count, "enqueued ahead", start);
          base += count;
        }
        require(line(answers).equals("right"));
        array.close();
      }
    } finally {
      other.destroy();
    }
  }

  private static void row(PrintStream out, int bytes, int count, String how, long start) {
    if (count > WARM) {
      out.printf(
          Locale.ROOT,
          "| %d KiB, %s | %.2f us |%n",
          bytes >> 10,
          how,
          (System.nanoTime() - start) / 1e3 / count);
    }
  }

  private static void require(boolean holds) {
    if (!holds) {
      throw new IllegalStateException("the other process does not do as it should");
    }
  }

  private static void send(OutputStream out, byte[] handle) throws IOException {
    out.write((HexFormat.of().formatHex(handle) + "\n").getBytes(UTF_8));
    out.flush();
  }

  /**
   * The other process.
   *
   * @param arguments the device, and how many hand-overs there are of each kind
   */
  public static void main(String[] arguments) throws IOException {
    int rounds = Integer.parseInt(arguments[1]);
    InputStream orders = System.in;
    PrintStream out = new PrintStream(System.out, true, UTF_8);
    try (Device device = Device.open(arguments[0]);
        IpcArena arena = device.ipcArena();
        PinnedArena pinned = device.pinnedArena();
        GlobalLongs sum = device.allocateLongs(1);
        Stream stream = device.stream()) {
      IpcEvent filled = arena.openEvent(HexFormat.of().parseHex(line(orders)));
      IpcEvent emptied = arena.event();
      send(out, arena.handle(emptied));
      MemorySegment host = pinned.allocate(8, 8);
      int base = 0;
      for (int _ : BYTES) {
        GlobalInts array = arena.open(HexFormat.of().parseHex(line(orders)), GlobalInts::of);
        out.println("opened");
        Launch launch = device.prepare(Grid.of(BLOCKS, THREADS), SumKernel::sum, array, sum);
        boolean isRight = true;
        for (int count : new int[] {WARM, rounds}) {
          for (int round = 1; round <= count; round++) {
            require(orders.read() == 1);
            stream.waitFor(filled);
            stream.fill(sum, 0);
            stream.launch(launch);
            stream.copy(sum, host);
            stream.record(emptied);
            stream.await();
            isRight &= host.get(ValueLayout.JAVA_LONG, 0) == (round % 7) * array.length();
            out.write(2);
            out.flush();
          }
          base += count;
        }
        for (int count : new int[] {WARM, rounds}) {
          stream.fill(sum, 0).await();
          out.println("ready");
          long wanted = 0;
          for (int round = 1; round <= count; round++) {
            stream.waitFor(filled, base + round);
            stream.launch(launch);
            stream.record(emptied);
            wanted += (round % 7) * array.length();
          }
          stream.copy(sum, host).await();
          isRight &= host.get(ValueLayout.JAVA_LONG, 0) == wanted;
          base += count;
        }
        out.println(isRight ? "right" : "wrong");
        array.close();
      }
      require(orders.read() < 0);
    }
  }

  /** A line, and nothing of what follows it. */
  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = in.read(); next > 0 && next != '\n'; next = in.read()) {
      line.append((char) next);
    }
    return line.toString();
  }
}
