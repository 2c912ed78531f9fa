package dev.stretto.contract;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.stretto.Event;
import dev.stretto.Grid;
import dev.stretto.PinnedArena;
import dev.stretto.Registration;
import dev.stretto.Route;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalArray;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Programs that do everything at random, on several streams, with exactly the waits that their data
 * needs. What they leave behind has to be what the same operations leave behind one after the
 * other.
 */
class RandomProgramTest extends ContractTest {
  private static final int PROGRAMS = 6;
  private static final int OPERATIONS = 80;
  private static final int STREAMS = 4;

  @Test
  void whatIsOrderedByStreamsAndEventsHappensInThatOrder() {
    for (int number = 1; number <= PROGRAMS; number++) {
      new Program(number).run();
    }
  }

  /** Some memory, and what it has to hold when all that was enqueued so far is done. */
  private static final class Memory {
    final byte[] expected;
    Event written;
    final List<Event> read = new ArrayList<>();
    final String name;
    MemorySegment host;
    GlobalBytes bytes;
    GlobalInts ints;
    Registration registration;

    Memory(String name, int size) {
      this.name = name;
      this.expected = new byte[size];
    }

    GlobalArray device() {
      return bytes == null ? ints : bytes;
    }
  }

  private final class Program {
    private final int number;
    private final SplittableRandom random;
    private final List<Stream> streams = new ArrayList<>();
    private final List<Memory> onDevice = new ArrayList<>();
    private final List<Memory> onHost = new ArrayList<>();
    private final List<String> log = new ArrayList<>();
    private final Arena arena = Arena.ofShared();
    private final PinnedArena pinned = device.pinnedArena();
    private final int size;

    Program(int number) {
      this.number = number;
      this.random = new SplittableRandom(number * 1000L + machine.name().hashCode());
      this.size = new int[] {1 << 10, 20 << 10, 600 << 10}[number % 3];
    }

    void run() {
      for (int i = 0; i < STREAMS; i++) {
        streams.add(device.stream());
      }
      for (int i = 0; i < 3; i++) {
        Memory bytes = new Memory("bytes" + i, size);
        Memory ints = new Memory("ints" + i, size);
        Memory heap = new Memory("heap" + i, size);
        Memory plain = new Memory("plain" + i, size);
        Memory pin = new Memory("pin" + i, size);
        allocate(bytes);
        allocate(ints);
        heap.host = MemorySegment.ofArray(new byte[size]);
        plain.host = arena.allocate(size, 4096);
        pin.host = pinned.allocate(size);
        onDevice.addAll(List.of(bytes, ints));
        onHost.addAll(List.of(heap, plain, pin));
      }
      try {
        for (int i = 0; i < OPERATIONS; i++) {
          step(streams.get(random.nextInt(STREAMS)));
        }
        check();
      } catch (Throwable e) {
        throw new AssertionError(
            "program %d: %s%n%s".formatted(number, e, String.join("\n", log)), e);
      }
      streams.forEach(Stream::close);
      onDevice.forEach(memory -> memory.device().close());
      pinned.close();
      arena.close();
    }

    private void allocate(Memory memory) {
      Stream stream = streams.getFirst();
      Arrays.fill(memory.expected, (byte) 0);
      if (memory.name.startsWith("bytes")) {
        memory.bytes = device.allocateBytes(size);
        memory.written = stream.fill(memory.bytes, (byte) 0);
      } else {
        memory.ints = device.allocateInts(size / 4);
        memory.written = stream.fill(memory.ints, 0);
      }
      memory.read.clear();
    }

    private Memory any(List<Memory> list) {
      return list.get(random.nextInt(list.size()));
    }

    private void reads(Stream stream, Memory memory) {
      if (memory.written != null && memory.written.stream() != stream) {
        stream.waitFor(memory.written);
      }
    }

    private void writes(Stream stream, Memory memory) {
      reads(stream, memory);
      for (Event reader : memory.read) {
        if (reader.stream() != stream) {
          stream.waitFor(reader);
        }
      }
    }

    private void hasRead(Stream stream, Memory memory) {
      memory.read.add(stream.record());
    }

    private void hasWritten(Stream stream, Memory memory) {
      memory.read.clear();
      memory.written = stream.record();
    }

    private void step(Stream stream) {
      switch (random.nextInt(14)) {
        case 0, 1, 2 -> in(stream, any(onHost), any(onDevice));
        case 3, 4, 5 -> out(stream, any(onDevice), any(onHost));
        case 6 -> local(stream, any(onDevice), any(onDevice));
        case 7 -> fill(stream, any(onDevice));
        case 8 -> add(stream, any(onDevice));
        case 9 -> onHost(stream, any(onHost), any(onHost));
        case 10 -> callback(stream, any(onHost));
        case 11 -> replace(any(onDevice));
        case 12 -> register(any(onHost));
        default -> await(stream);
      }
    }

    private void in(Stream stream, Memory from, Memory to) {
      log.add("%s: %s -> %s".formatted(stream, from.name, to.name));
      reads(stream, from);
      writes(stream, to);
      int at = random.nextInt(size / 4) * 4;
      int length = 1 + random.nextInt(size - at);
      if (to.ints != null) {
        length = Math.max(4, length & -4);
        GlobalInts slice = to.ints.slice(at / 4, length / 4);
        stream.copy(from.host.asSlice(at, length), slice);
      } else if (random.nextInt(4) == 0 && length > 100) {
        int rows = length / 100;
        stream.copy2D(
            from.host.asSlice(at, length), 100, to.bytes.slice(at, length), 100, 60, rows);
        for (int row = 0; row < rows; row++) {
          System.arraycopy(from.expected, at + row * 100, to.expected, at + row * 100, 60);
        }
        length = 0;
      } else if (random.nextInt(3) == 0) {
        stream.copy(from.host.asSlice(at, length), to.bytes.slice(at, length), Route.Kind.STAGED);
      } else {
        stream.copy(from.host.asSlice(at, length), to.bytes.slice(at, length));
      }
      System.arraycopy(from.expected, at, to.expected, at, length);
      hasRead(stream, from);
      hasWritten(stream, to);
    }

    private void out(Stream stream, Memory from, Memory to) {
      log.add("%s: %s -> %s".formatted(stream, from.name, to.name));
      reads(stream, from);
      writes(stream, to);
      int at = random.nextInt(size / 4) * 4;
      int length = 1 + random.nextInt(size - at);
      if (from.ints != null) {
        length = Math.max(4, length & -4);
        stream.copy(from.ints.slice(at / 4, length / 4), to.host.asSlice(at, length));
      } else if (random.nextInt(3) == 0) {
        stream.copy(from.bytes.slice(at, length), to.host.asSlice(at, length), Route.Kind.STAGED);
      } else {
        stream.copy(from.bytes.slice(at, length), to.host.asSlice(at, length));
      }
      System.arraycopy(from.expected, at, to.expected, at, length);
      hasRead(stream, from);
      hasWritten(stream, to);
    }

    private void local(Stream stream, Memory from, Memory to) {
      if (from == to) {
        return;
      }
      log.add("%s: %s -> %s".formatted(stream, from.name, to.name));
      reads(stream, from);
      writes(stream, to);
      stream.copy(from.device(), to.device());
      System.arraycopy(from.expected, 0, to.expected, 0, size);
      hasRead(stream, from);
      hasWritten(stream, to);
    }

    private void fill(Stream stream, Memory to) {
      log.add("%s: fill %s".formatted(stream, to.name));
      writes(stream, to);
      byte value = (byte) random.nextInt();
      if (to.ints != null) {
        stream.fill(to.ints, value * 0x01010101);
        int word = value * 0x01010101;
        for (int i = 0; i < size; i++) {
          to.expected[i] = (byte) (word >> (8 * (i % 4)));
        }
      } else {
        stream.fill(to.bytes, value);
        Arrays.fill(to.expected, value);
      }
      to.read.clear();
      to.written = stream.record();
    }

    private void add(Stream stream, Memory to) {
      if (to.ints == null) {
        return;
      }
      log.add("%s: add to %s".formatted(stream, to.name));
      writes(stream, to);
      int value = random.nextInt();
      stream.launch(Grid.covering(size / 4, 128), Kernels.ADD, to.ints, value, size / 4);
      MemorySegment expected = MemorySegment.ofArray(to.expected);
      for (int i = 0; i < size; i += 4) {
        var word = java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
        expected.set(word, i, expected.get(word, i) + value);
      }
      hasWritten(stream, to);
    }

    private void onHost(Stream stream, Memory from, Memory to) {
      if (from == to) {
        return;
      }
      log.add("%s: %s -> %s".formatted(stream, from.name, to.name));
      reads(stream, from);
      writes(stream, to);
      stream.copy(from.host, to.host);
      System.arraycopy(from.expected, 0, to.expected, 0, size);
      hasRead(stream, from);
      hasWritten(stream, to);
    }

    private void callback(Stream stream, Memory to) {
      log.add("%s: callback on %s".formatted(stream, to.name));
      writes(stream, to);
      stream.then(
          () -> {
            for (int i = 0; i < size; i += 7) {
              to.host.set(JAVA_BYTE, i, (byte) (to.host.get(JAVA_BYTE, i) + 1));
            }
          });
      for (int i = 0; i < size; i += 7) {
        to.expected[i]++;
      }
      hasWritten(stream, to);
    }

    /** Closes memory in flight and goes on with another. */
    private void replace(Memory memory) {
      log.add("replace " + memory.name);
      memory.device().close();
      allocate(memory);
    }

    /** Pins memory where it lies while copies of it may be under way, or ends that. */
    private void register(Memory memory) {
      if (!memory.name.startsWith("plain")) {
        return;
      }
      log.add((memory.registration == null ? "register " : "unregister ") + memory.name);
      if (memory.registration == null) {
        memory.registration = tryToRegister(memory);
      } else {
        memory.registration.close();
        memory.registration = null;
      }
    }

    /** The memory may be pinned still, by a registration that has ended with copies under way. */
    private Registration tryToRegister(Memory memory) {
      try {
        return device.register(memory.host, arena);
      } catch (dev.stretto.fault.PinnedBudgetException e) {
        return null;
      }
    }

    private void await(Stream stream) {
      log.add("await " + stream);
      if (random.nextBoolean()) {
        stream.await();
      } else {
        Event event = any(onDevice).written;
        event.await();
      }
    }

    private void check() {
      device.await();
      streams.forEach(Stream::await);
      for (Memory memory : onHost) {
        log.add("check " + memory.name);
        assertSame(memory.host.toArray(JAVA_BYTE), memory.expected);
      }
      for (Memory memory : onDevice) {
        log.add("check " + memory.name);
        assertSame(read(streams.getFirst(), memory.device()), memory.expected);
      }
    }
  }
}
