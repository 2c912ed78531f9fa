package dev.stretto.contract;

import static dev.stretto.contract.Workbench.N;
import static dev.stretto.contract.Workbench.ROUNDS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.stretto.CopyRequest;
import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.Grid;
import dev.stretto.PeerAccess;
import dev.stretto.PinnedArena;
import dev.stretto.PinnedBuffer;
import dev.stretto.PinnedBuffers;
import dev.stretto.Registration;
import dev.stretto.Route;
import dev.stretto.Stream;
import dev.stretto.diagnosis.Rule;
import dev.stretto.fault.RouteException;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Small programs in pairs: one with a mistake, and one that does the same without it. {@link
 * Workbench#here} stands on the line of the mistake.
 */
final class DiagnosedPrograms {
  private DiagnosedPrograms() {}

  /** A program. */
  @FunctionalInterface
  interface Program {
    void run(Workbench bench);
  }

  /** A program that is against a rule, and one that does the same and is not. */
  record Pair(Rule rule, String what, Program bad, Program good) {
    @Override
    public String toString() {
      return rule + ": " + what;
    }

    boolean needsPeers() {
      return rule == Rule.PEER_ACCESS || rule == Rule.PEER_ON_DEFAULT_STREAM;
    }
  }

  /** A kernel is loaded once, so that a program that runs again needs another one. */
  private static final AtomicInteger NEW_KERNELS = new AtomicInteger();

  static final List<Pair> PAIRS =
      List.of(
          new Pair(
              Rule.AWAITED_PAGEABLE,
              "the driver's own way to the device",
              DiagnosedPrograms::pageableIn,
              DiagnosedPrograms::stagedIn),
          new Pair(
              Rule.AWAITED_PAGEABLE,
              "the driver's own way to the host",
              DiagnosedPrograms::pageableOut,
              DiagnosedPrograms::stagedOut),
          new Pair(
              Rule.DEFAULT_STREAM,
              "the legacy stream beside the thread's",
              DiagnosedPrograms::legacyBesidePerThread,
              DiagnosedPrograms::legacyBesideStream),
          new Pair(
              Rule.DEFAULT_STREAM,
              "the thread's stream beside the legacy one",
              DiagnosedPrograms::perThreadBesideLegacy,
              DiagnosedPrograms::perThreadBesideStream),
          new Pair(
              Rule.PEER_ON_DEFAULT_STREAM,
              "a copy to another device",
              DiagnosedPrograms::peerOnLegacy,
              DiagnosedPrograms::peerOnStream),
          new Pair(
              Rule.ALLOCATION,
              "an array for each round",
              DiagnosedPrograms::allocatesEach,
              DiagnosedPrograms::allocatesOnce),
          new Pair(
              Rule.ALLOCATION,
              "something for the kernel between copies",
              DiagnosedPrograms::allocatesBetween,
              DiagnosedPrograms::allocatesBefore),
          new Pair(
              Rule.ALLOCATION,
              "allocated beside the stream",
              DiagnosedPrograms::allocatesBesideTheStream,
              DiagnosedPrograms::allocatesInItsOrder),
          new Pair(
              Rule.PINNING,
              "new buffers instead of lent ones",
              DiagnosedPrograms::pinsBuffers,
              DiagnosedPrograms::borrowsBuffers),
          new Pair(
              Rule.PINNING,
              "pinned memory for each round",
              DiagnosedPrograms::pinsEach,
              DiagnosedPrograms::pinsOnce),
          new Pair(
              Rule.PINNING,
              "registration between enqueues",
              DiagnosedPrograms::registersBetween,
              DiagnosedPrograms::registersBefore),
          new Pair(
              Rule.UNPINNING,
              "the end of a registration between enqueues",
              DiagnosedPrograms::unregistersBetween,
              DiagnosedPrograms::unregistersBehind),
          new Pair(
              Rule.ARENA_CLOSE,
              "closing the arena of registered memory",
              DiagnosedPrograms::closesArenaInFlight,
              DiagnosedPrograms::closesRegistrationInFlight),
          new Pair(
              Rule.WRITE_COMBINED_READ,
              "a result in write-combined memory",
              DiagnosedPrograms::bringsToWriteCombined,
              DiagnosedPrograms::bringsToPinned),
          new Pair(
              Rule.WRITE_COMBINED_READ,
              "a copy on the host out of write-combined memory",
              DiagnosedPrograms::readsWriteCombined,
              DiagnosedPrograms::writesWriteCombined),
          new Pair(
              Rule.PEER_ACCESS,
              "access between enqueues",
              DiagnosedPrograms::enablesBetween,
              DiagnosedPrograms::enablesBefore),
          new Pair(
              Rule.KERNEL_LOADING,
              "the first launch",
              DiagnosedPrograms::launchesUnprepared,
              DiagnosedPrograms::launchesPrepared),
          new Pair(
              Rule.KERNEL_LOADING,
              "preparing between enqueues",
              DiagnosedPrograms::preparesBetween,
              DiagnosedPrograms::preparesBefore),
          new Pair(
              Rule.KERNEL_LOADING,
              "the first launch of a method",
              DiagnosedPrograms::compilesBetween,
              DiagnosedPrograms::compilesBefore),
          new Pair(
              Rule.FULL_QUEUE,
              "launches without end",
              DiagnosedPrograms::launchesWithoutEnd,
              DiagnosedPrograms::launchesInBatches),
          new Pair(
              Rule.FULL_QUEUE,
              "copies of a few bytes",
              DiagnosedPrograms::copiesBitByBit,
              DiagnosedPrograms::copiesAtOnce),
          new Pair(
              Rule.AWAIT_IN_LOOP,
              "every copy",
              DiagnosedPrograms::awaitsCopies,
              DiagnosedPrograms::awaitsLastCopy),
          new Pair(
              Rule.AWAIT_IN_LOOP,
              "the stream",
              DiagnosedPrograms::awaitsStream,
              DiagnosedPrograms::awaitsStreamOnce),
          new Pair(
              Rule.AWAIT_IN_LOOP,
              "an event",
              DiagnosedPrograms::awaitsEvents,
              DiagnosedPrograms::awaitsEventOfRoundBefore),
          new Pair(
              Rule.AWAIT_IN_LOOP,
              "the device",
              DiagnosedPrograms::awaitsDevice,
              DiagnosedPrograms::awaitsDeviceWithTwoStreams),
          new Pair(
              Rule.AWAIT_IN_LOOP,
              "with a time limit",
              DiagnosedPrograms::awaitsInTime,
              DiagnosedPrograms::awaitsOtherStreamInTime),
          new Pair(
              Rule.STAGED_COPIES,
              "an array again and again",
              DiagnosedPrograms::stagesArray,
              DiagnosedPrograms::copiesPinnedInstead),
          new Pair(
              Rule.STAGED_COPIES,
              "ordinary memory as destination",
              DiagnosedPrograms::stagesOut,
              DiagnosedPrograms::copiesRegisteredInstead),
          new Pair(
              Rule.AWAIT_IN_LOOP,
              "every batch",
              DiagnosedPrograms::awaitsBatches,
              DiagnosedPrograms::awaitsLastBatch),
          new Pair(
              Rule.STAGED_COPIES,
              "ordinary memory in batches",
              DiagnosedPrograms::stagesBatches,
              DiagnosedPrograms::copiesPinnedBatches),
          new Pair(
              Rule.ONE_STREAM,
              "in, kernel, out",
              DiagnosedPrograms::allOnOneStream,
              DiagnosedPrograms::allOnTwoStreams),
          new Pair(
              Rule.ONE_STREAM,
              "kernel and out",
              DiagnosedPrograms::resultsOnOneStream,
              DiagnosedPrograms::resultsOnTwoStreams),
          new Pair(
              Rule.BOTH_DIRECTIONS,
              "in and out",
              DiagnosedPrograms::bothDirections,
              DiagnosedPrograms::oneDirectionEach),
          new Pair(
              Rule.STREAMS_IN_TURNS,
              "each waits for all of the other",
              DiagnosedPrograms::inTurns,
              DiagnosedPrograms::oneAfterTheOther));

  // --- the route

  private static void pageableIn(Workbench bench) {
    bench.here(bench.a).copy(bench.plain, bench.x, Route.Kind.AWAITED_PAGEABLE);
  }

  private static void stagedIn(Workbench bench) {
    bench.a.copy(bench.plain, bench.x);
  }

  private static void pageableOut(Workbench bench) {
    bench.here(bench.a).copy(bench.x, bench.plain, Route.Kind.AWAITED_PAGEABLE);
  }

  private static void stagedOut(Workbench bench) {
    bench.a.copy(bench.x, bench.plain);
  }

  // --- default streams

  private static void legacyBesidePerThread(Workbench bench) {
    Stream legacy = bench.device.legacyStream();
    Stream mine = bench.device.perThreadStream();
    bench.busy(mine);
    bench.here(legacy).copy(bench.x, bench.out);
    mine.await();
    legacy.await();
  }

  private static void legacyBesideStream(Workbench bench) {
    Stream legacy = bench.device.legacyStream();
    bench.busy(bench.a);
    legacy.copy(bench.x, bench.out);
    legacy.await();
  }

  private static void perThreadBesideLegacy(Workbench bench) {
    Stream legacy = bench.device.legacyStream();
    Stream mine = bench.device.perThreadStream();
    bench.busy(legacy);
    bench.here(mine).fill(bench.x, 1);
    mine.await();
    legacy.await();
  }

  private static void perThreadBesideStream(Workbench bench) {
    Stream mine = bench.device.perThreadStream();
    bench.busy(bench.a);
    mine.fill(bench.x, 1);
    mine.await();
  }

  private static void peerOnLegacy(Workbench bench) {
    try (GlobalInts there = bench.peer.allocateInts(N)) {
      bench.here(bench.device.legacyStream()).copy(bench.x, there);
    } catch (RouteException e) {
      bench.a.fill(bench.x, 0);
    }
  }

  private static void peerOnStream(Workbench bench) {
    try (GlobalInts there = bench.peer.allocateInts(N)) {
      bench.a.copy(bench.x, there).await();
    }
  }

  // --- memory

  private static void allocatesEach(Workbench bench) {
    bench.busy(bench.a);
    for (int i = 0; i < ROUNDS; i++) {
      try (GlobalInts each = bench.here(bench.device).allocateInts(N)) {
        bench.a.copy(bench.in, each);
      }
    }
  }

  private static void allocatesOnce(Workbench bench) {
    try (GlobalInts one = bench.device.allocateInts(N)) {
      bench.busy(bench.a);
      for (int i = 0; i < ROUNDS; i++) {
        bench.a.copy(bench.in, one);
      }
    }
  }

  private static void allocatesBetween(Workbench bench) {
    bench.busy(bench.a);
    for (int i = 0; i < 2; i++) {
      GlobalFloats sums = bench.here(bench.device).allocateFloats(1000);
      bench.b.launch(bench.add);
      sums.close();
    }
  }

  private static void allocatesBefore(Workbench bench) {
    try (GlobalFloats sums = bench.device.allocateFloats(2000)) {
      bench.busy(bench.a);
      for (int i = 0; i < 2; i++) {
        bench.b.launch(bench.add);
        bench.b.fill(sums.slice(i * 1000L, 1000), 0);
      }
    }
  }

  private static void allocatesBesideTheStream(Workbench bench) {
    bench.busy(bench.a);
    for (int i = 0; i < ROUNDS; i++) {
      GlobalInts each = bench.here(bench.device).allocateInts(N);
      bench.a.freeOnClose(each);
      bench.a.copy(bench.in, each);
      each.close();
    }
  }

  private static void allocatesInItsOrder(Workbench bench) {
    bench.busy(bench.a);
    for (int i = 0; i < ROUNDS; i++) {
      try (GlobalInts each = bench.a.allocateInts(N)) {
        bench.a.copy(bench.in, each);
      }
    }
  }

  private static void pinsBuffers(Workbench bench) {
    bench.busy(bench.a);
    for (int i = 0; i < 2; i++) {
      try (PinnedBuffers buffers = bench.here(bench.device).pinnedBuffers(4L * N, 1);
          PinnedBuffer each = buffers.awaitLease()) {
        bench.a.copy(each.memory(), bench.x);
      }
    }
  }

  private static void borrowsBuffers(Workbench bench) {
    try (PinnedBuffers buffers = bench.device.pinnedBuffers(4L * N, 2)) {
      bench.busy(bench.a);
      for (int i = 0; i < 2; i++) {
        try (PinnedBuffer each = buffers.awaitLease()) {
          bench.a.copy(each.memory(), bench.x);
        }
      }
    }
  }

  private static void pinsEach(Workbench bench) {
    bench.busy(bench.a);
    for (int i = 0; i < ROUNDS; i++) {
      try (PinnedArena arena = bench.device.pinnedArena()) {
        MemorySegment each = bench.here(arena).allocate((i + 1) * 400_000L);
        bench.a.copy(each, bench.x.slice(0, each.byteSize() / 4));
      }
    }
  }

  private static void pinsOnce(Workbench bench) {
    try (PinnedArena arena = bench.device.pinnedArena()) {
      MemorySegment one = arena.allocate(ROUNDS * 400_000L);
      bench.busy(bench.a);
      for (int i = 0; i < ROUNDS; i++) {
        MemorySegment each = one.asSlice(0, (i + 1) * 400_000L);
        bench.a.copy(each, bench.x.slice(0, each.byteSize() / 4));
      }
    }
  }

  private static void bringsToWriteCombined(Workbench bench) {
    try (PinnedArena arena = bench.device.writeCombinedArena()) {
      bench.here(bench.a).copy(bench.x, arena.allocate(bench.x.byteSize())).await();
    }
  }

  private static void bringsToPinned(Workbench bench) {
    try (PinnedArena arena = bench.device.pinnedArena()) {
      bench.a.copy(bench.x, arena.allocate(bench.x.byteSize())).await();
    }
  }

  private static void readsWriteCombined(Workbench bench) {
    try (PinnedArena arena = bench.device.writeCombinedArena()) {
      MemorySegment combined = arena.allocate(4096);
      bench.here(bench.a).copy(combined, bench.plain.asSlice(0, 4096)).await();
    }
  }

  private static void writesWriteCombined(Workbench bench) {
    try (PinnedArena arena = bench.device.writeCombinedArena()) {
      MemorySegment combined = arena.allocate(4096);
      bench.a.copy(bench.plain.asSlice(0, 4096), combined);
      bench.a.copy(combined, bench.x.slice(0, 1024)).await();
    }
  }

  private static void registersBetween(Workbench bench) {
    bench.busy(bench.a);
    Registration kept = bench.here(bench.device).register(bench.plain, bench.ordinary);
    bench.a.copy(bench.plain, bench.x).await();
    kept.close();
  }

  private static void registersBefore(Workbench bench) {
    Registration kept = bench.device.register(bench.plain, bench.ordinary);
    bench.busy(bench.a);
    bench.a.copy(bench.plain, bench.x).await();
    kept.close();
  }

  private static void unregistersBetween(Workbench bench) {
    Registration kept = bench.device.register(bench.plain, bench.ordinary);
    bench.busy(bench.a);
    bench.here(kept).close();
    bench.a.copy(bench.in, bench.x).await();
  }

  private static void unregistersBehind(Workbench bench) {
    try (Registration kept = bench.device.register(bench.plain, bench.ordinary)) {
      bench.busy(bench.a);
      bench.a.copy(bench.plain, bench.x).await();
    }
  }

  private static void closesArenaInFlight(Workbench bench) {
    Arena arena = Arena.ofShared();
    MemorySegment host = arena.allocate(JAVA_INT, N);
    Registration _ = bench.device.register(host, arena);
    bench.busy(bench.a);
    bench.a.copy(host, bench.x);
    bench.here(arena).close();
  }

  private static void closesRegistrationInFlight(Workbench bench) {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment host = arena.allocate(JAVA_INT, N);
      Registration kept = bench.device.register(host, arena);
      bench.busy(bench.a);
      bench.a.copy(host, bench.x);
      kept.close();
      bench.a.await();
    }
  }

  private static void enablesBetween(Workbench bench) {
    bench.busy(bench.a);
    try (PeerAccess access = bench.here(bench.device).enablePeerAccess(bench.peer)) {
      bench.a.copy(bench.in, bench.x);
    }
  }

  private static void enablesBefore(Workbench bench) {
    try (PeerAccess access = bench.device.enablePeerAccess(bench.peer)) {
      bench.busy(bench.a);
      bench.a.copy(bench.in, bench.x);
    }
  }

  // --- kernels

  private static void launchesUnprepared(Workbench bench) {
    bench.busy(bench.a);
    bench.here(bench.b).launch(Grid.of(1, 32), Kernels.PLACES, bench.x);
  }

  private static void launchesPrepared(Workbench bench) {
    var kernel = Kernels.placesOfNewImage(NEW_KERNELS.incrementAndGet());
    var places = bench.device.prepare(Grid.of(1, 32), kernel, bench.x);
    bench.busy(bench.a);
    bench.b.launch(places);
  }

  private static void preparesBetween(Workbench bench) {
    var kernel = Kernels.placesOfNewImage(NEW_KERNELS.incrementAndGet());
    bench.busy(bench.a);
    var places = bench.here(bench.device).prepare(Grid.of(1, 32), kernel, bench.x);
    bench.b.launch(places);
  }

  private static void preparesBefore(Workbench bench) {
    var kernel = Kernels.placesOfNewImage(NEW_KERNELS.incrementAndGet());
    var places = bench.device.prepare(Grid.of(1, 32), kernel, bench.x);
    bench.busy(bench.a);
    for (int i = 0; i < 3; i++) {
      bench.b.launch(places);
    }
  }

  private static void compilesBetween(Workbench bench) {
    int number = NEW_KERNELS.incrementAndGet();
    bench.busy(bench.a);
    bench.here(bench.b).launch(Grid.of(1, 32), DiagnosedKernels::add, number, bench.x);
  }

  private static void compilesBefore(Workbench bench) {
    int number = NEW_KERNELS.incrementAndGet();
    var add = bench.device.prepare(Grid.of(1, 32), DiagnosedKernels::add, number, bench.x);
    bench.busy(bench.a);
    bench.b.launch(add);
    bench.b.launch(Grid.of(1, 32), DiagnosedKernels::add, number, bench.x);
  }

  // --- the launch queue

  /** For longer than thousands of operations take to be enqueued on a laptop that does more. */
  private static void busyForLong(Workbench bench) {
    for (int i = 0; i < 16; i++) { // longer than a cold JVM takes to enqueue a thousand launches
      bench.busy(bench.a);
    }
  }

  private static void launchesWithoutEnd(Workbench bench) {
    busyForLong(bench);
    for (int i = 0; i < 2000; i++) {
      bench.here(bench.a).launch(bench.small);
    }
  }

  private static void launchesInBatches(Workbench bench) {
    busyForLong(bench);
    ArrayDeque<Event> batches = new ArrayDeque<>();
    for (int i = 0; i < 2000; i++) {
      bench.a.launch(bench.small);
      if (i % 200 == 0) {
        batches.add(bench.a.record());
      }
      if (batches.size() > 2) {
        batches.remove().await();
      }
    }
  }

  private static void copiesBitByBit(Workbench bench) {
    busyForLong(bench);
    for (int i = 0; i < 2000; i++) {
      bench.here(bench.a).copy(bench.in.asSlice(4L * i, 4), bench.x.slice(i, 1));
    }
  }

  private static void copiesAtOnce(Workbench bench) {
    busyForLong(bench);
    bench.a.copy(bench.in.asSlice(0, 8000), bench.x.slice(0, 2000));
  }

  // --- waits

  private static void awaitsCopies(Workbench bench) {
    for (int i = 0; i < ROUNDS; i++) {
      bench.busy(bench.a);
      bench.here(bench.a.copy(bench.in, bench.x)).await();
    }
  }

  private static void awaitsLastCopy(Workbench bench) {
    for (int i = 0; i < ROUNDS - 1; i++) {
      bench.a.copy(bench.in, bench.x);
    }
    bench.a.copy(bench.in, bench.x).await();
  }

  private static void awaitsStream(Workbench bench) {
    for (int i = 0; i < ROUNDS; i++) {
      bench.a.copy(bench.in, bench.x);
      bench.a.launch(bench.add);
      bench.a.copy(bench.x, bench.out);
      bench.here(bench.a).await();
    }
  }

  private static void awaitsStreamOnce(Workbench bench) {
    bench.a.copy(bench.in, bench.x);
    for (int i = 0; i < ROUNDS; i++) {
      bench.a.launch(bench.add);
    }
    bench.a.copy(bench.x, bench.out);
    bench.a.await();
  }

  private static void awaitsEvents(Workbench bench) {
    for (int i = 0; i < ROUNDS; i++) {
      bench.a.copy(bench.in, bench.x);
      bench.a.launch(bench.add);
      Event done = bench.a.record();
      bench.here(done).await();
    }
  }

  private static void awaitsEventOfRoundBefore(Workbench bench) {
    Event before = bench.a.record();
    for (int i = 0; i < ROUNDS; i++) {
      Stream stream = i % 2 == 0 ? bench.a : bench.b;
      stream.copy(bench.in, i % 2 == 0 ? bench.x : bench.y);
      Event done = stream.record();
      before.await();
      before = done;
    }
  }

  private static void awaitsDevice(Workbench bench) {
    for (int i = 0; i < ROUNDS; i++) {
      bench.busy(bench.b);
      bench.here(bench.device).await();
    }
  }

  private static void awaitsDeviceWithTwoStreams(Workbench bench) {
    for (int i = 0; i < ROUNDS; i++) {
      bench.busy(bench.a);
      bench.b.copy(bench.in, bench.x);
    }
    bench.device.await();
  }

  private static void awaitsInTime(Workbench bench) {
    for (int i = 0; i < ROUNDS; i++) {
      bench.busy(bench.a);
      bench.here(bench.a).await(Duration.ofSeconds(10));
    }
  }

  private static void awaitsOtherStreamInTime(Workbench bench) {
    for (int i = 0; i < ROUNDS; i++) {
      bench.busy(bench.b);
      bench.a.copy(bench.x, bench.out);
      bench.a.await(Duration.ofSeconds(10));
    }
  }

  // --- what could have overlapped

  private static void stagesArray(Workbench bench) {
    int[] array = new int[N];
    for (int i = 0; i < ROUNDS; i++) {
      bench.here(bench.a).copy(array, bench.x);
    }
  }

  private static void copiesPinnedInstead(Workbench bench) {
    for (int i = 0; i < ROUNDS; i++) {
      bench.a.copy(bench.in, bench.x);
    }
  }

  private static void stagesOut(Workbench bench) {
    for (int i = 0; i < ROUNDS; i++) {
      bench.here(bench.a).copy(bench.x, bench.plain);
    }
  }

  private static void copiesRegisteredInstead(Workbench bench) {
    try (Registration kept = bench.device.register(bench.plain, bench.ordinary)) {
      for (int i = 0; i < ROUNDS; i++) {
        bench.a.copy(bench.x, bench.plain);
      }
    }
  }

  private static List<CopyRequest> halves(MemorySegment host, GlobalInts array) {
    long half = array.byteSize() / 2;
    long length = array.length() / 2;
    return List.of(
        CopyRequest.of(host.asSlice(0, half), array.slice(0, length)),
        CopyRequest.of(host.asSlice(half, half), array.slice(length, length)));
  }

  private static void awaitsBatches(Workbench bench) {
    for (int i = 0; i < ROUNDS; i++) {
      bench.here(bench.a.copyAll(halves(bench.in, bench.x))).await();
    }
  }

  private static void awaitsLastBatch(Workbench bench) {
    for (int i = 1; i < ROUNDS; i++) {
      bench.a.copyAll(halves(bench.in, bench.x));
    }
    bench.a.copyAll(halves(bench.in, bench.x)).await();
  }

  private static void stagesBatches(Workbench bench) {
    for (int i = 0; i < ROUNDS; i++) {
      bench.here(bench.a).copyAll(halves(bench.plain, bench.x));
    }
  }

  private static void copiesPinnedBatches(Workbench bench) {
    for (int i = 0; i < ROUNDS; i++) {
      bench.a.copyAll(halves(bench.in, bench.x));
    }
  }

  private static void allOnOneStream(Workbench bench) {
    for (int i = 0; i < ROUNDS; i++) {
      // Which of the two was held up depends on how far the device is when it is enqueued.
      bench.here(bench.a).copy(bench.in, bench.x);
      bench.a.launch(bench.add);
      bench.here(bench.a).copy(bench.x, bench.out);
    }
  }

  private static void allOnTwoStreams(Workbench bench) {
    for (int i = 0; i < ROUNDS; i++) {
      Stream stream = i % 2 == 0 ? bench.a : bench.b;
      stream.copy(bench.in, i % 2 == 0 ? bench.x : bench.y);
      stream.launch(i % 2 == 0 ? bench.add : bench.addToY);
      stream.copy(i % 2 == 0 ? bench.x : bench.y, i % 2 == 0 ? bench.out : bench.outOfY);
    }
  }

  private static void resultsOnOneStream(Workbench bench) {
    for (int i = 0; i < ROUNDS; i++) {
      bench.a.launch(bench.add);
      bench.here(bench.a).copy(bench.x, bench.out);
    }
  }

  private static void resultsOnTwoStreams(Workbench bench) {
    for (int i = 0; i < ROUNDS; i++) {
      Stream stream = i % 2 == 0 ? bench.a : bench.b;
      stream.launch(i % 2 == 0 ? bench.add : bench.addToY);
      stream.copy(i % 2 == 0 ? bench.x : bench.y, i % 2 == 0 ? bench.out : bench.outOfY);
    }
  }

  private static void bothDirections(Workbench bench) {
    for (int i = 0; i < ROUNDS; i++) {
      bench.here(bench.a).copy(bench.in, bench.x);
      bench.here(bench.a).copy(bench.y, bench.out); // either stands behind the other
    }
  }

  private static void oneDirectionEach(Workbench bench) {
    for (int i = 0; i < ROUNDS; i++) {
      bench.a.copy(bench.in, bench.x);
      bench.b.copy(bench.y, bench.out);
    }
  }

  private static void inTurns(Workbench bench) {
    for (int i = 0; i < ROUNDS; i++) {
      bench.a.copy(bench.in, bench.x);
      Event copied = bench.a.record();
      bench.here(bench.b).waitFor(copied); // either completes a turn
      bench.b.launch(bench.add);
      Event added = bench.b.record();
      bench.here(bench.a).waitFor(added);
    }
  }

  private static void oneAfterTheOther(Workbench bench) {
    for (int i = 0; i < ROUNDS; i++) {
      bench.a.copy(bench.in, bench.x);
      bench.b.waitFor(bench.a.record());
      bench.b.launch(bench.addToY);
    }
  }

  /** {@return the second device of the bench, if it is another one} */
  static boolean hasPeer(Device device, Device other) {
    return !device.equals(other) && device.canAccess(other);
  }
}
