package dev.stretto.timeline;

import dev.stretto.Device;
import dev.stretto.driver.DeviceProperties;
import dev.stretto.driver.LinkTraffic;
import java.io.BufferedWriter;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/**
 * Writes timelines as Chrome trace events, in the form that PyTorch's profiler (Kineto) gives them:
 * for Perfetto, {@code chrome://tracing}, and tools such as Holistic Trace Analysis.
 *
 * <p>A device is a process; each stream is a thread of it, and so is each engine, which shows the
 * operations of all streams a second time. A copy between two devices of the trace is in the row of
 * the link of both. The nodes of a graph, where they are known, are slices within that of the
 * launch, those beside them in rows for each branch. The host's calls are a process of their own,
 * with an arrow from each call to the operation that it enqueued; the duration of a call is not
 * recorded, and it is drawn as at most a microsecond. What threads of the host read and wrote is in
 * that process, too. Several sections, each a timeline of its own, follow one another.
 */
public final class ChromeTrace implements Closeable {
  private static final int HOST = 1_000_000;
  private static final int CALLS_ROW = 1;
  private static final int SECTIONS_ROW = 1000;

  /** Rows of what threads of the host did, so many for reading and for writing. */
  private static final int WORK_ROW = 10;

  private static final int WORK_ROWS = 1 << 18;

  /** Rows of what threads of the program did. */
  private static final int THREADS_ROW = 1 << 20;

  private static final String EVENTS = "cuda_event";

  private static final long GAP_NANOS = 100_000;
  private static final long MOST_CALL_NANOS = 1000;

  /** A stream as the trace identifies it: by its number in its section, and its name. */
  private record StreamRow(int number, String name) {}

  private final Appendable out;
  private final JsonText json;

  /** The processes of the devices, by the devices' names; the first also has what has no name. */
  private final Map<String, Integer> processes = new LinkedHashMap<>();

  private final Set<Row> named = new HashSet<>();

  private record Row(int pid, int tid) {}

  record Described(DeviceProperties properties, String name) {
    static Described of(Device device) {
      return new Described(device.properties(), device.name());
    }

    static Described of(DeviceProperties properties) {
      return new Described(properties, properties.driver() + ":" + properties.ordinal());
    }
  }

  private static final int AGAIN = 1000;

  /**
   * The row of each stream: streams of different sections share a row if they have the same name.
   */
  private final Map<StreamRow, Integer> streamRows = new HashMap<>();

  /** A row of what a thread did; more than one if that does not nest. */
  private record ThreadRow(long thread, String name, int index) {
    String title() {
      return index == 0 ? name : name + " (" + (index + 1) + ")";
    }
  }

  private final Map<ThreadRow, Integer> threadRows = new HashMap<>();

  private long offsetNanos;
  private long arrowsSoFar;
  private long missing;
  private long correlations;
  private boolean ended;

  /**
   * Begins a trace.
   *
   * @param out the output; closed with the trace if it can be closed
   * @param device the device of all sections
   * @throws UncheckedIOException if it cannot be written
   */
  public ChromeTrace(Appendable out, DeviceProperties device) {
    this(List.of(Described.of(Objects.requireNonNull(device, "device"))), out);
  }

  /**
   * Begins a trace of a device, labelled with the device's name.
   *
   * @param out the output; closed with the trace if it can be closed
   * @param device the device of all sections
   * @throws UncheckedIOException if it cannot be written
   */
  public ChromeTrace(Appendable out, Device device) {
    this(List.of(Described.of(Objects.requireNonNull(device, "device"))), out);
  }

  /**
   * Begins a trace of several devices, each a process labelled with the device's name.
   *
   * @param out the output; closed with the trace if it can be closed
   * @param devices the devices of all sections, of one driver
   * @throws IllegalArgumentException if there are none
   * @throws UncheckedIOException if it cannot be written
   */
  public ChromeTrace(Appendable out, List<Device> devices) {
    this(describe(devices), out);
  }

  static ChromeTrace of(List<Described> devices, Appendable out) {
    return new ChromeTrace(devices, out);
  }

  private static List<Described> describe(List<Device> devices) {
    Objects.requireNonNull(devices, "devices");
    List<Described> described = new ArrayList<>();
    for (Device device : devices) {
      described.add(Described.of(Objects.requireNonNull(device, "an element of devices")));
    }
    if (described.isEmpty()) {
      throw new IllegalArgumentException("a trace of no devices: give at least one");
    }
    return described;
  }

  private ChromeTrace(List<Described> devices, Appendable out) {
    this.out = Objects.requireNonNull(out, "out");
    this.json = new JsonText(out);
    json.beginObject().name("schemaVersion").value(1);
    json.line().name("deviceProperties").beginArray();
    devices.forEach(device -> describe(device.properties));
    json.endArray();
    json.line().name("displayTimeUnit").value("ms");
    json.line().name("baseTimeNanoseconds").value(0);
    json.line().name("traceEvents").beginArray();
    for (Described device : devices) {
      int ordinal = device.properties.ordinal();
      // Devices of several drivers, and one that is opened again, have the same number.
      int pid = processes.containsValue(ordinal) ? AGAIN + processes.size() : ordinal;
      if (processes.putIfAbsent(device.name, pid) == null) {
        nameProcess(pid, device.properties.name(), device.name, processes.size());
      }
    }
    nameProcess(HOST, "host", "CPU", 0);
    nameThread(HOST, CALLS_ROW, "calls");
  }

  /**
   * Writes a timeline to a file.
   *
   * @param file created, or overwritten if it exists
   * @param device the device of the timeline
   * @param spans of the timeline
   * @throws UncheckedIOException if it cannot be written
   */
  public static void write(Path file, DeviceProperties device, List<Span> spans) {
    Objects.requireNonNull(file, "file");
    Objects.requireNonNull(device, "device");
    writeTrace(file, List.of(Described.of(device)), spans);
  }

  /**
   * Writes a timeline of a device to a file, labelled with the device's name.
   *
   * @param file created, or overwritten if it exists
   * @param device the device of the timeline
   * @param spans of the timeline
   * @throws UncheckedIOException if it cannot be written
   */
  public static void write(Path file, Device device, List<Span> spans) {
    Objects.requireNonNull(file, "file");
    Objects.requireNonNull(device, "device");
    writeTrace(file, List.of(Described.of(device)), spans);
  }

  /**
   * Writes a timeline of several devices to a file.
   *
   * @param file created, or overwritten if it exists
   * @param devices the devices of the timeline
   * @param spans of the timeline
   * @throws IllegalArgumentException if there are no devices
   * @throws UncheckedIOException if it cannot be written
   */
  public static void write(Path file, List<Device> devices, List<Span> spans) {
    Objects.requireNonNull(file, "file");
    writeTrace(file, describe(devices), spans);
  }

  private static void writeTrace(Path file, List<Described> devices, List<Span> spans) {
    Span.requireEach(spans);
    try (BufferedWriter out = Files.newBufferedWriter(file);
        ChromeTrace trace = new ChromeTrace(devices, out)) {
      trace.section("", spans);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Writes a timeline after those that were written so far.
   *
   * @param name is shown above it, unless it is empty
   * @param spans of the timeline; may be empty
   * @throws UncheckedIOException if it cannot be written
   */
  public void section(String name, List<Span> spans) {
    Objects.requireNonNull(name, "name");
    Span.requireEach(spans);
    section(name, new Content(spans, List.of(), List.of(), 0));
  }

  /**
   * Writes all that a timeline has recorded after what was written so far: what threads of the
   * program did meanwhile in rows of the host, and an arrow from each operation to those that wait
   * for it. How many operations are missing is in the file as {@code missingOperations}.
   *
   * @param name is shown above it, unless it is empty
   * @param content of the timeline; may be empty
   * @throws UncheckedIOException if it cannot be written
   */
  public void section(String name, Content content) {
    Objects.requireNonNull(name, "name");
    List<Span> spans = Objects.requireNonNull(content, "content").spans();
    missing += content.missing();
    if (spans.isEmpty() && content.host().isEmpty()) {
      return;
    }
    long earliest =
        spans.stream()
            .mapToLong(span -> Math.min(span.enqueuedNanos(), span.startNanos()))
            .min()
            .orElse(Long.MAX_VALUE);
    long earliestOfHost =
        content.host().stream().mapToLong(HostSpan::startNanos).min().orElse(Long.MAX_VALUE);
    long end =
        Math.max(
            spans.stream().mapToLong(Span::endNanos).max().orElse(0),
            content.host().stream().mapToLong(HostSpan::endNanos).max().orElse(0));
    offsetNanos -= Math.min(earliest, earliestOfHost);
    if (!name.isEmpty()) {
      int first = processes.values().iterator().next();
      nameThread(first, SECTIONS_ROW, "sections");
      begin("X", "gpu_user_annotation", name, first, SECTIONS_ROW, 0);
      json.name("dur").thousandths(end).endObject();
    }
    List<Span> ofDevice = spans.stream().filter(span -> !span.isOfHost()).toList();
    writeStreams(ofDevice);
    writeEngines(Span.onEngines(ofDevice));
    writeCalls(ofDevice.stream().filter(span -> !span.isNode()).toList());
    writeWork(spans.stream().filter(Span::isOfHost).toList());
    writeThreads(content.host());
    writeArrows(content.arrows(), ofDevice);
    if (content.missing() > 0) {
      String missed = "%d operations are missing".formatted(content.missing());
      begin("i", "host", missed, HOST, CALLS_ROW, end);
      json.name("s").value("g").endObject();
    }
    offsetNanos += end + GAP_NANOS;
    correlations += spans.stream().mapToLong(Span::correlation).max().orElse(0);
  }

  // --- one operation --------------------------------------------------------------------------

  private void writeStreams(List<Span> spans) {
    Map<Integer, List<Span>> streams = new TreeMap<>();
    spans.forEach(
        span -> streams.computeIfAbsent(span.stream(), stream -> new ArrayList<>()).add(span));
    IdentityHashMap<Span, Integer> branches = new IdentityHashMap<>();
    for (List<Span> its : streams.values()) {
      List<List<Span>> rows = Branches.of(its);
      for (int i = 0; i < rows.size(); i++) {
        for (Span node : rows.get(i)) {
          branches.put(node, i);
        }
      }
    }
    for (Span span : spans) {
      int branch = branches.getOrDefault(span, 0);
      String name = span.streamName() + (branch == 0 ? "" : ", " + Branches.title(branch));
      int row = row(span.stream(), name);
      nameThread(process(span), row, name);
      writeOperation(span, process(span), row, true, category(span));
    }
  }

  private void writeEngines(List<Span> spans) {
    for (Span span : spans) {
      if (span.engine() == Engine.NONE) {
        continue;
      }
      int row = row(span.engine());
      for (int pid : processesOf(span)) {
        nameThread(pid, row, span.engine().title());
        writeOperation(span, pid, row, false, "engine");
      }
    }
  }

  private int process(Span span) {
    Integer known = processes.get(span.deviceName());
    return known == null ? processes.values().iterator().next() : known;
  }

  /** {@return the processes of the devices that an operation occupies} */
  private Set<Integer> processesOf(Span span) {
    Set<Integer> all = new LinkedHashSet<>();
    all.add(process(span));
    processes.forEach(
        (name, pid) -> {
          if (span.reaches(name)) {
            all.add(pid);
          }
        });
    return all;
  }

  private int row(int number, String name) {
    return streamRows.computeIfAbsent(
        new StreamRow(number, name),
        stream -> {
          int row = stream.number;
          while (streamRows.containsValue(row) || isReserved(row)) {
            row++;
          }
          return row;
        });
  }

  private static boolean isReserved(int row) {
    return row >= SECTIONS_ROW && row <= SECTIONS_ROW + Engine.values().length;
  }

  private static int row(Engine engine) {
    return switch (engine) {
      case HOST_TO_DEVICE -> SECTIONS_ROW + 1;
      case KERNELS -> SECTIONS_ROW + 2;
      case DEVICE_TO_HOST -> SECTIONS_ROW + 3;
      case PEER -> SECTIONS_ROW + 4;
      case READING, WRITING, NONE -> throw notOfDevice();
    };
  }

  private static String category(Span span) {
    return switch (span.kind()) {
      case HOST_TO_DEVICE, DEVICE_TO_HOST, DEVICE_TO_DEVICE, PEER -> "gpu_memcpy";
      case FILL -> "gpu_memset";
      case KERNEL -> "kernel";
      case GRAPH -> "graph";
      case WRITE_VALUE, WAIT_VALUE, WAIT_EVENT -> "cuda_sync";
      case READ, WRITE -> throw notOfDevice();
    };
  }

  private void writeOperation(Span span, int pid, int row, boolean ofStream, String category) {
    begin("X", category, span.name(), pid, row, span.startNanos());
    json.name("dur").thousandths(span.nanos()).name("args").beginObject();
    json.name("device").value(pid).name("context").value(1);
    if (ofStream) {
      json.name("stream").value(row);
    }
    json.name("engine").value(span.engine().title());
    json.name("correlation").value(correlations + span.correlation());
    if (span.isNode()) {
      json.name("graph node").value(span.node());
    }
    if (!span.from().isEmpty()) {
      json.name("from").value(span.from()).name("to").value(span.to());
    }
    if (span.bytes() > 0) {
      json.name("bytes").value(span.bytes());
      // Bytes per nanosecond are gigabytes per second.
      json.name("memory bandwidth (GB/s)").thousandths(Math.round(span.bytesPerSecond() / 1e6));
    }
    writeTraffic(span.traffic());
    writeDetail(span.detail());
    json.endObject().endObject();
  }

  /** Kineto's names, as far as it has them. */
  private void writeDetail(Detail detail) {
    if (!detail.route().isEmpty()) {
      json.name("route").value(detail.route());
    }
    detail
        .shape()
        .ifPresent(
            shape -> {
              extents("grid", shape.gridX(), shape.gridY(), shape.gridZ());
              extents("block", shape.blockX(), shape.blockY(), shape.blockZ());
              if (shape.blocksPerCluster() > 1) {
                extents("cluster", shape.clusterX(), shape.clusterY(), shape.clusterZ());
              }
              json.name("shared memory").value(detail.sharedBytes());
            });
    detail
        .function()
        .ifPresent(function -> json.name("registers per thread").value(function.registers()));
    if (!detail.place().isEmpty()) {
      json.name("place").value(detail.place());
    }
  }

  private void extents(String name, long x, long y, long z) {
    json.name(name).beginArray().value(x).value(y).value(z).endArray();
  }

  private void writeTraffic(LinkTraffic traffic) {
    if (traffic.views() == 0) {
      return;
    }
    json.name("views of host memory").value(traffic.views());
    json.name("bytes read over the link").value(traffic.readBytes());
    json.name("bytes written over the link").value(traffic.writtenBytes());
    traffic
        .leastNanos()
        .ifPresent(nanos -> json.name("least time on the link (us)").thousandths(nanos));
  }

  // --- the host -------------------------------------------------------------------------------

  private void writeCalls(List<Span> spans) {
    List<Span> calls = new ArrayList<>(spans);
    calls.sort(Comparator.comparingLong(Span::enqueuedNanos));
    for (int i = 0; i < calls.size(); i++) {
      Span call = calls.get(i);
      long next = i + 1 < calls.size() ? calls.get(i + 1).enqueuedNanos() : Long.MAX_VALUE;
      writeCall(call, Math.min(MOST_CALL_NANOS, next - call.enqueuedNanos()));
    }
  }

  private void writeCall(Span span, long nanos) {
    long id = correlations + span.correlation();
    begin("X", "cuda_driver", call(span), HOST, CALLS_ROW, span.enqueuedNanos());
    json.name("dur").thousandths(nanos).name("args").beginObject();
    json.name("correlation").value(id);
    if (!span.detail().place().isEmpty()) {
      json.name("place").value(span.detail().place());
    }
    json.endObject().endObject();
    begin("s", "ac2g", "ac2g", HOST, CALLS_ROW, span.enqueuedNanos());
    json.name("id").value(id).endObject();
    int row = row(span.stream(), span.streamName());
    begin("f", "ac2g", "ac2g", process(span), row, span.startNanos());
    json.name("id").value(id).name("bp").value("e").endObject();
  }

  private static String call(Span span) {
    return switch (span.kind()) {
      case HOST_TO_DEVICE -> "cuMemcpyHtoDAsync";
      case DEVICE_TO_HOST -> "cuMemcpyDtoHAsync";
      case DEVICE_TO_DEVICE -> "cuMemcpyDtoDAsync";
      case FILL -> "cuMemsetAsync";
      case KERNEL -> "cuLaunchKernel";
      case GRAPH -> "cuGraphLaunch";
      case PEER -> "cuMemcpyPeerAsync";
      case WRITE_VALUE -> "cuStreamWriteValue";
      case WAIT_VALUE, WAIT_EVENT -> "cuStreamWaitValue";
      case READ, WRITE -> throw notOfDevice();
    };
  }

  private static IllegalArgumentException notOfDevice() {
    return new IllegalArgumentException("work of the host has no row of the device");
  }

  /** Writes what threads of the host did, what overlaps in rows of its own. */
  private void writeWork(List<Span> host) {
    List<Span> inOrder = new ArrayList<>(host);
    inOrder.sort(Comparator.comparingLong(Span::startNanos));
    Map<Engine, List<Long>> ends = new EnumMap<>(Engine.class);
    for (Span span : inOrder) {
      List<Long> rows = ends.computeIfAbsent(span.engine(), engine -> new ArrayList<>());
      int row = 0;
      while (row < rows.size() && rows.get(row) > span.startNanos()) {
        row++;
      }
      if (row == rows.size()) {
        rows.add(span.endNanos());
      } else {
        rows.set(row, span.endNanos());
      }
      int tid = WORK_ROW + row + (span.engine() == Engine.WRITING ? WORK_ROWS : 0);
      nameThread(HOST, tid, span.engine().title());
      begin("X", "host", span.name(), HOST, tid, span.startNanos());
      json.name("dur").thousandths(span.nanos()).name("args").beginObject();
      json.name("bytes").value(span.bytes()).endObject().endObject();
    }
  }

  /** Writes what threads of the program did; what does not nest has rows of its own. */
  private void writeThreads(List<HostSpan> host) {
    List<HostSpan> inOrder = new ArrayList<>(host);
    inOrder.sort(
        Comparator.comparingLong(HostSpan::startNanos)
            .thenComparing(Comparator.comparingLong(HostSpan::endNanos).reversed()));
    Map<ThreadRow, Deque<Long>> open = new HashMap<>();
    for (HostSpan span : inOrder) {
      long thread = span.threadName().equals(HostSpan.VIRTUAL) ? 0 : span.thread();
      int index = 0;
      ThreadRow row = new ThreadRow(thread, span.threadName(), index);
      while (!fits(span, open.computeIfAbsent(row, _ -> new ArrayDeque<>()))) {
        row = new ThreadRow(thread, span.threadName(), ++index);
      }
      int tid = threadRows.computeIfAbsent(row, _ -> THREADS_ROW + threadRows.size());
      nameThread(HOST, tid, row.title());
      writeHostSpan(span, tid);
    }
  }

  /** Whether it lies within those that are open, which it is added to then. */
  private static boolean fits(HostSpan span, Deque<Long> ends) {
    while (!ends.isEmpty() && ends.peek() <= span.startNanos()) {
      ends.pop();
    }
    if (!ends.isEmpty() && ends.peek() < span.endNanos()) {
      return false;
    }
    ends.push(span.endNanos());
    return true;
  }

  private void writeHostSpan(HostSpan span, int tid) {
    boolean isRange = span.kind() == HostSpan.Kind.RANGE;
    String category = isRange ? "user_annotation" : "host";
    begin("X", category, span.name(), HOST, tid, span.startNanos());
    json.name("dur").thousandths(span.nanos()).name("args").beginObject();
    json.name("kind").value(span.kind().name()).name("thread").value(span.thread());
    if (!span.deviceName().isEmpty()) {
      json.name("device").value(span.deviceName());
    }
    if (span.bytes() > 0) {
      json.name("bytes").value(span.bytes());
    }
    if (!span.frames().isEmpty()) {
      json.name("place").value(span.place()).name("frames").beginArray();
      span.frames().forEach(json::value);
      json.endArray();
    }
    json.endObject().endObject();
  }

  private void writeArrows(List<Arrow> arrows, List<Span> spans) {
    Map<Long, Span> byNumber = new HashMap<>();
    spans.stream()
        .filter(span -> !span.isNode())
        .forEach(span -> byNumber.put(span.correlation(), span));
    for (Arrow arrow : arrows) {
      Span from = byNumber.get(arrow.from());
      Span to = byNumber.get(arrow.to());
      if (from != null && to != null) {
        // A viewer looks for a slice that is open at this time.
        long leaves = Math.max(from.startNanos(), Math.min(from.endNanos() - 1, to.startNanos()));
        long id = ++arrowsSoFar;
        begin("s", EVENTS, "waits for", process(from), row(from), leaves);
        json.name("id").value(id).endObject();
        begin("f", EVENTS, "waits for", process(to), row(to), to.startNanos());
        json.name("id").value(id).name("bp").value("e").endObject();
      }
    }
  }

  private int row(Span span) {
    return row(span.stream(), span.streamName());
  }

  // --- names and endings ----------------------------------------------------------------------

  private void describe(DeviceProperties is) {
    json.line().beginObject();
    json.name("id").value(is.ordinal()).name("name").value(is.name());
    json.name("totalGlobalMem").value(is.totalBytes());
    json.name("computeMajor").value(is.computeMajor());
    json.name("computeMinor").value(is.computeMinor());
    json.name("maxThreadsPerBlock").value(is.maxThreadsPerBlock());
    json.name("regsPerBlock").value(is.registersPerBlock());
    json.name("warpSize").value(is.warpSize());
    json.name("sharedMemPerBlock").value(is.sharedBytesPerBlock());
    json.name("sharedMemPerBlockOptin").value(is.sharedBytesPerBlockOptIn());
    json.name("numSms").value(is.multiprocessors()).endObject();
  }

  private void nameProcess(int pid, String name, String label, int order) {
    metadata("process_name", pid, 0).name("name").value(name).endObject().endObject();
    metadata("process_labels", pid, 0).name("labels").value(label).endObject().endObject();
    sortIndex("process_sort_index", pid, 0, order);
  }

  /** Names a row when it is first used. */
  private void nameThread(int pid, int tid, String name) {
    if (named.add(new Row(pid, tid))) {
      metadata("thread_name", pid, tid).name("name").value(name).endObject().endObject();
      sortIndex("thread_sort_index", pid, tid, tid);
    }
  }

  private void sortIndex(String kind, int pid, int tid, int order) {
    metadata(kind, pid, tid).name("sort_index").value(order).endObject().endObject();
  }

  private JsonText metadata(String kind, int pid, int tid) {
    json.line().beginObject().name("ph").value("M").name("name").value(kind);
    json.name("pid").value(pid).name("tid").value(tid).name("ts").value(0);
    return json.name("args").beginObject();
  }

  private void begin(String phase, String category, String name, int pid, int tid, long nanos) {
    json.line().beginObject().name("ph").value(phase).name("cat").value(category);
    json.name("name").value(name).name("pid").value(pid).name("tid").value(tid);
    json.name("ts").thousandths(offsetNanos + nanos);
  }

  /**
   * Ends the trace; without this it is not valid JSON.
   *
   * @throws UncheckedIOException if it cannot be written
   */
  @Override
  public void close() {
    if (ended) {
      return;
    }
    ended = true;
    json.line().endArray();
    json.line().name("missingOperations").value(missing).endObject();
    try {
      out.append('\n');
      if (out instanceof Closeable closeable) {
        closeable.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
