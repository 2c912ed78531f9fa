package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Device;
import dev.stretto.flow.Chunk;
import dev.stretto.flow.Flow;
import dev.stretto.flow.FlowException;
import dev.stretto.flow.FlowProgress;
import dev.stretto.flow.FlowReport;
import dev.stretto.flow.Sink;
import dev.stretto.flow.Source;
import dev.stretto.flow.Splitter;
import dev.stretto.flow.ZippedSource;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;

/** Bytes of several files, of rows, of lines and of compressed files go through a device whole. */
@OnEveryDriver
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FlowSourcesTest {
  private static final int CHUNK = 64 << 10;

  @Parameter Machine machine;
  @TempDir Path folder;

  private Machine.Opened opened;
  private Device device;

  @BeforeEach
  void open() {
    opened = machine.open();
    device = opened.devices().getFirst();
  }

  @AfterEach
  void close() {
    opened.close();
  }

  private static byte[] random(int bytes, long seed) {
    byte[] data = new byte[bytes];
    new SplittableRandom(seed).nextBytes(data);
    return data;
  }

  private Path file(String name, byte[] content) throws IOException {
    return Files.write(folder.resolve(name), content);
  }

  private static byte[] joined(List<byte[]> parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    parts.forEach(all::writeBytes);
    return all.toByteArray();
  }

  /** What the stage sees of each chunk, and what comes out. */
  private record Seen(List<Chunk> chunks, FlowReport report, ByteArrayOutputStream written) {
    byte[] out() {
      return written.toByteArray();
    }
  }

  private Seen through(Source source, Splitter splitter, long header) {
    List<Chunk> chunks = Collections.synchronizedList(new ArrayList<>());
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    var plan =
        Flow.on(device)
            .from(source)
            .header(header)
            .through((stream, chunk) -> chunks.add(chunk))
            .inPlace()
            .to(Sink.channel(Channels.newChannel(out)))
            .chunkBytes(CHUNK);
    if (splitter != null) {
      plan.split(splitter);
    }
    FlowReport report = plan.start().await();
    return new Seen(chunks, report, out);
  }

  // --- several files
  // --------------------------------------------------------------------------------------------------------

  private List<byte[]> parts() {
    List<byte[]> parts = new ArrayList<>();
    for (int size : new int[] {0, 1, 100_000, 0, CHUNK, 3, 0, 250_001, 7, 0}) {
      parts.add(random(size, parts.size()));
    }
    for (int i = 0; i < 100; i++) {
      parts.add(random(1000 + i, i));
    }
    return parts;
  }

  private List<Path> files(List<byte[]> parts) throws IOException {
    List<Path> files = new ArrayList<>();
    for (byte[] part : parts) {
      files.add(file("%03d.bin".formatted(files.size()), part));
    }
    return files;
  }

  @Test
  void filesFollowEachOther() throws IOException {
    List<byte[]> parts = parts();
    Seen seen = through(Source.files(files(parts)), null, 0);
    assertThat(seen.out()).isEqualTo(joined(parts));
    assertThat(seen.report.bytes()).isEqualTo(seen.out().length);
  }

  @Test
  void aFolderIsItsFilesByName() throws IOException {
    List<byte[]> parts = parts();
    List<Path> _ = files(parts);
    file(".hidden", random(10, 1));
    Files.createDirectory(folder.resolve("050.folder"));
    assertThat(through(Source.folder(folder), null, 0).out()).isEqualTo(joined(parts));
  }

  @Test
  void noFilesAreNoBytes() {
    assertThat(through(Source.files(List.of()), null, 0).out()).isEmpty();
  }

  @Test
  void theFileThatIsWrongIsNamed() throws IOException {
    Path there = file("there", random(10, 1));
    Path absent = folder.resolve("absent");
    assertThatThrownBy(() -> Source.files(List.of(there, absent)))
        .isInstanceOf(FlowException.class)
        .hasMessageContaining(absent + " does not exist");
    assertThatThrownBy(() -> Source.folder(there))
        .isInstanceOf(FlowException.class)
        .hasMessageContaining(there + " cannot be read as a folder");
    List<Path> files = files(List.of(random(200_000, 1), random(300_000, 2)));
    Source source = Source.files(files);
    Files.write(files.getLast(), random(299_999, 2));
    assertThatThrownBy(() -> through(source, null, 0))
        .isInstanceOf(FlowException.class)
        .hasMessageContaining(files.getLast().toString());
  }

  @Test
  void aFileCanBeReadFromAPositionOn() throws IOException {
    byte[] data = random(300_000, 1);
    Path path = file("in", data);
    assertThat(through(Source.file(path, 128), null, 0).out())
        .isEqualTo(Arrays.copyOfRange(data, 128, data.length));
    assertThat(through(Source.file(path, data.length), null, 0).out()).isEmpty();
    assertThatThrownBy(() -> Source.file(path, data.length + 1))
        .isInstanceOf(FlowException.class)
        .hasMessageContaining("has 300000 bytes, but is to be read from byte 300001 on");
    assertThatThrownBy(() -> Source.file(path, -1)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aPartOfAFileCanBeRead() throws IOException {
    byte[] data = random(300_000, 1);
    Path path = file("in", data);
    assertThat(through(Source.file(path, 128, 200_001), null, 0).out())
        .isEqualTo(Arrays.copyOfRange(data, 128, 200_129));
    assertThat(through(Source.file(path, data.length, 0), null, 0).out()).isEmpty();
    assertThatThrownBy(() -> Source.file(path, 128, data.length))
        .isInstanceOf(FlowException.class)
        .hasMessageContaining("has 300000 bytes, but 300000 are to be read from byte 128 on");
    assertThatThrownBy(() -> Source.file(path, 0, -1)).isInstanceOf(IllegalArgumentException.class);
  }

  // --- records
  // ----------------------------------------------------------------------------------------------------------------

  private static byte[] lines(int count, long seed, boolean isEnded) {
    SplittableRandom random = new SplittableRandom(seed);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < count; i++) {
      text.append("x".repeat(random.nextInt(200))).append('\n');
    }
    text.append(isEnded ? "" : "the end");
    return text.toString().getBytes(StandardCharsets.US_ASCII);
  }

  private void assertWholeLines(Seen seen, byte[] data) {
    assertThat(seen.out()).isEqualTo(data);
    long end = 0;
    List<Chunk> chunks =
        seen.chunks.stream().sorted((a, b) -> Long.compare(a.index(), b.index())).toList();
    for (Chunk chunk : chunks) {
      assertThat(chunk.position()).isEqualTo(end);
      assertThat(chunk.byteSize()).isBetween(1L, (long) CHUNK);
      end += chunk.byteSize();
      assertThat(end == data.length || data[(int) end - 1] == '\n').isTrue();
      if (end < data.length) {
        assertThat(chunk.byteSize()).as("a full chunk").isGreaterThan(CHUNK - 201);
      }
    }
    assertThat(end).isEqualTo(data.length);
  }

  @Test
  void noChunkCutsALine() throws IOException {
    for (boolean isEnded : new boolean[] {true, false}) {
      byte[] data = lines(10_000, 1, isEnded);
      Path path = file("in", data);
      byte[] piped = data.clone();
      List<Supplier<Source>> sources =
          List.of(
              () -> Source.file(path),
              () -> Source.of(MemorySegment.ofArray(data)),
              () -> Source.channel(Channels.newChannel(new ByteArrayInputStream(piped))));
      for (Supplier<Source> source : sources) {
        assertWholeLines(through(source.get(), Splitter.lines(), 0), data);
      }
    }
  }

  @Test
  void theEndOfAFileEndsALine() throws IOException {
    List<byte[]> parts = List.of(lines(700, 1, false), lines(1500, 2, false), lines(3, 3, true));
    for (Source source :
        List.of(
            Source.files(files(parts)),
            Source.decoded(sources(zipped(parts)), GZIPInputStream::new))) {
      Seen seen = through(source, Splitter.lines(), 0);
      assertThat(seen.out()).isEqualTo(joined(parts));
      List<Long> ends =
          seen.chunks.stream().map(chunk -> chunk.position() + chunk.byteSize()).toList();
      assertThat(ends)
          .contains((long) parts.get(0).length, (long) parts.get(0).length + parts.get(1).length);
    }
  }

  @Test
  void aRecordThatIsTooLongIsTold() throws IOException {
    byte[] data = new byte[3 * CHUNK];
    data[100] = '\n';
    Path path = file("in", data);
    for (Source source :
        List.of(
            Source.file(path),
            Source.channel(Channels.newChannel(new ByteArrayInputStream(data))))) {
      assertThatThrownBy(() -> through(source, Splitter.lines(), 0))
          .isInstanceOf(FlowException.class)
          .hasMessageContaining(
              "the record at byte 101 does not end within a chunk of 65536 bytes");
    }
  }

  @Test
  void aSplitterThatIsWrongIsTold() throws IOException {
    Path path = file("in", new byte[3 * CHUNK]);
    assertThatThrownBy(() -> through(Source.file(path), (bytes, begin, limit) -> limit + 1, 0))
        .isInstanceOf(FlowException.class)
        .hasMessageContaining("a record ends at byte 65537, but the chunk has bytes 0 to 65536");
    assertThatThrownBy(
            () -> through(Source.file(path), (bytes, begin, limit) -> bytes.get(limit), 0))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessageContaining("a splitter asks for byte 65536");
  }

  /** Each record begins with its length, so only a splitter that goes forward finds its end. */
  @Test
  void aSplitterMayGoForward() throws IOException {
    SplittableRandom random = new SplittableRandom(1);
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (int i = 0; i < 3000; i++) {
      int length = 1 + random.nextInt(250);
      all.write(length);
      all.writeBytes(random(length, i));
    }
    byte[] data = all.toByteArray();
    Splitter records =
        (bytes, begin, limit) -> {
          long end = begin;
          while (end < limit && end + 1 + (bytes.get(end) & 0xff) <= limit) {
            end += 1 + (bytes.get(end) & 0xff);
          }
          return end;
        };
    Path path = file("in", data);
    for (Source source :
        List.of(
            Source.file(path),
            Source.channel(Channels.newChannel(new ByteArrayInputStream(data))))) {
      Seen seen = through(source, records, 0);
      assertThat(seen.out()).isEqualTo(data);
      List<Long> ends = new ArrayList<>();
      for (int at = 0; at < data.length; at += 1 + (data[at] & 0xff)) {
        ends.add((long) at);
      }
      assertThat(ends).containsAll(seen.chunks.stream().map(Chunk::position).toList());
    }
  }

  // --- headers and rows
  // -------------------------------------------------------------------------------------------------------

  @Test
  void aHeaderGoesByTheStages() throws IOException {
    byte[] data = random(300_000 + 77, 1);
    Path path = file("in", data);
    for (Source source :
        List.of(
            Source.file(path),
            Source.of(MemorySegment.ofArray(data)),
            Source.channel(Channels.newChannel(new ByteArrayInputStream(data))))) {
      Seen seen = through(source, null, 77);
      assertThat(seen.out()).isEqualTo(data);
      assertThat(seen.report.bytes()).isEqualTo(data.length);
      assertThat(seen.report.bytesOut()).isEqualTo(data.length);
      assertThat(seen.chunks.stream().mapToLong(Chunk::position).min()).hasValue(77);
      assertThat(seen.chunks.stream().mapToLong(Chunk::byteSize).sum()).isEqualTo(300_000);
    }
    assertThatThrownBy(() -> through(Source.file(file("short", new byte[76])), null, 77))
        .isInstanceOf(FlowException.class)
        .hasMessageContaining("has 76 bytes, but its header has 77");
  }

  @Test
  void columnsAreZippedRowByRow() throws IOException {
    int rows = 20_011;
    byte[] ids = random(rows * 8, 1);
    byte[] vectors = random(rows * 12, 2);
    byte[] flags = random(rows, 3);
    ZippedSource columns =
        Source.zip(
            List.of(
                Source.file(file("ids", ids)),
                Source.of(MemorySegment.ofArray(vectors)),
                Source.files(
                    List.of(
                        file("flags1", Arrays.copyOf(flags, 5_000)),
                        file("flags2", Arrays.copyOfRange(flags, 5_000, rows))))),
            8,
            12,
            1);
    assertThat(columns.rows()).isEqualTo(rows);
    assertThat(columns.rowBytes()).isEqualTo(21);
    byte[][] out = {new byte[rows * 8], new byte[rows * 12], new byte[rows]};
    Flow.on(device)
        .from(columns)
        .through(
            (stream, chunk) -> {
              int first = (int) (chunk.position() / 21);
              int count = (int) columns.rows(chunk);
              int[] widths = {8, 12, 1};
              for (int i = 0; i < 3; i++) {
                MemorySegment to = MemorySegment.ofArray(out[i]);
                stream.copy(
                    columns.part(chunk, i),
                    to.asSlice((long) first * widths[i], (long) count * widths[i]));
              }
            })
        .drain()
        .chunkBytes(21 * 1000)
        .start()
        .await();
    assertThat(out[0]).isEqualTo(ids);
    assertThat(out[1]).isEqualTo(vectors);
    assertThat(out[2]).isEqualTo(flags);
  }

  @Test
  void columnsThatDoNotFitAreRefused() {
    Source ten = Source.of(MemorySegment.ofArray(new byte[10]));
    Source six = Source.of(MemorySegment.ofArray(new byte[6]));
    Source piped = Source.channel(Channels.newChannel(new ByteArrayInputStream(new byte[6])));
    assertThatThrownBy(() -> Source.zip(List.of(ten, six), 2, 2))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("source 0 has 5 rows of 2 bytes, and source 1 has 3 of 2");
    assertThatThrownBy(() -> Source.zip(List.of(ten), 3))
        .hasMessageContaining("source 0 has 10 bytes, which are not whole rows of 3");
    assertThatThrownBy(() -> Source.zip(List.of(ten), 0)).hasMessageContaining("a row of 0 bytes");
    assertThatThrownBy(() -> Source.zip(List.of(ten), 1, 2)).hasMessageContaining("1 sources and");
    assertThatThrownBy(() -> Source.zip(List.of())).hasMessageContaining("0 sources and");
    assertThatThrownBy(() -> Source.zip(List.of(piped), 1))
        .hasMessageContaining("cannot be read at any position");
    ZippedSource good = Source.zip(List.of(ten, six), 5, 3);
    assertThatThrownBy(() -> Flow.on(device).from(good).drain().granularity(12).start())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a granularity of 12 bytes is no multiple of a row");
    assertThatThrownBy(() -> Flow.on(device).from(good).drain().header(8).start())
        .isInstanceOf(IllegalStateException.class);
  }

  // --- compressed files
  // ------------------------------------------------------------------------------------------------------

  private List<Path> zipped(List<byte[]> parts) throws IOException {
    List<Path> paths = new ArrayList<>();
    for (byte[] part : parts) {
      paths.add(file("%03d.gz".formatted(paths.size()), gzip(part)));
    }
    return paths;
  }

  private static byte[] gzip(byte[] data) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream zip = new GZIPOutputStream(bytes)) {
      zip.write(data);
    }
    return bytes.toByteArray();
  }

  private static List<Source> sources(List<Path> paths) {
    return paths.stream().map(Source::file).toList();
  }

  @Test
  void compressedFilesAreDecodedOneAfterTheOther() throws IOException {
    List<byte[]> parts = parts();
    Source source = Source.decoded(sources(zipped(parts)), GZIPInputStream::new);
    assertThat(through(source, null, 0).out()).isEqualTo(joined(parts));
  }

  /** A gzip file may have several members; the blocks of the source end between them as well. */
  @Test
  void aFileOfManyMembersIsDecodedWhole() throws IOException {
    List<byte[]> parts = new ArrayList<>();
    ByteArrayOutputStream members = new ByteArrayOutputStream();
    for (int i = 0; i < 40; i++) {
      parts.add(random(30_000 + 997 * i, i));
      members.writeBytes(gzip(parts.getLast()));
    }
    Path path = file("members.gz", members.toByteArray());
    for (Source encoded :
        List.of(
            Source.file(path),
            Source.channel(Channels.newChannel(new ByteArrayInputStream(members.toByteArray()))))) {
      Source source = Source.decoded(List.of(encoded), GZIPInputStream::new);
      assertThat(through(source, null, 0).out()).isEqualTo(joined(parts));
    }
  }

  @Test
  void whatCannotBeDecodedFailsTheFlowAndIsNamed() throws IOException {
    byte[] whole = gzip(random(500_000, 1));
    Path cut = file("cut.gz", Arrays.copyOf(whole, 300_000));
    Path plain = file("plain.gz", random(1000, 1));
    for (Path path : List.of(cut, plain)) {
      Source source = Source.decoded(List.of(Source.file(path)), GZIPInputStream::new);
      assertThatThrownBy(() -> through(source, null, 0))
          .isInstanceOf(FlowException.class)
          .hasMessageContaining(path + " cannot be decoded");
    }
    Source none = Source.decoded(List.of(Source.file(plain)), encoded -> null);
    assertThatThrownBy(() -> through(none, null, 0)).isInstanceOf(FlowException.class);
  }

  @Test
  void aDecoderThatNeverReturnsDoesNotKeepACancelledFlow() throws IOException {
    Path path = file("in.gz", gzip(random(1000, 1)));
    Source source =
        Source.decoded(
            List.of(Source.file(path)),
            encoded -> {
              try {
                Thread.sleep(Duration.ofHours(1));
              } catch (InterruptedException e) {
                throw new IOException("interrupted", e);
              }
              return encoded;
            });
    Flow flow = Flow.on(device).from(source).drain().start();
    flow.cancel();
    assertThatThrownBy(flow::await).hasMessageContaining("cancelled");
  }

  // --- pausing
  // ----------------------------------------------------------------------------------------------------------------

  @Test
  void aPausedFlowReadsNothingUntilItGoesOn() throws Exception {
    byte[] data = random(100 * CHUNK, 1);
    byte[] out = new byte[data.length];
    Flow[] flow = new Flow[1];
    CompletableFuture<Flow> started = new CompletableFuture<>();
    List<FlowProgress> progress = Collections.synchronizedList(new ArrayList<>());
    CountDownLatch paused = new CountDownLatch(1);
    long[] whilePaused = new long[2];
    Thread resuming =
        new Thread(
            () -> {
              try {
                paused.await();
                Thread.sleep(300);
                whilePaused[0] = flow[0].progress().bytesDone();
                Thread.sleep(300);
                whilePaused[1] = flow[0].progress().bytesDone();
              } catch (InterruptedException e) {
                throw new AssertionError(e);
              }
              flow[0].resume();
              flow[0].resume(); // no effect
            });
    var plan =
        Flow.on(device)
            .from(Source.of(MemorySegment.ofArray(data)))
            .to(Sink.of(MemorySegment.ofArray(out)))
            .depth(4)
            .onProgress(
                now -> {
                  progress.add(now);
                  LockSupport.parkNanos(2_000_000); // so that the flow is not over too soon
                  if (now.bytesDone() == 10 * CHUNK) {
                    started.join().pause();
                    paused.countDown();
                  }
                })
            .chunkBytes(CHUNK);
    flow[0] = plan.start();
    started.complete(flow[0]);
    resuming.start();
    FlowReport _ = flow[0].await();
    resuming.join();
    assertThat(out).isEqualTo(data);
    assertThat(whilePaused[0]).isBetween(10L * CHUNK, data.length - 1L);
    assertThat(whilePaused[1]).isEqualTo(whilePaused[0]);
    flow[0].pause(); // no effect
    flow[0].resume();
    assertThat(progress)
        .filteredOn(each -> each.bytesDone() == data.length)
        .singleElement()
        .satisfies(each -> assertThat(each.remaining()).hasValue(Duration.ZERO));
    assertThat(progress.getFirst().remaining().orElseThrow()).isPositive();
  }

  @Test
  void aPausedFlowGoesOnWhenItIsClosed() {
    byte[] data = random(100 * CHUNK, 1);
    byte[] out = new byte[data.length];
    try (Flow flow =
        Flow.on(device)
            .from(Source.of(MemorySegment.ofArray(data)))
            .to(Sink.of(MemorySegment.ofArray(out)))
            .chunkBytes(CHUNK)
            .start()) {
      flow.pause();
    }
    assertThat(out).isEqualTo(data);
  }

  @Test
  void aPausedFlowCanBeCancelled() {
    Flow flow =
        Flow.on(device)
            .from(Source.of(MemorySegment.ofArray(new byte[100 * CHUNK])))
            .drain()
            .depth(2)
            .chunkBytes(CHUNK)
            .start();
    flow.pause();
    flow.cancel();
    flow.resume();
    assertThatThrownBy(flow::await).hasMessageContaining("cancelled");
  }
}
