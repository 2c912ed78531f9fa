package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Batch;
import dev.stretto.Copy;
import dev.stretto.CopyRequest;
import dev.stretto.Device;
import dev.stretto.Diagnosis;
import dev.stretto.Event;
import dev.stretto.Extent;
import dev.stretto.Graph;
import dev.stretto.GraphBuilder;
import dev.stretto.GraphEvent;
import dev.stretto.GraphNode;
import dev.stretto.Grid;
import dev.stretto.Launch;
import dev.stretto.LimitedPool;
import dev.stretto.MemoryPool;
import dev.stretto.Observer;
import dev.stretto.PinnedArena;
import dev.stretto.PinnedBuffers;
import dev.stretto.Pitches;
import dev.stretto.PoolReuse;
import dev.stretto.Route;
import dev.stretto.SourceAccess;
import dev.stretto.Stream;
import dev.stretto.TimedEvent;
import dev.stretto.Topology;
import dev.stretto.WorkScope;
import dev.stretto.collective.Collective;
import dev.stretto.driver.Driver;
import dev.stretto.driver.virtual.VirtualConfig;
import dev.stretto.driver.virtual.VirtualDriver;
import dev.stretto.kernel.DeviceKernel;
import dev.stretto.kernel.KernelImage;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalArray;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import dev.stretto.rows.HostRows;
import dev.stretto.timeline.ChromeTrace;
import dev.stretto.timeline.Concurrency;
import dev.stretto.timeline.Overlap;
import dev.stretto.timeline.Span;
import dev.stretto.timeline.TextTimeline;
import dev.stretto.timeline.Timeline;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** That null is refused in the words of the caller: by the name of the parameter. */
class NullArgumentsTest {
  private static final String PTX =
      ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry idle() { ret; }\n";

  static void idle(ThreadBlock block) {}

  /** Of each type one that fits, as a rule. */
  private final Map<Class<?>, Object> values = new HashMap<>();

  private <T> void value(Class<T> type, T value) {
    values.put(type, value);
  }

  @Test
  void everyPublicMethodNamesTheParameterThatIsNull() {
    List<String> wrong = new ArrayList<>();
    int tried = 0;
    Driver driver = new VirtualDriver(VirtualConfig.parse(""));
    try (Device device = Device.openAll(driver).getFirst();
        Arena arena = Arena.ofShared()) {
      Stream stream = device.stream();
      GlobalInts ints = device.allocateInts(1);
      Graph graph = Graph.capture(stream, () -> stream.fill(ints, 1));
      MemorySegment segment = arena.allocate(4, 4096);
      DeviceKernel kernel =
          DeviceKernel.of(KernelImage.ofPtx(PTX), "idle", NullArgumentsTest.class, "idle");
      value(Device.class, device);
      value(Driver.class, driver);
      value(Stream.class, stream);
      value(GlobalInts.class, ints);
      value(GlobalArray.class, ints);
      value(Graph.class, graph);
      value(GraphNode.class, graph.nodes().getFirst());
      value(GraphBuilder.class, Graph.builder(device));
      value(GraphEvent.class, GraphEvent.of(device));
      value(MemorySegment.class, segment);
      value(Arena.class, arena);
      value(DeviceKernel.class, kernel);
      value(Grid.class, Grid.of(1, 1));
      value(Launch.class, device.prepare(Grid.of(1, 1), kernel));
      value(Event.class, stream.record());
      value(TimedEvent.class, stream.recordTimed());
      value(Copy.class, stream.copy(ints, new int[1]));
      value(Batch.class, stream.copyAll(List.of(CopyRequest.of(segment, ints))));
      value(PinnedArena.class, device.pinnedArena());
      value(PinnedBuffers.class, device.pinnedBuffers(4, 1));
      value(MemoryPool.class, device.memoryPool());
      value(LimitedPool.class, device.memoryPool(1 << 20));
      value(WorkScope.class, device.scope());
      value(Collective.class, Collective.of(List.of(device)));
      value(Diagnosis.class, Diagnosis.of(device));
      value(GlobalFloats.class, device.allocateFloats(1));
      value(GlobalBytes.class, device.allocateBytes(4));
      value(HostRows.class, HostRows.of(new float[1][1]));
      value(int[].class, new int[1]);
      value(float[][].class, new float[1][1]);
      value(byte[][].class, new byte[1][4]);
      value(HostRows.Spans.class, (HostRows.Spans) (memory, width, stride, rows) -> {});
      value(Extent.class, new Extent(1, 1, 1));
      value(Pitches.class, new Pitches(1, 1));
      value(Route.Kind.class, Route.Kind.LOCAL);
      value(SourceAccess.class, SourceAccess.STREAM_ORDER);
      value(PoolReuse.class, PoolReuse.FOLLOW_EVENTS);
      value(Duration.class, Duration.ZERO);
      value(Runnable.class, () -> {});
      value(Callable.class, () -> 1);
      value(Executor.class, Runnable::run);
      value(LongConsumer.class, _ -> {});
      value(Observer.class, _ -> {});
      value(Function.class, (Function<Object, Object>) _ -> ints);
      value(Consumer.class, (Consumer<Object>) _ -> {});
      value(Number.class, 1);
      value(String.class, "virtual");
      value(Object.class, 1);
      for (Class<?> type :
          List.of(
              Device.class,
              Stream.class,
              Graph.class,
              GraphBuilder.class,
              GraphEvent.class,
              Event.class,
              TimedEvent.class,
              Copy.class,
              Batch.class,
              CopyRequest.class,
              PinnedArena.class,
              PinnedBuffers.class,
              MemoryPool.class,
              WorkScope.class,
              Collective.class,
              Diagnosis.class,
              Topology.class,
              Timeline.class,
              Launch.class,
              HostRows.class,
              Grid.class)) {
        for (Method method : type.getMethods()) {
          if (method.getDeclaringClass() != Object.class
              && method.getDeclaringClass().getName().startsWith("dev.stretto")
              && !method.isBridge()
              && !method.getName().equals("equals")) {
            tried += tryNulls(type, method, wrong);
          }
        }
      }
    }
    assertThat(wrong.stream().sorted().collect(Collectors.joining("\n"))).isEmpty();
    assertThat(tried).isGreaterThan(150);
  }

  @Test
  void listsWithNullAmongTheirElementsAreRefusedByName() {
    try (Device device = Device.open("virtual:h200");
        Stream stream = device.stream()) {
      List<Device> devices = Arrays.asList(device, null);
      refusesElement("devices", () -> Diagnosis.of(devices));
      refusesElement("devices", () -> Diagnosis.of(device, null));
      refusesElement("devices", () -> Collective.of(devices));
      refusesElement("devices", () -> Topology.of(devices));
      refusesElement("devices", () -> Timeline.record(devices));
      refusesElement("devices", () -> new ChromeTrace(new StringBuilder(), devices));
      refusesElement("copies", () -> stream.copyAll(Arrays.asList(null, null)));
      List<Span> spans = Arrays.asList((Span) null);
      refusesElement("spans", () -> Overlap.of(spans));
      refusesElement("spans", () -> Concurrency.of(spans));
      refusesElement("spans", () -> TextTimeline.draw(spans, 80));
    }
  }

  private static void refusesElement(String list, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(NullPointerException.class)
        .hasMessage("an element of " + list);
  }

  private int tryNulls(Class<?> type, Method method, List<String> wrong) {
    int tried = 0;
    Parameter[] parameters = method.getParameters();
    boolean possible = Modifier.isStatic(method.getModifiers()) || values.containsKey(type);
    if (!possible || !java.util.Arrays.stream(method.getParameterTypes()).allMatch(this::isKnown)) {
      return 0;
    }
    for (int i = 0; i < parameters.length; i++) {
      if (parameters[i].getType().isPrimitive()) {
        continue;
      }
      Object[] arguments = new Object[parameters.length];
      for (int j = 0; j < parameters.length; j++) {
        arguments[j] = j == i ? null : argument(parameters[j].getType());
      }
      tried++;
      Throwable thrown = thrownBy(type, method, arguments);
      if (isRefusal(thrown)) {
        continue;
      }
      if (!(thrown instanceof NullPointerException)
          || !parameters[i].getName().equals(thrown.getMessage())) {
        wrong.add(describe(method) + " of " + parameters[i].getName() + ": " + thrown);
      }
    }
    return tried;
  }

  /** Whether an overload is there for the Java compiler alone: see {@code Refusals}. */
  private static boolean isRefusal(Throwable thrown) {
    return thrown instanceof IllegalArgumentException
        && List.of(thrown.getStackTrace()).getFirst().getClassName().endsWith(".Refusals");
  }

  private Throwable thrownBy(Class<?> type, Method method, Object[] arguments) {
    try {
      method.setAccessible(true); // its class may not be public, as that of families of methods
      Object target = Modifier.isStatic(method.getModifiers()) ? null : values.get(type);
      Object result = method.invoke(target, arguments);
      return new AssertionError("gave " + result);
    } catch (InvocationTargetException e) {
      return e.getCause();
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    }
  }

  private boolean isKnown(Class<?> type) {
    return type.isPrimitive() || argument(type) != null;
  }

  private Object argument(Class<?> type) {
    if (type == long.class) {
      return 1L;
    } else if (type == int.class) {
      return 1;
    } else if (type == float.class) {
      return 1f;
    } else if (type == double.class) {
      return 1d;
    } else if (type == short.class) {
      return (short) 1;
    } else if (type == byte.class) {
      return (byte) 1;
    } else if (type == boolean.class) {
      return true;
    } else if (type == List.class) {
      return List.of();
    } else if (type.isArray()) {
      return java.lang.reflect.Array.newInstance(type.componentType(), 0);
    }
    return values.get(type);
  }

  private static String describe(Executable method) {
    return method.getDeclaringClass().getSimpleName()
        + "."
        + method.getName()
        + java.util.Arrays.stream(method.getParameterTypes())
            .map(Class::getSimpleName)
            .collect(Collectors.joining(", ", "(", ")"));
  }
}
