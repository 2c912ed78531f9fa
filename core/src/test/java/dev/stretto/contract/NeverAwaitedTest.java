package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Diagnosis;
import dev.stretto.Stream;
import dev.stretto.diagnosis.Finding;
import dev.stretto.diagnosis.Rule;
import dev.stretto.flow.Flow;
import dev.stretto.flow.Sink;
import dev.stretto.flow.Source;
import dev.stretto.memory.GlobalBytes;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/** A flow that nobody awaits is told of: whether it has succeeded, nobody knows. */
class NeverAwaitedTest extends ContractTest {
  /** Keeps what is logged. */
  private static final class Logged extends Handler {
    private static final Logger LOGGER = Logger.getLogger("dev.stretto");

    final ConcurrentLinkedQueue<LogRecord> records = new ConcurrentLinkedQueue<>();

    Logged() {
      LOGGER.setUseParentHandlers(false);
      LOGGER.addHandler(this);
    }

    List<String> aboutFlows() {
      return records.stream()
          .map(LogRecord::getMessage)
          .filter(message -> message.contains("a flow through"))
          .toList();
    }

    @Override
    public void publish(LogRecord record) {
      records.add(record);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
      LOGGER.removeHandler(this);
      LOGGER.setUseParentHandlers(true);
    }
  }

  private Flow start(byte[] from, byte[] to) {
    return Flow.on(device)
        .from(Source.of(MemorySegment.ofArray(from)))
        .to(Sink.of(MemorySegment.ofArray(to)))
        .chunkBytes(4096)
        .start();
  }

  private Flow startHere() {
    return start(new byte[100_000], new byte[100_000]);
  }

  /** Awaits something else, for which a seeded device takes some steps of the flow's too. */
  private void advance(Stream stream) {
    try (GlobalBytes array = device.allocateBytes(16)) {
      stream.fill(array, (byte) 1).await();
    }
  }

  /** Nothing refers to the flow any more when this returns. */
  private void startAndForget() {
    Flow flow = startHere();
    for (Stream stream = device.stream(); flow.progress().bytesDone() < 100_000; ) {
      advance(stream); // a seeded device advances meanwhile
    }
  }

  @Test
  void theDeviceClosesAndItIsLoggedOnceWithItsPlace() {
    Logged logged = new Logged();
    try {
      Flow flow = startHere();
      device.close();
      assertThat(flow).isNotNull();
      assertThat(logged.aboutFlows())
          .singleElement()
          .asString()
          .contains("a flow through " + device.name(), "was started and never awaited")
          .contains("NeverAwaitedTest.java:")
          .contains(Rule.NEVER_AWAITED.advice());
    } finally {
      logged.close();
    }
  }

  @Test
  void aDiagnosisNamesItInsteadOfTheLog() {
    Logged logged = new Logged();
    try (Diagnosis diagnosis = Diagnosis.of(device)) {
      Flow flow = startHere();
      device.close();
      assertThat(flow).isNotNull();
      assertThat(diagnosis.findings())
          .filteredOn(finding -> finding.rule() == Rule.NEVER_AWAITED)
          .singleElement()
          .extracting(Finding::place)
          .asString()
          .contains("NeverAwaitedTest.java:");
      assertThat(diagnosis.report()).contains("NEVER_AWAITED", Rule.NEVER_AWAITED.advice());
      assertThat(logged.aboutFlows()).isEmpty();
    } finally {
      logged.close();
    }
  }

  @Test
  void aFlowThatNothingRefersToAnyMoreIsToldOf() {
    Logged logged = new Logged();
    try {
      startAndForget();
      long deadline = System.nanoTime() + 30_000_000_000L;
      while (logged.aboutFlows().isEmpty() && System.nanoTime() < deadline) {
        System.gc();
        device.await();
        Thread.onSpinWait();
      }
      assertThat(logged.aboutFlows()).hasSize(1);
      device.close();
      assertThat(logged.aboutFlows()).hasSize(1);
    } finally {
      logged.close();
    }
  }

  @Test
  void aFlowThatSomebodyHasHeardOfIsNotToldOf() {
    Logged logged = new Logged();
    try {
      assertThat(startHere().await().bytes()).isEqualTo(100_000);
      try (Flow closed = startHere()) {
        assertThat(closed.isDone()).isIn(true, false);
      }
      startHere().toCompletableFuture().join();
      Flow cancelled = startHere();
      cancelled.cancel();
      Flow asked = startHere();
      Stream stream = device.stream();
      while (!asked.isDone()) {
        advance(stream);
      }
      device.close();
      assertThat(logged.aboutFlows()).isEmpty();
    } finally {
      logged.close();
    }
  }

  private Flow failed() {
    Flow flow =
        Flow.on(device)
            .from(Source.of(MemorySegment.ofArray(new byte[10_000])))
            .through(
                (stream, chunk) -> {
                  throw new IllegalStateException("planned");
                })
            .to(Sink.of(MemorySegment.ofArray(new byte[10_000])))
            .chunkBytes(4096)
            .start();
    Stream stream = device.stream();
    while (!flow.isDone()) { // of a failure this says nothing
      advance(stream);
    }
    return flow;
  }

  @Test
  void aFlowThatHasEndedBeforeItIsAwaitedOrClosedIsNotToldOf() {
    Logged logged = new Logged();
    try {
      assertThatThrownBy(failed()::await).hasMessage("planned");
      assertThatThrownBy(failed()::close).hasMessage("planned");
      assertThatThrownBy(failed().toCompletableFuture()::join).hasRootCauseMessage("planned");
      device.close();
      assertThat(logged.aboutFlows()).isEmpty();
    } finally {
      logged.close();
    }
  }

  @Test
  void whyItHasFailedIsLoggedWithIt() {
    Logged logged = new Logged();
    try {
      assertThat(failed().isDone()).isTrue();
      device.close();
      assertThat(logged.aboutFlows()).singleElement().asString().contains("it has failed:");
      assertThat(logged.records)
          .anyMatch(
              record ->
                  record.getThrown() != null && record.getThrown().getMessage().equals("planned"));
    } finally {
      logged.close();
    }
  }

  // --- the end of a process
  // --------------------------------------------------------------------------------------------------------

  /** A program that starts a flow, and ends. */
  static final class Forgetful {
    private Forgetful() {}

    public static void main(String[] arguments) {
      dev.stretto.Device device = dev.stretto.Device.open("virtual");
      if (arguments.length > 0) {
        Logger.getLogger("something").info("logging is in use");
      }
      Flow flow =
          Flow.on(device)
              .from(Source.of(MemorySegment.ofArray(new byte[10_000_000])))
              .to(Sink.of(MemorySegment.ofArray(new byte[10_000_000])))
              .start();
      System.out.println(flow.progress().bytesTotal());
    }
  }

  private static String run(List<String> options, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--enable-native-access=ALL-UNNAMED");
    command.addAll(options);
    command.addAll(
        List.of(
            "-cp",
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
            Forgetful.class.getName()));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  @Test
  void theProcessEndsAndItIsTold() throws IOException {
    if (machine.isSeeded()) {
      return; // the device is the program's own
    }
    for (String[] arguments : new String[][] {{}, {"log"}}) {
      assertThat(run(List.of(), arguments))
          .containsOnlyOnce("a flow through virtual:0 was started and never awaited")
          .contains("WARNING", "Forgetful.main(NeverAwaitedTest.java:");
    }
  }

  @Test
  void theDiagnosisOfAProcessNamesIt() throws IOException {
    if (machine.isSeeded()) {
      return;
    }
    assertThat(run(List.of("-Ddev.stretto.diagnosis=true")))
        .contains("NEVER_AWAITED at dev.stretto.contract.NeverAwaitedTest$Forgetful.main(")
        .containsOnlyOnce("a flow through virtual:0 was started and never awaited");
  }
}
