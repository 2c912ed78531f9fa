package dev.stretto.examples;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.WorkScope;
import dev.stretto.flow.Flow;
import dev.stretto.flow.FlowReport;
import dev.stretto.flow.Sink;
import dev.stretto.flow.Source;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalInts;
import dev.stretto.timeline.TextTimeline;
import dev.stretto.timeline.Timeline;
import java.io.File;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The guide's recipes, each run as the page shows it. */
class GuideRecipesTest {
  // @start region="upper"
  @Kernel
  static void upper(ThreadBlock block, GlobalBytes in, GlobalBytes out, long n) {
    long i = block.globalIndexX();
    if (i < n) {
      byte letter = in.get(i);
      out.set(i, letter >= 'a' && letter <= 'z' ? (byte) (letter - 32) : letter);
    }
  }

  static FlowReport upper(Device device, Path from, Path to) throws IOException {
    return Flow.on(device)
        .from(Source.file(from))
        .through(
            (stream, chunk) ->
                stream.launch(
                    Grid.covering(chunk.byteSize(), 256),
                    GuideRecipesTest::upper,
                    chunk.in(),
                    chunk.out(),
                    chunk.byteSize()))
        .to(Sink.file(to))
        .start()
        .await();
  }

  // @end

  @Test
  void aFileGoesThroughTheDevice(@TempDir Path folder) throws IOException {
    Path from = folder.resolve("from");
    Path to = folder.resolve("to");
    Files.writeString(from, "the next voice enters\n".repeat(100_000));
    try (Device device = Device.open("virtual")) {
      assertThat(upper(device, from, to).bytes()).isEqualTo(2_200_000);
    }
    assertThat(to).hasContent("THE NEXT VOICE ENTERS\n".repeat(100_000));
  }

  // @start region="twoDevices"
  @Kernel
  static void twice(ThreadBlock block, GlobalInts x) {
    long i = block.globalIndexX();
    if (i < x.length()) {
      x.set(i, 2 * x.get(i));
    }
  }

  /** Each device does its half; host is pinned memory of the first, which both reach. */
  static void twice(List<Device> devices, MemorySegment host) {
    long share = host.byteSize() / devices.size();
    List<Stream> streams = new ArrayList<>();
    for (int i = 0; i < devices.size(); i++) {
      Stream stream = devices.get(i).stream();
      MemorySegment half = host.asSlice(i * share, share);
      try (GlobalInts x = devices.get(i).allocateInts(share / 4)) {
        stream.copy(half, x);
        stream.launch(Grid.covering(x.length(), 256), GuideRecipesTest::twice, x);
        stream.copy(x, half);
      } // freed behind the copy; nothing waits here
      streams.add(stream);
    }
    streams.forEach(Stream::await);
    streams.forEach(Stream::close);
  }

  // @end

  @Test
  void twoDevicesShareTheWork() {
    List<Device> devices = Device.openAll("virtual:h200x2");
    try (Device first = devices.getFirst();
        Device second = devices.getLast();
        Timeline timeline = Timeline.record(List.of(first, second))) {
      MemorySegment host = first.pinnedArena().allocate(JAVA_INT, 1 << 20);
      host.fill((byte) 1);
      twice(devices, host);
      assertThat(host.toArray(JAVA_INT)).containsOnly(0x02020202);
      assertThat(TextTimeline.draw(timeline.spans(), 72))
          .isEqualTo(
              """
              virtual:0
              stream 1    >>>>>>>>>>>>>>>>>>>>>>>>>>>##<<<<<<<<<<<<<<<<<<<<<<<<<<
              H2D engine  >>>>>>>>>>>>>>>>>>>>>>>>>>>
              kernels                                ##
              D2H engine                               <<<<<<<<<<<<<<<<<<<<<<<<<<
              virtual:1
              stream 2         >>>>>>>>>>>>>>>>>>>>>>>>>>>##<<<<<<<<<<<<<<<<<<<<<<<<<<
              H2D engine       >>>>>>>>>>>>>>>>>>>>>>>>>>>
              kernels                                     ##
              D2H engine                                    <<<<<<<<<<<<<<<<<<<<<<<<<<
                          0            20           40          60           80 µs
              """);
    }
  }

  // @start region="spring"
  @Configuration(proxyBeanMethods = false)
  static class GpuConfiguration {
    @Bean // closed with the context, as everything with a close() is
    Device device() {
      return Device.open("virtual");
    }

    @Bean
    Filler filler(Device device) {
      return new Filler(device);
    }
  }

  record Filler(Device device) {
    /** Called by any thread, also by a virtual one of a request. */
    byte[] filled(int n, byte with) {
      byte[] result = new byte[n];
      try (WorkScope scope = device.scope()) {
        Stream stream = scope.stream();
        GlobalBytes x = scope.own(device.allocateBytes(n));
        stream.fill(x, with);
        stream.copy(x, result).await();
      }
      return result;
    }
  }

  // @end

  @Test
  void springOpensTheDeviceAndClosesIt() {
    Device device;
    try (var context = new AnnotationConfigApplicationContext(GpuConfiguration.class)) {
      device = context.getBean(Device.class);
      byte[] filled = context.getBean(Filler.class).filled(1000, (byte) 7);
      assertThat(MemorySegment.ofArray(filled).toArray(JAVA_BYTE)).hasSize(1000).containsOnly(7);
      assertThat(device.isOpen()).isTrue();
    }
    assertThat(device.isOpen()).isFalse();
  }

  @Test
  void kotlinCompilesAndRuns(@TempDir Path folder) throws Exception {
    String libraries =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    run(
        folder,
        "-cp",
        libraries,
        "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler",
        "-no-stdlib",
        "-no-reflect",
        "-jvm-target",
        "25",
        "-cp",
        libraries,
        "-d",
        folder.toString(),
        Path.of("src/test/kotlin/Squares.kt").toAbsolutePath().toString());
    assertThat(run(folder, "-cp", libraries + File.pathSeparator + folder, "SquaresKt"))
        .endsWith("0, 1, 4, 9, 16, 25, 36, 49");
  }

  @Test
  void aNotebookByJshell(@TempDir Path folder) throws Exception {
    Path script = Path.of("src/test/resources/dev/stretto/examples/squares.jsh").toAbsolutePath();
    Process shell =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "jshell").toString(),
                "--class-path",
                DocumentsTest.placeOfCore(),
                "-R--enable-native-access=ALL-UNNAMED",
                "-J-Djava.util.prefs.userRoot=" + folder)
            .redirectInput(script.toFile())
            .redirectError(folder.resolve("errors").toFile())
            .start();
    String printed = new String(shell.getInputStream().readAllBytes(), US_ASCII);
    assertThat(shell.waitFor()).isZero();
    assertThat(printed.lines().map(line -> line.replaceFirst("^(jshell> )+", "")))
        .contains(
            "device ==> virtual:0 (NVIDIA H200 (virtual))",
            "x ==> GlobalInts[8] at byte 0 of 32 bytes on virtual:0",
            "numbers ==> int[8] { 0, 1, 4, 9, 16, 25, 36, 49 }");
  }

  /** Runs Java to its end, and returns what it printed. */
  private static String run(Path folder, String... arguments) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED"));
    command.addAll(List.of(arguments));
    Path errors = folder.resolve("errors");
    Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
    String printed = new String(process.getInputStream().readAllBytes(), US_ASCII).strip();
    assertThat(process.waitFor()).as(Files.readString(errors)).isZero();
    return printed;
  }
}
