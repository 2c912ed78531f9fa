package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.stretto.Copy;
import dev.stretto.Device;
import dev.stretto.Diagnosis;
import dev.stretto.Event;
import dev.stretto.ForeignLibrary;
import dev.stretto.Graph;
import dev.stretto.Grid;
import dev.stretto.PinnedArena;
import dev.stretto.Route;
import dev.stretto.SourceAccess;
import dev.stretto.Stream;
import dev.stretto.WorkScope;
import dev.stretto.diagnosis.Finding;
import dev.stretto.diagnosis.Rule;
import dev.stretto.fault.ClosedException;
import dev.stretto.fault.CopyFailedException;
import dev.stretto.fault.DeadlineExceededException;
import dev.stretto.fault.DeadlockException;
import dev.stretto.fault.GraphException;
import dev.stretto.fault.RouteException;
import dev.stretto.fault.SourceAccessException;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalInts;
import dev.stretto.timeline.ChromeTrace;
import dev.stretto.timeline.HtmlTimeline;
import dev.stretto.timeline.Span;
import dev.stretto.timeline.TextTimeline;
import dev.stretto.timeline.Timeline;
import java.io.IOException;
import java.io.StringWriter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a stream is called, and that whoever speaks of a stream calls it so. */
class StreamNameTest extends ContractTest {
  private static final String UPLOAD = "upload";
  private static final String TITLE = "stream 'upload'";

  @TempDir Path folder;

  private String full() {
    return TITLE + " of " + device.name();
  }

  private static void told(Class<? extends Throwable> type, ThrowingCallable call, String words) {
    assertThatThrownBy(call).isInstanceOf(type).hasMessageContaining(words);
  }

  // --- names ------------------------------------------------------------------------------------

  @Test
  void aStreamHasTheNameThatItWasGiven() {
    try (Stream stream = device.stream(UPLOAD);
        Stream urgent = device.stream("Ölpreis λ 🚀", -1);
        Stream another = device.stream(UPLOAD);
        WorkScope scope = device.scope()) {
      assertThat(stream.name()).isEqualTo(UPLOAD);
      assertThat(stream.isNamed()).isTrue();
      assertThat(stream.priority()).isZero();
      assertThat(stream).hasToString(full());
      assertThat(urgent.name()).isEqualTo("Ölpreis λ 🚀");
      assertThat(urgent.priority()).isEqualTo(-1);
      assertThat(another.name()).isEqualTo(UPLOAD);
      assertThat(scope.stream("of the scope").name()).isEqualTo("of the scope");
      stream.close();
      assertThat(stream.name()).isEqualTo(UPLOAD);
    }
  }

  @Test
  void aStreamWithoutANameIsCalledByWhatItIsAndLikeNoOther() {
    Set<String> names = new HashSet<>();
    try (Stream first = device.stream();
        Stream second = device.stream(-1);
        Stream legacy = device.legacyStream();
        Stream sameLegacy = device.legacyStream();
        ForeignLibrary library = ForeignLibrary.on(device);
        WorkScope scope = device.scope()) {
      Stream third = scope.stream();
      assertThat(first.name()).isEqualTo("stream 0x%x".formatted(first.handle()));
      assertThat(second.name()).isEqualTo("stream 0x%x".formatted(second.handle()));
      assertThat(third.name()).isEqualTo("stream 0x%x".formatted(third.handle()));
      assertThat(legacy.name()).isEqualTo("legacy default stream");
      assertThat(sameLegacy.name()).isEqualTo(legacy.name());
      long theirs = library.createStream();
      try (Stream adopted = device.adoptStream(theirs)) {
        assertThat(adopted.name()).isEqualTo("adopted stream 0x%x".formatted(theirs));
        for (Stream each : List.of(first, second, third, legacy, adopted)) {
          assertThat(each.isNamed()).isFalse();
          assertThat(each).hasToString(each.name() + " of " + device.name());
          assertThat(names.add(each.name())).as(each.name()).isTrue();
        }
      }
    }
  }

  @Test
  void theDefaultStreamsOfTwoThreadsHaveDifferentNames() throws Exception {
    try (ExecutorService other = Executors.newSingleThreadExecutor();
        ExecutorService third = Executors.newSingleThreadExecutor();
        ExecutorService own = Executors.newSingleThreadExecutor()) {
      Stream stream = own.submit(device::perThreadStream).get();
      assertThat(stream.name()).isEqualTo("per-thread default stream");
      assertThat(own.submit(device::perThreadStream).get().name()).isEqualTo(stream.name());
      assertThat(other.submit(device::perThreadStream).get().name())
          .isEqualTo("per-thread default stream 2");
      assertThat(third.submit(device::perThreadStream).get().name())
          .isEqualTo("per-thread default stream 3");
    }
  }

  @Test
  void aNameThatMessagesCannotShowIsRefused() {
    assertThatThrownBy(() -> device.stream((String) null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("name");
    for (String name : List.of("", " ", "\t", "\u2003")) {
      told(IllegalArgumentException.class, () -> device.stream(name), "blank");
    }
    told(IllegalArgumentException.class, () -> device.stream("a\nb"), "U+000A at index 1");
    told(IllegalArgumentException.class, () -> device.stream("\u001b[31m"), "U+001B at index 0");
    told(IllegalArgumentException.class, () -> device.stream("a\0"), "U+0000 at index 1");
    told(IllegalArgumentException.class, () -> device.stream("a\u2028b"), "U+2028 at index 1");
    told(IllegalArgumentException.class, () -> device.stream("🚀\ud83d"), "U+D83D at index 2");
    told(IllegalArgumentException.class, () -> device.stream("\u0085x"), "U+0085 at index 0");
    told(IllegalArgumentException.class, () -> device.stream("x".repeat(129)), "129 characters");
    assertThat(device.stream("x".repeat(128)).name()).hasSize(128);
    try (WorkScope scope = device.scope()) {
      told(IllegalArgumentException.class, () -> scope.stream("a\rb"), "U+000D");
    }
  }

  @Test
  void aRefusedNameLeavesNoStreamBehind() {
    int before = machine.isVirtual() ? opened.live().streams() : 0;
    told(IllegalArgumentException.class, () -> device.stream(" "), "blank");
    assertThat(machine.isVirtual() ? opened.live().streams() : 0).isEqualTo(before);
  }

  // --- exceptions -------------------------------------------------------------------------------

  @Test
  void refusalsNameTheStream() {
    try (Machine.Opened elsewhere = machine.openPair(driver -> driver);
        GlobalInts array = device.allocateInts(16)) {
      Stream stream = device.stream(UPLOAD);
      if (machine.isVirtual()) { // two openings of a GPU are one device
        GlobalInts theirs = elsewhere.device().allocateInts(16);
        told(IllegalArgumentException.class, () -> stream.fill(theirs, 1), full());
        told(IllegalArgumentException.class, () -> stream.copy(theirs, new int[16]), full());
        told(IllegalArgumentException.class, () -> stream.freeOnClose(theirs), full());
        try (Graph graph = Graph.capture(stream, () -> stream.fill(array, 1));
            Stream other = elsewhere.device().stream("other")) {
          told(
              IllegalArgumentException.class,
              () -> graph.launch(other),
              "stream 'other' of " + elsewhere.device().name());
        }
      }
      stream.close();
      told(ClosedException.class, () -> stream.fill(array, 1), full());
      told(ClosedException.class, stream::record, full());
      told(ClosedException.class, stream::handle, full());
      told(ClosedException.class, () -> stream.then(() -> {}), full());
      told(ClosedException.class, () -> Graph.capture(stream, () -> {}), full());
    }
  }

  @Test
  void refusalsNameDefaultAndAdoptedStreams() {
    try (GlobalInts array = device.allocateInts(1 << 16);
        Stream legacy = device.legacyStream();
        ForeignLibrary library = ForeignLibrary.on(device);
        Stream adopted = device.adoptStream(library.createStream())) {
      for (Stream stream : List.of(legacy, adopted)) {
        told(RouteException.class, () -> stream.then(() -> {}), stream.toString());
        told(RouteException.class, () -> stream.copy(new int[1 << 16], array), stream.toString());
        told(
            SourceAccessException.class,
            () ->
                stream.copy(
                    MemorySegment.ofArray(new int[16]),
                    array.slice(0, 16),
                    SourceAccess.DURING_CALL),
            stream.toString());
        try (Stream ours = device.stream();
            Graph graph = Graph.capture(ours, () -> ours.then(() -> {}))) {
          told(RouteException.class, () -> graph.launch(stream), stream.toString());
        }
      }
      told(GraphException.class, () -> Graph.capture(legacy, () -> {}), legacy.toString());
      try (Stream ours = device.stream(UPLOAD)) {
        told(IllegalArgumentException.class, () -> device.adoptStream(ours.handle()), TITLE);
      }
    }
  }

  @Test
  void refusalsOfACaptureNameTheStream() {
    try (Stream stream = device.stream(UPLOAD);
        Stream branch = device.stream("branch");
        GlobalInts array = device.allocateInts(16)) {
      told(GraphException.class, () -> Graph.capture(stream, () -> stream.await()), full());
      told(GraphException.class, () -> Graph.capture(stream, () -> stream.recordTimed()), full());
      told(
          GraphException.class,
          () ->
              Graph.capture(
                  stream,
                  () -> {
                    branch.waitFor(stream.record());
                    branch.fill(array, 1);
                  }),
          "stream 'branch' of " + device.name());
    }
  }

  @Test
  void whatIsHeldBackByItselfIsRefusedWithTheStreamsName() {
    try (Stream stream = device.stream(UPLOAD)) {
      Throwable[] thrown = new Throwable[1];
      stream.then(() -> thrown[0] = catchThrowable(stream::await)).await();
      assertThat(thrown[0])
          .isInstanceOf(DeadlockException.class)
          .hasMessageContaining("holds back " + full());
    }
  }

  @Test
  void aDeadlockOfASeededDeviceNamesItsStreams() {
    if (!machine.isSeeded()) {
      return; // others cannot know
    }
    try (Stream one = device.stream("one");
        Stream two = device.stream("two")) {
      Event[] later = new Event[2];
      Throwable[] told = new Throwable[2];
      one.then(() -> told[0] = catchThrowable(() -> later[1].await(Duration.ofSeconds(30))));
      two.then(() -> told[1] = catchThrowable(() -> later[0].await(Duration.ofSeconds(30))));
      later[0] = one.record();
      later[1] = two.record();
      one.await();
      two.await();
      assertThat(told[0] == null ? told[1] : told[0])
          .isInstanceOf(DeadlockException.class)
          .hasMessageContaining("stream 'one' of " + device.name() + " is held back by")
          .hasMessageContaining("stream 'two' of " + device.name() + " is held back by");
    }
  }

  @Test
  void whatFailsLaterNamesTheStream() {
    try (Stream stream = device.stream(UPLOAD);
        GlobalBytes array = device.allocateBytes(1 << 20)) {
      Arena arena = Arena.ofShared();
      Gate gate = gate(stream);
      Copy copy = stream.copy(arena.allocate(1 << 20), array);
      arena.close();
      gate.open();
      told(CopyFailedException.class, copy::await, full());
      Throwable _ = catchThrowable(stream::await);
      Event event =
          stream.then(
              () -> {
                throw new AssertionError("of the callback");
              });
      told(IllegalStateException.class, event::await, full());
      assertThat(event.toString()).contains(full());
      assertThat(copy.toString()).contains(full());
      Throwable _ = catchThrowable(stream::await);
    }
  }

  @Test
  void aDeadlineNamesTheStreamsThatHoldWork() {
    if (machine.isSeeded()) {
      return; // nothing is in flight there while nobody awaits
    }
    try (Stream stream = device.stream(UPLOAD)) {
      Gate gate = gate(stream);
      WorkScope scope = device.scope(Duration.ofMillis(500));
      try {
        Stream held = scope.stream("of the scope");
        held.waitFor(stream.record());
        told(
            DeadlineExceededException.class,
            scope::awaitAll,
            "stream 'of the scope' of " + device.name());
      } catch (java.util.concurrent.CancellationException e) {
        // the deadline came before the stream was opened
      } finally {
        gate.open();
        Throwable _ = catchThrowable(scope::close);
      }
    }
  }

  // --- what is logged ---------------------------------------------------------------------------

  @Test
  void aCallbackThatNobodyAwaitedIsLoggedWithTheStreamsName() {
    try (LoggedErrors logged = new LoggedErrors()) {
      Stream stream = device.stream(UPLOAD);
      stream.then(
          () -> {
            throw new IllegalStateException("of the callback");
          });
      stream.close();
      eventually(
          "the callback is logged",
          () -> logged.messages().stream().anyMatch(message -> message.contains(TITLE)));
    }
  }

  // --- what is recorded -------------------------------------------------------------------------

  private void work(Stream stream, PinnedArena pinned, GlobalInts array) {
    MemorySegment host = pinned.allocate(4096, 64);
    stream.copy(host, array);
    stream.launch(Grid.of(1, 32), Kernels.ADD, array, 1, 32);
    stream.copy(array, host);
    stream.await(); // and what observes it
  }

  @Test
  void aTimelineShowsTheNames() {
    List<Span> spans;
    try (Stream stream = device.stream(UPLOAD);
        Stream unnamed = device.stream();
        Stream misleading = device.stream("stream 7");
        Stream legacy = device.legacyStream();
        PinnedArena pinned = device.pinnedArena();
        GlobalInts array = device.allocateInts(1024);
        Timeline timeline = Timeline.record(device)) {
      work(stream, pinned, array);
      work(unnamed, pinned, array);
      work(misleading, pinned, array);
      work(legacy, pinned, array);
      spans = timeline.spans();
    }
    List<String> names = List.of(UPLOAD, "stream 2", "stream 7", "legacy default stream");
    assertThat(spans).hasSize(12);
    for (Span span : spans) {
      assertThat(span.streamName()).isEqualTo(names.get(span.stream() - 1));
    }
    assertThat(TextTimeline.draw(spans, 100)).contains("upload  ", "legacy default stream  ");
    StringWriter chrome = new StringWriter();
    try (ChromeTrace trace = new ChromeTrace(chrome, device)) {
      trace.section("one", spans);
    }
    StringWriter html = new StringWriter();
    try (HtmlTimeline page = new HtmlTimeline(html, "title", device.name())) {
      page.section("one", spans);
    }
    for (String name : names) {
      assertThat(chrome.toString())
          .contains("\"thread_name\"", "\"args\":{\"name\":\"" + name + "\"}");
      assertThat(html.toString()).contains("," + '"' + name + "\"]");
    }
  }

  @Test
  void theFlightRecorderHasTheNames() throws IOException {
    Path file = folder.resolve("names.jfr");
    try (Recording recording = new Recording();
        Stream stream = device.stream(UPLOAD);
        PinnedArena pinned = device.pinnedArena();
        GlobalInts array = device.allocateInts(1024)) {
      for (String event : List.of("Copy", "Launch", "Wait")) {
        recording.enable("dev.stretto." + event).withoutThreshold();
      }
      recording.start();
      work(stream, pinned, array);
      device.await();
      recording.stop();
      recording.dump(file);
    }
    List<RecordedEvent> events =
        RecordingFile.readAllEvents(file).stream()
            .filter(each -> each.getEventType().getName().startsWith("dev.stretto."))
            .filter(each -> each.getString("device").equals(device.name()))
            .toList();
    assertThat(events)
        .extracting(each -> each.getEventType().getName().substring("dev.stretto.".length()))
        .contains("Copy", "Launch", "Wait");
    for (RecordedEvent event : events) {
      assertThat(event.getString("streamName"))
          .isEqualTo(event.getLong("stream") == 0 ? "" : UPLOAD);
    }
  }

  @Test
  void findingsOfADiagnosisHaveTheNames() {
    try (Diagnosis diagnosis = Diagnosis.of(device);
        Stream stream = device.stream(UPLOAD);
        Stream legacy = device.legacyStream();
        PinnedArena pinned = device.pinnedArena();
        GlobalInts array = device.allocateInts(1 << 20)) {
      MemorySegment in = pinned.allocate(4 << 20, 64);
      for (int round = 0; round < 8; round++) {
        stream.copy(in, array);
        stream.launch(Grid.of(1, 32), Kernels.ADD, array, 1, 32);
      }
      stream.await();
      assertThat(diagnosis.findings())
          .filteredOn(finding -> finding.rule() == Rule.ONE_STREAM)
          .allSatisfy(finding -> assertThat(finding.reason()).contains(full()));
      if (machine.isSeeded()) { // others may be done before they are looked at
        assertThat(diagnosis.findings()).extracting(Finding::rule).contains(Rule.ONE_STREAM);
      }
    }
  }

  // --- streams that Stretto opens ---------------------------------------------------------------

  @Test
  void routesThatNeedAStreamOfTheirOwnKeepTheNameOfTheProgramsInMessages() {
    try (Machine.Opened pair = machine.openPair(driver -> driver)) {
      if (pair.devices().size() < 2) {
        return; // takes two devices
      }
      Device from = pair.devices().get(0);
      Device to = pair.devices().get(1);
      try (Stream stream = from.stream(UPLOAD);
          GlobalInts source = from.allocateInts(1024);
          GlobalInts destination = to.allocateInts(1024)) {
        stream.fill(source, 3);
        Copy copy = stream.copy(source, destination);
        copy.await();
        assertThat(copy.toString()).contains(TITLE + " of " + from.name());
        assertThat(copy.route().kind()).isNotEqualTo(Route.Kind.LOCAL);
      }
    }
  }
}
