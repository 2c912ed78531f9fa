package dev.stretto.compiler;

import dev.stretto.compiler.InterpretedCode.Call;
import dev.stretto.compiler.ir.Asm;
import dev.stretto.compiler.ir.Element;
import dev.stretto.compiler.ir.Type;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntBinaryOperator;
import java.util.function.IntPredicate;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;

/** What instructions of PTX do, by the name of the Java method that stands for them. */
final class InstructionMeanings {
  /** How an interpreter does an instruction. */
  sealed interface Meaning {}

  /** By one thread, which gets what this gives. */
  @FunctionalInterface
  non-sealed interface Alone extends Meaning {
    /** {@return the result; anything where there is none} */
    long run(InterpretedThread thread, Call call);
  }

  /**
   * By several threads at once, each of which gets what this gives for it.
   *
   * @param ofBlock whether it takes the whole block, not lanes of a warp
   * @param operands how many there are where all lanes of the warp take part; one more, in front,
   *     says which
   * @param passed which operand the others get to see, counted from the end
   * @param gathering what it does
   */
  record Together(boolean ofBlock, int operands, int passed, Gathering gathering)
      implements Meaning {
    /** {@return which lanes a thread says take part} */
    int members(InterpretedThread thread, Call call) {
      return call.operands().length > operands ? (int) thread.register(call.operands()[0]) : -1;
    }

    /** {@return what each thread of a group gets} */
    long[] results(Group group) {
      long[] values = new long[group.threads().size()];
      for (int i = 0; operands > 0 && i < values.length; i++) {
        values[i] = group.operand(i, passed);
      }
      long[] results = new long[values.length];
      for (int i = 0; i < values.length; i++) {
        results[i] = gathering.result(group, i, values);
      }
      return results;
    }
  }

  /** What threads do that have come together. */
  @FunctionalInterface
  interface Gathering {
    /**
     * {@return the result for one of them}
     *
     * @param self which
     * @param values what each passes
     */
    long result(Group group, int self, long[] values);
  }

  /** Threads that have come together, in the order of their ranks. */
  record Group(List<InterpretedThread> threads, Call call) {
    /** {@return an operand of a thread's, counted from the end: 0 is the last} */
    long operand(int thread, int fromEnd) {
      int[] operands = call.operands();
      return threads.get(thread).register(operands[operands.length - 1 - fromEnd]);
    }

    int lane(int thread) {
      return threads.get(thread).lane();
    }

    long fromLane(int self, int lane, long[] values) {
      for (int i = 0; i < values.length; i++) {
        if (lane(i) == lane) {
          return values[i];
        }
      }
      throw new InterpretedThread.Stuck(
          threads.get(self) + " reads from lane " + lane + ", which does not take part");
    }

    int mask(IntPredicate which) {
      int mask = 0;
      for (int i = 0; i < threads.size(); i++) {
        mask |= which.test(i) ? 1 << lane(i) : 0;
      }
      return mask;
    }
  }

  static final Alone DYNAMIC_BYTES = (thread, call) -> thread.place().dynamicBytes();

  private static final Map<String, Meaning> KNOWN = new HashMap<>();

  static {
    place("threadIndexX", thread -> thread.rank() % thread.place().block()[0]);
    place(
        "threadIndexY",
        thread -> thread.rank() / thread.place().block()[0] % thread.place().block()[1]);
    place(
        "threadIndexZ",
        thread -> thread.rank() / thread.place().block()[0] / thread.place().block()[1]);
    String axes = "XYZ";
    for (int i = 0; i < 3; i++) {
      int axis = i;
      place("blockIndex" + axes.charAt(i), thread -> thread.place().index()[axis]);
      place("blockSize" + axes.charAt(i), thread -> thread.place().block()[axis]);
      place("gridSize" + axes.charAt(i), thread -> thread.place().grid()[axis]);
    }
    alone("ThreadBlock.clock", (thread, call) -> thread.place().tick());
    alone("ThreadBlock.globalTimer", (thread, call) -> thread.place().tick());
    alone("Warp.lane", (thread, call) -> thread.lane());
    alone("Warp.index", (thread, call) -> thread.rank() / 32);
    alone("Warp.activeMask", (thread, call) -> 1 << thread.lane());
    alone("Atomics.fence", (thread, call) -> 0);
    alone(
        "PtxGrid.awaitGridsBefore",
        (thread, call) -> {
          thread.awaitGrids();
          return 0;
        });

    ofBlock("sync", 0, (group, self, values) -> 0);
    ofBlock("syncCount", 1, (group, self, values) -> count(values));
    ofBlock("syncAnd", 1, (group, self, values) -> Arithmetic.of(count(values) == values.length));
    ofBlock("syncOr", 1, (group, self, values) -> Arithmetic.of(count(values) > 0));

    ofWarp("sync", 0, (group, self, values) -> 0);
    ofWarp("elect", 0, (group, self, values) -> Arithmetic.of(self == 0));
    shuffle("shuffle", (lane, which) -> which);
    shuffle("shuffleUp", (lane, delta) -> lane < delta ? lane : lane - delta);
    shuffle("shuffleDown", (lane, delta) -> lane + delta > 31 ? lane : lane + delta);
    shuffle("shuffleXor", (lane, mask) -> lane ^ mask);
    ofWarp("ballot", 1, (group, self, values) -> group.mask(i -> values[i] != 0));
    ofWarp("any", 1, (group, self, values) -> Arithmetic.of(count(values) > 0));
    ofWarp("all", 1, (group, self, values) -> Arithmetic.of(count(values) == values.length));
    ofWarp("matchAny", 1, (group, self, values) -> group.mask(i -> values[i] == values[self]));
    reduce("reduceAdd", Integer::sum);
    reduce("reduceMin", Math::min);
    reduce("reduceMax", Math::max);
    reduce("reduceAnd", (a, b) -> a & b);
    reduce("reduceOr", (a, b) -> a | b);
    reduce("reduceXor", (a, b) -> a ^ b);

    atomic("add", InstructionMeanings::add);
    atomic("min", (cell, old, value) -> Math.min(old, value));
    atomic("max", (cell, old, value) -> Math.max(old, value));
    atomic("and", (cell, old, value) -> old & value);
    atomic("or", (cell, old, value) -> old | value);
    atomic("xor", (cell, old, value) -> old ^ value);
    atomic("exchange", (cell, old, value) -> value);
    atomic("storeRelease", (cell, old, value) -> value);
    atomic(
        "increment",
        (cell, old, limit) ->
            Integer.compareUnsigned((int) old, (int) limit) >= 0 ? 0 : (int) old + 1);
    atomic(
        "decrement",
        (cell, old, limit) ->
            old == 0 || Integer.compareUnsigned((int) old, (int) limit) > 0
                ? limit
                : (int) old - 1);
    alone(
        "Atomics.loadAcquire",
        (thread, call) -> {
          Element element = call.op().type() == Type.LONG ? Element.I64 : Element.I32;
          Cell cell = Cell.of(thread, call, element);
          return thread.memory().load(cell.shared, element, thread.register(cell.address));
        });
    alone(
        "Atomics.compareAndExchange",
        (thread, call) -> {
          int last = lastNumber(call);
          Cell cell = Cell.of(thread, call, elementOf(call.types()[last]));
          long address = thread.register(cell.address);
          long old = thread.memory().load(cell.shared, cell.element, address);
          if (old == thread.register(call.operands()[last - 1])) {
            long value = thread.register(call.operands()[last]);
            thread.memory().store(cell.shared, cell.element, address, value);
          }
          return old;
        });
  }

  private InstructionMeanings() {}

  /**
   * {@return what an instruction does}
   *
   * @throws UnsupportedOperationException if nobody said
   */
  static Meaning of(Asm asm) {
    String name = asm.name().replace('.', '/');
    int method = name.lastIndexOf('/');
    int owner = name.lastIndexOf('/', method - 1);
    Meaning known = KNOWN.get(name.substring(owner + 1, method) + "." + name.substring(method + 1));
    if (known != null) {
      return known;
    }
    if (asm.convergent() || asm.results().size() != 1) {
      throw new UnsupportedOperationException("the interpreter does not know " + asm.name());
    }
    return (Alone) (thread, call) -> byItsBody(asm, name.substring(0, method), thread, call);
  }

  /** A static method of numbers alone means what its Java body does. */
  private static long byItsBody(Asm asm, String owner, InterpretedThread thread, Call call) {
    try {
      String simple = asm.name().substring(asm.name().lastIndexOf('.') + 1);
      for (Method method : Class.forName(owner.replace('/', '.')).getDeclaredMethods()) {
        if (method.getName().equals(simple)
            && Modifier.isStatic(method.getModifiers())
            && takes(method, call.types())) {
          Object[] arguments = new Object[call.operands().length];
          for (int i = 0; i < arguments.length; i++) {
            arguments[i] =
                boxed(method.getParameterTypes()[i], thread.register(call.operands()[i]));
          }
          method.setAccessible(true);
          return Arithmetic.of(method.invoke(null, arguments), asm.results().getFirst());
        }
      }
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(asm.name(), e);
    }
    throw new UnsupportedOperationException("the interpreter does not know " + asm.name());
  }

  private static boolean takes(Method method, Type[] types) {
    Class<?>[] parameters = method.getParameterTypes();
    return parameters.length == types.length
        && IntStream.range(0, types.length).allMatch(i -> typeOf(parameters[i]) == types[i]);
  }

  private static Type typeOf(Class<?> type) {
    return switch (type.getName()) {
      case "boolean" -> Type.BOOL;
      case "byte", "short", "char", "int" -> Type.INT;
      case "long" -> Type.LONG;
      case "float" -> Type.FLOAT;
      case "double" -> Type.DOUBLE;
      default -> Type.REF;
    };
  }

  private static Object boxed(Class<?> type, long register) {
    return switch (type.getName()) {
      case "boolean" -> register != 0;
      case "byte" -> (byte) register;
      case "short" -> (short) register;
      case "char" -> (char) register;
      case "int" -> (int) register;
      case "long" -> register;
      case "float" -> Arithmetic.asFloat(register);
      default -> Arithmetic.asDouble(register);
    };
  }

  private static void alone(String name, Alone meaning) {
    KNOWN.put(name, meaning);
  }

  private static void place(String name, ToIntFunction<InterpretedThread> value) {
    alone("ThreadBlock." + name, (thread, call) -> value.applyAsInt(thread));
  }

  private static void ofBlock(String name, int operands, Gathering gathering) {
    KNOWN.put("ThreadBlock." + name, new Together(true, operands, 0, gathering));
  }

  private static void ofWarp(String name, int operands, Gathering gathering) {
    KNOWN.put("Warp." + name, new Together(false, operands, 0, gathering));
  }

  private static void shuffle(String name, IntBinaryOperator source) {
    // What every lane passes stands before the lane, the mask or the distance.
    Gathering gathering =
        (group, self, values) -> {
          int where = (int) group.operand(self, 0) & 31;
          return group.fromLane(self, source.applyAsInt(group.lane(self), where), values);
        };
    KNOWN.put("Warp." + name, new Together(false, 2, 1, gathering));
  }

  private static void reduce(String name, IntBinaryOperator operator) {
    ofWarp(
        name,
        1,
        (group, self, values) -> {
          int all = (int) values[0];
          for (int i = 1; i < values.length; i++) {
            all = operator.applyAsInt(all, (int) values[i]);
          }
          return all;
        });
  }

  private static int count(long[] values) {
    int count = 0;
    for (long value : values) {
      count += (int) value;
    }
    return count;
  }

  private interface Update {
    long of(Cell cell, long old, long value);
  }

  private record Cell(Element element, boolean shared, int address) {
    static Cell of(InterpretedThread thread, Call call, Element element) {
      for (int i = 0; i < call.types().length; i++) {
        if (call.types()[i].isAddress()) {
          if (!thread.mayAccess(call.types()[i] == Type.SHARED)) {
            throw new InterpretedThread.Stuck(thread + " has not awaited the kernels before");
          }
          return new Cell(element, call.types()[i] == Type.SHARED, call.operands()[i]);
        }
      }
      throw new IllegalArgumentException(
          "no address among the operands of " + call.op().attribute());
    }
  }

  private static void atomic(String name, Update update) {
    alone(
        "Atomics." + name,
        (thread, call) -> {
          int last = lastNumber(call);
          Cell cell = Cell.of(thread, call, elementOf(call.types()[last]));
          long address = thread.register(cell.address);
          long old = thread.memory().load(cell.shared, cell.element, address);
          long value = thread.register(call.operands()[last]);
          thread.memory().store(cell.shared, cell.element, address, update.of(cell, old, value));
          return old;
        });
  }

  private static int lastNumber(Call call) {
    int last = call.types().length - 1;
    while (!call.types()[last].isNumber()) {
      last--;
    }
    return last;
  }

  private static Element elementOf(Type type) {
    return switch (type) {
      case INT -> Element.I32;
      case LONG -> Element.I64;
      case FLOAT -> Element.F32;
      default -> Element.F64;
    };
  }

  private static long add(Cell cell, long a, long b) {
    return switch (cell.element) {
      case F32 -> {
        float x = Arithmetic.asFloat(a);
        float y = Arithmetic.asFloat(b);
        // In global memory, subnormal numbers count as zero.
        yield Arithmetic.of(cell.shared ? x + y : flushed(flushed(x) + flushed(y)));
      }
      case F64 -> Arithmetic.of(Arithmetic.asDouble(a) + Arithmetic.asDouble(b));
      case I32 -> (int) a + (int) b;
      default -> a + b;
    };
  }

  private static float flushed(float value) {
    return Math.abs(value) < Float.MIN_NORMAL ? Math.copySign(0f, value) : value;
  }
}
