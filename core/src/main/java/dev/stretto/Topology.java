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
 * Which of several devices reach each other's memory, over which link, and how fast copies between
 * them are. A topology is what was found when it was made: it does not change, and enabling access
 * does not change it.
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
  /** What joins two devices. */
  public enum Link {
    /** Nothing: they are the same device. */
    SELF,
    /** NVLink, directly or through a switch. */
    NVLINK,
    /** The PCIe bus. */
    PCIE,
    /** No way but through the memory of the host. */
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

  /** What is known of one ordered pair. */
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
   * {@return what the drivers say of some devices} Nothing is copied. Rates are those of the model
   * between virtual devices, and not known between GPUs or devices of different drivers.
   *
   * @param devices which; at least one, each once
   * @throws IllegalArgumentException if there is none, or one is there twice
   * @throws dev.stretto.fault.ClosedException if one is closed
   * @throws dev.stretto.fault.DeviceLostException if one is lost
   */
  public static Topology of(List<Device> devices) {
    Objects.requireNonNull(devices, "devices");
    List<Device> distinct = distinct(devices);
    List<List<Pair>> pairs = pairs(distinct);
    boolean known = pairs.stream().flatMap(List::stream).anyMatch(pair -> pair.rate.isPresent());
    return new Topology(distinct, pairs, known ? Source.ASKED : Source.UNKNOWN);
  }

  /**
   * {@return the same, with the rates of copies that are made to measure them}
   *
   * <p>Each ordered pair is measured alone: a few copies of 64 MiB on a stream of the sender, timed
   * by the sender's clock, which is a model's on virtual devices. They go as {@link Stream#copy
   * stream.copy} would have them: PEER where access can be enabled, for which it is enabled until
   * the pair is measured (a GPU's driver leaves it turned on, as {@link PeerAccess#close} says),
   * and staged elsewhere. Takes 128 MiB of memory and blocks until all is measured; other work on
   * the devices meanwhile makes the rates less.
   *
   * @param devices which; at least one, each once
   * @throws IllegalArgumentException if there is none, or one is there twice
   * @throws dev.stretto.fault.ClosedException if one is closed
   * @throws dev.stretto.fault.DeviceLostException if one is lost
   * @throws dev.stretto.fault.OutOfDeviceMemoryException if one has too little free memory
   * @throws dev.stretto.fault.AwaitInterruptedException if the thread is interrupted meanwhile
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
          throw new IllegalArgumentException(copy.get(i) + " is there twice");
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

  /** {@return the devices, in the order in which they were given} */
  public List<Device> devices() {
    return devices;
  }

  /**
   * {@return what joins two of the devices}
   *
   * @param from one of them
   * @param to one of them
   * @throws IllegalArgumentException if one of the two is not among them
   */
  public Link link(Device from, Device to) {
    Objects.requireNonNull(from, "from");
    Objects.requireNonNull(to, "to");
    return find(from, to).link;
  }

  /**
   * {@return whether a device can be given access to the memory of another; true of itself}
   *
   * @param from the one that would address the memory
   * @param to the one whose memory it is
   * @throws IllegalArgumentException if one of the two is not among the topology's
   */
  public boolean reaches(Device from, Device to) {
    Objects.requireNonNull(from, "from");
    Objects.requireNonNull(to, "to");
    return find(from, to).access;
  }

  /**
   * {@return how many gigabytes (10<sup>9</sup> bytes) a second one copy moves from a device to
   * another, or empty if that is not known} A device and itself have no rate.
   *
   * <p>Where access cannot be enabled, a virtual device says what its driver's own way through the
   * host would give; {@link #measure} says what {@code stream.copy} gives.
   *
   * @param from the sender
   * @param to the receiver
   * @throws IllegalArgumentException if one of the two is not among the topology's
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

  /** {@return a row for each sender with its link and its rate to each receiver} */
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

  /** Their names, numbered where devices of different machines have the same. */
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
