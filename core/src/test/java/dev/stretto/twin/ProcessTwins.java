package dev.stretto.twin;

import dev.stretto.IpcArena;
import dev.stretto.IpcEvent;
import dev.stretto.Stream;
import dev.stretto.contract.OtherProcess;
import dev.stretto.memory.GlobalInts;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/** What processes use together: {@code semantics/processes.cuh}. */
final class ProcessTwins {
  private static final int SHARED = 1_000;

  private ProcessTwins() {}

  static List<Twin> twins() {
    return List.of(
        Twin.of("memory-of-this-process-in-another", ProcessTwins::reads),
        Twin.of("memory-of-another-process-in-this", ProcessTwins::writes),
        Twin.of("memory-of-a-process-that-was-killed", ProcessTwins::dies),
        Twin.of("memory-of-this-process-in-this", ProcessTwins::own),
        Twin.of("processes-in-turn", ProcessTwins::turns),
        Twin.of("pool-of-another-process-in-this", ProcessTwins::pool));
  }

  private static OtherProcess other(Scene scene) throws IOException {
    String name = scene.machine().name();
    String product = name.startsWith("virtual:a100") ? "virtual:a100" : "virtual:h200";
    return OtherProcess.on(scene.machine().isCuda() ? "cuda:0" : product);
  }

  private static String sum(Scene scene, GlobalInts array, Stream stream) {
    MemorySegment host = scene.pinned(SHARED);
    stream.copy(array, host).await();
    long sum = 0;
    for (int i = 0; i < SHARED; i++) {
      sum += host.getAtIndex(ValueLayout.JAVA_INT, i);
    }
    return Long.toString(sum);
  }

  private static void reads(Scene scene) throws Exception {
    try (OtherProcess other = other(scene);
        IpcArena arena = scene.device().ipcArena()) {
      Stream stream = scene.stream();
      GlobalInts array = arena.allocate(4 * SHARED, GlobalInts::of);
      IpcEvent filled = arena.event();
      stream.fill(array, 3);
      stream.record(filled);
      other.ask("open " + OtherProcess.hex(arena.handle(array)));
      other.ask("openEvent " + OtherProcess.hex(arena.handle(filled)));
      scene.say("sum", other.ask("sum"));
      Latch latch = scene.latch();
      latch.hold(stream);
      latch.open();
      stream.fill(array, 4);
      stream.record(filled);
      scene.say("sum-again", other.ask("sum"));
    }
  }

  private static void writes(Scene scene) throws Exception {
    try (OtherProcess other = other(scene);
        IpcArena arena = scene.device().ipcArena()) {
      Stream stream = scene.stream();
      GlobalInts array = arena.open(other.askForHandle("allocate " + SHARED), GlobalInts::of);
      IpcEvent filled = arena.openEvent(other.askForHandle("event"));
      stream.waitFor(filled);
      stream.await();
      scene.say("never-recorded", "holds-nobody-up");
      other.ask("fill 5");
      stream.waitFor(filled);
      scene.say("sum", sum(scene, array, stream));
      other.ask("fill 6");
      stream.waitFor(filled);
      scene.say("sum-again", sum(scene, array, stream));
    }
  }

  private static void dies(Scene scene) throws Exception {
    try (OtherProcess other = other(scene);
        IpcArena arena = scene.device().ipcArena()) {
      Stream stream = scene.stream();
      GlobalInts array = arena.open(other.askForHandle("allocate " + SHARED), GlobalInts::of);
      IpcEvent filled = arena.openEvent(other.askForHandle("event"));
      other.ask("fill 7");
      stream.waitFor(filled);
      scene.say("sum", sum(scene, array, stream));
      other.kill();
      scene.say("sum-after", sum(scene, array, stream));
      stream.fill(array, 8);
      scene.say("written", sum(scene, array, stream));
    }
  }

  private static void own(Scene scene) {
    try (IpcArena arena = scene.device().ipcArena()) {
      byte[] handle = arena.handle(arena.allocate(4 * SHARED, GlobalInts::of));
      String outcome;
      try {
        arena.open(handle, GlobalInts::of);
        outcome = "accepted";
      } catch (IllegalArgumentException _) {
        outcome = "refused";
      }
      scene.say("own", outcome);
    }
  }

  private static void pool(Scene scene) throws Exception {
    try (OtherProcess other = other(scene);
        IpcArena arena = scene.device().ipcArena()) {
      Stream stream = scene.stream();
      GlobalInts array = arena.open(other.askForHandle("allocatePooled " + SHARED), GlobalInts::of);
      IpcEvent filled = arena.openEvent(other.askForHandle("event"));
      other.ask("fill 5");
      stream.waitFor(filled);
      scene.say("sum", sum(scene, array, stream));
      GlobalInts next = arena.open(other.askForHandle("allocatePooled " + SHARED), GlobalInts::of);
      other.ask("fill 6");
      stream.waitFor(filled);
      scene.say("sum-of-the-next", sum(scene, next, stream));
      scene.say("sum-again", sum(scene, array, stream));
      other.kill();
      scene.say("sum-after", sum(scene, next, stream));
      stream.fill(next, 8);
      scene.say("written", sum(scene, next, stream));
    }
  }

  private static void turns(Scene scene) throws Exception {
    try (OtherProcess other = other(scene);
        IpcArena arena = scene.device().ipcArena()) {
      Stream stream = scene.stream();
      GlobalInts array = arena.allocate(4 * SHARED, GlobalInts::of);
      IpcEvent filled = arena.event();
      other.ask("open " + OtherProcess.hex(arena.handle(array)));
      other.ask("openEvent " + OtherProcess.hex(arena.handle(filled)));
      int right = 0;
      for (int round = 1; round <= 50; round++) {
        stream.fill(array, round);
        stream.record(filled);
        right += other.ask("sum").equals(Long.toString(1_000L * round)) ? 1 : 0;
      }
      scene.say("right", right);
    }
  }
}
