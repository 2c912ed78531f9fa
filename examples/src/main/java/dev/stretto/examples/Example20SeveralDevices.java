package dev.stretto.examples;

import dev.stretto.Copy;
import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.PeerAccess;
import dev.stretto.Route;
import dev.stretto.Stream;
import dev.stretto.TimedEvent;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;
import java.util.List;

/**
 * Two devices: copies between them without access and with it, in one direction and in both, events
 * that order their streams, and a kernel that reads the other device's memory in place.
 */
final class Example20SeveralDevices {
  private static final int COUNT = 16 << 20;
  private static final int BLOCKS = 64;
  private static final int THREADS = 256 * BLOCKS;

  private Example20SeveralDevices() {}

  public static void main(String... arguments) {
    List<Device> devices = open(arguments);
    try (Device first = devices.get(0);
        Device second = devices.get(1);
        GlobalInts here = first.allocateInts(COUNT);
        GlobalInts there = second.allocateInts(COUNT)) {
      System.out.println(first + " and " + second + ", because " + first.reason() + "\n");

      show("without access", first, here, there);
      // @start region="access"
      try (PeerAccess _ = first.enablePeerAccess(second)) {
        show("with access", first, here, there);
      }
      // @end
      bothWays(first, second, here, there);
      System.out.println("the other device counts " + count(first, second, here, there));
      System.out.println("and where it lies " + countInPlace(first, second, here));
    }
  }

  /** Two GPUs, or two virtual devices of one machine. */
  private static List<Device> open(String... arguments) {
    long gpus = Device.all().stream().filter(device -> device.driver().equals("cuda")).count();
    if (arguments.length == 0 && gpus >= 2) {
      return List.of(Device.open("cuda:0"), Device.open("cuda:1"));
    }
    boolean unsaid = arguments.length == 0 || arguments[0].equals("virtual");
    return Device.openAll(unsaid ? "virtual:h200x2" : arguments[0]);
  }

  private static void show(String how, Device device, GlobalInts from, GlobalInts to) {
    try (Stream stream = device.stream()) {
      WarmUp.of(device, () -> stream.copy(from, to));
      // @start region="copy"
      try (TimedEvent begin = stream.recordTimed()) {
        Copy copy = stream.copy(from, to);
        try (TimedEvent end = stream.recordTimed()) {
          end.await();
          Route route = copy.route();
          System.out.printf(
              "%-15s %-12s %3.0f GB/s%n  %s%n",
              how, route.kind(), from.byteSize() / begin.nanosTo(end), route.reason());
        }
      }
      // @end
    }
  }

  private static void bothWays(Device first, Device second, GlobalInts here, GlobalInts there) {
    try (PeerAccess _ = first.enablePeerAccess(second);
        Stream mine = first.stream();
        Stream theirs = second.stream();
        GlobalInts back = first.allocateInts(COUNT);
        GlobalInts source = second.allocateInts(COUNT)) {
      WarmUp.of(first, () -> mine.copy(here, there));
      try (TimedEvent begin = mine.recordTimed()) {
        theirs.waitFor(begin);
        mine.copy(here, there);
        theirs.copy(source, back);
        mine.waitFor(theirs.record());
        try (TimedEvent end = mine.recordTimed()) {
          end.await();
          System.out.printf(
              "both ways                    %3.0f GB/s%n",
              2 * here.byteSize() / begin.nanosTo(end));
        }
      }
    }
  }

  @Kernel
  static void countOdd(ThreadBlock block, GlobalInts numbers, GlobalInts counts) {
    int odd = 0;
    long step = (long) block.gridSizeX() * block.size();
    for (long i = block.globalIndexX(); i < numbers.length(); i += step) {
      odd += numbers.get(i) & 1;
    }
    counts.set(block.globalIndexX(), odd);
  }

  /** Each stream waits for an event of the other. */
  private static int count(Device first, Device second, GlobalInts here, GlobalInts there) {
    Grid grid = Grid.of(BLOCKS, THREADS / BLOCKS);
    try (Stream mine = first.stream();
        Stream theirs = second.stream();
        GlobalInts counts = second.allocateInts(THREADS)) {
      // @start region="events"
      mine.fill(here, 3);
      mine.copy(here, there);
      theirs.waitFor(mine.record()); // it has arrived
      theirs.launch(grid, Example20SeveralDevices::countOdd, there, counts);
      mine.waitFor(theirs.record()); // it has been read
      mine.fill(here, 4);
      mine.copy(here, there);
      // @end
      mine.await();
      return sum(theirs, counts);
    }
  }

  private static int countInPlace(Device first, Device second, GlobalInts here) {
    Grid grid = Grid.of(BLOCKS, THREADS / BLOCKS);
    try (Stream mine = first.stream();
        Stream theirs = second.stream();
        GlobalInts counts = second.allocateInts(THREADS)) {
      mine.fill(here, 3);
      // @start region="kernel"
      try (PeerAccess _ = second.enablePeerAccess(first)) {
        theirs.waitFor(mine.record());
        theirs.launch(grid, Example20SeveralDevices::countOdd, here, counts);
      }
      // @end
      return sum(theirs, counts);
    }
  }

  private static int sum(Stream stream, GlobalInts counts) {
    int[] all = new int[(int) counts.length()];
    stream.copy(counts, all).await();
    int sum = 0;
    for (int part : all) {
      sum += part;
    }
    return sum;
  }
}
