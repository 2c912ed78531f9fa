package dev.stretto.contract;

import static dev.stretto.contract.EveryOperation.SIZE;
import static dev.stretto.contract.EveryOperation.bytes;

import dev.stretto.Copy;
import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.Grid;
import dev.stretto.Launch;
import dev.stretto.LimitedPool;
import dev.stretto.MemoryPool;
import dev.stretto.PinnedArena;
import dev.stretto.PoolReuse;
import dev.stretto.Stream;
import dev.stretto.TimedEvent;
import dev.stretto.driver.CopyKind;
import dev.stretto.driver.DriverDevice;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** Kernels, events, waits, callbacks, memory in the order of streams, other libraries. */
final class OrderSteps {
  private static final int COUNT = 1000;

  private final EveryOperation all;
  private final Device device;

  OrderSteps(EveryOperation all) {
    this.all = all;
    this.device = all.device;
  }

  void run() {
    all.step("queries", this::queries);
    all.step("kernels", this::kernels);
    all.step("kernels in Java", this::methodKernels);
    all.step("events", this::events);
    all.step("awaits", this::awaits);
    all.step("callbacks", this::callbacks);
    all.step("memory of streams", this::streamMemory);
    all.step("memory freed on another stream", this::freedElsewhere);
    all.step("the pool", this::pool);
    all.step("a pool of the program's own", this::ownPool);
    all.step("closing in flight", this::closing);
    all.step("default streams", this::defaultStreams);
    all.step("a library's", this::adopted);
    all.step("a call of a library", this::called);
  }

  private void queries() {
    all.check(device.freeBytes() > 0, "some memory is free");
    try (GlobalBytes array = device.allocateBytes(100)) {
      all.check(device.pointer(array.address()) != null, "the driver knows the array");
    }
  }

  private void kernels() {
    try (Stream stream = device.stream();
        GlobalInts array = device.allocateInts(COUNT)) {
      int[] out = new int[COUNT];
      stream.fill(array, 1);
      stream.launch(Grid.of(16, 64), Kernels.ADD, array, 2, COUNT);
      Launch launch = device.prepare(Grid.of(16, 64), Kernels.ADD, array, 1, COUNT);
      all.check(launch.properties() != null, "the driver knows the kernel");
      for (int i = 0; i < 40; i++) {
        stream.launch(launch.set(1, i));
      }
      stream.copy(array, out);
      all.await(stream);
      all.checkComputed(out, 783);
    }
  }

  private void methodKernels() {
    try (Stream stream = device.stream();
        GlobalFloats x = device.allocateFloats(COUNT);
        GlobalFloats y = device.allocateFloats(COUNT)) {
      stream.fill(x, 2f);
      stream.fill(y, 1f);
      stream.launch(Grid.covering(COUNT, 64), MethodKernels::saxpy, 3f, x, y, COUNT);
      float[] out = new float[COUNT];
      stream.copy(y, out);
      all.await(stream);
      int[] rounded = new int[COUNT];
      for (int i = 0; i < COUNT; i++) {
        rounded[i] = Math.round(out[i]);
      }
      all.checkComputed(rounded, 7);
    }
  }

  private void events() {
    try (Stream stream = device.stream();
        Stream other = device.stream();
        PinnedArena pinned = device.pinnedArena();
        GlobalBytes array = device.allocateBytes(SIZE)) {
      byte[] data = bytes(SIZE, 2);
      MemorySegment host = pinned.allocate(SIZE).copyFrom(MemorySegment.ofArray(data));
      MemorySegment out = pinned.allocate(SIZE);
      try (TimedEvent begin = stream.recordTimed()) {
        stream.copy(host, array);
        Event copied = stream.record();
        try (TimedEvent end = stream.recordTimed()) {
          other.waitFor(copied);
          other.waitFor(end);
          other.copy(array, out);
          stream.waitFor(other.record());
          stream.fill(array, (byte) 0);
          all.await(end);
          all.check(begin.nanosTo(end) >= 0, "time goes on");
          all.check(begin.elapsedTo(end).toNanos() >= 0, "time goes on");
          all.check(end.handle() != 0, "an event has a handle");
          all.check(copied.isDone(), "done is done");
        }
      }
      all.await(stream);
      all.await(other);
      all.check(out, data);
    }
  }

  private void awaits() throws Exception {
    try (Stream stream = device.stream();
        GlobalBytes array = device.allocateBytes(SIZE)) {
      byte[] out = new byte[SIZE];
      Event filled = stream.fill(array, (byte) 1);
      filled.toCompletableFuture().orTimeout(20, TimeUnit.SECONDS).join();
      stream.fill(array, (byte) 2);
      stream.toCompletableFuture().orTimeout(20, TimeUnit.SECONDS).join();
      boolean _ = stream.copy(array, out).await(Duration.ofNanos(1));
      boolean _ = stream.isIdle();
      AtomicReference<Throwable> told = new AtomicReference<>();
      Thread thread =
          Thread.startVirtualThread(
              () -> {
                try {
                  all.await(stream);
                } catch (Throwable e) {
                  told.set(e);
                }
              });
      thread.join();
      if (told.get() instanceof RuntimeException e) {
        throw e;
      }
      if (told.get() instanceof Error e) {
        throw e;
      }
      all.check(device.await(Duration.ofSeconds(20)), "the device comes to its end");
      all.check(out[SIZE - 1] == 2 && out[0] == 2, "awaited copies have arrived");
    }
  }

  private void callbacks() {
    try (Stream stream = device.stream();
        PinnedArena pinned = device.pinnedArena();
        GlobalBytes array = device.allocateBytes(SIZE)) {
      MemorySegment host = pinned.allocate(SIZE);
      MemorySegment out = pinned.allocate(SIZE);
      AtomicInteger calls = new AtomicInteger();
      stream.fill(array, (byte) 5);
      stream.copy(array, host);
      stream.then(
          () -> host.fill((byte) (host.get(java.lang.foreign.ValueLayout.JAVA_BYTE, 0) + 1)));
      stream.then(calls::incrementAndGet, Thread::startVirtualThread);
      stream.copy(host, array);
      stream.copy(array, out);
      all.await(stream);
      all.check(calls.get() == 1, "a callback runs once");
      byte[] expected = new byte[SIZE];
      java.util.Arrays.fill(expected, (byte) 6);
      all.check(out, expected);
    }
  }

  private void streamMemory() {
    byte[] data = bytes(SIZE, 3);
    try (Stream stream = device.stream();
        Stream other = device.stream();
        PinnedArena pinned = device.pinnedArena()) {
      MemorySegment host = pinned.allocate(SIZE).copyFrom(MemorySegment.ofArray(data));
      MemorySegment out = pinned.allocate(3L * SIZE);
      for (int i = 0; i < 3; i++) {
        try (GlobalBytes array = stream.allocateBytes(SIZE)) {
          stream.copy(host, array);
          other.waitFor(stream.record());
          other.copy(array, out.asSlice((long) i * SIZE, SIZE));
        }
      }
      all.await(stream);
      all.await(other);
      for (int i = 0; i < 3; i++) {
        all.check(out.asSlice((long) i * SIZE, SIZE), data);
      }
    }
  }

  private void freedElsewhere() {
    try (Stream stream = device.stream();
        Stream other = device.stream()) {
      byte[] out = new byte[SIZE];
      GlobalBytes array = device.allocateBytes(SIZE);
      try {
        stream.fill(array, (byte) 1);
        other.waitFor(stream.record());
        other.freeOnClose(array);
        other.copy(array, out); // held back while it is staged
      } finally {
        array.close();
      }
      GlobalBytes second = stream.allocateBytes(SIZE);
      stream.fill(second, (byte) 2);
      other.waitFor(stream.record());
      other.free(second);
      all.await(stream);
      all.await(other);
      all.check(out[0] == 1 && out[SIZE - 1] == 1, "freed after the last use");
    }
  }

  private void pool() {
    MemoryPool pool = device.memoryPool();
    long threshold = pool.releaseThreshold();
    pool.releaseThreshold(1 << 20);
    pool.releaseThreshold(threshold);
    boolean allowed = pool.allows(PoolReuse.OPPORTUNISTIC);
    pool.allow(PoolReuse.OPPORTUNISTIC, allowed);
    all.check(pool.use().usedBytes() >= 0, "some or nothing is in use");
    pool.resetPeaks();
    pool.trimTo(0);
  }

  private void ownPool() {
    byte[] out = new byte[SIZE];
    try (Stream stream = device.stream();
        LimitedPool pool = device.memoryPool(4L * SIZE)) {
      GlobalBytes array = stream.allocateBytes(pool, SIZE);
      stream.fill(array, (byte) 5);
      stream.copy(array, out);
      array.close();
      all.await(stream);
      all.check(out[0] == 5 && out[SIZE - 1] == 5, "filled out of a pool");
      pool.trimTo(0);
    }
  }

  private void closing() {
    Stream stream = device.stream();
    byte[] out = new byte[SIZE];
    try {
      try (GlobalBytes array = device.allocateBytes(SIZE);
          PinnedArena pinned = device.pinnedArena()) {
        MemorySegment host = pinned.allocate(SIZE);
        stream.fill(array, (byte) 9);
        stream.copy(array, host);
        Copy copied = stream.copy(array, out);
        stream.copy(host, array);
        stream.close();
        all.await(copied);
      }
      all.check(out[0] == 9 && out[SIZE - 1] == 9, "what is under way runs to its end");
    } finally {
      if (stream.isOpen()) {
        stream.close();
      }
    }
  }

  private void defaultStreams() {
    byte[] data = bytes(SIZE, 4);
    try (Stream legacy = device.legacyStream();
        Stream own = device.perThreadStream();
        PinnedArena pinned = device.pinnedArena();
        GlobalBytes array = device.allocateBytes(SIZE)) {
      MemorySegment host = pinned.allocate(SIZE).copyFrom(MemorySegment.ofArray(data));
      MemorySegment out = pinned.allocate(SIZE);
      legacy.copy(host, array);
      own.waitFor(legacy.record());
      own.copy(array, out);
      legacy.fill(array, (byte) 0);
      all.await(own);
      all.await(legacy);
      all.check(out, data);
    }
  }

  private void adopted() {
    byte[] data = bytes(SIZE, 5);
    try (DriverDevice theirs = all.library.get()) {
      long handle = theirs.createStream(0);
      long event = 0;
      long memory = 0;
      try {
        event = theirs.createEvent(false);
        memory = theirs.allocate(SIZE);
        theirs.fill(memory, 1, 1, SIZE, handle);
        theirs.recordEvent(event, handle);
        useTheirs(handle, event, memory, data);
      } finally {
        giveBack(theirs, handle, event, memory);
      }
    }
  }

  /** Each of them, also where only some could be made, or the use of them has failed. */
  private void giveBack(DriverDevice theirs, long handle, long event, long memory) {
    if (memory != 0) {
      all.step("settling", () -> settle(theirs, event, handle));
      all.step("their memory", () -> theirs.free(memory));
    }
    if (event != 0) {
      all.step("their event", () -> theirs.destroyEvent(event));
    }
    all.step("their stream", () -> theirs.destroyStream(handle));
  }

  private void settle(DriverDevice theirs, long event, long handle) {
    device.await();
    theirs.recordEvent(event, handle);
    theirs.awaitEvent(event);
  }

  private void useTheirs(long handle, long event, long memory, byte[] data) {
    try (Stream adopted = device.adoptStream(handle);
        Stream stream = device.stream();
        PinnedArena pinned = device.pinnedArena();
        GlobalBytes array = device.adopt(memory, SIZE, GlobalBytes::of)) {
      MemorySegment host = pinned.allocate(SIZE).copyFrom(MemorySegment.ofArray(data));
      MemorySegment out = pinned.allocate(SIZE);
      stream.waitFor(device.adoptEvent(event));
      stream.copy(array, out);
      adopted.waitFor(stream.record());
      adopted.copy(host, array);
      stream.waitFor(adopted.record());
      all.await(stream);
      all.check(out.get(java.lang.foreign.ValueLayout.JAVA_BYTE, 0) == 1, "their fill is seen");
      stream.copy(array, out);
      all.await(stream);
      all.await(adopted);
      all.check(out, data);
    }
  }

  private void called() {
    byte[] data = bytes(SIZE, 6);
    try (DriverDevice theirs = all.library.get();
        Stream stream = device.stream();
        PinnedArena pinned = device.pinnedArena();
        GlobalBytes array = device.allocateBytes(SIZE)) {
      MemorySegment host = pinned.allocate(SIZE).copyFrom(MemorySegment.ofArray(data));
      byte[] out = new byte[SIZE];
      stream.copy(new byte[SIZE], array);
      long to = array.address();
      stream.call(
          handle -> theirs.copy(to, host.address(), SIZE, CopyKind.HOST_TO_DEVICE, handle), array);
      stream.copy(array, out);
      all.await(stream);
      all.check(out, data);
    }
  }
}
