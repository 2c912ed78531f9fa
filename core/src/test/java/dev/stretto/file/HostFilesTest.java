package dev.stretto.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files past the page cache and through mapped memory, with a system that is in trouble. */
@EnabledOnOs(OS.LINUX)
class HostFilesTest {
  private static final int BYTES = (9 << 20) + 12_345;
  private static final int LARGE = 40 << 20;
  private static final int INPUT_OUTPUT_ERROR = 5;
  private static final int NOT_SUPPORTED = 95;

  @TempDir Path folder;

  private static byte[] random(int bytes, long seed) {
    byte[] data = new byte[bytes];
    new Random(seed).nextBytes(data);
    return data;
  }

  private Path file(byte[] data) throws IOException {
    Path file = folder.resolve("file.bin");
    Files.write(file, data);
    return file;
  }

  private static byte[] read(FileChannel file, int position, int bytes) throws IOException {
    ByteBuffer into = ByteBuffer.allocateDirect(bytes + 1).slice(1, bytes);
    while (into.hasRemaining() && file.read(into, position + into.position()) >= 0) {
      Thread.onSpinWait();
    }
    byte[] read = new byte[into.position()];
    into.flip().get(read);
    return read;
  }

  // --- reading ---------------------------------------------------------------------------------

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void whatTheCacheLacksComesPastItWhereverItBeginsAndHoweverTheSystemStutters(long seed)
      throws IOException {
    byte[] data = random(BYTES, seed);
    FaultyCalls calls = new FaultyCalls(seed);
    calls.isCold = true;
    calls.troubles = 0.3;
    Random random = new Random(seed);
    Path path = file(data);
    try (FileChannel file = HostFiles.with(calls).openToRead(path)) {
      for (int i = 0; i < 40; i++) {
        int position = random.nextInt(BYTES);
        position = i % 3 == 0 ? position & -4096 : position;
        int bytes = 1 + random.nextInt(4 << 20);
        assertThat(read(file, position, bytes))
            .as("%d bytes from %d on, seed %d", bytes, position, seed)
            .isEqualTo(
                Arrays.copyOfRange(data, position, (int) Math.min(BYTES, (long) position + bytes)));
      }
    }
    assertThat(calls.readsPast).isPositive();
  }

  @Test
  void whatTheCacheHasIsNotReadPastIt() throws IOException {
    byte[] data = random(BYTES, 1);
    FaultyCalls calls = new FaultyCalls(1);
    Path path = file(data);
    try (FileChannel file = HostFiles.with(calls).openToRead(path)) {
      assertThat(read(file, 0, BYTES)).isEqualTo(data);
    }
    assertThat(calls.readsPast).isZero();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aFileSystemThatKnowsNoWayPastTheCacheIsReadThroughIt(boolean isOpened) throws IOException {
    byte[] data = random(BYTES, 1);
    FaultyCalls calls = new FaultyCalls(1);
    calls.isCold = true;
    calls.pastOpening = isOpened ? 0 : FileCalls.INVALID;
    calls.pastReading = isOpened ? FileCalls.INVALID : 0;
    try (FileChannel file = HostFiles.with(calls).openToRead(file(data))) {
      assertThat(read(file, 0, BYTES)).isEqualTo(data);
    }
    assertThat(calls.readsPast).isEqualTo(isOpened ? 1 : 0);
  }

  @Test
  void aDiskThatFailsIsReported() throws IOException {
    FaultyCalls calls = new FaultyCalls(1);
    calls.isCold = true;
    calls.pastReading = INPUT_OUTPUT_ERROR;
    try (FileChannel file = HostFiles.with(calls).openToRead(file(random(BYTES, 1)))) {
      assertThatThrownBy(() -> read(file, 0, BYTES))
          .isInstanceOf(IOException.class)
          .hasMessage("Input/output error");
    }
  }

  @Test
  void aFileIsReadUnderItsNameAlsoIfThatLeadsElsewhereByThen() throws IOException {
    byte[] data = random(BYTES, 1);
    FaultyCalls calls = new FaultyCalls(1);
    calls.isCold = true;
    Path path = file(data);
    try (FileChannel file = HostFiles.with(calls).openToRead(path)) {
      Files.move(path, folder.resolve("old"));
      Files.write(path, random(BYTES, 2));
      assertThat(read(file, 0, BYTES)).isEqualTo(data);
    }
    assertThat(calls.readsPast).isPositive();
  }

  @Test
  void aFileThatIsNotThereIsReportedAsJavaDoes() {
    assertThatThrownBy(() -> HostFiles.here().openToRead(folder.resolve("none")))
        .isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void aClosedFileIsNotRead() throws IOException {
    FileChannel file = HostFiles.here().openToRead(file(random(BYTES, 1)));
    file.close();
    assertThatThrownBy(() -> read(file, 0, 10)).isInstanceOf(ClosedChannelException.class);
  }

  // --- writing ---------------------------------------------------------------------------------

  private static WritableFile writable(FileCalls calls, Path path) throws IOException {
    return (WritableFile) HostFiles.with(calls).openToWrite(path);
  }

  /** Eight threads write pieces side by side. */
  private static void write(FileChannel file, byte[] data) {
    AtomicInteger next = new AtomicInteger();
    int piece = 1_000_003;
    IntStream.range(0, 8)
        .parallel()
        .forEach(
            _ -> {
              for (int at = next.getAndAdd(piece); at < data.length; at = next.getAndAdd(piece)) {
                ByteBuffer from = ByteBuffer.wrap(data, at, Math.min(piece, data.length - at));
                int begin = from.position();
                while (from.hasRemaining()) {
                  try {
                    file.write(from, at + (from.position() - begin));
                  } catch (IOException e) {
                    throw new IllegalStateException(e);
                  }
                }
              }
            });
  }

  @Test
  void anOldFileInThePageCacheIsWrittenSideBySide() throws IOException {
    Path path = file(random(LARGE, 1));
    byte[] data = random(LARGE, 2);
    try (WritableFile file = writable(new FaultyCalls(1), path)) {
      file.expect(LARGE);
      assertThat(file.isMapped()).isTrue();
      write(file, data);
    }
    assertThat(Files.readAllBytes(path)).isEqualTo(data);
  }

  @Test
  void anOldFileThatThePageCacheLacksIsNotReadInOrderToBeWritten() throws IOException {
    Path path = file(random(LARGE, 1));
    byte[] data = random(LARGE, 2);
    FaultyCalls calls = new FaultyCalls(1);
    calls.isCold = true;
    try (WritableFile file = writable(calls, path)) {
      file.expect(LARGE);
      assertThat(file.isMapped()).isFalse();
      write(file, data);
    }
    assertThat(Files.readAllBytes(path)).isEqualTo(data);
  }

  @Test
  void aNewFileHasItsBytesWhetherItsSystemHasLargePagesOrNot() throws IOException {
    Path path = folder.resolve("new.bin");
    byte[] data = random(LARGE, 2);
    try (WritableFile file = writable(new FaultyCalls(1), path)) {
      file.expect(LARGE);
      write(file, data);
    }
    assertThat(Files.readAllBytes(path)).isEqualTo(data);
  }

  @Test
  void aFileSystemThatAllocatesNothingIsWrittenAsUsual() throws IOException {
    Path path = folder.resolve("new.bin");
    byte[] data = random(LARGE, 2);
    FaultyCalls calls = new FaultyCalls(1);
    calls.allocating = NOT_SUPPORTED;
    try (WritableFile file = writable(calls, path)) {
      file.expect(LARGE);
      assertThat(file.isMapped()).isFalse();
      write(file, data);
    }
    assertThat(Files.readAllBytes(path)).isEqualTo(data);
  }

  @ParameterizedTest
  @ValueSource(ints = {FileCalls.NO_SPACE, FileCalls.QUOTA, FileCalls.TOO_LARGE})
  void aFullDiskIsReportedBeforeAByteIsWritten(int error) throws IOException {
    byte[] old = random(1000, 1);
    Path path = file(old);
    FaultyCalls calls = new FaultyCalls(1);
    calls.allocating = error;
    try (WritableFile file = writable(calls, path)) {
      assertThatThrownBy(() -> file.expect(LARGE))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(LARGE + " bytes have no room there: " + calls.name(error));
    }
    assertThat(Files.readAllBytes(path)).isEqualTo(old);
  }

  @Test
  void aFileThatIsCutOffWhileItIsWrittenIsReported() throws IOException {
    Path path = file(random(LARGE, 1));
    try (WritableFile file = writable(new FaultyCalls(1), path)) {
      file.expect(LARGE);
      try (FileChannel other = FileChannel.open(path, StandardOpenOption.WRITE)) {
        other.truncate(1 << 20);
      }
      ByteBuffer piece = ByteBuffer.allocateDirect(1 << 20);
      assertThatThrownBy(() -> file.write(piece, 8 << 20))
          .isInstanceOf(WriteException.class)
          .hasMessageContaining("truncated while it was written");
    }
  }

  @Test
  void aClosedFileIsNotWritten() throws IOException {
    WritableFile file = writable(new FaultyCalls(1), file(random(LARGE, 1)));
    file.expect(LARGE);
    file.close();
    assertThatThrownBy(() -> file.write(ByteBuffer.allocate(10), 0))
        .isInstanceOf(ClosedChannelException.class);
  }
}
