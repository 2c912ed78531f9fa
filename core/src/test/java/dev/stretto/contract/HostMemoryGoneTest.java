package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Copy;
import dev.stretto.CopyRequest;
import dev.stretto.Route;
import dev.stretto.SourceAccess;
import dev.stretto.Stream;
import dev.stretto.driver.Driver;
import dev.stretto.fault.CopyFailedException;
import dev.stretto.memory.GlobalBytes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * That ordinary host memory which goes away under a copy fails that copy with a clear exception,
 * and that the stream goes on.
 */
class HostMemoryGoneTest extends ContractTest {
  private static final int SIZE = 5_000_001;

  @TempDir Path folder;

  @Test
  void anArenaThatIsClosedBeforeItsMemoryIsReadFailsTheCopy() {
    try (Stream stream = device.stream();
        GlobalBytes array = device.allocateBytes(SIZE)) {
      Arena arena = Arena.ofShared();
      Gate gate = gate(stream);
      Copy copy = stream.copy(arena.allocate(SIZE), array);
      arena.close();
      gate.open();
      assertThatThrownBy(copy::await)
          .isInstanceOf(CopyFailedException.class)
          .hasMessageContaining(" of 5000001 bytes")
          .hasMessageContaining("keep the arena");
      assertThatThrownBy(copy::isDone).isInstanceOf(CopyFailedException.class);
      assertThatThrownBy(stream::await).isInstanceOf(CopyFailedException.class);
      stream.await(); // it was told
      goesOn(stream, array);
    }
  }

  @Test
  void anArenaThatIsClosedBeforeItsMemoryIsWrittenFailsTheCopy() {
    try (Stream stream = device.stream();
        GlobalBytes array = device.allocateBytes(SIZE)) {
      Arena arena = Arena.ofShared();
      Gate gate = gate(stream);
      Copy copy = stream.copy(array, arena.allocate(SIZE));
      arena.close();
      gate.open();
      assertThatThrownBy(() -> copy.toCompletableFuture().get())
          .isInstanceOf(ExecutionException.class)
          .hasCauseInstanceOf(CopyFailedException.class);
      assertThatThrownBy(copy::await).isInstanceOf(CopyFailedException.class);
      assertThatThrownBy(stream::await).isInstanceOf(CopyFailedException.class);
      goesOn(stream, array);
    }
  }

  @Test
  void aCopyOnTheHostThatFailsUnawaitedIsLoggedAsACopyAndNotAsACallbackOfTheProgram() {
    int before = machine.isVirtual() ? opened.live().streams() : 0;
    try (LoggedErrors logged = new LoggedErrors()) {
      Stream stream = device.stream();
      Arena arena = Arena.ofShared();
      Gate gate = gate(stream);
      stream.copy(arena.allocate(100), MemorySegment.ofArray(new byte[100]));
      arena.close();
      gate.open();
      stream.close();
      if (machine.isVirtual()) {
        eventually(
            "the stream is gone", () -> opened.live().streams() <= before + machine.keptStreams());
      }
      for (int i = 0; i < 50; i++) {
        opened.settle();
      }
      eventually("it is logged", () -> !logged.all().isEmpty());
      assertThat(logged.all()).singleElement().isInstanceOf(CopyFailedException.class);
      assertThat(logged.messages()).noneMatch(each -> each.contains("callback"));
    }
  }

  @Test
  void anArenaThatIsClosedInTheMiddleEitherFailsTheCopyOrComesTooLate() {
    try (Stream stream = device.stream();
        GlobalBytes array = device.allocateBytes(SIZE)) {
      for (int round = 0; round < 10; round++) {
        for (boolean in : new boolean[] {true, false}) {
          Arena arena = Arena.ofShared();
          MemorySegment host = arena.allocate(SIZE);
          Copy copy = in ? stream.copy(host, array) : stream.copy(array, host);
          for (int i = 0; i < round * 3; i++) {
            assertThat(copy.toString()).isNotEmpty();
            device.isLost();
            if (machine.isSeeded()) {
              isDoneOrFailed(copy);
            }
          }
          closeWhenPossible(arena);
          try {
            copy.await();
          } catch (CopyFailedException e) {
            assertThatThrownBy(stream::await).isSameAs(e);
          }
        }
      }
      goesOn(stream, array);
    }
  }

  private static boolean isDoneOrFailed(Copy copy) {
    try {
      return copy.isDone();
    } catch (CopyFailedException e) {
      return true;
    }
  }

  /** A shared arena cannot be closed while a thread is in the middle of an access. */
  private static void closeWhenPossible(Arena arena) {
    while (true) {
      try {
        arena.close();
        return;
      } catch (IllegalStateException e) {
        Thread.onSpinWait();
      }
    }
  }

  @Test
  void aCopyOnTheHostFailsToo() {
    try (Stream stream = device.stream();
        GlobalBytes array = device.allocateBytes(SIZE)) {
      Arena arena = Arena.ofShared();
      Gate gate = gate(stream);
      Copy copy = stream.copy(arena.allocate(SIZE), MemorySegment.ofArray(new byte[SIZE]));
      arena.close();
      gate.open();
      assertThatThrownBy(copy::await)
          .isInstanceOf(CopyFailedException.class)
          .hasMessageContaining("5000001 bytes");
      assertThatThrownBy(stream::await).isInstanceOf(CopyFailedException.class);
      goesOn(stream, array);
    }
  }

  @Test
  void aMappedFileThatIsTruncatedFailsTheCopyOfIt() throws IOException {
    Path file = Files.write(folder.resolve("shrinks"), bytes(SIZE, 1));
    try (Stream stream = device.stream();
        Arena arena = Arena.ofShared();
        FileChannel channel =
            FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
        GlobalBytes array = device.allocateBytes(SIZE)) {
      MemorySegment mapped = channel.map(FileChannel.MapMode.READ_WRITE, 0, SIZE, arena);
      channel.truncate(8192);
      Copy in = stream.copy(mapped, array);
      assertThatThrownBy(in::await)
          .isInstanceOf(CopyFailedException.class)
          .hasMessageContaining("mapped file");
      Copy out = stream.copy(array, mapped);
      assertThatThrownBy(out::await).isInstanceOf(CopyFailedException.class);
      assertThatThrownBy(stream::await).isInstanceOf(CopyFailedException.class);
      goesOn(stream, array);
    }
  }

  @Test
  void aSmallCopyOfATruncatedFileFailsAtTheCallOrWhenItIsAwaited() throws IOException {
    Path file = Files.write(folder.resolve("small"), bytes(8192, 1));
    try (Stream stream = device.stream();
        Arena arena = Arena.ofShared();
        FileChannel channel =
            FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
        GlobalBytes array = device.allocateBytes(SIZE)) {
      MemorySegment mapped = channel.map(FileChannel.MapMode.READ_WRITE, 0, 8192, arena);
      channel.truncate(0);
      for (int i = 0; i < 3; i++) {
        assertThatThrownBy(() -> stream.copy(mapped, array.slice(0, 8192)).await())
            .isInstanceOf(CopyFailedException.class);
        opened.settle();
        try {
          stream.await();
        } catch (CopyFailedException e) {
          // a staged one is reported by the stream too
        }
      }
      goesOn(stream, array);
    }
  }

  @Test
  void theDriversOwnPathFailsAsTypedAsTheOthersForATruncatedFile() throws IOException {
    for (int size : new int[] {8192, 100_000, SIZE}) {
      Path file = Files.write(folder.resolve("pageable" + size), bytes(size, 1));
      try (Stream stream = device.stream();
          Arena arena = Arena.ofShared();
          FileChannel channel =
              FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
          GlobalBytes array = device.allocateBytes(size);
          GlobalBytes whole = device.allocateBytes(SIZE)) {
        MemorySegment mapped = channel.map(FileChannel.MapMode.READ_WRITE, 0, size, arena);
        channel.truncate(size == SIZE ? 8192 : 0);
        assertThatThrownBy(() -> stream.copy(mapped, array, Route.Kind.AWAITED_PAGEABLE))
            .isInstanceOf(CopyFailedException.class)
            .hasMessageContaining(size + " bytes")
            .hasMessageContaining("mapped file");
        assertThatThrownBy(() -> stream.copy(array, mapped, Route.Kind.AWAITED_PAGEABLE))
            .isInstanceOf(CopyFailedException.class);
        stream.await(); // neither was enqueued
        goesOn(stream, whole);
      }
    }
  }

  @Test
  void aFileThatIsTruncatedUnderTheDriversOwnPathFailsItToo() throws IOException {
    if (!machine.isVirtual()) {
      return; // a GPU's driver would end the process: nobody may truncate what it copies
    }
    Path file = folder.resolve("under");
    List<FileChannel> channels = new ArrayList<>();
    try (Machine.Opened here = machine.open(driver -> new Truncating(driver, channels));
        Stream stream = here.device().stream();
        GlobalBytes array = here.device().allocateBytes(100_000)) {
      for (boolean in : new boolean[] {true, false}) {
        Files.write(file, bytes(100_000, 1));
        try (Arena arena = Arena.ofShared();
            FileChannel channel =
                FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
          MemorySegment mapped = channel.map(FileChannel.MapMode.READ_WRITE, 0, 100_000, arena);
          channels.add(channel);
          assertThatThrownBy(
                  () -> {
                    if (in) {
                      stream.copy(mapped, array, Route.Kind.AWAITED_PAGEABLE);
                    } else {
                      stream.copy(array, mapped, Route.Kind.AWAITED_PAGEABLE);
                    }
                  })
              .isInstanceOf(CopyFailedException.class)
              .hasMessageContaining("mapped file");
          channels.clear();
        }
      }
      stream.fill(array, (byte) 7);
      assertThat(read(stream, array)).containsOnly(7);
    }
  }

  /** Truncates files just before the driver copies what is mapped of them. */
  private static final class Truncating extends DriverTap {
    private final List<FileChannel> channels;

    Truncating(Driver driver, List<FileChannel> channels) {
      super(driver);
      this.channels = channels;
    }

    @Override
    void before(Call call) {
      try {
        for (FileChannel each : call == Call.COPY_PAGEABLE ? channels : List.<FileChannel>of()) {
          each.truncate(0);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Test
  void smallCopiesOfATruncatedFileFailOnEveryWayThatReadsThemAtOnce() throws IOException {
    Path file = Files.write(folder.resolve("ways"), bytes(8192, 1));
    try (Stream stream = device.stream();
        Arena confined = Arena.ofConfined();
        Arena shared = Arena.ofShared();
        FileChannel channel =
            FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
        GlobalBytes whole = device.allocateBytes(SIZE);
        GlobalBytes array = device.allocateBytes(8192)) {
      List<MemorySegment> mapped =
          List.of(
              channel.map(FileChannel.MapMode.READ_WRITE, 0, 8192, confined),
              channel.map(FileChannel.MapMode.READ_WRITE, 0, 8192, shared));
      channel.truncate(0);
      for (MemorySegment each : mapped) {
        for (ThrowingCallable copy :
            List.<ThrowingCallable>of(
                () -> stream.copy(each, array).await(),
                () -> stream.copy(each, array, SourceAccess.DURING_CALL).await(),
                () -> stream.copyAll(List.of(CopyRequest.of(each, array))).await(),
                () ->
                    stream
                        .copyAll(
                            List.of(CopyRequest.of(each, array).reading(SourceAccess.DURING_CALL)))
                        .await())) {
          assertThatThrownBy(copy).isInstanceOf(CopyFailedException.class);
          try {
            stream.await();
          } catch (CopyFailedException e) {
            assertThat(each.isAccessibleBy(new Thread())).as("a staged one").isTrue();
          }
        }
      }
      goesOn(stream, whole);
    }
  }

  @Test
  void aFailedCopyBetweenTwoGoodOnesSpoilsNeither() {
    byte[] data = bytes(SIZE, 2);
    byte[] result = new byte[SIZE];
    try (Stream stream = device.stream();
        GlobalBytes array = device.allocateBytes(SIZE);
        GlobalBytes other = device.allocateBytes(SIZE)) {
      Arena arena = Arena.ofShared();
      Gate gate = gate(stream);
      Copy before = stream.copy(data, array);
      Copy failing = stream.copy(arena.allocate(SIZE), other);
      Copy after = stream.copy(array, result);
      arena.close();
      gate.open();
      before.await();
      assertThatThrownBy(failing::await).isInstanceOf(CopyFailedException.class);
      after.await();
      assertSame(result, data);
    }
  }

  private static void goesOn(Stream stream, GlobalBytes array) {
    byte[] data = bytes(SIZE, 3);
    byte[] result = new byte[SIZE];
    stream.copy(data, array);
    stream.copy(array, result);
    stream.await();
    assertSame(result, data);
  }
}
