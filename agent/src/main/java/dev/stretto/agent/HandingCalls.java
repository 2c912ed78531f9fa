package dev.stretto.agent;

import static dev.stretto.agent.Hook.When.BEFORE;
import static dev.stretto.agent.Hook.When.BEHIND;
import static dev.stretto.agent.Hook.When.WITH_RESULT;

import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The methods by which threads hand over what they know, by their names. Of a method of the JDK
 * that may wait for others in ways that nobody knows of, whoever calls it may have got everything.
 */
final class HandingCalls {
  private static final String CONCURRENT = "java.util.concurrent.";

  /** The types of tasks. */
  private static final Set<String> TASKS =
      Set.of(
          "java.lang.Runnable",
          CONCURRENT + "Callable",
          "java.util.function.Supplier",
          "java.util.function.Function",
          "java.util.function.BiFunction",
          "java.util.function.Consumer",
          "java.util.function.BiConsumer");

  /** Of java.util.concurrent, what hands over nothing. */
  private static final Set<String> HARMLESS =
      Set.of("TimeUnit", "ThreadLocalRandom", "Executors", "Callable", "ThreadFactory");

  /** Packages of the JDK whose methods wait for nobody, with all below them. */
  private static final List<String> QUIET =
      List.of(
          "java.lang.",
          "java.util.",
          "java.math.",
          "java.time.",
          "java.text.",
          "java.nio.",
          "java.security.");

  /** …but for these. */
  private static final List<String> LOUD =
      List.of(
          "java.lang.Process",
          "java.lang.Runtime",
          "java.lang.ref.",
          "java.lang.reflect.Method",
          "java.lang.invoke.MethodHandle",
          "java.util.Timer",
          "java.util.logging.",
          "java.util.prefs.",
          "java.nio.channels.",
          "java.nio.file.");

  /** Types that hand something over, whoever extends them. */
  private static final List<String> KINDS =
      List.of(
          "java.util.Collection",
          "java.util.Map",
          CONCURRENT + "locks.Lock",
          CONCURRENT + "locks.AbstractOwnableSynchronizer",
          CONCURRENT + "CountDownLatch",
          CONCURRENT + "Semaphore",
          CONCURRENT + "Exchanger",
          CONCURRENT + "CyclicBarrier",
          CONCURRENT + "Phaser");

  private static final Set<String> PARTS =
      Set.of(
          "newCondition", "readLock", "writeLock", "asReadLock", "asWriteLock", "asReadWriteLock");

  /** Parts of Stretto that run the program's code on other threads, or wait for it. */
  private static final List<String> WAITING =
      List.of("dev.stretto.flow.", "dev.stretto.Tasks", "dev.stretto.WorkScope");

  private HandingCalls() {}

  /** {@return what a call hands over} */
  static Handing of(Call call, Supertypes supertypes) {
    if (call.owner().isArray()) {
      return Handing.NOTHING;
    }
    if (isMonitor(call)) {
      return call.name().equals("wait")
          ? hooks(before("unlocks", 0), behind("locks", 0))
          : hooks(before("unlocks", 0));
    }
    String owner = call.ownerName();
    boolean isOfJdk = owner.startsWith("java.") || owner.startsWith("javax.");
    if (owner.startsWith("dev.stretto.")) {
      Handing its = ofStretto(call, owner);
      if (!its.isNothing()) {
        return its;
      }
    }
    if (supertypes.is(owner, "java.lang.Thread")) {
      return ofThread(call);
    }
    if (owner.startsWith("java.lang.Thread$Builder")
        || supertypes.is(owner, CONCURRENT + "ThreadFactory")) {
      return new Handing(List.of(), tasks(call, "task"));
    }
    if (Handles.isHandle(call.owner())
        || (owner.startsWith(CONCURRENT + "atomic.") && owner.endsWith("FieldUpdater"))) {
      return ofHandle(call);
    }
    if (supertypes.is(owner, CONCURRENT + "ForkJoinTask")) {
      return isConstructor(call) ? Handing.NOTHING : unknown();
    }
    if (supertypes.is(owner, CONCURRENT + "Executor")) {
      return ofExecutor(call);
    }
    if (supertypes.is(owner, CONCURRENT + "CompletionStage")
        || supertypes.is(owner, CONCURRENT + "Future")) {
      return FutureCalls.of(call, tasks(call, "task"));
    }
    if (owner.equals(CONCURRENT + "locks.LockSupport")) {
      return call.name().equals("unpark") ? hooks(before("wakes", 0)) : Handing.NOTHING;
    }
    if (isOfJdk
        ? isOfKind(owner, supertypes)
        : KINDS.stream().anyMatch(it -> supertypes.is(owner, it))) {
      return ofKind(call);
    }
    if (owner.startsWith("java.util.stream.") || call.name().equals("parallelStream")) {
      return ofStream(call);
    }
    return isOfJdk && isLoud(owner) && !isConstructor(call) ? unknown() : Handing.NOTHING;
  }

  private static boolean isMonitor(Call call) {
    String type = call.type().descriptorString();
    return !call.isStatic()
        && switch (call.name()) {
          case "wait" -> type.equals("()V") || type.equals("(J)V") || type.equals("(JI)V");
          case "notify", "notifyAll" -> type.equals("()V");
          default -> false;
        };
  }

  private static Handing ofThread(Call call) {
    return switch (call.name()) {
      case ConstantDescs.INIT_NAME, "startVirtualThread" ->
          new Handing(List.of(), tasks(call, "task"));
      case "start" -> hooks(before("starts", 0));
      case "join", "isAlive", "getState" -> hooks(behind("looksAt", 0));
      case "interrupt" -> hooks(before("wakes", 0));
      default -> Handing.NOTHING;
    };
  }

  private static Handing ofHandle(Call call) {
    return call.name().equals("get") || call.name().equals("set")
        ? Handing.NOTHING
        : hooks(before("givesByHandle"), behind("takesByHandle"));
  }

  private static Handing ofExecutor(Call call) {
    return switch (call.name()) {
      case "execute" -> new Handing(List.of(), tasks(call, "lambda"));
      case "submit", "schedule", "scheduleAtFixedRate", "scheduleWithFixedDelay" -> {
        Map<Integer, String> tasks = tasks(call, "task");
        yield tasks.isEmpty()
            ? unknown()
            : new Handing(
                List.of(new Hook(Hook.THREADS, "made", WITH_RESULT, places(tasks))), tasks);
      }
      case "invokeAll", "invokeAny" ->
          new Handing(List.of(behind("called")), Map.of(1, Handing.COLLECTION));
      case "awaitTermination",
          "close",
          "isTerminated",
          "isQuiescent",
          "awaitQuiescence",
          "invoke" ->
          unknown();
      default -> Handing.NOTHING;
    };
  }

  static List<Hook.Operand> places(Map<Integer, String> tasks) {
    return tasks.keySet().stream().sorted().<Hook.Operand>map(Hook.Operand.Argument::new).toList();
  }

  private static boolean isOfKind(String owner, Supertypes supertypes) {
    if (owner.startsWith(CONCURRENT)) {
      String simple = owner.substring(CONCURRENT.length());
      return !HARMLESS.contains(simple) && !simple.endsWith("Exception");
    }
    return owner.equals("java.io.PrintStream")
        || owner.equals("java.io.PrintWriter")
        || owner.equals("java.io.Writer")
        || owner.equals("java.lang.StringBuffer")
        || owner.equals("java.lang.Iterable")
        || owner.equals("java.util.Iterator")
        || supertypes.is(owner, "java.util.Collection")
        || supertypes.is(owner, "java.util.Map")
        || supertypes.is(owner, "java.util.Dictionary");
  }

  private static Handing ofKind(Call call) {
    if (isConstructor(call)) {
      return new Handing(
          List.of(),
          call.ownerName().equals(CONCURRENT + "CyclicBarrier") ? tasks(call, "task") : Map.of());
    }
    if (call.isStatic()) {
      return Handing.NOTHING;
    }
    if (PARTS.contains(call.name()) && !call.type().returnType().isPrimitive()) {
      return hooks(Hook.ofThreads("partOf", WITH_RESULT, 0));
    }
    if (call.name().equals("parallelStream")) {
      return hooks(before("isParallel"));
    }
    List<Hook> all = new ArrayList<>();
    if (call.type().parameterList().stream().anyMatch(HandingCalls::isFunction)) {
      all.add(before("givesWithin", 0));
    }
    all.add(before("gives", 0));
    all.add(behind("takes", 0));
    return new Handing(all, Map.of());
  }

  private static Handing ofStream(Call call) {
    if (call.isStatic() || isConstructor(call)) {
      return Handing.NOTHING;
    }
    return call.name().startsWith("parallel")
        ? hooks(before("isParallel"))
        : hooks(before("callsStream"), behind("calledStream"));
  }

  private static Handing ofStretto(Call call, String owner) {
    if (WAITING.stream().anyMatch(owner::startsWith)) {
      return isConstructor(call) ? hooks(before("calls")) : unknown();
    }
    return call.type().parameterList().stream().anyMatch(HandingCalls::isFunction)
        ? hooks(before("calls"))
        : Handing.NOTHING;
  }

  private static boolean isLoud(String owner) {
    return LOUD.stream().anyMatch(owner::startsWith) || QUIET.stream().noneMatch(owner::startsWith);
  }

  /** {@return whether it is code that somebody else may run} */
  private static boolean isFunction(ClassDesc type) {
    String name = Supertypes.nameOf(type);
    return name.equals("java.lang.Runnable")
        || name.startsWith("java.util.function.")
        || name.startsWith(CONCURRENT);
  }

  static boolean isConstructor(Call call) {
    return call.name().equals(ConstantDescs.INIT_NAME);
  }

  /** {@return the places of a call's tasks} */
  private static Map<Integer, String> tasks(Call call, String hook) {
    Map<Integer, String> places = new HashMap<>();
    for (int i = 0; i < call.type().parameterCount(); i++) {
      if (TASKS.contains(Supertypes.nameOf(call.type().parameterType(i)))) {
        places.put(i + call.firstParameter(), hook);
      }
    }
    return places;
  }

  private static Handing unknown() {
    return hooks(before("calls"), behind("called"));
  }

  static Hook before(String name, int... arguments) {
    return Hook.ofThreads(name, BEFORE, arguments);
  }

  static Hook behind(String name, int... arguments) {
    return Hook.ofThreads(name, BEHIND, arguments);
  }

  static Handing hooks(Hook... hooks) {
    return new Handing(List.of(hooks), Map.of());
  }
}
