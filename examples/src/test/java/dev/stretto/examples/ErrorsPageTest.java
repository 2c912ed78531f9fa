package dev.stretto.examples;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stretto.Copy;
import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.Graph;
import dev.stretto.Grid;
import dev.stretto.PinnedArena;
import dev.stretto.Route;
import dev.stretto.SourceAccess;
import dev.stretto.Stream;
import dev.stretto.WorkScope;
import dev.stretto.fault.StrettoException;
import dev.stretto.kernel.DeviceKernel;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.KernelImage;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The guide's page "Errors" has every exception, and the messages that it shows are thrown. */
@Timeout(60)
class ErrorsPageTest {
  private static final Path PAGE = DocumentsTest.ROOT.resolve("docs/guide/errors.md");
  private static final Path FAULTS =
      DocumentsTest.ROOT.resolve("core/src/main/java/dev/stretto/fault");
  private static final Pattern ROW = Pattern.compile("(?m)^\\| `(\\w+Exception)` \\|");
  private static final Pattern SHOWN = Pattern.compile("(?m)^(\\w+Exception): .*$");

  @Test
  void hasEveryExceptionAndNoOther() throws IOException {
    try (java.util.stream.Stream<Path> files = Files.list(FAULTS)) {
      Set<String> exceptions =
          files
              .map(file -> file.getFileName().toString().replace(".java", ""))
              .filter(name -> name.endsWith("Exception"))
              .collect(Collectors.toSet());
      assertThat(ROW.matcher(Files.readString(PAGE)).results().map(it -> it.group(1)))
          .containsExactlyInAnyOrderElementsOf(exceptions)
          .hasSizeGreaterThan(20);
    }
  }

  static Set<String> shown() throws IOException {
    return new TreeSet<>(
        SHOWN.matcher(Files.readString(PAGE)).results().map(it -> it.group()).toList());
  }

  @ParameterizedTest
  @MethodSource("shown")
  void theMessageIsThrown(String line) {
    if (line.startsWith("NoSuch")) {
      assumeTrue(Device.all().stream().allMatch(it -> it.driver().equals("virtual")), "a GPU");
    }
    StrettoException thrown =
        catchThrowableOfType(
            StrettoException.class, () -> provoke(line.substring(0, line.indexOf(':'))));
    String pattern =
        Arrays.stream(line.split("…", -1)).map(Pattern::quote).collect(joining("(?s:.*)"));
    assertThat(thrown.getClass().getSimpleName() + ": " + thrown.getMessage())
        .matches(Pattern.compile(pattern));
  }

  private static void provoke(String exception) throws Exception {
    switch (exception) {
      case "DeadlockException" -> onStream((_, stream) -> awaitsItself(stream));
      case "AwaitInterruptedException" -> onStream((_, stream) -> interrupted(stream));
      case "ClosedException" ->
          onStream(
              (device, stream) -> {
                GlobalInts x = device.allocateInts(1000);
                x.close();
                stream.fill(x, 1);
              });
      case "CopyFailedException" -> onStream(ErrorsPageTest::copyWhoseSourceGoes);
      case "DeadlineExceededException" -> onStream((device, _) -> deadline(device));
      case "ScopeFailedException" -> onStream((device, _) -> scopeFails(device));
      case "DeviceLostException" ->
          onInts((stream, x) -> launchAndAwait(stream, Grid.of(4, 256), x));
      case "LaunchException" -> onInts((stream, x) -> launchAndAwait(stream, Grid.of(1, 2048), x));
      case "KernelRefusedException" ->
          onInts((stream, x) -> stream.launch(Grid.of(1, 32), ErrorsPageTest::throwing, x));
      case "KernelImageException" -> onStream((device, _) -> badImage(device));
      case "GraphException" ->
          onInts((stream, x) -> Graph.capture(stream, () -> stream.copy(new int[1000], x)).close());
      case "OutOfDeviceMemoryException" -> {
        try (Device device = Device.open("virtual:h200,memory=1000000")) {
          device.allocateInts(1_000_000).close();
        }
      }
      case "PinnedBudgetException" ->
          onStream(
              (device, _) -> {
                device.pinnedBudget(8 << 20);
                device.pinnedArena().allocate(9 << 20);
              });
      case "RouteException" ->
          onInts(
              (stream, x) ->
                  stream.copy(MemorySegment.ofArray(new int[1000]), x, Route.Kind.DIRECT));
      case "SourceAccessException" ->
          onStream(
              (device, stream) -> {
                try (GlobalInts x = device.allocateInts(1_000_000)) {
                  stream.copy(
                      MemorySegment.ofArray(new int[1_000_000]), x, SourceAccess.DURING_CALL);
                }
              });
      case "PeerAccessException" -> withoutPeerAccess();
      case "NoSuchDeviceException" -> Device.open("cuda:99").close();
      case "RaceException" -> race();
      case "SettingException" -> wrongSetting();
      default -> throw new IllegalArgumentException("nothing provokes " + exception);
    }
  }

  private interface OnStream {
    void run(Device device, Stream stream) throws Exception;
  }

  private interface OnInts {
    void run(Stream stream, GlobalInts x);
  }

  private static void onStream(OnStream program) throws Exception {
    try (Device device = Device.open("virtual:h200,seed=1");
        Stream stream = device.stream()) {
      program.run(device, stream);
    }
  }

  private static void onInts(OnInts program) throws Exception {
    onStream(
        (device, stream) -> {
          try (GlobalInts x = device.allocateInts(1000)) {
            program.run(stream, x);
          }
        });
  }

  private static void awaitsItself(Stream stream) {
    stream.then(stream::await);
    stream.await();
  }

  private static void interrupted(Stream stream) {
    Event event = stream.then(() -> {});
    Thread.currentThread().interrupt();
    try {
      event.await();
    } finally {
      Thread.interrupted();
    }
  }

  private static void copyWhoseSourceGoes(Device device, Stream stream) {
    Arena arena = Arena.ofShared();
    MemorySegment source = arena.allocate(JAVA_INT, 100_000);
    try (GlobalInts x = device.allocateInts(100_000)) {
      stream.then(() -> {});
      Copy copy = stream.copy(source, x);
      arena.close();
      copy.await();
    }
  }

  private static void deadline(Device device) {
    try (WorkScope scope = device.scope(Duration.ofMillis(50))) {
      scope.fork(
          () -> {
            new CountDownLatch(1).await();
            return 0;
          });
      scope.awaitAll();
    }
  }

  private static void scopeFails(Device device) {
    try (WorkScope scope = device.scope()) {
      scope.fork(
          () -> {
            throw new IOException("no such page");
          });
      scope.awaitAll();
    }
  }

  @Kernel
  static void beyond(ThreadBlock block, GlobalInts x) {
    x.set(block.globalIndexX(), 1);
  }

  @Kernel
  static void throwing(ThreadBlock block, GlobalInts x) {
    if (x.get(0) < 0) {
      throw new IllegalStateException("negative in block " + block.blockIndexX());
    }
  }

  private static void launchAndAwait(Stream stream, Grid grid, GlobalInts x) {
    stream.launch(grid, ErrorsPageTest::beyond, x);
    stream.await();
  }

  private static void badImage(Device device) {
    KernelImage image = KernelImage.ofCubin(new byte[100]);
    try (GlobalInts x = device.allocateInts(1)) {
      device.prepare(
          Grid.of(1, 1), DeviceKernel.of(image, "beyond", ErrorsPageTest.class, "beyond"), x);
    }
  }

  private static void withoutPeerAccess() {
    List<Device> devices = Device.openAll("virtual:h200x2,no-peer");
    try (Device first = devices.getFirst();
        Device second = devices.getLast()) {
      first.enablePeerAccess(second).close();
    }
  }

  private static void race() {
    try (Device device = Device.open("virtual:h200,order=checked");
        Stream upload = device.stream("upload");
        Stream compute = device.stream("compute");
        PinnedArena pinned = device.pinnedArena();
        GlobalInts x = device.allocateInts(1000)) {
      upload.copy(pinned.allocate(JAVA_INT, 1000), x);
      compute.fill(x, 1);
    }
  }

  private static void wrongSetting() {
    System.setProperty("dev.stretto.device", "gpu0");
    try {
      Device.open().close();
    } finally {
      System.clearProperty("dev.stretto.device");
    }
  }
}
