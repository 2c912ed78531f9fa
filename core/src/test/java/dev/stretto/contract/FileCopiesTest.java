package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Copy;
import dev.stretto.Graph;
import dev.stretto.Route;
import dev.stretto.Stream;
import dev.stretto.fault.ClosedException;
import dev.stretto.fault.CopyFailedException;
import dev.stretto.fault.RouteException;
import dev.stretto.fault.StrettoException;
import dev.stretto.memory.GlobalBytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.NonReadableChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Copies between files and a device. */
class FileCopiesTest extends ContractTest {
  private static final int BYTES = 9_000_001;

  @TempDir Path folder;

  private FileChannel open(String name, byte[] content) throws IOException {
    Path path = Files.write(folder.resolve(name), content);
    return FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
  }

  private byte[] content(String name) throws IOException {
    return Files.readAllBytes(folder.resolve(name));
  }

  @Test
  void anyRangeOfAFileComesToTheDevice() throws IOException {
    byte[] data = bytes(BYTES, 1);
    try (Stream stream = device.stream();
        FileChannel file = open("in", data);
        GlobalBytes array = device.allocateBytes(BYTES)) {
      for (int[] range :
          new int[][] {{0, BYTES}, {0, 1}, {BYTES - 1, 1}, {12_345, 5_000_000}, {4096, 70_000}}) {
        GlobalBytes part = array.slice(0, range[1]);
        Copy copy = stream.copy(file, range[0], part);
        copy.await();
        assertThat(copy.route().kind()).isEqualTo(Route.Kind.STAGED);
        assertThat(copy.hostTime()).isPositive();
        assertThat(read(stream, part))
            .isEqualTo(Arrays.copyOfRange(data, range[0], range[0] + range[1]));
      }
      assertThat(file.position()).isZero();
    }
  }

  @Test
  void theBytesOfTheDeviceComeToAFileAndNowhereElse() throws IOException {
    byte[] before = bytes(100_000, 2);
    byte[] data = bytes(BYTES, 3);
    try (Stream stream = device.stream();
        FileChannel file = open("out", before);
        GlobalBytes array = onDevice(stream, data)) {
      stream.copy(array.slice(0, 1000), file, 50_000).await();
      byte[] expected = before.clone();
      System.arraycopy(data, 0, expected, 50_000, 1000);
      assertThat(content("out")).isEqualTo(expected);
      stream.copy(array, file, 200_000).await(); // it grows, with a hole
      assertThat(Arrays.copyOfRange(content("out"), 100_000, 200_000)).containsOnly(0);
      assertThat(Arrays.copyOfRange(content("out"), 200_000, 200_000 + BYTES)).isEqualTo(data);
    }
  }

  @Test
  void aFileIsReadAndWrittenInTheOrderOfTheStream() throws IOException {
    byte[] data = bytes(BYTES, 4);
    byte[] other = bytes(BYTES, 5);
    try (Stream stream = device.stream();
        FileChannel file = open("both", other);
        GlobalBytes array = onDevice(stream, data);
        GlobalBytes result = device.allocateBytes(BYTES)) {
      for (int round = 0; round < 3; round++) {
        stream.copy(array, file, 0);
        stream.copy(file, 0, result);
        stream.copy(other, array);
        assertThat(read(stream, result)).isEqualTo(round == 0 ? data : other);
        stream.then(() -> overwrite(file, data));
        stream.copy(file, 0, result);
        assertThat(read(stream, result)).isEqualTo(data);
      }
    }
  }

  @Test
  void aFileMayGrowBeforeItIsItsTurn() throws IOException {
    byte[] data = bytes(BYTES, 7);
    try (Stream stream = device.stream();
        FileChannel file = open("grows", new byte[0]);
        GlobalBytes array = onDevice(stream, data)) {
      stream.copy(array, file, 0);
      stream.fill(array, (byte) 0);
      stream.copy(file, 0, array);
      assertThat(read(stream, array)).isEqualTo(data);
      Copy late;
      try (Gate _ = gate(stream)) {
        late = stream.copy(file, 1, array);
      }
      assertThatThrownBy(late::await)
          .isInstanceOf(CopyFailedException.class)
          .hasMessageContaining("it ends at byte " + BYTES);
      assertThatThrownBy(() -> stream.copy(file, 1, array))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  private static void overwrite(FileChannel file, byte[] data) {
    try {
      int _ = file.write(ByteBuffer.wrap(data), 0);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aFileThatShrinksOrIsClosedFailsTheCopyAndNothingElse() throws IOException {
    try (Stream stream = device.stream();
        GlobalBytes array = device.allocateBytes(BYTES)) {
      FileChannel file = open("in", bytes(BYTES, 6));
      Copy cut;
      try (Gate _ = gate(stream)) {
        stream.then(() -> truncate(file));
        cut = stream.copy(file, 0, array);
      }
      assertThatThrownBy(cut::await)
          .isInstanceOf(CopyFailedException.class)
          .hasMessageContaining("it ends at byte 5000000");
      assertThatThrownBy(() -> stream.copy(file, 0, array))
          .isInstanceOf(IndexOutOfBoundsException.class)
          .hasMessageContaining("5000000");
      Copy closed;
      try (Gate _ = gate(stream)) {
        stream.then(() -> close(file));
        closed = stream.copy(file, 0, array.slice(0, 1_000_000));
      }
      assertThatThrownBy(closed::await).isInstanceOf(CopyFailedException.class);
      stream.fill(array, (byte) 7);
      assertThat(read(stream, array)).isEqualTo(filled(7));
    }
  }

  private static void truncate(FileChannel file) {
    try {
      FileChannel _ = file.truncate(5_000_000);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void close(FileChannel file) {
    try {
      file.close();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aFullDiskFailsTheCopyAndNothingElse() throws IOException {
    try (Stream stream = device.stream();
        FileChannel full = FileChannel.open(Path.of("/dev/full"), StandardOpenOption.WRITE);
        GlobalBytes array = device.allocateBytes(BYTES)) {
      stream.fill(array, (byte) 7);
      Copy copy = stream.copy(array, full, 0);
      assertThatThrownBy(copy::await)
          .isInstanceOf(CopyFailedException.class)
          .hasMessageContaining("could not be written")
          .hasMessageContaining("No space left");
      assertThat(read(stream, array)).isEqualTo(filled(7));
    }
  }

  @Test
  void whatCannotBeCopiedIsRefused() throws IOException {
    Path path = Files.write(folder.resolve("file"), new byte[100]);
    try (Stream stream = device.stream();
        FileChannel reads = FileChannel.open(path, StandardOpenOption.READ);
        FileChannel writes = FileChannel.open(path, StandardOpenOption.WRITE);
        GlobalBytes array = device.allocateBytes(50)) {
      refused(IndexOutOfBoundsException.class, "100 bytes", () -> stream.copy(reads, 51, array));
      refused(IllegalArgumentException.class, "-1", () -> stream.copy(reads, -1, array));
      refused(IllegalArgumentException.class, "-1", () -> stream.copy(array, writes, -1));
      refused(NonReadableChannelException.class, null, () -> stream.copy(writes, 0, array));
      refused(NonWritableChannelException.class, null, () -> stream.copy(array, reads, 0));
      try (Stream legacy = device.legacyStream()) {
        refused(RouteException.class, "default stream", () -> legacy.copy(reads, 0, array));
      }
      refused(
          StrettoException.class,
          "graph",
          () -> Graph.capture(stream, captured -> captured.copy(reads, 0, array)));
      stream.copy(reads, 50, array).await();
      reads.close();
      writes.close();
      refused(ClosedException.class, "file", () -> stream.copy(reads, 0, array));
      refused(ClosedException.class, "file", () -> stream.copy(array, writes, 0));
    }
  }

  private static byte[] filled(int value) {
    byte[] all = new byte[BYTES];
    Arrays.fill(all, (byte) value);
    return all;
  }

  private static void refused(Class<? extends Throwable> type, String words, Runnable call) {
    var thrown = assertThatThrownBy(call::run).isInstanceOf(type);
    if (words != null) {
      thrown.hasMessageContaining(words);
    }
  }
}
