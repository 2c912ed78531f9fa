package dev.stretto.cli;

import dev.stretto.Device;
import dev.stretto.PeerAccess;
import dev.stretto.cli.BandwidthCell.Figure;
import dev.stretto.cli.BandwidthMatrix.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** Runs tests of {@code stretto bandwidth} on some devices. */
final class BandwidthRun implements AutoCloseable {
  private static final String RATE = "GB/s";
  private static final String TIME = "ns";

  private final List<Device> devices;
  private final List<String> names;
  private final long bytes;
  private final Console console;
  private final HostMemory host = new HostMemory();

  /**
   * Creates a run; nothing runs yet.
   *
   * @param bytes of a copy
   * @param console shows the progress if it is a terminal
   */
  BandwidthRun(List<Device> devices, long bytes, Console console) {
    this.devices = devices;
    this.names = devices.stream().map(Device::name).toList();
    this.bytes = bytes;
    this.console = console;
  }

  /**
   * The results of a test.
   *
   * @throws CommandFailure if a byte is not at its place
   */
  List<BandwidthMatrix> run(BandwidthTest test) {
    return switch (test) {
      case HOST_DEVICE_LATENCY -> List.of(hostLatency(test));
      case DEVICE_TO_DEVICE_LATENCY -> List.of(latency(test));
      default -> rates(test);
    };
  }

  // --- rates ------------------------------------------------------------------------------------

  private List<BandwidthMatrix> rates(BandwidthTest test) {
    List<BandwidthCell> cells = test.cells(devices.size());
    boolean each = cells.getFirst().figure() == Figure.EACH;
    List<List<List<Value>>> values = new ArrayList<>();
    for (int part = 0; part < (each ? 3 : 1); part++) {
      values.add(empty(test.rows(names).size()));
    }
    try (Steps steps = new Steps(test.word(), cells)) {
      for (BandwidthCell cell : cells) {
        List<Value> found = measure(cell, steps);
        for (int part = 0; part < found.size(); part++) {
          values.get(part).get(cell.row()).set(cell.column(), found.get(part));
        }
      }
    }
    if (!each) {
      return List.of(matrix(test, "", test.meaning(), values.getFirst()));
    }
    String verb = test.verb();
    return List.of(
        matrix(test, verb + "1", test.meaning() + "; the row's copies", values.get(0)),
        matrix(test, verb + "2", test.meaning() + "; the column's copies", values.get(1)),
        matrix(test, "_total", test.meaning() + "; the sum", values.get(2)));
  }

  private List<List<Value>> empty(int rows) {
    List<List<Value>> values = new ArrayList<>();
    for (int row = 0; row < rows; row++) {
      values.add(new ArrayList<>(Collections.nCopies(devices.size(), Value.NONE)));
    }
    return values;
  }

  private BandwidthMatrix matrix(
      BandwidthTest test, String part, String meaning, List<List<Value>> values) {
    return new BandwidthMatrix(
        test.word() + part, RATE, meaning, test.rows(names), names, values, bytes);
  }

  /** The rates of a cell: one, or those of both flows and their sum. */
  private List<Value> measure(BandwidthCell cell, Steps steps) {
    if (!cell.flows().stream().allMatch(this::isPossible)) {
      return List.of(); // nvbandwidth leaves such a place out too
    }
    List<AutoCloseable> opened = new ArrayList<>();
    List<FlowMemory> flows = new ArrayList<>();
    try {
      for (Flow flow : cell.flows()) {
        opened.addAll(access(flow));
        FlowMemory memory = FlowMemory.of(flow, devices, host, bytes, flows.size());
        flows.add(memory);
        opened.add(memory);
      }
      List<Device> at = cell.flows().stream().map(flow -> devices.get(flow.at())).toList();
      GatedCopies copies = new GatedCopies(flows, at);
      opened.add(copies);
      List<GatedCopies.Times> times = new ArrayList<>();
      for (int sample = 0; sample < BandwidthMatrix.SAMPLES; sample++) {
        times.add(copies.sample());
        steps.sampled(cell);
      }
      boolean isOnLink = cell.flows().stream().anyMatch(Flow::isBetweenDevices);
      String route = isOnLink ? copies.routes() : "";
      return switch (cell.figure()) {
        case MEASURED -> List.of(rate(flows, times, 0, route));
        case TOTAL -> List.of(total(flows, times, route));
        case EACH -> {
          Value one = rate(flows, times, 0, route);
          Value other = rate(flows, times, 1, route);
          yield List.of(one, other, new Value(one.number() + other.number(), route));
        }
      };
    } finally {
      Collections.reverse(opened);
      opened.forEach(BandwidthRun::close);
    }
  }

  /** Whether the kernel of a flow reaches both ends. */
  private boolean isPossible(Flow flow) {
    if (!flow.byKernel() || !flow.isBetweenDevices()) {
      return true;
    }
    Device other = devices.get(flow.at() == flow.from() ? flow.to() : flow.from());
    return devices.get(flow.at()).canAccess(other);
  }

  /** Access in both directions if possible, as in nvbandwidth. */
  private List<PeerAccess> access(Flow flow) {
    List<PeerAccess> enabled = new ArrayList<>();
    if (flow.isBetweenDevices()) {
      Device from = devices.get(flow.from());
      Device to = devices.get(flow.to());
      if (from.canAccess(to)) {
        enabled.add(from.enablePeerAccess(to));
      }
      if (to.canAccess(from)) {
        enabled.add(to.enablePeerAccess(from));
      }
    }
    return enabled;
  }

  private static Value rate(
      List<FlowMemory> flows, List<GatedCopies.Times> times, int flow, String route) {
    double moved = (double) GatedCopies.COPIES * flows.get(flow).bytes();
    return new Value(
        median(times.stream().mapToDouble(sample -> moved / sample.each().get(flow)).toArray()),
        route);
  }

  private static Value total(List<FlowMemory> flows, List<GatedCopies.Times> times, String route) {
    double moved = flows.stream().mapToDouble(FlowMemory::bytes).sum() * GatedCopies.COPIES;
    return new Value(
        median(times.stream().mapToDouble(sample -> moved / sample.total()).toArray()), route);
  }

  static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  // --- latency ----------------------------------------------------------------------------------

  private BandwidthMatrix latency(BandwidthTest test) {
    List<List<Value>> values = empty(devices.size());
    int samples = devices.size() * (devices.size() - 1) * BandwidthMatrix.SAMPLES;
    try (Steps steps = new Steps(test.word(), samples * PointerChase.BYTES)) {
      for (int row = 0; row < devices.size(); row++) {
        for (int column = 0; column < devices.size(); column++) {
          Device device = devices.get(row);
          Device peer = devices.get(column);
          if (row != column && device.canAccess(peer)) {
            double nanos =
                new PointerChase(device)
                    .nanos(
                        device,
                        peer,
                        BandwidthMatrix.SAMPLES,
                        () -> steps.sampled(PointerChase.BYTES));
            values.get(row).set(column, new Value(nanos, "PEER"));
          }
        }
      }
    }
    return new BandwidthMatrix(
        test.word(), TIME, test.meaning(), names, names, values, PointerChase.BYTES);
  }

  private BandwidthMatrix hostLatency(BandwidthTest test) {
    List<List<Value>> values = empty(1);
    int samples = devices.size() * BandwidthMatrix.SAMPLES;
    try (Steps steps = new Steps(test.word(), samples * PointerChase.BYTES)) {
      for (int column = 0; column < devices.size(); column++) {
        Device device = devices.get(column);
        double nanos =
            new PointerChase(device)
                .nanosOfHost(
                    device, BandwidthMatrix.SAMPLES, () -> steps.sampled(PointerChase.BYTES));
        values.getFirst().set(column, new Value(nanos, ""));
      }
    }
    return new BandwidthMatrix(
        test.word(), TIME, test.meaning(), test.rows(names), names, values, PointerChase.BYTES);
  }

  /** The bytes of a sample. */
  private long moved(BandwidthCell cell) {
    return cell.flows().stream().mapToLong(flow -> flow.times() * bytes).sum() * GatedCopies.COPIES;
  }

  // --- progress ---------------------------------------------------------------------------------

  /** The progress of a test. */
  private final class Steps implements AutoCloseable {
    private final Progress progress;
    private long done;

    Steps(String task, List<BandwidthCell> cells) {
      this(
          task, cells.stream().mapToLong(BandwidthRun.this::moved).sum() * BandwidthMatrix.SAMPLES);
    }

    Steps(String task, long all) {
      this.progress = console.progress(task, all);
    }

    void sampled(BandwidthCell cell) {
      sampled(moved(cell));
    }

    void sampled(long more) {
      done += more;
      progress.to(done);
    }

    @Override
    public void close() {
      progress.close();
    }
  }

  private static void close(AutoCloseable resource) {
    try {
      resource.close();
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    host.close();
  }
}
