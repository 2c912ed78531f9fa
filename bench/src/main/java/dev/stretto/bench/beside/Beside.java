package dev.stretto.bench.beside;

import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.Grid;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalFloats;
import java.io.PrintStream;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Twelve programs of small kernels at the same time, priorities, and copies beside them: how long
 * each takes on a device. What a virtual device says of them is compared with a GPU ({@code
 * bench/beside.sh}).
 */
public final class Beside {
  private static final int SAMPLES = 15;
  private static final int LINKS = 40;
  private static final long MICRO = 1_000;

  /** A multiprocessor of an H200 holds one block with so much shared memory, or two with half. */
  private static final int ALONE_BYTES = 200 << 10;

  private static final int HALF_BYTES = 100 << 10;
  private static final int COPIED_BYTES = 8 << 20;
  private static final int LOCAL_BYTES = 64 << 20;
  private static final int FLOATS = 16 << 20;

  private final int all;
  private final Map<String, Start.Program> programs = new LinkedHashMap<>();

  private Beside(
      Device device,
      MemorySegment host,
      GlobalBytes copied,
      List<GlobalBytes> local,
      List<GlobalFloats> floats) {
    this.all = device.properties().multiprocessors();
    for (int chains : new int[] {1, 8, 16}) {
      programs.put("chains-" + chains, start -> chains(start, chains));
    }
    programs.put("empty-chains-8", Beside::emptyChains);
    programs.put("waves", this::waves);
    programs.put("halves", this::halves);
    programs.put("shared-memory", this::sharedMemory);
    programs.put("priority", this::priority);
    programs.put("copy-in", start -> copyIn(start, host, copied));
    programs.put("local-copies", start -> localCopies(start, local));
    programs.put("fork-join", Beside::forkJoin);
    programs.put("memory", start -> memory(start, floats));
  }

  /**
   * Runs all programs and prints one JSON object per line.
   *
   * @param name the device
   */
  public static void run(String name, PrintStream out) {
    try (Device device = Device.open(name);
        PinnedArena arena = device.pinnedArena();
        GlobalBytes copied = device.allocateBytes(COPIED_BYTES);
        GlobalBytes from = device.allocateBytes(LOCAL_BYTES);
        GlobalBytes to = device.allocateBytes(LOCAL_BYTES);
        GlobalFloats a = device.allocateFloats(FLOATS);
        GlobalFloats b = device.allocateFloats(FLOATS);
        GlobalFloats c = device.allocateFloats(FLOATS);
        GlobalFloats d = device.allocateFloats(FLOATS);
        Stream stream = device.stream()) {
      stream.fill(from, (byte) 1);
      stream.fill(a, 1f);
      stream.fill(c, 1f).await();
      MemorySegment host = arena.allocate(COPIED_BYTES, 4096);
      Beside beside = new Beside(device, host, copied, List.of(from, to), List.of(a, b, c, d));
      int samples = device.hostClock().isModelled() ? 1 : SAMPLES;
      beside.programs.forEach(
          (program, work) -> {
            double micros = median(device, work, samples) / MICRO;
            out.printf(Locale.ROOT, "{\"bench\":\"%s\",\"microseconds\":%.2f}%n", program, micros);
            out.flush();
          });
    }
  }

  /** The first run is not counted: it compiles and loads. */
  private static double median(Device device, Start.Program program, int samples) {
    double _ = Start.nanos(device, program);
    double[] nanos = new double[samples];
    for (int i = 0; i < samples; i++) {
      nanos[i] = Start.nanos(device, program);
    }
    Arrays.sort(nanos);
    return nanos[samples / 2];
  }

  private static void spin(Stream stream, Grid grid, long micros) {
    stream.launch(grid, BesideKernels::spin, micros * MICRO);
  }

  private static Grid alone(int blocks) {
    return Grid.of(blocks, 32).withSharedBytes(ALONE_BYTES);
  }

  private static List<Stream> chains(Start start, int chains) {
    List<Stream> streams = start.streams(chains);
    for (int link = 0; link < LINKS; link++) {
      streams.forEach(stream -> spin(stream, Grid.of(4, 128), 5));
    }
    return streams;
  }

  private static List<Stream> emptyChains(Start start) {
    List<Stream> streams = start.streams(8);
    for (int link = 0; link < LINKS; link++) {
      streams.forEach(stream -> stream.launch(Grid.of(1, 32), BesideKernels::nothing));
    }
    return streams;
  }

  /** One and a half waves, then two and a half. */
  private List<Stream> waves(Start start) {
    Stream stream = start.stream();
    spin(stream, alone(all + all / 2), 50);
    spin(stream, alone(2 * all + all / 2), 50);
    return List.of(stream);
  }

  /** Kernels that fill half of the device each, on three streams. */
  private List<Stream> halves(Start start) {
    List<Stream> streams = start.streams(3);
    for (int link = 0; link < 4; link++) {
      streams.forEach(stream -> spin(stream, alone(all / 2), 30));
    }
    return streams;
  }

  /** Three kernels of which two fit beside each other, and a small one that fits beside any. */
  private List<Stream> sharedMemory(Start start) {
    List<Stream> streams = start.streams(4);
    for (Stream stream : streams.subList(0, 3)) {
      spin(stream, Grid.of(all, 64).withSharedBytes(HALF_BYTES), 40);
    }
    spin(streams.getLast(), Grid.of(all, 64), 40);
    return streams;
  }

  /** How long an urgent kernel takes that comes in the second of 20 waves. */
  private List<Stream> priority(Start start) {
    Stream many = start.stream();
    Stream urgent = start.stream(-5);
    spin(many, alone(20 * all), 20);
    spin(urgent, Grid.of(1, 32), 30);
    for (int i = 0; i < 3; i++) {
      spin(urgent, alone(all / 4), 5);
    }
    return List.of(urgent);
  }

  private List<Stream> copyIn(Start start, MemorySegment host, GlobalBytes copied) {
    List<Stream> streams = start.streams(2);
    streams.get(0).copy(host, copied);
    for (int link = 0; link < 5; link++) {
      spin(streams.get(1), alone(all), 20);
    }
    spin(streams.get(0), Grid.of(4, 128), 10);
    return streams;
  }

  /** Copies and fills within the device beside a kernel that fills it. */
  private List<Stream> localCopies(Start start, List<GlobalBytes> local) {
    List<Stream> streams = start.streams(2);
    spin(streams.get(0), alone(all), 100);
    for (int i = 0; i < 2; i++) {
      streams.get(1).copy(local.get(0), local.get(1));
      streams.get(1).fill(local.get(1), (byte) i);
    }
    return streams;
  }

  private static List<Stream> forkJoin(Start start) {
    List<Stream> streams = start.streams(4);
    Stream main = streams.getFirst();
    for (int round = 0; round < 10; round++) {
      Event fork = main.record();
      for (Stream stream : streams) {
        if (!stream.equals(main)) {
          stream.waitFor(fork);
        }
        spin(stream, Grid.of(4, 128), 10);
      }
      for (Stream stream : streams.subList(1, streams.size())) {
        main.waitFor(stream.record());
      }
    }
    return List.of(main);
  }

  /** Two kernels that the memory's rate bounds, each twice. */
  private static List<Stream> memory(Start start, List<GlobalFloats> floats) {
    List<Stream> streams = start.streams(2);
    for (int i = 0; i < 2; i++) {
      Grid grid = Grid.covering(FLOATS, 256);
      streams.get(0).launch(grid, BesideKernels::twice, floats.get(0), floats.get(1));
      streams.get(1).launch(grid, BesideKernels::twice, floats.get(2), floats.get(3));
    }
    return streams;
  }
}
