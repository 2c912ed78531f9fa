package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.CopyRequest;
import dev.stretto.Graph;
import dev.stretto.GraphBuilder;
import dev.stretto.PinnedArena;
import dev.stretto.SourceAccess;
import dev.stretto.Stream;
import dev.stretto.fault.ClosedException;
import dev.stretto.fault.OutOfDeviceMemoryException;
import dev.stretto.fault.RouteException;
import dev.stretto.memory.GlobalBfloats;
import dev.stretto.memory.GlobalDoubles;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalHalfs;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;
import dev.stretto.memory.GlobalShorts;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.UnaryOperator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** That a refusal is about what the program did, and names it. */
class MessagesTest extends ContractTest {
  private static void refused(
      Class<? extends RuntimeException> type, ThrowingCallable call, String... words) {
    assertThatThrownBy(call).isInstanceOf(type).hasMessageContainingAll(words);
  }

  @Test
  void anArrayThatIsTooLongIsNotCalledTooShort() {
    for (ThrowingCallable call :
        List.<ThrowingCallable>of(
            () -> device.allocateLongs(Long.MAX_VALUE),
            () -> device.allocateInts(Long.MAX_VALUE),
            () -> device.allocateHalfs(Long.MAX_VALUE))) {
      assertThatThrownBy(call)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("9223372036854775807")
          .hasMessageContaining("more bytes than any device")
          .hasMessageNotContaining("1 or more");
    }
    refused(IllegalArgumentException.class, () -> device.allocateLongs(0), "1 or more");
    refused(IllegalArgumentException.class, () -> device.allocateLongs(-1), "1 or more");
    refused(
        OutOfDeviceMemoryException.class, () -> device.allocateLongs(Long.MAX_VALUE / 8), "bytes");
    try (Stream stream = device.stream()) {
      refused(
          IllegalArgumentException.class,
          () -> stream.allocateInts(Long.MAX_VALUE),
          "more bytes than any device");
    }
  }

  @Test
  void aCopyWithinTheHostIsNotCalledACallback() {
    MemorySegment from = MemorySegment.ofArray(new byte[10]);
    MemorySegment to = MemorySegment.ofArray(new byte[10]);
    try (Stream stream = device.legacyStream()) {
      for (ThrowingCallable call :
          List.<ThrowingCallable>of(
              () -> stream.copy(from, to),
              () -> stream.copyAll(List.of(CopyRequest.of(from, to))))) {
        assertThatThrownBy(call)
            .isInstanceOf(RouteException.class)
            .hasMessageContaining("from host memory to host memory")
            .hasMessageContaining("device.stream()")
            .hasMessageNotContaining("callback");
      }
      refused(RouteException.class, () -> stream.then(() -> {}), "a callback needs");
    }
  }

  @Test
  void aGraphIsRefusedAnUploadInTheWordsOfOne() {
    try (Machine.Opened pair = machine.openPair(UnaryOperator.identity());
        Stream stream = device.stream();
        GlobalInts array = device.allocateInts(10);
        Graph graph = Graph.capture(stream, () -> stream.fill(array, 1));
        Stream stranger = pair.device().stream()) {
      refused(
          IllegalArgumentException.class, () -> graph.upload(stranger), "cannot be uploaded on");
      refused(
          IllegalArgumentException.class, () -> graph.launch(stranger), "cannot be launched on");
    }
  }

  @Test
  void aNodeFillsWithWhatAStreamFillsWith() {
    try (Stream stream = device.stream();
        GlobalDoubles doubles = device.allocateDoubles(4);
        GlobalFloats floats = device.allocateFloats(4);
        GlobalLongs longs = device.allocateLongs(4);
        GlobalShorts shorts = device.allocateShorts(4);
        GlobalHalfs halfs = device.allocateHalfs(4);
        GlobalBfloats bfloats = device.allocateBfloats(4)) {
      GraphBuilder builder = Graph.builder(device);
      builder.fill(doubles, 3);
      builder.fill(floats, 3L);
      builder.fill(longs, 3);
      builder.fill(shorts, (byte) 3);
      builder.fill(halfs, 3);
      builder.fill(bfloats, (short) 3);
      for (ThrowingCallable call :
          List.<ThrowingCallable>of(
              () -> builder.fill(longs, 3f),
              () -> builder.fill(floats, 3d),
              () -> builder.fill(shorts, 3),
              () -> builder.fill(halfs, 3d))) {
        refused(IllegalArgumentException.class, call, "is filled with a", "not with a");
      }
      try (Graph graph = builder.build()) {
        graph.launch(stream);
      }
      double[] ofDoubles = new double[4];
      float[] ofFloats = new float[4];
      long[] ofLongs = new long[4];
      short[] ofShorts = new short[4];
      stream.copy(doubles, ofDoubles);
      stream.copy(floats, ofFloats);
      stream.copy(longs, ofLongs);
      stream.copy(shorts, ofShorts).await();
      assertThat(ofDoubles).containsOnly(3);
      assertThat(ofFloats).containsOnly(3);
      assertThat(ofLongs).containsOnly(3);
      assertThat(ofShorts).containsOnly((short) 3);
      assertThat(read(stream, halfs)).containsExactly(0, 0x42, 0, 0x42, 0, 0x42, 0, 0x42);
      assertThat(read(stream, bfloats))
          .containsExactly(0x40, 0x40, 0x40, 0x40, 0x40, 0x40, 0x40, 0x40);
    }
  }

  @Test
  void whatIsClosedDuringACaptureIsNamedWithBothLines() {
    try (Stream stream = device.stream();
        PinnedArena keeping = device.pinnedArena();
        GlobalInts other = device.allocateInts(10)) {
      GlobalInts array = device.allocateInts(10);
      refused(
          ClosedException.class,
          () ->
              Graph.capture(
                  stream,
                  () -> {
                    stream.fill(other, 1);
                    stream.fill(array, 1);
                    array.close();
                  }),
          "40 bytes",
          "node 1 (fill of 40 bytes)",
          "made at dev.stretto.contract.MessagesTest",
          "closed, which happened at dev.stretto.contract.MessagesTest");
      PinnedArena pinned = device.pinnedArena();
      MemorySegment host = pinned.allocate(40);
      refused(
          ClosedException.class,
          () ->
              Graph.capture(
                  stream,
                  () -> {
                    stream.copy(host, other);
                    pinned.close();
                  }),
          "which happened at dev.stretto.contract.MessagesTest",
          "made at dev.stretto.contract.MessagesTest");
      GraphBuilder builder = Graph.builder(device);
      GlobalInts gone = device.allocateInts(5);
      builder.fill(gone, 1);
      gone.close();
      refused(ClosedException.class, builder::build, "20 bytes", "made at dev.stretto.contract");
      assertThat(keeping.scope().isAlive()).isTrue();
    }
  }

  @Test
  void theHandleOfWhatIsClosedIsNotGivenAway() {
    Stream stream = device.stream();
    assertThat(stream.handle()).isNotZero();
    stream.close();
    refused(ClosedException.class, stream::handle, "closed");
    Stream other = device.stream();
    Stream legacy = device.legacyStream();
    legacy.close();
    refused(ClosedException.class, legacy::handle, "closed");
    device.close();
    refused(ClosedException.class, other::handle, "closed");
    assertThat(other.toString()).contains("stream");
  }

  @Test
  void whenASourceIsReadMattersToACaptureOnlyDuringTheCall() {
    byte[] data = bytes(100, 1);
    try (Stream stream = device.stream();
        PinnedArena pinned = device.pinnedArena();
        var array = device.allocateBytes(100);
        var second = device.allocateBytes(100)) {
      MemorySegment from = pinned(pinned, data);
      MemorySegment to = pinned.allocate(100);
      for (SourceAccess access : List.of(SourceAccess.STREAM_ORDER, SourceAccess.ANY)) {
        to.fill((byte) 0);
        try (Graph graph =
            Graph.capture(
                stream,
                () -> {
                  stream.copy(from, array, access);
                  stream.copy(array, second, access);
                  stream.copy(second, to, access);
                })) {
          assertThat(graph.nodes()).hasSize(3);
          graph.launch(stream).await();
        }
        assertSame(read(to), data);
      }
      GraphRefusals.refused(
          () -> Graph.capture(stream, () -> stream.copy(from, array, SourceAccess.DURING_CALL)),
          "read during the call cannot be captured");
    }
  }
}
