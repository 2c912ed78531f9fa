package dev.stretto.contract;

import dev.stretto.Copy;
import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.Extent;
import dev.stretto.PeerAccess;
import dev.stretto.Pitches;
import dev.stretto.Stream;
import dev.stretto.driver.Driver;
import dev.stretto.driver.DriverDevice;
import dev.stretto.driver.HostClock;
import dev.stretto.memory.GlobalBytes;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Random programs on several devices, legal in that every operation waits for those before it that
 * use the same array, do what the same program on the host does: copies within and between devices
 * on either's stream, fills, host copies, and access that comes and goes in between.
 */
class RandomPeerProgramTest extends ContractTest {
  private static final int PROGRAMS = 6;
  private static final int OPERATIONS = 60;
  private static final int ARRAYS = 7;
  private static final int STREAMS = 5;

  private static final List<String> TOPOLOGIES = List.of("3", "4,ring", "3,no-peer");

  /** An array, what it has to hold, and what a user of it has to wait for. */
  private static final class Held {
    final Device device;
    final GlobalBytes array;
    final byte[] expected;
    Event last;

    Held(Device device, int size) {
      this.device = device;
      this.array = device.allocateBytes(size);
      this.expected = new byte[size];
    }
  }

  private List<Device> devices(String topology) {
    if (!machine.isVirtual()) {
      List<Device> gpus = new ArrayList<>(List.of(device));
      for (int i = 1; i < Device.all().size() - 1; i++) {
        gpus.add(Device.open("cuda:" + i));
      }
      if (gpus.size() == 1) {
        gpus.add(Device.open("virtual"));
      }
      return gpus;
    }
    String seed = machine.isSeeded() ? machine.name().replaceAll(".*,seed", ",seed") : "";
    return Device.openAll("virtual:" + topology + seed);
  }

  @Test
  void programsOnSeveralDevicesDoWhatTheyDoOnTheHost() {
    for (String topology : TOPOLOGIES) {
      List<Device> devices = devices(topology);
      for (int program = 0; program < PROGRAMS; program++) {
        run(devices, topology, 1_000L * TOPOLOGIES.indexOf(topology) + program);
      }
      devices.stream().filter(d -> d != device).forEach(Device::close);
    }
  }

  /** There who waits asks the stream instead of an event. */
  @Test
  void programsAreRightWhereTimeIsReal() {
    if (!machine.equals(new Machine("virtual"))) {
      return;
    }
    try (Machine.Opened real = new Machine("virtual:3,no-peer").open(RealTime::new)) {
      for (int program = 0; program < 4 * PROGRAMS; program++) {
        run(real.devices(), "real time", 5_000 + program);
      }
    }
  }

  /** Virtual devices whose clock is the host's. */
  private static final class RealTime extends DriverTap {
    RealTime(Driver driver) {
      super(driver);
    }

    @Override
    void before(Call call) {}

    @Override
    DeviceTap tap(DriverDevice device) {
      return new DeviceTap(device) {
        @Override
        public HostClock clock() {
          return HostClock.REAL;
        }
      };
    }
  }

  private void run(List<Device> devices, String topology, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Held> arrays = new ArrayList<>();
    List<Stream> streams = new ArrayList<>();
    List<PeerAccess> open = new ArrayList<>();
    int size = random.nextBoolean() ? 1 + random.nextInt(20_000) : 3 << 20 | random.nextInt(4096);
    for (int i = 0; i < ARRAYS; i++) {
      arrays.add(new Held(devices.get(random.nextInt(devices.size())), size));
    }
    for (int i = 0; i < STREAMS + devices.size(); i++) {
      int on = i < devices.size() ? i : random.nextInt(devices.size());
      streams.add(devices.get(on).stream());
    }
    for (Held held : arrays) {
      fill(streamOf(streams, held.device, random), held, random);
    }
    for (int i = 0; i < OPERATIONS; i++) {
      step(devices, arrays, streams, open, random);
    }
    for (Held held : arrays) {
      byte[] found = new byte[size];
      Stream stream = streamOf(streams, held.device, random);
      stream.waitFor(held.last);
      stream.copy(held.array, MemorySegment.ofArray(found)).await();
      if (!Arrays.equals(found, held.expected)) {
        throw new AssertionError(
            "program %d on %s: array %d of %s differs at byte %d of %d"
                .formatted(
                    seed,
                    topology,
                    arrays.indexOf(held),
                    held.device.name(),
                    Arrays.mismatch(found, held.expected),
                    size));
      }
    }
    streams.forEach(Stream::await);
    streams.forEach(Stream::close);
    open.forEach(PeerAccess::close);
    arrays.forEach(held -> held.array.close());
  }

  private static void step(
      List<Device> devices,
      List<Held> arrays,
      List<Stream> streams,
      List<PeerAccess> open,
      SplittableRandom random) {
    Held to = arrays.get(random.nextInt(arrays.size()));
    switch (random.nextInt(10)) {
      case 0 -> fill(streamOf(streams, to.device, random), to, random);
      case 1 -> {
        Device one = devices.get(random.nextInt(devices.size()));
        Device two = devices.get(random.nextInt(devices.size()));
        if (one.canAccess(two)) {
          open.add(one.enablePeerAccess(two));
        }
      }
      case 2 -> {
        if (!open.isEmpty()) {
          open.remove(random.nextInt(open.size())).close();
        }
      }
      default -> {
        Held from = arrays.get(random.nextInt(arrays.size()));
        if (from != to) {
          copy(streams, from, to, random);
        }
      }
    }
  }

  private static void copy(List<Stream> streams, Held from, Held to, SplittableRandom random) {
    Stream stream = streamOf(streams, random.nextBoolean() ? from.device : to.device, random);
    stream.waitFor(from.last);
    stream.waitFor(to.last);
    if (random.nextInt(3) == 0) {
      planes(stream, from, to, random);
      from.last = stream.record();
      to.last = from.last;
      return;
    }
    int size = to.expected.length;
    int length = 1 + random.nextInt(size);
    int source = random.nextInt(size - length + 1);
    int target = random.nextInt(size - length + 1);
    Copy copy = stream.copy(from.array.slice(source, length), to.array.slice(target, length));
    if (random.nextInt(6) == 0) {
      copy.await();
    }
    System.arraycopy(from.expected, source, to.expected, target, length);
    from.last = stream.record();
    to.last = from.last;
  }

  private static void planes(Stream stream, Held from, Held to, SplittableRandom random) {
    int size = to.expected.length;
    int planes = 1 + random.nextInt(4);
    int rows = 1 + random.nextInt(20);
    int width = 1 + random.nextInt(Math.max(1, size / (2 * planes * rows)));
    Extent extent = new Extent(width, rows, planes);
    Pitches source = pitches(extent, size, random);
    Pitches target = pitches(extent, size, random);
    if (span(extent, source) > size || span(extent, target) > size) {
      return; // no place for that in a small array
    }
    Copy _ =
        planes == 1
            ? stream.copy2D(from.array, source.row(), to.array, target.row(), width, rows)
            : stream.copy3D(from.array, source, to.array, target, extent);
    for (int plane = 0; plane < planes; plane++) {
      for (int row = 0; row < rows; row++) {
        System.arraycopy(
            from.expected,
            (int) (plane * source.plane() + row * source.row()),
            to.expected,
            (int) (plane * target.plane() + row * target.row()),
            width);
      }
    }
  }

  private static Pitches pitches(Extent extent, int size, SplittableRandom random) {
    long gaps =
        Math.max(1, (size / extent.planes() - extent.width() * extent.rows()) / extent.rows());
    long row = extent.width() + random.nextLong(gaps);
    return new Pitches(row, row * extent.rows() + (random.nextBoolean() ? 0 : random.nextInt(9)));
  }

  private static long span(Extent extent, Pitches pitches) {
    return (extent.planes() - 1) * pitches.plane()
        + (extent.rows() - 1) * pitches.row()
        + extent.width();
  }

  private static void fill(Stream stream, Held held, SplittableRandom random) {
    if (held.last != null) {
      stream.waitFor(held.last);
    }
    byte value = (byte) random.nextInt();
    stream.fill(held.array, value);
    Arrays.fill(held.expected, value);
    held.last = stream.record();
  }

  private static Stream streamOf(List<Stream> streams, Device device, SplittableRandom random) {
    List<Stream> own = streams.stream().filter(s -> s.device() == device).toList();
    return own.get(random.nextInt(own.size()));
  }
}
