package dev.stretto;

import dev.stretto.driver.PeerProperties;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * Describes which of several devices can access each other's memory, over which link, and how fast
 * copies between them are. A topology is a snapshot: it does not change, even when access is
 * enabled.
 *
 * <pre>{@code
 * List<Device> devices = Device.openAll("virtual:h200x4,ring");
 * System.out.println(Topology.of(devices));
 * }</pre>
 *
 * <p>prints a row for each sender and a column for each receiver:
 *
 * <pre>{@code
 * from \ to    virtual:0    virtual:1    virtual:2    virtual:3
 * virtual:0    SELF         NVLINK 396.0 HOST 38.1    NVLINK 396.0
 * virtual:1    NVLINK 396.0 SELF         NVLINK 396.0 HOST 38.1
 * virtual:2    HOST 38.1    NVLINK 396.0 SELF         NVLINK 396.0
 * virtual:3    NVLINK 396.0 HOST 38.1    NVLINK 396.0 SELF
 * GB/s of copies one way, as the virtual devices model them
 * }</pre>
 */
public final class Topology {
  /** The link between two devices. */
  public enum Link {
    /** No link: they are the same device. */
    SELF,
    /** NVLink, directly or through a switch. */
    NVLINK,
    /** The PCIe bus. */
    PCIE,
    /** No direct link: copies go through host memory. */
    HOST
  }

  /** Where the rates come from. */
  private enum Source {
    ASKED("GB/s of copies one way, as the virtual devices model them"),
    UNKNOWN("no rates: GPUs have to be measured"),
    MEASURED("GB/s of copies one way, measured");

    private final String caption;

    Source(String caption) {
      this.caption = caption;
    }
  }

  /** The facts about one ordered pair of devices. */
  private record Pair(Link link, boolean access, OptionalDouble rate) {
    @Override
    public String toString() {
      return rate.isPresent()
          ? String.format(Locale.ROOT, "%s %.1f", link, rate.getAsDouble())
          : link.name();
    }
  }

  private final List<Device> devices;
  private final List<List<Pair>> pairs;
  private final Source source;

  private Topology(List<Device> devices, List<List<Pair>> pairs, Source source) {
    this.devices = devices;
    this.pairs = pairs;
    this.source = source;
  }

  /**
   * {@return the topology of some devices, as the drivers report it} Nothing is copied. Rates
   * between virtual devices are those of the model; rates between GPUs, or between devices of
   * different drivers, are unknown.
   *
   * @param devices the devices; at least one, each only once
   * @throws IllegalArgumentException if there is no device, or one is given twice
   * @throws dev.stretto.fault.ClosedException if a device is closed
   * @throws dev.stretto.fault.DeviceLostException if a device is lost
   */
  public static Topology of(List<Device> devices) {
    Objects.requireNonNull(devices, "devices");
    List<Device> distinct = distinct(devices);
    List<List<Pair>> pairs = pairs(distinct);
    boolean known = pairs.stream().flatMap(List::stream).anyMatch(pair -> pair.rate.isPresent());
    return new Topology(distinct, pairs, known ? Source.ASKED : Source.UNKNOWN);
  }

  /**
   * {@return the topology of some devices, with measured rates of copies}
   *
   * <p>Each ordered pair is measured alone: a few copies of 64 MiB on a stream of the sender, timed
   * by the sender's clock, which is modelled on virtual devices. The copies take the routes of
   * {@link Stream#copy stream.copy}: PEER if access can be enabled, and staged otherwise. Access is
   * enabled until the pair is measured (the driver of a GPU leaves it enabled, see {@link
   * PeerAccess#close}). The method takes 128 MiB of memory and blocks until all pairs are measured;
   * other work on the devices meanwhile lowers the rates.
   *
   * @param devices the devices; at least one, each only once
   * @throws IllegalArgumentException if there is no device, or one is given twice
   * @throws dev.stretto.fault.ClosedException if a device is closed
   * @throws dev.stretto.fault.DeviceLostException if a device is lost
   * @throws dev.stretto.fault.OutOfDeviceMemoryException if a device has too little free memory
   * @throws dev.stretto.fault.AwaitInterruptedException if the thread is interrupted during the
   *     wait
   */
  public static Topology measure(List<Device> devices) {
    Objects.requireNonNull(devices, "devices");
    List<Device> distinct = distinct(devices);
    List<List<Pair>> measured = new ArrayList<>();
    List<List<Pair>> asked = pairs(distinct);
    for (int from = 0; from < distinct.size(); from++) {
      List<Pair> row = new ArrayList<>();
      for (int to = 0; to < distinct.size(); to++) {
        Pair pair = asked.get(from).get(to);
        row.add(from == to ? pair : measured(pair, distinct.get(from), distinct.get(to)));
      }
      measured.add(List.copyOf(row));
    }
    return new Topology(distinct, List.copyOf(measured), Source.MEASURED);
  }

  private static Pair measured(Pair pair, Device from, Device to) {
    return new Pair(
        pair.link, pair.access, OptionalDouble.of(PeerRate.gigabytesPerSecond(from, to)));
  }

  // --- asking -----------------------------------------------------------------------------------

  private static List<Device> distinct(List<Device> devices) {
    for (Device device : devices) {
      Objects.requireNonNull(device, "an element of devices");
    }
    List<Device> copy = List.copyOf(devices);
    if (copy.isEmpty()) {
      throw new IllegalArgumentException("a topology needs at least one device");
    }
    for (int i = 0; i < copy.size(); i++) {
      copy.get(i).engine().requireUsable();
      for (int j = 0; j < i; j++) {
        if (isSame(copy.get(i), copy.get(j))) {
          throw new IllegalArgumentException(copy.get(i) + " is given twice");
        }
      }
    }
    return copy;
  }

  private static boolean isSame(Device one, Device other) {
    return one.engine().peers().isSame(other.engine());
  }

  private static List<List<Pair>> pairs(List<Device> devices) {
    return devices.stream()
        .map(from -> devices.stream().map(to -> pair(from, to)).toList())
        .toList();
  }

  private static Pair pair(Device from, Device to) {
    if (isSame(from, to)) {
      return new Pair(Link.SELF, true, OptionalDouble.empty());
    }
    if (!from.engine().peers().isKin(to.engine())) {
      return new Pair(Link.HOST, false, OptionalDouble.empty());
    }
    PeerProperties found = from.engine().peers().of(to.engine());
    double rate = found.bytesPerSecond();
    return new Pair(
        link(found.link()),
        found.access(),
        rate > 0 ? OptionalDouble.of(rate / 1e9) : OptionalDouble.empty());
  }

  private static Link link(PeerProperties.Link link) {
    return switch (link) {
      case NVLINK -> Link.NVLINK;
      case PCIE -> Link.PCIE;
      case HOST -> Link.HOST;
    };
  }

  // --- answers ----------------------------------------------------------------------------------

  /** {@return the devices, in the given order} */
  public List<Device> devices() {
    return devices;
  }

  /**
   * {@return the link between two of the devices}
   *
   * @param from one of the devices
   * @param to one of the devices
   * @throws IllegalArgumentException if either is not a device of this topology
   */
  public Link link(Device from, Device to) {
    Objects.requireNonNull(from, "from");
    Objects.requireNonNull(to, "to");
    return find(from, to).link;
  }

  /**
   * {@return whether a device can be given access to the memory of another; true for the same
   * device}
   *
   * @param from the device that would access the memory
   * @param to the device that has the memory
   * @throws IllegalArgumentException if either is not a device of this topology
   */
  public boolean reaches(Device from, Device to) {
    Objects.requireNonNull(from, "from");
    Objects.requireNonNull(to, "to");
    return find(from, to).access;
  }

  /**
   * {@return how many gigabytes (10<sup>9</sup> bytes) per second a copy moves from one device to
   * another, or empty if that is unknown} There is no rate from a device to itself.
   *
   * <p>If access cannot be enabled, the rate of virtual devices is that of their driver's own way
   * through the host; {@link #measure} gives the rate of {@code stream.copy}.
   *
   * @param from the sender
   * @param to the receiver
   * @throws IllegalArgumentException if either is not a device of this topology
   */
  public OptionalDouble gigabytesPerSecond(Device from, Device to) {
    Objects.requireNonNull(from, "from");
    Objects.requireNonNull(to, "to");
    return find(from, to).rate;
  }

  private Pair find(Device from, Device to) {
    return pairs.get(indexOf(from)).get(indexOf(to));
  }

  private int indexOf(Device device) {
    for (int i = 0; i < devices.size(); i++) {
      if (devices.get(i) == device || isSame(devices.get(i), device)) {
        return i;
      }
    }
    throw new IllegalArgumentException(device + " is not a device of this topology");
  }

  /** {@return whether the rates were measured} */
  public boolean isMeasured() {
    return source == Source.MEASURED;
  }

  /** {@return a table: a row for each sender, with the link and the rate to each receiver} */
  @Override
  public String toString() {
    List<String> names = names();
    int width = names.stream().mapToInt(String::length).max().orElse(0);
    for (List<Pair> row : pairs) {
      width = Math.max(width, row.stream().mapToInt(p -> p.toString().length()).max().orElse(0));
    }
    StringBuilder text = new StringBuilder();
    line(text, width, "from \\ to", names);
    for (int i = 0; i < pairs.size(); i++) {
      line(text, width, names.get(i), pairs.get(i));
    }
    return text.append(source.caption).toString();
  }

  private static void line(StringBuilder text, int width, String head, List<?> cells) {
    StringBuilder line = new StringBuilder(padded(head, Math.max(width, "from \\ to".length())));
    cells.forEach(cell -> line.append(' ').append(padded(cell.toString(), width)));
    text.append(line.toString().stripTrailing()).append('\n');
  }

  private static String padded(String text, int width) {
    return text + " ".repeat(Math.max(0, width - text.length()));
  }

  /** The names of the devices, numbered if devices of different machines have the same name. */
  private List<String> names() {
    List<String> names = devices.stream().map(Device::name).toList();
    Set<String> distinct = new HashSet<>(names);
    if (distinct.size() == names.size()) {
      return names;
    }
    String[] numbered = new String[names.size()];
    Arrays.setAll(numbered, i -> "#" + i + " " + names.get(i));
    return List.of(numbered);
  }
}
