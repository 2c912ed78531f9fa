package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Device;
import dev.stretto.Graph;
import dev.stretto.GraphNode;
import dev.stretto.Grid;
import dev.stretto.Launch;
import dev.stretto.Stream;
import dev.stretto.fault.KernelImageException;
import dev.stretto.fault.KernelRefusedException;
import dev.stretto.kernel.DeviceKernel;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.KernelImage;
import dev.stretto.kernel.KernelMethod;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a launch says of arguments that the Java compiler could not check: the kernel, the
 * parameter's index, type and name, what came, and what to write instead. Nothing is enqueued.
 */
class ArgumentMessagesTest {
  private static final Grid GRID = Grid.of(1, 8);
  private static final String PTX =
      """
      .version 8.0
      .target sm_80
      .address_size 64
      .visible .entry add(.param .u64 a, .param .u32 b, .param .u32 c) { ret; }
      """;

  private Device device;
  private Stream stream;
  private GlobalFloats x;
  private GlobalFloats y;
  private GlobalInts ints;

  @Kernel
  static void saxpy(ThreadBlock block, float a, GlobalFloats x, GlobalFloats y, int n) {
    int i = block.threadIndexX();
    if (i < n) {
      y.set(i, a * x.get(i) + y.get(i));
    }
  }

  @Kernel
  static void numbers(ThreadBlock block, byte a, short b, int c, long d, float e, double f) {}

  @Kernel
  static void addTo(ThreadBlock block, GlobalInts values, int by, int count) {}

  @BeforeEach
  void open() {
    device = Device.open("virtual:h200");
    stream = device.stream();
    x = device.allocateFloats(8);
    y = device.allocateFloats(8);
    ints = device.allocateInts(8);
  }

  @AfterEach
  void nothingWasEnqueued() {
    assertThat(stream.isIdle()).isTrue();
    device.close();
  }

  private static void refused(
      Class<? extends Throwable> type, ThrowingCallable call, String message) {
    assertThatThrownBy(call).isInstanceOf(type).hasMessage(message);
  }

  @Test
  void anArgumentOfAnotherTypeIsNamedWithTheWayOut() {
    Launch launch = device.prepare(GRID, ArgumentMessagesTest::saxpy, 2f, x, y, 8);
    String first = "argument 0 of kernel saxpy, float a, is a float, not ";
    refused(
        IllegalArgumentException.class,
        () -> launch.set(0, 2),
        first + "an int: write 2f instead of 2, or (float) before it");
    refused(
        IllegalArgumentException.class,
        () -> launch.set(0, (Object) 2),
        first + "an Integer: write 2f instead of 2, or (float) before it");
    refused(IllegalArgumentException.class, () -> launch.set(0, "2"), first + "a String");
    refused(
        IllegalArgumentException.class,
        () -> launch.set(3, 8L),
        "argument 3 of kernel saxpy, int n, is an int, not a long: write (int) before it");
    refused(
        IllegalArgumentException.class,
        () -> launch.set(1, new float[8]),
        "argument 1 of kernel saxpy, GlobalFloats x, is a GlobalFloats, not a float[]: copy it to"
            + " a GlobalFloats with stream.copy, and pass that");
    refused(
        IllegalArgumentException.class,
        () -> launch.set(1, ints),
        "argument 1 of kernel saxpy, GlobalFloats x, is a GlobalFloats, not a GlobalInts: the"
            + " kernel would take its bytes for other numbers");
    assertThat(launch.set(0, 3f).set(1, y).set(3, 4)).isSameAs(launch);
  }

  @Test
  void everyOtherWidthOfANumberIsRefused() {
    Object[] right = {(byte) 1, (short) 1, 1, 1L, 1f, 1.0};
    Launch launch =
        device.prepare(GRID, ArgumentMessagesTest::numbers, (byte) 1, (short) 1, 1, 1L, 1f, 1.0);
    for (int i = 0; i < right.length; i++) {
      for (int j = 0; j < right.length; j++) {
        int at = i;
        Object value = right[j];
        if (i == j) {
          assertThat(launch.set(i, value)).isSameAs(launch);
        } else {
          assertThatThrownBy(() -> launch.set(at, value))
              .isInstanceOf(IllegalArgumentException.class)
              .hasMessageContainingAll(
                  "argument " + at + " of kernel numbers",
                  "abcdef".substring(at, at + 1) + ", is a",
                  value.getClass().getSimpleName() + ": write ");
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 4, 5, Integer.MAX_VALUE, Integer.MIN_VALUE})
  void anIndexOutOfRangeNamesTheParameters(int index) {
    Launch launch = device.prepare(GRID, ArgumentMessagesTest::saxpy, 2f, x, y, 8);
    String message =
        "argument "
            + index
            + " of kernel saxpy, which takes 4 (float a, GlobalFloats x, GlobalFloats y, int n):"
            + " the first one after the block is 0";
    refused(IndexOutOfBoundsException.class, () -> launch.set(index, 1), message);
    refused(IndexOutOfBoundsException.class, () -> launch.set(index, x), message);
    try (Graph graph = Graph.capture(stream, () -> stream.launch(launch))) {
      GraphNode node = graph.nodes().getFirst();
      refused(IndexOutOfBoundsException.class, () -> graph.setArgument(node, index, 1), message);
    }
  }

  @Test
  void anImageIsGivenTheArgumentsOfItsTwin() {
    DeviceKernel add =
        DeviceKernel.of(KernelImage.ofPtx(PTX), "add", ArgumentMessagesTest.class, "addTo");
    String all = "kernel add takes 3 arguments (GlobalInts values, int by, int count), not ";
    refused(IllegalArgumentException.class, () -> stream.launch(GRID, add, ints, 1), all + "2");
    refused(IllegalArgumentException.class, () -> stream.launch(GRID, add), all + "0");
    refused(
        IllegalArgumentException.class, () -> stream.launch(GRID, add, ints, 1, 1, 1), all + "4");
    refused(
        NullPointerException.class,
        () -> stream.launch(GRID, add, ints, null, 1),
        "argument 1 of kernel add, int by, is null");
    refused(
        IllegalArgumentException.class,
        () -> device.prepare(GRID, add, x, 1, 1),
        "argument 0 of kernel add, GlobalInts values, is a GlobalInts, not a GlobalFloats: the"
            + " kernel would take its bytes for other numbers");
  }

  @Test
  void nullIsNamedByItsParameter() {
    refused(
        NullPointerException.class,
        () -> stream.launch(GRID, ArgumentMessagesTest::saxpy, 2f, null, y, 8),
        "argument 1 of kernel saxpy, GlobalFloats x, is null");
    refused(
        NullPointerException.class,
        () -> stream.launch(GRID, ArgumentMessagesTest::saxpy, null, x, y, 8),
        "argument 0 of kernel saxpy, float a, is null");
  }

  @Test
  @SuppressWarnings({"rawtypes", "unchecked"}) // so a program gets past the compiler
  void aRawKernelIsCheckedAtTheCall() {
    KernelMethod.Of4<Float, GlobalFloats, GlobalFloats, Integer> typed =
        ArgumentMessagesTest::saxpy;
    KernelMethod.Of4 raw = typed;
    assertThatThrownBy(() -> stream.launch(GRID, raw, 2, x, y, 8))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("argument 0 of kernel saxpy, float a, is a float, not an Integer");
  }

  @Test
  void aLambdaThatCapturesAnArrayIsToldToPassIt() {
    float[] weights = {1, 2};
    byte[][] table = {{1}};
    for (KernelMethod.Of1<GlobalFloats> lambda :
        List.<KernelMethod.Of1<GlobalFloats>>of(
            (block, to) -> to.set(block.threadIndexX(), weights[0]),
            (block, to) -> to.set(block.threadIndexX(), table[0][0]),
            (block, to) -> to.set(block.threadIndexX(), y.get(0)))) {
      assertThatThrownBy(() -> stream.launch(GRID, lambda, x))
          .isInstanceOfAny(KernelRefusedException.class, IllegalArgumentException.class);
    }
    GlobalFloats other = y;
    assertThatThrownBy(
            () -> stream.launch(GRID, (block, to) -> to.set(block.threadIndexX(), weights[0]), x))
        .isInstanceOf(KernelRefusedException.class)
        .hasMessageMatching(
            "ArgumentMessagesTest.java:\\d+: a kernel cannot use the float\\[\\] weights that the"
                + " lambda captures; copy it to the device and pass a GlobalFloats as an argument"
                + " of the launch");
    assertThatThrownBy(
            () -> stream.launch(GRID, (block, to) -> to.set(block.threadIndexX(), other.get(0)), x))
        .isInstanceOf(KernelRefusedException.class)
        .hasMessageContainingAll("the GlobalFloats other", "pass it as an argument");
    float weight = weights[1];
    stream.launch(GRID, (block, to) -> to.set(block.threadIndexX(), weight), x);
    stream.await();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "no image", ".version 8.0"})
  void whatIsNoCubinIsNotCalledBadPtx(String content) {
    KernelImage image =
        KernelImage.ofCubin(content.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    DeviceKernel kernel = DeviceKernel.of(image, "add", ArgumentMessagesTest.class, "addTo");
    assertThatThrownBy(() -> device.prepare(GRID, kernel, ints, 1, 1))
        .isInstanceOf(KernelImageException.class)
        .hasMessageContainingAll("kernel add", "no machine code", "7f 45 4c 46", "ofPtx");
    GlobalBytes unharmed = device.allocateBytes(1);
    unharmed.close();
  }
}
