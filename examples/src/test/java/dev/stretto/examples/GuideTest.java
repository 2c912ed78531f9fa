package dev.stretto.examples;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Copy;
import dev.stretto.Device;
import dev.stretto.ForeignLibrary;
import dev.stretto.Grid;
import dev.stretto.Leak;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.fault.ClosedException;
import dev.stretto.fault.DeviceLostException;
import dev.stretto.fault.PinnedBudgetException;
import dev.stretto.flow.DeviceShare;
import dev.stretto.flow.Flow;
import dev.stretto.flow.FlowReport;
import dev.stretto.flow.Sink;
import dev.stretto.flow.Source;
import dev.stretto.flow.Splitter;
import dev.stretto.flow.ZippedSource;
import dev.stretto.kernel.Atomics;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalBfloats;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalDoubles;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalHalfs;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;
import dev.stretto.rows.HostRows;
import dev.stretto.schedule.Exploration;
import dev.stretto.schedule.Explorer;
import dev.stretto.schedule.Outcome;
import dev.stretto.schedule.Program;
import dev.stretto.schedule.Shrunk;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the guide says of testing, errors, leaks and budgets. */
class GuideTest {
  // @start region="seeds"
  static IntStream seeds() {
    return IntStream.range(0, 100);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void isRightInAnyLegalOrder(int seed) {
    try (Device device = Device.open("virtual:h200,seed=" + seed)) {
      assertThat(Example10MissingWait.withWait(device)).startsWith(0, 0x00042021);
    }
  }

  // @end

  /** Other work is awaited between the two ends of a race. */
  private static void distantRace(Device device) {
    try (Stream uploads = device.stream("uploads");
        Stream compute = device.stream("compute");
        Stream downloads = device.stream("downloads");
        GlobalInts x = device.allocateInts(64);
        GlobalInts y = device.allocateInts(64)) {
      int[] result = new int[64];
      uploads.fill(x, 7);
      for (int i = 0; i < 4; i++) {
        compute.fill(y, i).await();
      }
      downloads.copy(x, result).await(); // does not wait for the uploads
      assertThat(result).containsOnly(7);
    }
  }

  // @start region="explorer"
  @Test
  void theShortestRunThatFailsIsShown() {
    Program program = devices -> distantRace(devices.getFirst());
    Explorer explorer = Explorer.of("h200");
    Exploration found = explorer.explore(0, 200, program);
    Outcome failing = found.failing().orElseThrow();
    Shrunk shrunk = explorer.shrink(failing, program);
    System.out.println(failing.trace());
    System.out.println(shrunk.picture());
  }

  // @end

  @Test
  void thePictureOfTheShortestRunIsThatOfTheGuide() {
    Program program = devices -> distantRace(devices.getFirst());
    Explorer explorer = Explorer.of("h200");
    Outcome failing = explorer.explore(0, 200, program).failing().orElseThrow();
    assertThat(explorer.shrink(failing, program).picture())
        .isEqualTo(
            """
            compute                                 downloads  host     uploads
            fill1 record1 fill2 record2 fill3 record3 fill4 record4 |          |        |
            |                                       > copy1    |        |
            |                                       record1-2  |        |
            |                                       |          task1-2  |
            |                                       |          |        > fill1, which has not happened
            """);
  }

  @Test
  void anotherLibraryIsStoodForInATest() {
    // @start region="foreign"
    try (Device device = Device.open("virtual:h200,seed=1");
        ForeignLibrary library = ForeignLibrary.on(device);
        GlobalBytes array = device.allocateBytes(1024)) {
      byte[] bytes = new byte[1024];
      long theirs = library.createStream();
      try (Stream stream = device.adoptStream(theirs);
          Stream reader = device.stream()) {
        library.fill(array.address(), 1, array.byteSize(), theirs);
        reader.waitFor(stream.record()); // after their fill
        reader.copy(array, bytes).await();
        assertThat(bytes).containsOnly(1);
      }
    }
    // @end
  }

  @Test
  void freshMemoryIsPoisoned() {
    // @start region="poison"
    try (Device device = Device.open("virtual");
        Stream stream = device.stream();
        GlobalInts x = device.allocateInts(1000)) {
      int[] numbers = new int[1000];
      stream.copy(x, numbers).await(); // nothing has written x
      assertThat(numbers).containsOnly(0x7FF57FF5);
    }
    // @end
  }

  @Test
  void wrongArgumentsAreReportedAtTheCall() {
    // @start region="refused"
    try (Device device = Device.open("virtual");
        Stream stream = device.stream();
        GlobalInts x = device.allocateInts(1000)) {
      assertThatThrownBy(() -> stream.copy(new int[999], x))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("the source has 3996 bytes and the destination 4000");
    }
    // @end
  }

  // @start region="fault"
  @Kernel
  static void beyond(ThreadBlock block, GlobalInts x) {
    x.set(block.globalIndexX(), 1);
  }

  @Test
  void aKernelThatFaultsLosesTheDevice() {
    try (Device device = Device.open("virtual");
        Stream stream = device.stream();
        GlobalInts x = device.allocateInts(1000)) {
      stream.launch(Grid.of(4, 256), GuideTest::beyond, x); // 1024 threads for 1000 elements
      assertThatThrownBy(stream::await).isInstanceOf(DeviceLostException.class);
      assertThat(device.isLost()).isTrue();
    }
  }

  // @end

  @Test
  void streamsHaveNames() {
    try (Device device = Device.open("virtual");
        GlobalInts x = device.allocateInts(1000)) {
      Stream upload = device.stream("upload");
      upload.close();
      assertThatThrownBy(() -> upload.fill(x, 0))
          .hasMessageEndingWith(
              "nothing more can be enqueued on stream 'upload' of " + device.name());
    }
  }

  @Test
  void closedTwice() {
    try (Device device = Device.open("virtual")) {
      GlobalInts x = device.allocateInts(1000);
      x.close();
      x.close();
      assertThatThrownBy(x::address).isInstanceOf(ClosedException.class);
    }
  }

  @Test
  void leaksAreListed() {
    try (Device device = Device.open("virtual")) {
      // @start region="leaks"
      GlobalInts forgotten = device.allocateInts(1000);
      Leak leak = device.leaks().getFirst();
      assertThat(leak.what()).isEqualTo("4000 bytes on virtual:0");
      assertThat(leak.where()).hasStackTraceContaining("GuideTest.leaksAreListed");
      // @end
      forgotten.close();
      assertThat(device.leaks()).isEmpty();
    }
  }

  @Test
  void pinnedMemoryHasABudget() {
    // @start region="budget"
    try (Device device = Device.open("virtual");
        PinnedArena pinned = device.pinnedArena()) {
      device.pinnedBudget(8 << 20);
      pinned.allocate(8 << 20);
      assertThat(device.pinned().usedBytes()).isEqualTo(8 << 20);
      assertThatThrownBy(() -> pinned.allocate(1 << 20)).isInstanceOf(PinnedBudgetException.class);
    }
    // @end
  }

  @Test
  void severalDevicesShareAFlow() {
    byte[] plain = new byte[20_000_000];
    byte[] masked = new byte[plain.length];
    byte bits = 0x5a;
    // @start region="devices"
    try (Device h200 = Device.open("virtual:h200");
        Device a100 = Device.open("virtual:a100")) {
      FlowReport report =
          Flow.on(List.of(h200, a100))
              .from(Source.of(MemorySegment.ofArray(plain)))
              .through(
                  (stream, chunk) -> {
                    Grid grid = Grid.covering(chunk.byteSize(), 256);
                    stream.launch(
                        grid, Kernels::mask, chunk.in(), chunk.out(), bits, chunk.byteSize());
                  })
              .to(Sink.of(MemorySegment.ofArray(masked)))
              .start()
              .await();
      for (DeviceShare share : report.devices()) {
        double speed = share.bytesPerSecond() / 1e9;
        System.out.printf("%s: %d chunks at %.1f GB/s%n", share.device(), share.chunks(), speed);
      }
    }
    // @end
    byte[] expected = new byte[plain.length];
    Arrays.fill(expected, bits);
    assertThat(masked).isEqualTo(expected);
  }

  @Kernel
  static void adds(ThreadBlock block, GlobalInts in, GlobalLongs sum, long count) {
    long all = 0;
    for (long i = block.globalIndexX(); i < count; i += 8 * 256) {
      all += in.get(i);
    }
    Atomics.add(sum, 0, all);
  }

  @Test
  void aFlowBringsASumHome(@TempDir Path folder) throws IOException {
    byte[] ones = new byte[4_000_000];
    for (int i = 0; i < ones.length; i += 4) {
      ones[i] = 1;
    }
    Path numbers = Files.write(folder.resolve("numbers"), ones);
    try (Device device = Device.open("virtual:h200");
        Arena arena = Arena.ofShared()) {
      // @start region="reduce"
      MemorySegment sum = arena.allocate(Long.BYTES);
      Flow.on(device)
          .from(Source.file(numbers))
          .through(
              (stream, chunk) -> {
                stream.fill(chunk.out(), (byte) 0);
                stream.launch(
                    Grid.of(8, 256),
                    GuideTest::adds,
                    chunk.in().asInts(),
                    chunk.out().asLongs(),
                    chunk.byteSize() / Integer.BYTES);
              })
          .reduce(
              sum,
              (all, each) -> all.set(JAVA_LONG, 0, all.get(JAVA_LONG, 0) + each.get(JAVA_LONG, 0)))
          .start()
          .await();
      // @end
      assertThat(sum.get(JAVA_LONG, 0)).isEqualTo(1_000_000);
    }
  }

  @Kernel
  static void keepsErrors(
      ThreadBlock block, GlobalBytes in, GlobalBytes out, GlobalLongs size, long count) {
    long kept = 0;
    long begin = 0;
    for (long i = 0; i < count; i++) {
      if (in.get(i) == '\n' || i == count - 1) {
        if (in.get(begin) == 'E') {
          for (long j = begin; j <= i; j++) {
            out.set(kept++, in.get(j));
          }
        }
        begin = i + 1;
      }
    }
    size.set(0, kept);
  }

  @Test
  void aFlowKeepsSomeLinesOfCompressedFiles(@TempDir Path folder) throws IOException {
    List<Path> logs = new ArrayList<>();
    StringBuilder expected = new StringBuilder();
    for (int i = 0; i < 3; i++) {
      Path log = folder.resolve(i + ".gz");
      try (Writer text =
          new OutputStreamWriter(new GZIPOutputStream(Files.newOutputStream(log)), US_ASCII)) {
        for (int j = 0; j < 1000; j++) {
          String line = (j % 10 == 0 ? "E " : "I ") + i + " " + j + "\n";
          text.write(line);
          expected.append(line.startsWith("E") ? line : "");
        }
      }
      logs.add(log);
    }
    Path errors = folder.resolve("errors");
    try (Device device = Device.open("virtual:h200")) {
      // @start region="lines"
      List<Source> files = logs.stream().map(Source::file).toList();
      Flow.on(device)
          .from(Source.decoded(files, GZIPInputStream::new))
          .split(Splitter.lines())
          .through(
              (stream, chunk, size) ->
                  stream.launch(
                      Grid.of(1, 1),
                      GuideTest::keepsErrors,
                      chunk.in(),
                      chunk.out(),
                      size,
                      chunk.byteSize()),
              most -> most)
          .to(Sink.file(errors))
          .start()
          .await();
      // @end
    }
    assertThat(Files.readString(errors)).isEqualTo(expected.toString());
  }

  @Kernel
  static void weighs(
      ThreadBlock block, GlobalFloats in, GlobalFloats weights, GlobalDoubles sum, long count) {
    double all = 0;
    for (long i = block.globalIndexX(); i < count; i += 256) {
      all += in.get(i) * weights.get(i);
    }
    double _ = Atomics.add(sum, 0, all);
  }

  @Test
  void aFlowReadsColumns(@TempDir Path folder) throws IOException {
    ByteBuffer ones = ByteBuffer.allocate(4 * 100_000).order(ByteOrder.nativeOrder());
    while (ones.hasRemaining()) {
      ones.putFloat(2);
    }
    Path values = Files.write(folder.resolve("values"), ones.array());
    Path weights = Files.write(folder.resolve("weights"), ones.array());
    try (Device device = Device.open("virtual:h200");
        Stream stream0 = device.stream();
        GlobalDoubles sum = device.allocateDoubles(1)) {
      stream0.fill(sum, 0).await();
      // @start region="columns"
      ZippedSource columns =
          Source.zip(List.of(Source.file(values), Source.file(weights)), Float.BYTES, Float.BYTES);
      Flow.on(device)
          .from(columns)
          .through(
              (stream, chunk) ->
                  stream.launch(
                      Grid.of(2, 128),
                      GuideTest::weighs,
                      columns.part(chunk, 0).asFloats(),
                      columns.part(chunk, 1).asFloats(),
                      sum,
                      columns.rows(chunk)))
          .drain()
          .start()
          .await();
      // @end
      double[] all = new double[1];
      stream0.copy(sum, all).await();
      assertThat(all[0]).isEqualTo(400_000);
    }
  }

  @Test
  void rowsInManyPlacesMakeOneMatrix() {
    float[][] vectors = new float[1000][256];
    float[][] back = new float[2000][256];
    for (float[] row : vectors) {
      Arrays.fill(row, 0.5f);
    }
    try (Device device = Device.open("virtual:h200");
        Stream stream = device.stream();
        Arena arena = Arena.ofShared();
        GlobalFloats matrix = device.allocateFloats(2000 * 256);
        GlobalBfloats few = device.allocateBfloats(3 * 256)) {
      MemorySegment records = arena.allocate(16 + 1000 * 1040);
      // @start region="rows"
      HostRows file = HostRows.of(records.asSlice(16), 1000, 1024, 1040); // a header, and gaps
      HostRows all = HostRows.join(List.of(HostRows.of(vectors), file));
      stream.copyRows(all, matrix);
      stream.copyRows(all.at(new int[] {7, 0, 1999}).asBfloats(), few);
      stream.copyRows(matrix, HostRows.of(back)).await();
      // @end
    }
    assertThat(back[999]).containsOnly(0.5f);
    assertThat(back[1000]).containsOnly(0);
  }

  @Test
  void partsOfArraysAndOtherForms() {
    float[] samples = new float[1000];
    for (int i = 0; i < samples.length; i++) {
      samples[i] = i;
    }
    float[] results = new float[1000];
    try (Device device = Device.open("virtual:h200");
        Stream stream = device.stream();
        GlobalFloats x = device.allocateFloats(1024);
        GlobalHalfs halfs = device.allocateHalfs(1000);
        GlobalBfloats weights = device.allocateBfloats(100)) {
      // @start region="parts"
      stream.copy(samples, 200, 100, x.slice(924, 100)); // samples[200] to [299], to the end of x
      stream.copy(x.slice(924, 100), results, 900, 100); // and back, to results[900] and after
      stream.copy(samples, halfs); // binary16 on the device, rounded to the nearest
      stream.copy(samples, 0, 100, weights); // bfloat16
      stream.copy(halfs.slice(0, 900), results, 0, 900);
      // @end
      stream.await();
    }
    assertThat(results[999]).isEqualTo(299);
    assertThat(results[899]).isEqualTo(899);
  }

  @Test
  void aFileIsCopiedWithoutABuffer(@TempDir Path folder) throws IOException {
    Path path = Files.write(folder.resolve("matrix"), new byte[0]);
    try (Device device = Device.open("virtual:h200");
        Stream stream = device.stream();
        GlobalFloats matrix = device.allocateFloats(100_000)) {
      stream.fill(matrix, 7);
      // @start region="file"
      try (FileChannel file = FileChannel.open(path, READ, WRITE)) {
        stream.copy(matrix, file, 0);
        Copy copy = stream.copy(file, 0, matrix);
        copy.await();
        assertThat(copy.hostTime()).isPositive();
      }
      // @end
    }
    assertThat(Files.size(path)).isEqualTo(400_000);
  }

  @Test
  void aStageHasATableOnEachDevice() {
    byte[] plain = {1, 2, 3, 4};
    byte[] mapped = new byte[plain.length];
    byte[] squares = new byte[256];
    for (int i = 0; i < squares.length; i++) {
      squares[i] = (byte) (i * i);
    }
    try (Device first = Device.open("virtual:h200");
        Device second = Device.open("virtual:a100")) {
      List<Device> devices = List.of(first, second);
      Flow.on(devices)
          .from(Source.of(MemorySegment.ofArray(plain)))
          // @start region="each"
          .throughEach(
              device -> {
                GlobalBytes table = device.allocateBytes(256);
                try (Stream stream = device.stream()) {
                  stream.copy(squares, table).await();
                }
                return (stream, chunk) ->
                    stream.launch(
                        Grid.covering(chunk.byteSize(), 256),
                        GuideTest::map,
                        chunk.in(),
                        chunk.out(),
                        table,
                        chunk.byteSize());
              })
          // @end
          .to(Sink.of(MemorySegment.ofArray(mapped)))
          .chunkBytes(1)
          .granularity(1)
          .start()
          .await();
    }
    assertThat(mapped).containsExactly(1, 4, 9, 16);
  }

  @Kernel
  static void map(ThreadBlock block, GlobalBytes x, GlobalBytes y, GlobalBytes table, long n) {
    long i = block.globalIndexX();
    if (i < n) {
      y.set(i, table.get(x.get(i) & 0xff));
    }
  }
}
