package dev.stretto.misuse;

import dev.stretto.Device;
import dev.stretto.Grid;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collection;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;

/** Makes random calls, and has the judge look at each. */
final class MisuseThread {
  private static final int REMEMBERED = 30;

  /** Whatever is allocated on a smaller device is filled within a moment. */
  private static final long LARGE = 1L << 30;

  @SuppressWarnings("ArrayRecordComponent") // as reflection takes them
  private record Call(Executable what, Object target, Object[] arguments) {}

  private final PublicCalls calls;
  private final Holdings holdings;
  private final HostMemories memories;
  private final Findings findings;
  private final Watchdog watchdog;
  private final long seed;
  private final Values values;
  private final ArrayDeque<Call> last = new ArrayDeque<>();
  private final ThreadLocal<Integer> depth = ThreadLocal.withInitial(() -> 0);

  MisuseThread(
      PublicCalls calls,
      Holdings holdings,
      HostMemories memories,
      Findings findings,
      Watchdog watchdog,
      long seed) {
    this.calls = calls;
    this.holdings = holdings;
    this.memories = memories;
    this.findings = findings;
    this.watchdog = watchdog;
    this.seed = seed;
    this.values = new Values(holdings, memories, this);
  }

  Values values() {
    return values;
  }

  /** Calls something from within the program's code. */
  void callBack(Random random) {
    if (depth.get() < 2) {
      call(random);
    }
  }

  /** Makes one call that is possible with what there is. */
  void call(Random random) {
    for (int i = 0; i < 50; i++) {
      Executable what = calls.any(random);
      boolean ofObject = what instanceof Method && !Modifier.isStatic(what.getModifiers());
      Object target = ofObject ? holdings.any(what.getDeclaringClass(), random).orElse(null) : null;
      if (ofObject && (target == null || isSpared(what, random))) {
        continue;
      }
      Parameter[] parameters = what.getParameters();
      Object[] arguments = new Object[parameters.length];
      for (int j = 0; j < arguments.length; j++) {
        arguments[j] =
            values.of(parameters[j].getType(), parameters[j].getParameterizedType(), random);
      }
      judged(new Call(what, target, arguments), random);
      close(random);
      return;
    }
  }

  /** A device that is closed at once is no use to a round. */
  private static boolean isSpared(Executable what, Random random) {
    return what.getDeclaringClass() == Device.class
        && what.getName().equals("close")
        && random.nextInt(10) > 0;
  }

  private void close(Random random) {
    Optional<AutoCloseable> dropped = holdings.nextDropped();
    while (dropped.isPresent()) {
      close(dropped.get(), random);
      dropped = holdings.nextDropped();
    }
  }

  /** Closes something, and has it judged. */
  void close(AutoCloseable resource, Random random) {
    try {
      Method close = AutoCloseable.class.getMethod("close");
      judged(new Call(close, resource, new Object[0]), random);
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException(e);
    }
  }

  private void judged(Call call, Random random) {
    findings.calls.incrementAndGet();
    synchronized (last) {
      last.add(call);
      if (last.size() > REMEMBERED) {
        last.remove();
      }
    }
    depth.set(depth.get() + 1);
    Watchdog.Running running = watchdog.begin(nameOf(call), seed, () -> describe(call) + history());
    try {
      Object result = invoke(call);
      findings.returned.incrementAndGet();
      if (result != null) {
        keep(result, random);
      }
    } catch (InvocationTargetException e) {
      findings.refused.incrementAndGet();
      Judge.objection(call.what, e.getCause())
          .ifPresent(objection -> object(call, e.getCause(), objection));
    } catch (InstantiationException | IllegalAccessException e) {
      throw new IllegalStateException(e);
    } catch (IllegalArgumentException e) {
      throw new IllegalStateException(describe(call), e);
    } finally {
      watchdog.end(running);
      depth.set(depth.get() - 1);
      Thread.interrupted();
    }
  }

  private static Object invoke(Call call)
      throws InvocationTargetException, InstantiationException, IllegalAccessException {
    return call.what instanceof Method method
        ? method.invoke(call.target, call.arguments)
        : ((java.lang.reflect.Constructor<?>) call.what).newInstance(call.arguments);
  }

  private void object(Call call, Throwable thrown, String objection) {
    StackTraceElement top =
        Arrays.stream(thrown.getStackTrace())
            .filter(frame -> frame.getClassName().startsWith("dev.stretto"))
            .findFirst()
            .orElse(null);
    java.io.StringWriter stack = new java.io.StringWriter();
    thrown.printStackTrace(new java.io.PrintWriter(stack));
    findings.add(
        thrown.getClass().getName() + " " + objection + " at " + top,
        "seed " + seed + "\n" + describe(call) + "\n" + head(stack.toString()) + history());
  }

  private static String head(String text) {
    return String.join("\n", text.lines().limit(60).toList());
  }

  /** {@return the last calls} */
  String history() {
    StringBuilder text = new StringBuilder("\nthe last calls:");
    synchronized (last) {
      for (Call call : last) {
        text.append("\n  ").append(describe(call));
      }
    }
    return text.toString();
  }

  /** Keeps something that the library made. */
  void keep(Object object, Random random) {
    if (RightPrograms.owns(object)) {
      return;
    }
    switch (object) {
      case MemorySegment segment -> memories.add(segment, random);
      case Optional<?> optional -> optional.ifPresent(held -> keep(held, random));
      case Collection<?> all when all.size() < 100 -> {
        for (Object one : all.toArray()) {
          if (one != null && !(one instanceof Collection<?>)) {
            keep(one, random);
          }
        }
      }
      case Device device when device.properties().totalBytes() > LARGE -> device.close();
      case Grid grid -> {
        if (threads(grid) <= 4096) {
          holdings.add(grid, random);
        }
      }
      case Consumer<?> _ -> {} // of what, is not known here
      default -> holdings.add(object, random);
    }
  }

  /** So that no kernel runs for minutes. */
  private static double threads(Grid grid) {
    return (double) grid.blocksX()
        * grid.blocksY()
        * grid.blocksZ()
        * grid.threadsX()
        * grid.threadsY()
        * grid.threadsZ();
  }

  private static String nameOf(Call call) {
    Class<?> type = call.target == null ? call.what.getDeclaringClass() : call.target.getClass();
    return type.getSimpleName() + "." + call.what.getName();
  }

  private static String describe(Call call) {
    StringBuilder text = new StringBuilder();
    text.append(nameOf(call)).append(call.target == null ? "" : " of " + describe(call.target));
    for (Object argument : call.arguments) {
      text.append("\n      ").append(describe(argument));
    }
    return text.toString();
  }

  private static String describe(Object value) {
    return switch (value) {
      case null -> "null";
      case Number number -> number.getClass().getSimpleName() + " " + number;
      case Object[] array ->
          "[" + String.join(", ", Arrays.stream(array).map(MisuseThread::describe).toList()) + "]";
      case Collection<?> all when all.size() < 10 -> describe(all.toArray());
      case String text -> "\"" + (text.length() > 60 ? text.substring(0, 60) : text) + "\"";
      case MemorySegment segment -> segment.toString();
      case Enum<?> constant -> constant.toString();
      case java.time.Duration duration -> duration.toString();
      case java.nio.file.Path path -> path.toString();
      default ->
          value.getClass().getName() + "@" + Integer.toHexString(System.identityHashCode(value));
    };
  }
}
