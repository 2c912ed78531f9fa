package dev.stretto.contract;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.stretto.Copy;
import dev.stretto.CopyRequest;
import dev.stretto.Event;
import dev.stretto.Graph;
import dev.stretto.Grid;
import dev.stretto.PinnedArena;
import dev.stretto.PinnedBuffer;
import dev.stretto.PinnedBuffers;
import dev.stretto.Registration;
import dev.stretto.TimedEvent;
import dev.stretto.WorkScope;
import dev.stretto.flow.Flow;
import dev.stretto.flow.Sink;
import dev.stretto.flow.Source;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalFloats;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Every way in which a program learns that it may touch the host end of an operation again. */
final class WatchedEdges {
  static final CheckedPrograms.Programs PROGRAMS = new CheckedPrograms.Programs();
  private static final long BYTES = 4L * CheckedPrograms.LENGTH;
  private static final Grid GRID = Grid.of(2, 32);

  @Kernel
  static void adds(ThreadBlock block, GlobalFloats in, GlobalFloats out) {
    long i = block.globalIndexX();
    out.set(i, in.get(i) + 1);
  }

  static {
    waits();
    wrongWaits();
    operations();
    memories();
    bytes();
    loops();
  }

  private WatchedEdges() {}

  private static void use(float value) {
    if (Float.isInfinite(value)) {
      throw new AssertionError();
    }
  }

  private static void waits() {
    PROGRAMS.good(
        "the copy is awaited",
        with -> {
          with.first.copy(with.a, with.host).await();
          use(with.host[3]);
        });
    PROGRAMS.good(
        "the copy is awaited for a time",
        with -> {
          while (!with.first.copy(with.a, with.host).await(Duration.ofSeconds(20))) {}
          use(with.host[3]);
        });
    PROGRAMS.good(
        "the stream is awaited",
        with -> {
          with.first.copy(with.a, with.host);
          with.first.await();
          use(with.host[3]);
        });
    PROGRAMS.good(
        "the device is awaited",
        with -> {
          with.first.copy(with.a, with.host);
          with.device.await();
          use(with.host[3]);
        });
    PROGRAMS.good(
        "an event behind the copy is awaited",
        with -> {
          with.first.copy(with.a, with.host);
          with.first.record().await();
          use(with.host[3]);
        });
    PROGRAMS.good(
        "an event with a time is awaited",
        with -> {
          with.first.copy(with.a, with.host);
          TimedEvent event = with.first.recordTimed();
          event.await();
          use(with.host[3]);
        });
    PROGRAMS.good(
        "the copy is asked until it is done",
        with -> {
          Copy copy = with.first.copy(with.a, with.host);
          while (!copy.isDone()) {
            Thread.onSpinWait();
          }
          use(with.host[3]);
        });
    PROGRAMS.good(
        "an event is asked until it is done",
        with -> {
          with.first.copy(with.a, with.host);
          Event event = with.first.record();
          while (!event.isDone()) {
            Thread.onSpinWait();
          }
          use(with.host[3]);
        });
    PROGRAMS.good(
        "the stream is asked until it is idle",
        with -> {
          with.first.copy(with.a, with.host);
          while (!with.first.isIdle()) {
            Thread.onSpinWait();
          }
          use(with.host[3]);
        });
    PROGRAMS.good(
        "a future is joined",
        with -> {
          CompletableFuture<Void> future = with.first.copy(with.a, with.host).toCompletableFuture();
          future.join();
          use(with.host[3]);
        });
    PROGRAMS.good(
        "a future's dependent reads",
        with -> {
          CompletableFuture<Void> read =
              with.first
                  .copy(with.a, with.host)
                  .toCompletableFuture()
                  .thenRun(() -> use(with.host[3]));
          with.first.await();
          read.join();
        });
    PROGRAMS.good(
        "a future of the stream is joined",
        with -> {
          with.first.copy(with.a, with.host);
          with.first.toCompletableFuture().join();
          use(with.host[3]);
        });
    PROGRAMS.good(
        "a future of an event, among others",
        with -> {
          with.first.copy(with.a, with.host);
          with.second.copy(with.b, with.other);
          CompletableFuture.allOf(
                  with.first.record().toCompletableFuture(),
                  with.second.record().toCompletableFuture())
              .join();
          use(with.host[3] + with.other[3]);
        });
    PROGRAMS.good(
        "a callback reads",
        with -> {
          with.first.copy(with.a, with.host);
          Event read = with.first.then(() -> use(with.host[3]));
          read.await();
        });
    PROGRAMS.good(
        "a callback on an executor reads",
        with -> {
          with.first.copy(with.a, with.host);
          with.first.then(() -> use(with.host[3]), Runnable::run).await();
        });
    PROGRAMS.good(
        "another stream that has waited is awaited",
        with -> {
          with.first.copy(with.a, with.host);
          with.second.waitFor(with.first.record());
          with.second.await();
          use(with.host[3]);
        });
    PROGRAMS.good(
        "a chain of streams that have waited",
        with -> {
          with.first.copy(with.a, with.host);
          with.second.waitFor(with.first.record());
          with.third.waitFor(with.second.record());
          with.third.fill(with.b, 1).await();
          use(with.host[3]);
        });
    PROGRAMS.good(
        "a scope ends",
        with -> {
          try (WorkScope scope = with.device.scope()) {
            scope.stream().copy(with.a, with.host);
          }
          use(with.host[3]);
        });
    PROGRAMS.good(
        "all of a scope is awaited",
        with -> {
          try (WorkScope scope = with.device.scope()) {
            scope.stream().copy(with.a, with.host);
            scope.awaitAll();
            use(with.host[3]);
          }
        });
    PROGRAMS.good(
        "a fork of a scope awaits",
        with -> {
          try (WorkScope scope = with.device.scope()) {
            var fork = scope.fork(() -> with.first.copy(with.a, with.host).await());
            scope.awaitAll();
            var _ = fork.result();
            use(with.host[3]);
          }
        });
    PROGRAMS.good(
        "another thread awaits, and is joined",
        with -> {
          Copy copy = with.first.copy(with.a, with.host);
          Thread thread = Thread.startVirtualThread(copy::await);
          copy.await();
          thread.join();
          use(with.host[3]);
        });
    PROGRAMS.good(
        "a later copy of the stream is awaited",
        with -> {
          with.first.copy(with.a, with.host);
          with.first.copy(with.b, with.other).await();
          use(with.host[3]);
        });
    PROGRAMS.good(
        "the legacy stream is awaited, which waits for none of these streams, and then the copy",
        with -> {
          Copy copy = with.first.copy(with.a, with.host);
          with.device.legacyStream().await();
          copy.await();
          use(with.host[3]);
        });
  }

  private static void wrongWaits() {
    PROGRAMS.bad(
        "nothing is awaited",
        with -> {
          with.first.copy(with.a, with.host);
          use(with.host[3]);
        });
    PROGRAMS.bad(
        "the wrong stream is awaited",
        with -> {
          with.first.copy(with.a, with.host);
          with.second.await();
          use(with.host[3]);
        });
    PROGRAMS.bad(
        "an event before the copy is awaited",
        with -> {
          Event event = with.first.record();
          with.first.copy(with.a, with.host);
          event.await();
          use(with.host[3]);
        });
    PROGRAMS.bad(
        "an event of another stream is awaited",
        with -> {
          with.first.copy(with.a, with.host);
          with.second.record().await();
          use(with.host[3]);
        });
    PROGRAMS.bad(
        "an earlier copy of the stream is awaited",
        with -> {
          Copy earlier = with.first.copy(with.b, with.other);
          with.first.copy(with.a, with.host);
          earlier.await();
          use(with.host[3]);
        });
    PROGRAMS.bad(
        "another stream waits, and is not awaited",
        with -> {
          with.first.copy(with.a, with.host);
          with.second.waitFor(with.first.record());
          use(with.host[3]);
        });
    PROGRAMS.bad(
        "another stream waits behind what is awaited",
        with -> {
          with.first.copy(with.a, with.host);
          Event event = with.second.record();
          with.second.waitFor(with.first.record());
          event.await();
          use(with.host[3]);
        });
    PROGRAMS.bad(
        "the wait is left out in one branch",
        with -> {
          Copy copy = with.first.copy(with.a, with.host);
          if (with.a.length() > 1000) {
            copy.await();
          }
          use(with.host[3]);
        });
    PROGRAMS.bad(
        "the answer is not looked at",
        with -> {
          with.first.copy(with.a, with.host);
          with.first.copy(with.b, with.other);
          boolean _ = with.second.isIdle();
          use(with.host[3]);
        });
    PROGRAMS.bad(
        "the legacy stream is awaited, which waits for none of these streams",
        with -> {
          with.first.copy(with.a, with.host);
          with.device.legacyStream().await();
          use(with.host[3]);
        });
    PROGRAMS.bad(
        "a scope's thread awaits its own copy, not that of the program",
        with -> {
          with.first.copy(with.a, with.host);
          try (WorkScope scope = with.device.scope()) {
            scope.stream().copy(with.b, with.other);
          }
          use(with.host[3]);
        });
    PROGRAMS.bad(
        "the copy is awaited behind the line",
        with -> {
          Copy copy = with.first.copy(with.a, with.host);
          use(with.host[3]);
          copy.await();
        });
    PROGRAMS.bad(
        "the source is written behind an event that is not awaited",
        with -> {
          with.first.copy(with.host, with.a);
          Event _ = with.first.record();
          with.host[3] = 1;
        });
  }

  private static void operations() {
    PROGRAMS.bad(
        "rows are copied out",
        with -> {
          MemorySegment host = MemorySegment.ofArray(with.host);
          with.first.copy2D(with.a, 32, host, 32, 16, 8);
          use(with.host[8]);
        });
    PROGRAMS.good(
        "rows are copied out, beside what is read",
        with -> {
          MemorySegment host = MemorySegment.ofArray(with.host);
          with.first.copy2D(with.a, 32, host, 32, 16, 8);
          use(with.host[4]);
          use(with.host[15]);
        });
    PROGRAMS.bad(
        "rows are copied in",
        with -> {
          MemorySegment host = MemorySegment.ofArray(with.host);
          with.first.copy2D(host, 32, with.a, 32, 16, 8);
          with.host[56] = 1;
        });
    PROGRAMS.good(
        "rows are copied in, beside what is written",
        with -> {
          MemorySegment host = MemorySegment.ofArray(with.host);
          with.first.copy2D(host, 32, with.a, 32, 16, 8);
          with.host[60] = 1;
        });
    PROGRAMS.bad(
        "a batch",
        with -> {
          with.first.copyAll(
              List.of(
                  CopyRequest.of(with.b, MemorySegment.ofArray(with.other)),
                  CopyRequest.of(with.a, MemorySegment.ofArray(with.host))));
          use(with.host[3]);
        });
    PROGRAMS.good(
        "a batch that was awaited",
        with -> {
          with.first
              .copyAll(
                  List.of(
                      CopyRequest.of(with.b, MemorySegment.ofArray(with.other)),
                      CopyRequest.of(with.a, MemorySegment.ofArray(with.host))))
              .await();
          use(with.host[3] + with.other[3]);
        });
    PROGRAMS.bad(
        "a copy on the host",
        with -> {
          with.first.copy(MemorySegment.ofArray(with.host), MemorySegment.ofArray(with.other));
          use(with.other[3]);
        });
    PROGRAMS.good(
        "a copy on the host that was awaited",
        with -> {
          with.first
              .copy(MemorySegment.ofArray(with.host), MemorySegment.ofArray(with.other))
              .await();
          use(with.other[3]);
          with.host[3] = 1;
        });
    PROGRAMS.bad(
        "a copy on the host, whose source is written",
        with -> {
          with.first.copy(MemorySegment.ofArray(with.host), MemorySegment.ofArray(with.other));
          with.host[3] = 1;
        });
    PROGRAMS.bad(
        "a copy behind a kernel",
        with -> {
          with.first.launch(GRID, WatchedEdges::adds, with.a, with.b);
          with.first.copy(with.b, with.host);
          use(with.host[3]);
        });
    PROGRAMS.good(
        "a copy behind a kernel that was awaited",
        with -> {
          with.first.launch(GRID, WatchedEdges::adds, with.a, with.b);
          with.first.copy(with.b, with.host).await();
          use(with.host[3]);
        });
    PROGRAMS.bad(
        "a graph that copies out",
        with -> {
          try (PinnedArena pinned = with.device.pinnedArena()) {
            MemorySegment host = pinned.allocate(BYTES);
            try (Graph graph = Graph.capture(with.first, stream -> stream.copy(with.a, host))) {
              graph.launch(with.first);
              use(host.get(JAVA_FLOAT, 8));
            }
          }
        });
    PROGRAMS.good(
        "a graph that copies out and was awaited",
        with -> {
          try (PinnedArena pinned = with.device.pinnedArena()) {
            MemorySegment host = pinned.allocate(BYTES);
            try (Graph graph = Graph.capture(with.first, stream -> stream.copy(with.a, host))) {
              graph.launch(with.first).await();
              use(host.get(JAVA_FLOAT, 8));
            }
          }
        });
    PROGRAMS.bad(
        "a graph's source",
        with -> {
          try (PinnedArena pinned = with.device.pinnedArena()) {
            MemorySegment host = pinned.allocate(BYTES);
            try (Graph graph = Graph.capture(with.first, stream -> stream.copy(host, with.a))) {
              graph.launch(with.first);
              host.set(JAVA_FLOAT, 8, 1);
            }
          }
        });
    PROGRAMS.good(
        "a flow that was awaited",
        with -> {
          byte[] in = new byte[10_000];
          byte[] out = new byte[10_000];
          Flow flow =
              Flow.on(with.device)
                  .from(Source.of(MemorySegment.ofArray(in)))
                  .to(Sink.of(MemorySegment.ofArray(out)))
                  .start();
          var _ = flow.await();
          use(out[3]);
          in[3] = 1;
        });
    PROGRAMS.bad(
        "a stream's own memory",
        with -> {
          try (GlobalFloats c = with.second.allocateFloats(CheckedPrograms.LENGTH)) {
            with.second.fill(c, 1);
            with.second.copy(c, with.host);
          }
          use(with.host[3]);
        });
    PROGRAMS.good(
        "a stream's own memory, behind a wait",
        with -> {
          try (GlobalFloats c = with.second.allocateFloats(CheckedPrograms.LENGTH)) {
            with.second.fill(c, 1);
            with.second.copy(c, with.host);
          }
          with.second.await();
          use(with.host[3]);
        });
  }

  private static void memories() {
    PROGRAMS.bad(
        "pinned memory",
        with -> {
          try (PinnedArena pinned = with.device.pinnedArena()) {
            MemorySegment host = pinned.allocate(BYTES);
            with.first.copy(with.a, host);
            use(host.getAtIndex(JAVA_FLOAT, 3));
          }
        });
    PROGRAMS.good(
        "pinned memory, behind a wait",
        with -> {
          try (PinnedArena pinned = with.device.pinnedArena()) {
            MemorySegment host = pinned.allocate(BYTES);
            with.first.copy(with.a, host).await();
            use(host.getAtIndex(JAVA_FLOAT, 3));
          }
        });
    PROGRAMS.bad(
        "pinned memory as a buffer",
        with -> {
          try (PinnedArena pinned = with.device.pinnedArena()) {
            MemorySegment host = pinned.allocate(BYTES);
            ByteBuffer buffer = host.asSlice(8, 16).asByteBuffer();
            with.first.copy(with.a, host);
            use(buffer.getFloat(3));
          }
        });
    PROGRAMS.bad(
        "registered memory",
        with -> {
          Arena arena = Arena.ofAuto();
          MemorySegment host = arena.allocate(BYTES, 4096);
          try (Registration _ = with.device.register(host, arena)) {
            with.first.copy(with.a, host);
            use(host.getAtIndex(JAVA_FLOAT, 3));
          }
        });
    PROGRAMS.good(
        "registered memory, behind a wait",
        with -> {
          Arena arena = Arena.ofAuto();
          MemorySegment host = arena.allocate(BYTES, 4096);
          try (Registration _ = with.device.register(host, arena)) {
            with.first.copy(with.a, host).await();
            use(host.getAtIndex(JAVA_FLOAT, 3));
          }
        });
    PROGRAMS.bad(
        "a mapped file",
        with -> {
          Path file = Files.createTempFile("stretto", "test");
          try (FileChannel channel =
              FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MemorySegment host =
                channel.map(FileChannel.MapMode.READ_WRITE, 0, BYTES, Arena.ofAuto());
            with.first.copy(with.a, host);
            use(host.getAtIndex(JAVA_FLOAT, 3));
          } finally {
            Files.delete(file);
          }
        });
    PROGRAMS.good(
        "a mapped file, behind a wait",
        with -> {
          Path file = Files.createTempFile("stretto", "test");
          try (Arena arena = Arena.ofShared();
              FileChannel channel =
                  FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MemorySegment host = channel.map(FileChannel.MapMode.READ_WRITE, 0, BYTES, arena);
            with.first.copy(with.a, host).await();
            use(host.getAtIndex(JAVA_FLOAT, 3));
          } finally {
            Files.delete(file);
          }
        });
    PROGRAMS.good(
        "a lent buffer that was given back",
        with -> {
          try (PinnedBuffers buffers = with.device.pinnedBuffers(BYTES, 1)) {
            for (int i = 0; i < 3; i++) {
              try (PinnedBuffer buffer = buffers.awaitLease()) {
                buffer.memory().set(JAVA_FLOAT, 0, i);
                with.first.copy(buffer.memory(), with.a);
              }
            }
          }
        });
    PROGRAMS.bad(
        "a lent buffer that is still read",
        with -> {
          try (PinnedBuffers buffers = with.device.pinnedBuffers(BYTES, 1)) {
            try (PinnedBuffer buffer = buffers.awaitLease()) {
              with.first.copy(buffer.memory(), with.a);
              buffer.memory().set(JAVA_FLOAT, 0, 1);
            }
          }
        });
    PROGRAMS.good(
        "an arena that was closed, and another one",
        with -> {
          for (int i = 0; i < 20; i++) {
            try (Arena arena = Arena.ofShared()) {
              MemorySegment host = arena.allocate(BYTES, 8);
              host.set(JAVA_FLOAT, 0, i);
              with.first.copy(host, with.a);
              with.first.copy(with.a, host);
              with.first.await();
            }
          }
        });
    PROGRAMS.good(
        "another array",
        with -> {
          with.first.copy(with.a, with.host);
          use(with.other[3]);
          with.other[3] = 1;
        });
    PROGRAMS.good(
        "other memory of the arena",
        with -> {
          try (PinnedArena pinned = with.device.pinnedArena()) {
            MemorySegment host = pinned.allocate(BYTES);
            MemorySegment beside = pinned.allocate(BYTES);
            with.first.copy(with.a, host);
            beside.fill((byte) 1);
          }
        });
  }

  private static void bytes() {
    PROGRAMS.good(
        "the element before a copy and the one behind",
        with -> {
          MemorySegment host = MemorySegment.ofArray(with.host);
          with.first.copy(with.a.slice(0, 8), host.asSlice(32, 32));
          use(with.host[7] + with.host[16]);
          with.host[7] = with.host[16];
        });
    PROGRAMS.bad(
        "the first element of a copy",
        with -> {
          MemorySegment host = MemorySegment.ofArray(with.host);
          with.first.copy(with.a.slice(0, 8), host.asSlice(32, 32));
          use(with.host[8]);
        });
    PROGRAMS.bad(
        "the last element of a copy",
        with -> {
          MemorySegment host = MemorySegment.ofArray(with.host);
          with.first.copy(with.a.slice(0, 8), host.asSlice(32, 32));
          use(with.host[15]);
        });
    PROGRAMS.bad(
        "the last byte of a copy",
        with -> {
          MemorySegment host = MemorySegment.ofArray(with.host);
          with.first.copy(with.a.slice(0, 8), host.asSlice(32, 32));
          host.asSlice(63, 1).fill((byte) 1);
        });
    PROGRAMS.good(
        "the byte behind a copy",
        with -> {
          MemorySegment host = MemorySegment.ofArray(with.host);
          with.first.copy(with.a.slice(0, 8), host.asSlice(32, 32));
          host.asSlice(64, 1).fill((byte) 1);
          host.asSlice(31, 1).fill((byte) 1);
        });
    PROGRAMS.good(
        "an index that is not there fails as ever",
        with -> {
          with.first.copy(with.a, with.host);
          try {
            use(with.host[64]);
            throw new AssertionError();
          } catch (ArrayIndexOutOfBoundsException _) {
            with.first.await();
          }
        });
    PROGRAMS.good(
        "an array that is not there fails as ever",
        with -> {
          with.first.copy(with.a, with.host);
          float[][] none = new float[1][];
          try {
            none[0][3] = 1;
            throw new AssertionError();
          } catch (NullPointerException _) {
            with.first.await();
          }
        });
  }

  private static void loops() {
    PROGRAMS.bad(
        "the wait is missing in the second round",
        with -> {
          for (int i = 0; i < 3; i++) {
            Copy copy = with.first.copy(with.a, with.host);
            if (i != 1) {
              copy.await();
            }
            use(with.host[3]);
          }
        });
    PROGRAMS.bad(
        "two buffers take turns, and one wait comes a round too late",
        with -> {
          Copy[] copies = new Copy[2];
          float[][] hosts = {with.host, with.other};
          for (int i = 0; i < 4; i++) {
            copies[i % 2] = with.first.copy(with.a, hosts[i % 2]);
            if (i > 0) {
              use(hosts[i % 2][3]); // the other one was meant
            }
          }
        });
    PROGRAMS.good(
        "two buffers take turns",
        with -> {
          Copy[] copies = new Copy[2];
          float[][] hosts = {with.host, with.other};
          for (int i = 0; i < 6; i++) {
            if (i > 1) {
              copies[i % 2].await();
              use(hosts[i % 2][3]);
            }
            copies[i % 2] = (i % 2 == 0 ? with.first : with.second).copy(with.a, hosts[i % 2]);
          }
        });
    for (int k : new int[] {0, 1, 4, 64}) {
      PROGRAMS.bad(
          k + " other operations are awaited before the array is read",
          with -> {
            with.first.copy(with.a, with.host);
            for (int i = 0; i < k; i++) {
              with.third.fill(with.b, i).await();
            }
            use(with.host[3]);
          });
      PROGRAMS.good(
          k + " other operations, and then the copy, are awaited before the array is read",
          with -> {
            Copy copy = with.first.copy(with.a, with.host);
            for (int i = 0; i < k; i++) {
              with.third.fill(with.b, i).await();
            }
            copy.await();
            use(with.host[3]);
          });
    }
  }
}
