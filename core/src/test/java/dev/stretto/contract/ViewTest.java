package dev.stretto.contract;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stretto.Graph;
import dev.stretto.Grid;
import dev.stretto.PinnedArena;
import dev.stretto.Registration;
import dev.stretto.Stream;
import dev.stretto.TimedEvent;
import dev.stretto.fault.ClosedException;
import dev.stretto.fault.DeadlockException;
import dev.stretto.fault.RaceException;
import dev.stretto.kernel.Atomics;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.Scope;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalDoubles;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Pinned memory that kernels address. */
class ViewTest extends ContractTest {
  private static final String ORDER = "checked";
  private static final VarHandle INT = JAVA_INT.varHandle();

  @Kernel
  static void twice(ThreadBlock block, GlobalFloats from, GlobalFloats to) {
    int i = (int) block.globalIndexX();
    if (i < from.length()) {
      to.set(i, 2 * from.get(i));
    }
  }

  /** Answers each number that the host writes with its square. */
  @Kernel
  static void answers(ThreadBlock block, GlobalInts words, int last) {
    for (int number = 1; number <= last; number++) {
      while (Atomics.loadAcquire(words, 0, Scope.SYSTEM) < number) {
        // until the host rings
      }
      words.set(2, words.get(1) * words.get(1));
      Atomics.storeRelease(words, 64, number, Scope.SYSTEM);
    }
  }

  /** Tells how far it is, and does not wait for anybody. */
  @Kernel
  static void tells(ThreadBlock block, GlobalInts progress, GlobalInts results, int steps) {
    for (int step = 0; step < steps; step++) {
      results.set(step, 3 * step);
      Atomics.storeRelease(progress, 0, step + 1, Scope.SYSTEM);
    }
  }

  @Kernel
  static void holds(ThreadBlock block, GlobalInts latch) {
    while (Atomics.loadAcquire(latch, 0, Scope.SYSTEM) == 0) {
      // until the host opens it
    }
  }

  @Kernel
  static void storesPlainly(ThreadBlock block, GlobalInts words, GlobalInts latch) {
    words.set(0, 42);
    while (Atomics.loadAcquire(latch, 0, Scope.SYSTEM) == 0) {
      // until the host opens it
    }
    words.set(1, words.get(2));
  }

  private static void opens(MemorySegment latch) {
    INT.setRelease(latch, 0L, 1);
  }

  @Test
  void kernelsReadAndWriteTheHostsMemory() {
    try (Stream stream = device.stream();
        PinnedArena arena = device.pinnedArena()) {
      MemorySegment from = arena.allocate(JAVA_FLOAT, 10_000);
      MemorySegment to = arena.allocate(JAVA_FLOAT, 10_000);
      try (GlobalFloats in = device.view(from, GlobalFloats::of);
          GlobalFloats out = device.view(to, GlobalFloats::of)) {
        for (int round = 1; round <= 3; round++) {
          for (int i = 0; i < 10_000; i++) {
            from.setAtIndex(JAVA_FLOAT, i, round * i);
          }
          stream.launch(Grid.covering(10_000, 256), ViewTest::twice, in, out);
          stream.await();
          for (int i = 0; i < 10_000; i++) {
            assertThat(to.getAtIndex(JAVA_FLOAT, i)).isEqualTo(2f * round * i);
          }
        }
      }
    }
  }

  @Test
  void aPartOfTheMemoryIsAnArrayToo() {
    try (Stream stream = device.stream();
        PinnedArena arena = device.pinnedArena()) {
      MemorySegment all = arena.allocate(JAVA_FLOAT, 4096);
      all.fill((byte) 0);
      try (GlobalFloats in = device.view(all.asSlice(4 * 1000, 4 * 100), GlobalFloats::of);
          GlobalFloats out = device.view(all.asSlice(4 * 2000, 4 * 100), GlobalFloats::of)) {
        all.setAtIndex(JAVA_FLOAT, 1099, 4);
        stream.launch(Grid.of(1, 128), ViewTest::twice, in.slice(50, 50), out.slice(50, 50));
        stream.await();
        assertThat(all.getAtIndex(JAVA_FLOAT, 2099)).isEqualTo(8);
        assertThat(all.getAtIndex(JAVA_FLOAT, 2100)).isEqualTo(0);
      }
    }
  }

  @Test
  void copiesBeforeAndBehindAKernelSeeWhatItSees() {
    try (Stream stream = device.stream();
        PinnedArena arena = device.pinnedArena();
        GlobalFloats source = device.allocateFloats(1000);
        GlobalFloats sink = device.allocateFloats(1000)) {
      MemorySegment from = arena.allocate(JAVA_FLOAT, 1000);
      MemorySegment to = arena.allocate(JAVA_FLOAT, 1000);
      GlobalFloats in = device.view(from, GlobalFloats::of);
      GlobalFloats out = device.view(to, GlobalFloats::of);
      stream.fill(source, 5);
      stream.copy(source, from);
      stream.launch(Grid.covering(1000, 128), ViewTest::twice, in, out);
      stream.copy(to, sink);
      float[] got = new float[1000];
      stream.copy(sink, got).await();
      assertThat(got).containsOnly(10);
    }
  }

  @Test
  void aRunningKernelAnswersTheHost() {
    int rounds = machine().isSeeded() ? 20 : 200;
    try (Stream stream = device.stream();
        PinnedArena arena = device.pinnedArena()) {
      MemorySegment words = arena.allocate(JAVA_INT, 128);
      try (GlobalInts view = device.view(words, GlobalInts::of)) {
        stream.launch(Grid.of(1, 1), ViewTest::answers, view, rounds);
        for (int number = 1; number <= rounds; number++) {
          int ring = number;
          words.setAtIndex(JAVA_INT, 1, 3 * number);
          INT.setRelease(words, 0L, number);
          stream.awaitUntil(() -> (int) INT.getAcquire(words, 4L * 64) >= ring);
          assertThat(words.getAtIndex(JAVA_INT, 2)).isEqualTo(9 * number * number);
        }
        stream.await();
      }
    }
  }

  @Test
  void aRunningKernelTellsHowFarItIs() {
    int steps = 100;
    try (Stream stream = device.stream();
        PinnedArena arena = device.pinnedArena()) {
      MemorySegment progress = arena.allocate(JAVA_INT, 1);
      MemorySegment results = arena.allocate(JAVA_INT, steps);
      GlobalInts told = device.view(progress, GlobalInts::of);
      GlobalInts stored = device.view(results, GlobalInts::of);
      stream.launch(Grid.of(1, 1), ViewTest::tells, told, stored, steps);
      int known = 0;
      while (known < steps) {
        int before = known;
        stream.awaitUntil(() -> (int) INT.getAcquire(progress, 0L) > before);
        known = (int) INT.getAcquire(progress, 0L);
        for (int i = 0; i < known; i++) {
          assertThat(results.getAtIndex(JAVA_INT, i)).isEqualTo(3 * i);
        }
      }
    }
  }

  @Test
  void aLatchHoldsAStream() {
    try (Stream stream = device.stream();
        Stream other = device.stream();
        PinnedArena arena = device.pinnedArena();
        GlobalInts cell = device.allocateInts(1)) {
      MemorySegment latch = arena.allocate(JAVA_INT, 1);
      GlobalInts view = device.view(latch, GlobalInts::of);
      // Loading a kernel would wait for the one that runs.
      device.prepare(Grid.of(1, 1), ViewTest::holds, view);
      stream.launch(Grid.of(1, 1), ViewTest::holds, view);
      stream.fill(cell, 7);
      assertThat(stream.await(Duration.ofMillis(20))).isFalse();
      opens(latch);
      int[] out = new int[1];
      other.waitFor(stream.record());
      other.copy(cell, out).await();
      assertThat(out).containsExactly(7);
    }
  }

  @Test
  void whatIsNotReleasedTheHostSeesWhenTheKernelIsDone() {
    assumeTrue(machine().isSeeded()); // a GPU may make it visible sooner
    try (Stream stream = device.stream();
        PinnedArena arena = device.pinnedArena()) {
      MemorySegment words = arena.allocate(JAVA_INT, 4);
      MemorySegment latch = arena.allocate(JAVA_INT, 1);
      GlobalInts view = device.view(words, GlobalInts::of);
      GlobalInts holding = device.view(latch, GlobalInts::of);
      stream.launch(Grid.of(1, 1), ViewTest::storesPlainly, view, holding);
      assertThat(stream.awaitUntil(() -> words.get(JAVA_INT, 0) == 42, Duration.ofMillis(50)))
          .isFalse();
      words.setAtIndex(JAVA_INT, 2, 99); // what is released before the latch opens, it sees
      opens(latch);
      stream.await();
      assertThat(words.getAtIndex(JAVA_INT, 0)).isEqualTo(42);
      assertThat(words.getAtIndex(JAVA_INT, 1)).isEqualTo(99);
    }
  }

  @Test
  void whatCanHappenNoMoreIsNotWaitedFor() {
    try (Stream stream = device.stream();
        PinnedArena arena = device.pinnedArena()) {
      MemorySegment latch = arena.allocate(JAVA_INT, 1);
      GlobalInts view = device.view(latch, GlobalInts::of);
      opens(latch);
      stream.launch(Grid.of(1, 1), ViewTest::holds, view);
      assertThatThrownBy(() -> stream.awaitUntil(() -> latch.get(JAVA_INT, 0) == 2))
          .isInstanceOf(DeadlockException.class)
          .hasMessageContaining("everything is done that stream");
      assertThat(stream.awaitUntil(() -> latch.get(JAVA_INT, 0) == 1, Duration.ZERO)).isTrue();
    }
  }

  @Test
  void aGraphTakesAView() {
    try (Stream stream = device.stream();
        PinnedArena arena = device.pinnedArena()) {
      MemorySegment from = arena.allocate(JAVA_FLOAT, 64);
      MemorySegment to = arena.allocate(JAVA_FLOAT, 64);
      GlobalFloats in = device.view(from, GlobalFloats::of);
      GlobalFloats out = device.view(to, GlobalFloats::of);
      try (Graph graph =
          Graph.capture(stream, () -> stream.launch(Grid.of(1, 64), ViewTest::twice, in, out))) {
        for (int round = 1; round < 4; round++) {
          from.setAtIndex(JAVA_FLOAT, 7, round);
          stream.launch(graph);
          stream.await();
          assertThat(to.getAtIndex(JAVA_FLOAT, 7)).isEqualTo(2f * round);
        }
      }
    }
  }

  @Test
  void theMemoryStaysUntilTheLastKernelIsDoneAndTheViewClosesWithIt() {
    Stream stream = device.stream();
    PinnedArena arena = device.pinnedArena();
    MemorySegment from = arena.allocate(JAVA_FLOAT, 1 << 16);
    GlobalFloats in = device.view(from, GlobalFloats::of);
    GlobalFloats out = device.allocateFloats(1 << 16);
    for (int i = 0; i < 1 << 16; i++) {
      from.setAtIndex(JAVA_FLOAT, i, i);
    }
    stream.launch(Grid.of(256, 256), ViewTest::twice, in, out);
    arena.close();
    assertThat(in.isOpen()).isFalse();
    assertThatThrownBy(() -> stream.launch(Grid.of(256, 256), ViewTest::twice, in, out))
        .isInstanceOf(ClosedException.class);
    float[] got = new float[1 << 16];
    stream.copy(out, got).await();
    assertThat(got[65535]).isEqualTo(131070);
    in.close();
    stream.close();
  }

  @Test
  void closingAViewLeavesTheMemory() {
    try (Stream stream = device.stream();
        PinnedArena arena = device.pinnedArena()) {
      MemorySegment from = arena.allocate(JAVA_FLOAT, 64);
      GlobalFloats first = device.view(from, GlobalFloats::of);
      GlobalFloats second = device.view(from, GlobalFloats::of);
      first.close();
      from.setAtIndex(JAVA_FLOAT, 0, 1);
      stream.launch(Grid.of(1, 64), ViewTest::twice, second, second);
      stream.await();
      assertThat(from.getAtIndex(JAVA_FLOAT, 0)).isEqualTo(2);
      assertThatThrownBy(() -> stream.launch(Grid.of(1, 64), ViewTest::twice, first, second))
          .isInstanceOf(ClosedException.class);
    }
  }

  @Test
  void otherMemoryIsRefusedWithTheReason() {
    try (PinnedArena pinned = device.pinnedArena();
        Arena arena = Arena.ofShared()) {
      MemorySegment ordinary = arena.allocate(4096, 4096);
      assertThatThrownBy(() -> device.view(ordinary, GlobalFloats::of))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("4096 bytes of host memory are not pinned");
      assertThatThrownBy(() -> device.view(MemorySegment.ofArray(new float[4]), GlobalFloats::of))
          .isInstanceOf(IllegalArgumentException.class);
      try (Registration _ = device.register(ordinary, arena)) {
        assertThatThrownBy(() -> device.view(ordinary, GlobalFloats::of))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("are registered");
      }
      MemorySegment odd = pinned.allocate(4096, 4096);
      assertThatThrownBy(() -> device.view(odd, _ -> null))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("made null of the memory, not an array");
      assertThatThrownBy(() -> device.view(odd.asSlice(4, 12), GlobalDoubles::of))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("elements of 8 bytes");
      assertThatThrownBy(() -> device.view(odd.asSlice(0, 0), GlobalDoubles::of))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> device.view(odd.asReadOnly(), GlobalDoubles::of))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void copiesAndFillsTakeTheSegmentAndNotTheView() {
    try (Stream stream = device.stream();
        PinnedArena arena = device.pinnedArena();
        GlobalFloats array = device.allocateFloats(64)) {
      MemorySegment segment = arena.allocate(JAVA_FLOAT, 64);
      GlobalFloats view = device.view(segment, GlobalFloats::of);
      assertThatThrownBy(() -> stream.copy(array, view))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("copy and fill the segment itself");
      assertThatThrownBy(() -> stream.copy(view, array))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> stream.copy(new float[64], view))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> stream.fill(view, 0))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("copy and fill the segment itself");
    }
  }

  @Test
  @WithOrder(ORDER)
  void aKernelThatWritesWhatACopyReadsIsARaceUnlessTheyAreOrdered() {
    try (Stream stream = device.stream();
        Stream other = device.stream();
        PinnedArena arena = device.pinnedArena();
        GlobalFloats array = device.allocateFloats(1000)) {
      MemorySegment from = arena.allocate(JAVA_FLOAT, 1000);
      MemorySegment to = arena.allocate(JAVA_FLOAT, 1000);
      GlobalFloats in = device.view(from, GlobalFloats::of);
      GlobalFloats out = device.view(to, GlobalFloats::of);
      stream.launch(Grid.covering(1000, 128), ViewTest::twice, in, out);
      other.waitFor(stream.record());
      other.copy(to, array);
      other.copy(array, from).await(); // ordered behind the kernel, which reads it
      stream.launch(Grid.covering(1000, 128), ViewTest::twice, in, out);
      assertThatThrownBy(() -> other.copy(to, array))
          .isInstanceOf(RaceException.class)
          .hasMessageContaining("kernel twice");
      assertThatThrownBy(() -> other.copy(array, from))
          .isInstanceOf(RaceException.class)
          .hasMessageContaining("kernel twice");
      stream.await();
    }
  }

  @Test
  void aKernelOverTheLinkTakesAsLongAsTheLink() {
    assumeTrue(machine().isVirtual() && machine().isModelled()); // on a GPU the benchmark measures
    try (Stream stream = device.stream();
        PinnedArena arena = device.pinnedArena();
        GlobalFloats sink = device.allocateFloats(1 << 20)) {
      MemorySegment from = arena.allocate(JAVA_FLOAT, 1 << 20);
      GlobalFloats in = device.view(from, GlobalFloats::of);
      stream.launch(Grid.covering(1 << 20, 256), ViewTest::twice, in, sink);
      try (TimedEvent begin = stream.recordTimed()) {
        stream.launch(Grid.covering(1 << 20, 256), ViewTest::twice, in, sink);
        try (TimedEvent middle = stream.recordTimed()) {
          stream.copy(from, sink);
          try (TimedEvent end = stream.recordTimed()) {
            end.await();
            assertThat(begin.nanosTo(middle))
                .isBetween(middle.nanosTo(end), 1.2 * middle.nanosTo(end));
          }
        }
      }
    }
  }
}
