package dev.stretto.contract;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stretto.Device;
import dev.stretto.IpcArena;
import dev.stretto.IpcEvent;
import dev.stretto.LimitedPool;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalInts;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Another process of a test: it does as its lines of standard input say, and answers by lines. */
public final class OtherProcess implements AutoCloseable {
  private final Process process;
  private final BufferedReader answers;
  private final PrintStream orders;

  private OtherProcess(Process process) {
    this.process = process;
    this.answers = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
    this.orders = new PrintStream(process.getOutputStream(), true, UTF_8);
  }

  /** Starts one that opens the same device. */
  static OtherProcess on(Machine machine) throws IOException {
    return on(machine.name());
  }

  /** Starts one that opens the device of this name. */
  public static OtherProcess on(String device) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-ea",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                OtherProcess.class.getName(),
                device));
    return new OtherProcess(
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  /** It has ended instead of answering. */
  static final class EndedError extends AssertionError {
    private static final long serialVersionUID = 1;

    EndedError(String message) {
      super(message);
    }
  }

  /** Gives an order and returns the answer. */
  public String ask(String order) throws IOException {
    tell(order);
    return answer();
  }

  /** {@return the answer to the first order of {@link #tell} that has none} */
  String answer() throws IOException {
    String answer = answers.readLine();
    if (answer == null) {
      throw new EndedError("the other process has ended instead of answering");
    }
    return answer;
  }

  /** {@return the number by which the system knows it} */
  long id() {
    return process.pid();
  }

  /** Gives an order whose answer nobody waits for now. */
  void tell(String order) {
    orders.println(order);
  }

  /** Gives an order whose answer is a handle. */
  public byte[] askForHandle(String order) throws IOException {
    String answer = ask(order);
    try {
      return HexFormat.of().parseHex(answer);
    } catch (IllegalArgumentException e) {
      throw new AssertionError("no handle came for \"" + order + "\", but: " + answer, e);
    }
  }

  /** {@return a handle as an order has it} */
  public static String hex(byte[] handle) {
    return HexFormat.of().formatHex(handle);
  }

  /** Ends it as a crash would. */
  public void kill() throws InterruptedException {
    process.destroyForcibly();
    process.waitFor();
  }

  @Override
  public void close() {
    orders.close(); // the end of its orders
    try {
      if (!process.waitFor(30, TimeUnit.SECONDS)) {
        throw new AssertionError("the other process does not end");
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } finally {
      process.destroyForcibly();
    }
  }

  /** How many files this process has open; 0 where the system does not tell. */
  static long descriptors() {
    String[] open = new File("/proc/self/fd").list();
    return open == null ? 0 : open.length;
  }

  // --- in the other process

  private static final class Worker {
    private final IpcArena arena;
    private final PinnedArena pinned;
    private final Stream stream;
    private GlobalInts array;
    private IpcEvent theirs;
    private IpcEvent ours;
    private LimitedPool pool;

    Worker(Device device) {
      this.arena = device.ipcArena();
      this.pinned = device.pinnedArena();
      this.stream = device.stream();
    }

    String obey(String order) {
      String[] words = order.split(" ", -1);
      return switch (words[0]) {
        case "allocate" -> {
          array = arena.allocate(4L * Integer.parseInt(words[1]), GlobalInts::of);
          yield hex(arena.handle(array));
        }
        case "allocatePooled" -> {
          if (pool == null) {
            pool = arena.memoryPool(64 << 20);
          }
          array = stream.allocateInts(pool, Long.parseLong(words[1]));
          yield hex(arena.handle(array));
        }
        case "closePool" -> {
          pool.close();
          yield "closed";
        }
        case "used" -> Long.toString(pool.use().usedBytes());
        case "descriptors" -> {
          stream.await(); // a seeded device does nothing else
          yield Long.toString(descriptors());
        }
        case "event" -> {
          ours = arena.event();
          yield hex(arena.handle(ours));
        }
        case "open" -> {
          array = arena.open(HexFormat.of().parseHex(words[1]), GlobalInts::of);
          yield array.length() + " ints";
        }
        case "openEvent" -> {
          theirs = arena.openEvent(HexFormat.of().parseHex(words[1]));
          yield "opened";
        }
        case "fill" -> {
          stream.fill(array, Integer.parseInt(words[1]));
          yield "recorded " + stream.record(ours);
        }
        case "sum" -> {
          stream.waitFor(theirs);
          yield Long.toString(sum(array));
        }
        case "read" -> Long.toString(sum(array));
        case "answer" -> answer(Integer.parseInt(words[1]));
        case "bring" -> bring(Integer.parseInt(words[1]));
        case "close" -> {
          array.close();
          yield "closed";
        }
        case "closeEvent" -> {
          ours.close();
          yield "closed";
        }
        case "closeArena" -> {
          arena.close();
          yield "closed";
        }
        default -> throw new IllegalArgumentException(order);
      };
    }

    private long sum(GlobalInts from) {
      int length = Math.toIntExact(from.length());
      MemorySegment host = pinned.allocate(4L * length, 64);
      stream.copy(from, host).await();
      long sum = 0;
      for (int i = 0; i < length; i++) {
        sum += host.getAtIndex(ValueLayout.JAVA_INT, i);
      }
      return sum;
    }

    /** Fills the array for each recording of the other process, all enqueued ahead. */
    private String bring(int rounds) {
      for (int round = 0; round < rounds; round++) {
        stream.waitFor(theirs, round);
        stream.fill(array, round + 7);
        stream.record(ours);
        if (round % 32 == 31) {
          stream.await();
        }
      }
      stream.await();
      return "all right";
    }

    /** Sums what each recording of the other process brings, all enqueued ahead. */
    private String answer(int rounds) {
      int length = Math.toIntExact(array.length());
      int ahead = Math.min(rounds, 64);
      List<MemorySegment> hosts = new ArrayList<>();
      for (int i = 0; i < ahead; i++) {
        hosts.add(pinned.allocate(4L * length, 64));
      }
      for (int first = 0; first < rounds; first += ahead) {
        int last = Math.min(rounds, first + ahead);
        for (int round = first; round < last; round++) {
          stream.waitFor(theirs, round + 1);
          stream.copy(array, hosts.get(round - first));
          stream.record(ours);
        }
        stream.await();
        for (int round = first; round < last; round++) {
          for (int i = 0; i < length; i++) {
            int value = hosts.get(round - first).getAtIndex(ValueLayout.JAVA_INT, i);
            if (value != round + 7) {
              return "round " + round + " brought " + value + " at " + i;
            }
          }
        }
      }
      return "all right";
    }
  }

  /** Obeys, and answers with the exception's type and message if there is one. */
  public static void main(String[] args) throws IOException {
    BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, UTF_8));
    PrintStream answers = new PrintStream(System.out, true, UTF_8);
    String machine = args[0];
    while (machine != null) {
      try (Machine.Opened opened = new Machine(machine).open()) {
        machine = obey(new Worker(opened.device()), orders, answers);
      }
    }
  }

  /** Obeys until the end, or until an order names another machine. */
  private static String obey(Worker worker, BufferedReader orders, PrintStream answers)
      throws IOException {
    for (String order = orders.readLine(); order != null; order = orders.readLine()) {
      if (order.startsWith("machine ")) {
        answers.println("another one");
        return order.substring("machine ".length());
      }
      try {
        answers.println(worker.obey(order));
      } catch (RuntimeException e) {
        answers.println(e.getClass().getSimpleName() + ": " + e.getMessage());
      }
    }
    return null;
  }
}
