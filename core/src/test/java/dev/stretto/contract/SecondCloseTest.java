package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.stretto.CudaIpcEvent;
import dev.stretto.Device;
import dev.stretto.Diagnosis;
import dev.stretto.ForeignLibrary;
import dev.stretto.Graph;
import dev.stretto.GraphEvent;
import dev.stretto.IpcArena;
import dev.stretto.IpcEvent;
import dev.stretto.LimitedPool;
import dev.stretto.Observer;
import dev.stretto.PinnedArena;
import dev.stretto.PinnedBuffer;
import dev.stretto.PinnedBuffers;
import dev.stretto.Registration;
import dev.stretto.Stream;
import dev.stretto.TaskDrawing;
import dev.stretto.Tasks;
import dev.stretto.TimedEvent;
import dev.stretto.WorkScope;
import dev.stretto.collective.Collective;
import dev.stretto.collective.Communicator;
import dev.stretto.collective.Window;
import dev.stretto.fault.ClosedException;
import dev.stretto.memory.GlobalArray;
import dev.stretto.memory.GlobalInts;
import dev.stretto.timeline.ChromeTrace;
import dev.stretto.timeline.HtmlTimeline;
import dev.stretto.timeline.Timeline;
import dev.stretto.timeline.Trace;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Closing anything a second time is harmless, as {@link AutoCloseable} recommends. */
class SecondCloseTest extends ContractTest {
  /** One of each kind, in an order in which they can be closed. */
  private List<AutoCloseable> oneOfEach(Arena arena) {
    List<AutoCloseable> all = new ArrayList<>();
    Stream stream = device.stream();
    PinnedBuffers buffers = device.pinnedBuffers(4096, 2);
    GlobalInts array = device.allocateInts(10);
    all.add(Timeline.record(device));
    all.add(Trace.range("while a timeline records"));
    all.add(Diagnosis.of(device));
    all.add(ForeignLibrary.on(device));
    all.add(new ChromeTrace(new StringBuilder(), device.properties()));
    all.add(new HtmlTimeline(new StringBuilder(), "title", "subtitle"));
    all.add(device.scope());
    all.add(Collective.of(List.of(device)));
    Communicator alone = Communicator.awaitPeers(Communicator.id(), 0, 1, device);
    all.add(alone.awaitWindow(16));
    all.add(alone);
    all.add(Graph.capture(stream, () -> stream.fill(array, 1)));
    all.add(GraphEvent.of(device));
    Tasks tasks = device.tasks();
    all.add(tasks);
    all.add(tasks.draw());
    all.add(stream.recordTimed());
    all.add(buffers.awaitLease());
    all.add(buffers);
    all.add(device.pinnedArena());
    all.add(device.writeCombinedArena());
    IpcArena shared = device.ipcArena();
    all.add(shared.event());
    all.add(shared.memoryPool(1 << 20));
    all.add(shared);
    all.add(device.register(arena.allocate(4096, 4096), arena));
    all.add(device.memoryPool(1 << 20));
    all.add(array);
    all.add(stream.allocateFloats(10));
    all.add(device.legacyStream());
    all.add(stream);
    return all;
  }

  @Test
  void nothingOfADeviceMindsBeingClosedTwice() {
    try (Arena arena = Arena.ofShared()) {
      List<AutoCloseable> all = oneOfEach(arena);
      all.add(device);
      for (AutoCloseable each : all) {
        assertThatCode(each::close).as("%s", each).doesNotThrowAnyException();
        assertThatCode(each::close).as("%s, again", each).doesNotThrowAnyException();
      }
      for (AutoCloseable each : all) {
        assertThatCode(each::close).as("%s, at the end", each).doesNotThrowAnyException();
      }
    }
  }

  @Test
  void whatWasClosedWithItsDeviceMayStillBeClosed() {
    try (Arena arena = Arena.ofShared()) {
      List<AutoCloseable> all = oneOfEach(arena);
      device.close();
      opened.settle();
      for (AutoCloseable each : all) {
        assertThatCode(each::close).as("%s", each).doesNotThrowAnyException();
        assertThatCode(each::close).as("%s, again", each).doesNotThrowAnyException();
      }
    }
  }

  @Test
  void twoThreadsMayCloseTheSame() throws InterruptedException {
    AtomicInteger refused = new AtomicInteger();
    try (Arena arena = Arena.ofShared()) {
      for (int round = 0; round < 20; round++) {
        List<AutoCloseable> all = oneOfEach(arena);
        all.removeIf(WorkScope.class::isInstance); // its opening thread's
        CountDownLatch both = new CountDownLatch(2);
        Runnable closing =
            () -> {
              both.countDown();
              for (AutoCloseable each : all) {
                try {
                  both.await();
                  each.close();
                } catch (Exception e) {
                  refused.incrementAndGet();
                }
              }
            };
        Thread other = Thread.ofPlatform().start(closing);
        closing.run();
        other.join();
      }
    }
    assertThat(refused).hasValue(0);
  }

  @Test
  void aSecondCloseEndsNothingOfAnother() throws Exception {
    List<Observer.Observed> seen = Collections.synchronizedList(new ArrayList<>());
    Observer observer =
        operation -> {
          seen.add(operation);
          operation.begin().close();
          operation.end().close();
        };
    try (Stream stream = device.stream();
        GlobalInts array = device.allocateInts(10)) {
      AutoCloseable first = device.observe(observer);
      first.close();
      try (AutoCloseable _ = device.observe(observer)) {
        first.close();
        stream.fill(array, 1).await();
        assertThat(seen).hasSize(1);
      }
    }
    try (PinnedBuffers buffers = device.pinnedBuffers(4096, 1)) {
      PinnedBuffer first = buffers.awaitLease();
      first.close();
      try (PinnedBuffer second = buffers.awaitLease()) {
        first.close();
        assertThat(second.isOpen()).isTrue();
        assertThat(buffers.tryLease()).isEmpty();
      }
    }
  }

  @Test
  void usingWhatIsClosedIsStillRefused() {
    GlobalInts array = device.allocateInts(10);
    PinnedArena pinned = device.pinnedArena();
    WorkScope scope = device.scope();
    PinnedBuffers buffers = device.pinnedBuffers(4096, 1);
    Stream stream = device.stream();
    Graph graph = Graph.capture(stream, () -> stream.fill(array, 1));
    for (AutoCloseable each : List.of(graph, array, pinned, scope, buffers, stream)) {
      assertThatCode(each::close).doesNotThrowAnyException();
      assertThatCode(each::close).doesNotThrowAnyException();
    }
    assertThatThrownBy(array::address).isInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> pinned.allocate(1)).isInstanceOf(ClosedException.class);
    assertThatThrownBy(scope::stream).isInstanceOf(ClosedException.class);
    assertThatThrownBy(buffers::tryLease).isInstanceOf(ClosedException.class);
    assertThatThrownBy(stream::record).isInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> graph.launch(stream)).isInstanceOf(ClosedException.class);
  }

  @Test
  void noKindOfThingIsForgottenHere() {
    Set<String> known =
        Set.of(
            ChromeTrace.class.getName(),
            Collective.class.getName(),
            Communicator.class.getName(),
            CudaIpcEvent.class.getName(), // GPUs only: CudaProcessTest
            Device.class.getName(),
            Diagnosis.class.getName(),
            ForeignLibrary.class.getName(),
            Graph.class.getName(),
            GraphEvent.class.getName(),
            "dev.stretto.PeerAccess", // PeerCopyTest has two devices
            HtmlTimeline.class.getName(),
            IpcArena.class.getName(),
            IpcEvent.class.getName(),
            LimitedPool.class.getName(),
            PinnedArena.class.getName(),
            PinnedBuffer.class.getName(),
            PinnedBuffers.class.getName(),
            Registration.class.getName(),
            Stream.class.getName(),
            TaskDrawing.class.getName(),
            Tasks.class.getName(),
            TimedEvent.class.getName(),
            Timeline.class.getName(),
            Trace.Range.class.getName(),
            Window.class.getName(),
            WorkScope.class.getName());
    assertThat(Closeables.NAMES).isEqualTo(known);
  }

  /** Looked for once, not on each machine: reading all classes takes seconds. */
  private static final class Closeables {
    static final Set<String> NAMES =
        new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages(
                    "dev.stretto",
                    "dev.stretto.collective",
                    "dev.stretto.timeline",
                    "dev.stretto.memory")
                .stream()
                .filter(type -> isOfTheApi(type.getPackageName()))
                .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
                .filter(type -> type.isAssignableTo(AutoCloseable.class))
                .filter(type -> !type.isAssignableTo(GlobalArray.class))
                .map(JavaClass::getName)
                .collect(Collectors.toSet());
  }

  private static boolean isOfTheApi(String room) {
    return Set.of(
            "dev.stretto", "dev.stretto.collective", "dev.stretto.timeline", "dev.stretto.memory")
        .contains(room);
  }
}
