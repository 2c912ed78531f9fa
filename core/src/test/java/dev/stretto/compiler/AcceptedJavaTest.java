package dev.stretto.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.compiler.ir.Asm;
import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.Function;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.kernel.Const;
import dev.stretto.kernel.KernelThreads;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.Allocation;
import dev.stretto.memory.GlobalArray;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * The twins of what is refused do, after every pass, what they do as Java: they write the same, or
 * both fail.
 */
class AcceptedJavaTest {
  private static final int[] PLACE = {1, 1, 1};
  private static final int INTS = 64;
  private static final int CONSTANT = RefusedJavaTest.CONSTANT;

  /** What differs each time it is called, or prints. What waits for other threads is none of it. */
  private static final Set<String> OTHERS = Set.of("timeOfTheDevice", "labelPassedOn");

  @TestFactory
  Stream<DynamicTest> aKernelDoesAfterEveryPassWhatItDoesAsJava() {
    return RefusedJavaTest.kernels()
        .filter(method -> !method.isAnnotationPresent(Refused.class))
        .filter(method -> !OTHERS.contains(method.getName()))
        .map(method -> DynamicTest.dynamicTest(method.getName(), () -> check(method)));
  }

  private static void check(Method method) {
    boolean checked = method.getDeclaringClass().desiredAssertionStatus();
    boolean[] needsOthers = new boolean[1];
    RefusedJavaTest.compile(
        method, checked, 90, (_, function) -> needsOthers[0] = synchronizes(function));
    if (needsOthers[0]) {
      return;
    }
    for (int n : new int[] {-20, -3, 0, 1, 2, 3, 5, 9, 12}) {
      List<Long> expected = byJava(method, n);
      RefusedJavaTest.compile(
          method,
          checked,
          90,
          (pass, function) ->
              assertThat(interpreted(method, function, n))
                  .as("what %s(%d) writes after %s", method.getName(), n, pass)
                  .isEqualTo(expected));
    }
  }

  /** Whether its threads wait for each other, or share memory. */
  private static boolean synchronizes(Function function) {
    for (Block block : function.blocks()) {
      for (Op op : block.ops()) {
        boolean shares = op.code() == OpCode.SHARED_BASE || op.code() == OpCode.DYNAMIC_BASE;
        if (shares || (op.code() == OpCode.ASM && op.attribute(Asm.class).convergent())) {
          return true;
        }
      }
    }
    return false;
  }

  /** What a kernel of one thread writes; nothing if it fails. */
  private static List<Long> byJava(Method method, int n) {
    method.setAccessible(true);
    long[] data = data();
    try {
      KernelThreads.runPlain(
          PLACE, PLACE, block -> method.invoke(null, forJava(method, n, block, data)));
    } catch (InvocationTargetException e) {
      return List.of();
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
    return list(data);
  }

  private static List<Long> interpreted(Method method, Function function, int n) {
    long[] data = data();
    DeviceMemory memory = new DeviceMemory();
    Object[] arguments = forTheInterpreter(method, n, memory, data);
    try {
      Interpreter.of(function).run(new Interpreter.Shape(PLACE, PLACE, 0), memory, arguments);
    } catch (InterpretedThread.Trapped | DeviceMemory.MemoryFault e) {
      return List.of();
    }
    return list(data);
  }

  private static long[] data() {
    long[] data = new long[INTS / 2];
    Arrays.setAll(data, i -> i * 0x1_0000_0003L);
    return data;
  }

  private static List<Long> list(long[] data) {
    return Arrays.stream(data).boxed().toList();
  }

  private static Object[] forJava(Method method, int n, ThreadBlock block, long[] data) {
    Allocation allocation = KernelThreads.memory(1 << 20, MemorySegment.ofArray(data));
    List<Object> arguments = new ArrayList<>();
    for (Parameter parameter : method.getParameters()) {
      Class<?> type = parameter.getType();
      if (type == ThreadBlock.class) {
        arguments.add(block);
      } else if (type == GlobalBytes.class) {
        arguments.add(GlobalBytes.of(allocation));
      } else if (type == GlobalInts.class) {
        arguments.add(GlobalInts.of(allocation));
      } else if (type == GlobalFloats.class) {
        arguments.add(GlobalFloats.of(allocation));
      } else {
        arguments.add(parameter.isAnnotationPresent(Const.class) ? CONSTANT : number(type, n));
      }
    }
    return arguments.toArray();
  }

  private static Object[] forTheInterpreter(
      Method method, int n, DeviceMemory memory, long[] data) {
    List<Object> arguments = new ArrayList<>();
    for (Parameter parameter : method.getParameters()) {
      Class<?> type = parameter.getType();
      if (GlobalArray.class.isAssignableFrom(type)) {
        int bytes = type == GlobalBytes.class ? 1 : 4;
        arguments.add(memory.array(MemorySegment.ofArray(data), bytes));
      } else if (type != ThreadBlock.class && !parameter.isAnnotationPresent(Const.class)) {
        arguments.add(number(type, n));
      }
    }
    return arguments.toArray();
  }

  private static Object number(Class<?> type, int n) {
    return switch (type.getSimpleName()) {
      case "boolean" -> n > 0;
      case "byte" -> (byte) n;
      case "short" -> (short) n;
      case "long" -> (long) n;
      case "float" -> (float) n;
      case "double" -> (double) n;
      default -> n;
    };
  }
}
