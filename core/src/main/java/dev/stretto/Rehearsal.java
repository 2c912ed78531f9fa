package dev.stretto;

import dev.stretto.jfr.Flight;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.settings.Settings;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Copies and launches something on a virtual device, and runs a flow there, while the driver of the
 * GPUs starts, which takes some hundred milliseconds of one core. The JVM loads and links then what
 * a program's first copies and launches need; otherwise each of them would take several times as
 * long as all that follow.
 */
final class Rehearsal {
  /** With fewer cores it would take time from the driver's start. */
  private static final int FEWEST_CORES = 4;

  private static final AtomicBoolean BEGUN = new AtomicBoolean();

  private Rehearsal() {}

  /** Begins on a thread of its own, once in a process, unless somebody watches the process. */
  static void begin() {
    if (Runtime.getRuntime().availableProcessors() < FEWEST_CORES
        || !Settings.REHEARSAL.value()
        || !Settings.DIAGNOSIS.value().equals("false")
        || !Settings.TRACE.value().isEmpty()
        || Flight.mayRecord()
        || !BEGUN.compareAndSet(false, true)) {
      return;
    }
    try {
      Thread _ = Thread.ofPlatform().daemon().name("stretto-rehearsal").start(Rehearsal::run);
    } catch (OutOfMemoryError e) {
      failed(e); // the process can have no more threads
    }
  }

  private static void run() {
    try {
      play();
    } catch (Throwable e) {
      failed(e);
    }
  }

  /** Nothing but time is lost, and what is really wrong the program's own calls report. */
  private static void failed(Throwable e) {
    System.getLogger("dev.stretto").log(Level.DEBUG, "the first operations will take longer", e);
  }

  /** Does what programs do first. */
  static void play() {
    int n = 1 << 18;
    try (Device device = new Device(Devices.openUnnamed("rehearsal"));
        Stream stream = device.stream();
        Stream other = device.stream();
        PinnedArena pinned = device.pinnedArena();
        GlobalFloats array = device.allocateFloats(n)) {
      float[] large = new float[n];
      float[] small = new float[16];
      GlobalFloats part = array.slice(0, small.length);
      MemorySegment direct = pinned.allocate(part.byteSize(), Float.BYTES);
      stream.copy(large, array).await();
      stream.copy(array, large).await();
      stream.copy(small, part).await();
      stream.copy(part, small).await();
      stream.copy(direct, part);
      stream.fill(array, 0f);
      stream.launch(Grid.covering(256, 256), Rehearsal::touch, array, 256);
      other.waitFor(stream.record());
      other.copy(part, direct).await();
      stream.then(() -> {}).await();
      playFlow(device);
    }
  }

  /** By its name, because flows use this package. */
  private static void playFlow(Device device) {
    try {
      Class<?> flows = Class.forName("dev.stretto.flow.FlowRehearsal");
      MethodHandles.privateLookupIn(flows, MethodHandles.lookup())
          .findStatic(flows, "play", MethodType.methodType(void.class, Device.class))
          .invokeExact(device);
    } catch (Throwable e) {
      throw new IllegalStateException("flows cannot be rehearsed", e);
    }
  }

  @Kernel
  static void touch(ThreadBlock block, GlobalFloats array, int n) {
    long i = block.globalIndexX();
    if (i < n) {
      array.set(i, array.get(i) + 1);
    }
  }
}
