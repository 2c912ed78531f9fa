package dev.stretto.cli;

import dev.stretto.cli.BandwidthCell.Figure;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.TypeConversionException;

/** The tests of {@code stretto bandwidth}, in nvbandwidth's order and with its words. */
enum BandwidthTest {
  HOST_TO_DEVICE("host (row) to device (column)"),
  DEVICE_TO_HOST("device (column) to host (row)"),
  HOST_TO_DEVICE_BIDIRECTIONAL(
      "host (row) to device (column); the same load the other way is not counted"),
  DEVICE_TO_HOST_BIDIRECTIONAL(
      "device (column) to host (row); the same load the other way is not counted"),
  DEVICE_TO_DEVICE_READ("device (row) reads from device (column), on a stream of the reader"),
  DEVICE_TO_DEVICE_WRITE("device (row) writes to device (column), on a stream of the writer"),
  DEVICE_TO_DEVICE_BIDIRECTIONAL_READ("device (row) reads from device (column), and vice versa"),
  DEVICE_TO_DEVICE_BIDIRECTIONAL_WRITE("device (row) writes to device (column), and vice versa"),
  ALL_TO_HOST("device (column) to host (row); all others send too, which is not counted"),
  ALL_TO_HOST_BIDIRECTIONAL(
      "device (column) to host (row); all others send and receive, which is not counted"),
  HOST_TO_ALL("host (row) to device (column); all others receive too, which is not counted"),
  HOST_TO_ALL_BIDIRECTIONAL(
      "host (row) to device (column); all others send and receive, which is not counted"),
  ALL_TO_ONE_WRITE("all others (row) write to device (column), counted together"),
  ALL_TO_ONE_READ("all others (row) read from device (column), counted together"),
  ONE_TO_ALL_WRITE("device (column) writes to all others (row), counted together"),
  ONE_TO_ALL_READ("device (column) reads from all others (row), counted together"),
  HOST_TO_DEVICE_SM(HOST_TO_DEVICE),
  DEVICE_TO_HOST_SM(DEVICE_TO_HOST),
  HOST_TO_DEVICE_BIDIRECTIONAL_SM(HOST_TO_DEVICE_BIDIRECTIONAL),
  DEVICE_TO_HOST_BIDIRECTIONAL_SM(DEVICE_TO_HOST_BIDIRECTIONAL),
  DEVICE_TO_DEVICE_READ_SM(DEVICE_TO_DEVICE_READ),
  DEVICE_TO_DEVICE_WRITE_SM(DEVICE_TO_DEVICE_WRITE),
  DEVICE_TO_DEVICE_BIDIRECTIONAL_READ_SM(DEVICE_TO_DEVICE_BIDIRECTIONAL_READ),
  DEVICE_TO_DEVICE_BIDIRECTIONAL_WRITE_SM(DEVICE_TO_DEVICE_BIDIRECTIONAL_WRITE),
  ALL_TO_HOST_SM(ALL_TO_HOST),
  ALL_TO_HOST_BIDIRECTIONAL_SM(ALL_TO_HOST_BIDIRECTIONAL),
  HOST_TO_ALL_SM(HOST_TO_ALL),
  HOST_TO_ALL_BIDIRECTIONAL_SM(HOST_TO_ALL_BIDIRECTIONAL),
  ALL_TO_ONE_WRITE_SM(ALL_TO_ONE_WRITE),
  ALL_TO_ONE_READ_SM(ALL_TO_ONE_READ),
  ONE_TO_ALL_WRITE_SM(ONE_TO_ALL_WRITE),
  ONE_TO_ALL_READ_SM(ONE_TO_ALL_READ),
  DEVICE_LOCAL_COPY("within a device (column), each byte counted once"),
  HOST_DEVICE_LATENCY("a kernel of device (column) follows pointers in pinned memory of the host"),
  DEVICE_TO_DEVICE_LATENCY("a kernel of device (row) follows pointers in the memory of (column)");

  private static final String BY_KERNEL = "_sm";

  private final String meaning;

  /** The test whose copies a kernel makes in this one; null in all others. */
  private final @Nullable BandwidthTest byEngine;

  BandwidthTest(String meaning) {
    this.meaning = meaning;
    this.byEngine = null;
  }

  BandwidthTest(BandwidthTest byEngine) {
    this.meaning = byEngine.meaning + "; by a kernel";
    this.byEngine = byEngine;
  }

  /** The test with a name of ours or of nvbandwidth's, such as host_to_device_memcpy_ce. */
  static BandwidthTest of(String name) {
    String plain =
        name.strip().toLowerCase(Locale.ROOT).replace("_memcpy", "").replaceFirst("_ce$", "");
    for (BandwidthTest test : values()) {
      if (plain.equals(test.word())
          || (test.isLatency() && plain.equals(test.word() + BY_KERNEL))) {
        return test;
      }
    }
    throw new TypeConversionException("'" + name + "' is not a test: use " + words());
  }

  private static String words() {
    return Arrays.stream(values()).map(BandwidthTest::word).collect(Collectors.joining(", "));
  }

  /** The name that users type. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** What a row and a column are, and the direction of the bytes. */
  String meaning() {
    return meaning;
  }

  boolean isLatency() {
    return this == DEVICE_TO_DEVICE_LATENCY || this == HOST_DEVICE_LATENCY;
  }

  /** Whether a kernel copies, and not the copy engine. */
  boolean isByKernel() {
    return byEngine != null;
  }

  /** The verb of a test of two devices, with an underscore. */
  String verb() {
    String engine = byEngine == null ? word() : byEngine.word();
    return engine.substring(engine.lastIndexOf('_'));
  }

  /** Whether it needs more than one device. */
  boolean needsPeers() {
    if (byEngine != null) {
      return byEngine.needsPeers();
    }
    return switch (this) {
      case DEVICE_TO_DEVICE_READ,
          DEVICE_TO_DEVICE_WRITE,
          DEVICE_TO_DEVICE_BIDIRECTIONAL_READ,
          DEVICE_TO_DEVICE_BIDIRECTIONAL_WRITE,
          ALL_TO_ONE_WRITE,
          ALL_TO_ONE_READ,
          ONE_TO_ALL_WRITE,
          ONE_TO_ALL_READ,
          DEVICE_TO_DEVICE_LATENCY ->
          true;
      default -> false;
    };
  }

  /** The names of the rows. */
  List<String> rows(List<String> devices) {
    if (byEngine != null) {
      return byEngine.rows(devices);
    }
    return switch (this) {
      case DEVICE_TO_DEVICE_READ,
          DEVICE_TO_DEVICE_WRITE,
          DEVICE_TO_DEVICE_BIDIRECTIONAL_READ,
          DEVICE_TO_DEVICE_BIDIRECTIONAL_WRITE,
          DEVICE_TO_DEVICE_LATENCY ->
          devices;
      case ALL_TO_ONE_WRITE, ALL_TO_ONE_READ, ONE_TO_ALL_WRITE, ONE_TO_ALL_READ ->
          List.of("all others");
      case DEVICE_LOCAL_COPY -> List.of("itself");
      default -> List.of("host");
    };
  }

  /** The measurements, cell by cell. */
  List<BandwidthCell> cells(int devices) {
    if (byEngine != null) {
      return byEngine.cells(devices).stream().map(BandwidthCell::copiedByKernels).toList();
    }
    return switch (this) {
      case HOST_TO_DEVICE -> each(devices, d -> List.of(Flow.toDevice(d)));
      case DEVICE_TO_HOST -> each(devices, d -> List.of(Flow.toHost(d)));
      case HOST_TO_DEVICE_BIDIRECTIONAL ->
          each(devices, d -> List.of(Flow.toDevice(d), Flow.toHost(d).doubled()));
      case DEVICE_TO_HOST_BIDIRECTIONAL ->
          each(devices, d -> List.of(Flow.toHost(d), Flow.toDevice(d).doubled()));
      case DEVICE_TO_DEVICE_READ -> pairs(devices, Figure.MEASURED, Flow::read);
      case DEVICE_TO_DEVICE_WRITE -> pairs(devices, Figure.MEASURED, Flow::write);
      case DEVICE_TO_DEVICE_BIDIRECTIONAL_READ -> pairs(devices, Figure.EACH, Flow::read);
      case DEVICE_TO_DEVICE_BIDIRECTIONAL_WRITE -> pairs(devices, Figure.EACH, Flow::write);
      case ALL_TO_HOST -> each(devices, d -> amid(Flow.toHost(d), devices, false));
      case HOST_TO_ALL -> each(devices, d -> amid(Flow.toDevice(d), devices, false));
      case ALL_TO_HOST_BIDIRECTIONAL -> each(devices, d -> amid(Flow.toHost(d), devices, true));
      case HOST_TO_ALL_BIDIRECTIONAL -> each(devices, d -> amid(Flow.toDevice(d), devices, true));
      case ALL_TO_ONE_WRITE -> together(devices, (one, other) -> Flow.write(other, one));
      case ALL_TO_ONE_READ -> together(devices, (one, other) -> Flow.read(other, one));
      case ONE_TO_ALL_WRITE -> together(devices, Flow::write);
      case ONE_TO_ALL_READ -> together(devices, Flow::read);
      case DEVICE_LOCAL_COPY -> each(devices, d -> List.of(Flow.local(d)));
      default -> throw new IllegalStateException("this test measures no copies");
    };
  }

  private static List<BandwidthCell> each(int devices, IntFunction<List<Flow>> flows) {
    return IntStream.range(0, devices)
        .mapToObj(d -> new BandwidthCell(0, d, Figure.MEASURED, flows.apply(d)))
        .toList();
  }

  /** Makes a flow from a device and another device. */
  private interface FlowOf {
    Flow between(int one, int other);
  }

  private static List<BandwidthCell> pairs(int devices, Figure figure, FlowOf flow) {
    List<BandwidthCell> cells = new ArrayList<>();
    for (int row = 0; row < devices; row++) {
      for (int column = 0; column < devices; column++) {
        if (row != column) {
          Flow there = flow.between(row, column);
          Flow back = flow.between(column, row);
          List<Flow> flows = figure == Figure.EACH ? List.of(there, back) : List.of(there);
          cells.add(new BandwidthCell(row, column, figure, flows));
        }
      }
    }
    return cells;
  }

  /** A flow between a device and the host, at the same time as those of all other devices. */
  private static List<Flow> amid(Flow measured, int devices, boolean bothWays) {
    boolean down = measured.from() == Flow.HOST;
    Stream<Flow> others =
        IntStream.range(0, devices)
            .boxed()
            .flatMap(
                d ->
                    Stream.of(Flow.toDevice(d), Flow.toHost(d))
                        .filter(flow -> bothWays || (flow.from() == Flow.HOST) == down))
            .filter(flow -> !flow.equals(measured))
            .map(Flow::doubled);
    return Stream.concat(Stream.of(measured), others).toList();
  }

  private static List<BandwidthCell> together(int devices, FlowOf flow) {
    return IntStream.range(0, devices)
        .mapToObj(
            one ->
                new BandwidthCell(
                    0,
                    one,
                    Figure.TOTAL,
                    IntStream.range(0, devices)
                        .filter(other -> other != one)
                        .mapToObj(other -> flow.between(one, other))
                        .toList()))
        .toList();
  }
}
