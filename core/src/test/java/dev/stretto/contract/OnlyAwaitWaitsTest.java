package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Awaitable;
import dev.stretto.Batch;
import dev.stretto.Copy;
import dev.stretto.CopyRequest;
import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.Extent;
import dev.stretto.Graph;
import dev.stretto.Grid;
import dev.stretto.LimitedPool;
import dev.stretto.MemoryPool;
import dev.stretto.PinnedArena;
import dev.stretto.PinnedBuffers;
import dev.stretto.Pitches;
import dev.stretto.PoolReuse;
import dev.stretto.Route;
import dev.stretto.SourceAccess;
import dev.stretto.Stream;
import dev.stretto.Tasks;
import dev.stretto.TimedEvent;
import dev.stretto.driver.ValueCondition;
import dev.stretto.memory.GlobalArray;
import dev.stretto.memory.GlobalBfloats;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalDoubles;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalHalfs;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;
import dev.stretto.memory.GlobalShorts;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Nothing waits for the device unless its name begins with {@code await}: each public method of
 * what has to do with a stream is called while its stream is held back, and returns. Those that may
 * wait are listed in docs/semantics.md, "What blocks".
 */
@Timeout(300)
class OnlyAwaitWaitsTest {
  private static final List<Class<?>> TYPES =
      List.of(
          Stream.class,
          Device.class,
          Copy.class,
          Event.class,
          TimedEvent.class,
          Batch.class,
          Graph.class,
          MemoryPool.class,
          LimitedPool.class,
          PinnedArena.class,
          PinnedBuffers.class,
          Tasks.class,
          GlobalInts.class);

  /** How long a method may take that does not wait: some compile, or open a device. */
  private static final Duration PATIENCE = Duration.ofSeconds(8);

  private static final int N = 1000;

  /** A device whose stream does not go on until the latch is down, and one object of each type. */
  private static final class Held implements AutoCloseable {
    final CountDownLatch latch = new CountDownLatch(1);
    final Device device = Device.open("virtual");
    final Map<Class<?>, Object> objects = new HashMap<>();

    Held() {
      Stream stream = device.stream("held");
      Stream other = device.stream("other");
      GlobalInts ints = device.allocateInts(N);
      PinnedArena pinned = device.pinnedArena();
      Graph graph = Graph.capture(other, () -> other.fill(ints, 1));
      Tasks tasks = device.tasks();
      Event held =
          stream.then(
              () -> {
                try {
                  latch.await();
                } catch (InterruptedException e) {
                  throw new IllegalStateException(e);
                }
              });
      tasks.waitFor(held);
      put(Device.class, device, Stream.class, stream, Event.class, held);
      put(GlobalInts.class, ints, GlobalArray.class, ints, Graph.class, graph);
      put(GlobalBytes.class, device.allocateBytes(4 * N), Tasks.class, tasks);
      put(GlobalFloats.class, device.allocateFloats(N), PinnedArena.class, pinned);
      put(GlobalDoubles.class, device.allocateDoubles(N), GlobalLongs.class, longs());
      put(GlobalShorts.class, device.allocateShorts(N), GlobalHalfs.class, halfs());
      put(GlobalBfloats.class, device.allocateBfloats(N));
      put(MemorySegment.class, pinned.allocate(4 * N, 16));
      put(byte[].class, new byte[4 * N], int[].class, new int[N], float[].class, new float[N]);
      put(long[].class, new long[N], double[].class, new double[N], short[].class, new short[N]);
      put(Copy.class, stream.copy(ints, new int[N]), TimedEvent.class, stream.recordTimed());
      CopyRequest request = CopyRequest.of(MemorySegment.ofArray(new int[N]), ints);
      put(Batch.class, stream.copyAll(List.of(request)), List.class, List.of(request));
      put(MemoryPool.class, device.memoryPool(), LimitedPool.class, device.memoryPool(1 << 20));
      put(PinnedBuffers.class, device.pinnedBuffers(4096, 2), Grid.class, Grid.of(1, 32));
      put(int.class, 1, long.class, 16L, boolean.class, true, float.class, 1f, double.class, 1.0);
      put(byte.class, (byte) 1, short.class, (short) 1, Number.class, 1, String.class, "virtual");
      put(Route.Kind.class, Route.Kind.DIRECT, SourceAccess.class, SourceAccess.ANY);
      put(ValueCondition.class, ValueCondition.EQUAL, PoolReuse.class, PoolReuse.OPPORTUNISTIC);
      put(Runnable.class, (Runnable) () -> {}, Executor.class, (Executor) Runnable::run);
      put(Duration.class, Duration.ofMillis(1), Extent.class, new Extent(16, 2, 2));
      put(Pitches.class, new Pitches(16, 32), GlobalArray[].class, new GlobalArray[] {ints});
    }

    private GlobalLongs longs() {
      return device.allocateLongs(N);
    }

    private GlobalHalfs halfs() {
      return device.allocateHalfs(N);
    }

    private void put(Object... classesAndObjects) {
      for (int i = 0; i < classesAndObjects.length; i += 2) {
        objects.put((Class<?>) classesAndObjects[i], classesAndObjects[i + 1]);
      }
    }

    boolean has(Method method) {
      return Arrays.stream(method.getParameterTypes()).allMatch(objects::containsKey);
    }

    /** Whether the method returns, or throws, while the stream is held. */
    boolean returns(Class<?> type, Method method) throws InterruptedException {
      Object[] arguments =
          Arrays.stream(method.getParameterTypes()).map(objects::get).toArray(Object[]::new);
      Object target = Modifier.isStatic(method.getModifiers()) ? null : objects.get(type);
      Thread thread =
          Thread.ofPlatform()
              .daemon()
              .start(
                  () -> {
                    try {
                      Object _ = method.invoke(target, arguments);
                    } catch (InvocationTargetException _) {
                      // It did not wait either.
                    } catch (IllegalAccessException e) {
                      throw new IllegalStateException(e);
                    }
                  });
      boolean returned = thread.join(PATIENCE);
      latch.countDown();
      thread.join();
      return returned;
    }

    @Override
    public void close() {
      latch.countDown();
      device.close();
    }
  }

  @Test
  void eachOtherMethodReturnsWhileItsStreamIsHeld() throws InterruptedException {
    Set<String> waiting = new TreeSet<>();
    Set<String> called = new TreeSet<>();
    for (Class<?> type : TYPES) {
      for (Method method : type.getMethods()) {
        String name = type.getSimpleName() + "." + method.getName();
        if (method.getDeclaringClass() == Object.class || method.getName().startsWith("await")) {
          continue;
        }
        try (Held held = new Held()) {
          if (held.has(method)) {
            called.add(name);
            if (!held.returns(type, method)) {
              waiting.add(name);
            }
          }
        }
      }
    }
    assertThat(waiting).isEmpty();
    assertThat(called)
        .hasSizeGreaterThan(100)
        .contains("Stream.copy", "Stream.launch", "Stream.close", "GlobalInts.close")
        .contains("Device.close", "Graph.launch", "PinnedArena.close", "Tasks.copy");
  }

  /** Otherwise the test above would see nothing. */
  @Test
  void whatIsNamedAwaitDoesWait() throws InterruptedException {
    for (Class<?> type : List.<Class<?>>of(Stream.class, Copy.class, Event.class, Batch.class)) {
      try (Held held = new Held()) {
        Object target = held.objects.get(type);
        Thread thread = Thread.ofPlatform().daemon().start(() -> await(target));
        assertThat(thread.join(Duration.ofMillis(300))).as(type.getName()).isFalse();
        held.latch.countDown();
        thread.join();
      }
    }
  }

  private static void await(Object target) {
    ((Awaitable) target).await();
  }
}
