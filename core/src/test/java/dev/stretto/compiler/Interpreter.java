package dev.stretto.compiler;

import dev.stretto.compiler.InstructionMeanings.Group;
import dev.stretto.compiler.InstructionMeanings.Together;
import dev.stretto.compiler.InterpretedCode.Call;
import dev.stretto.compiler.ir.Function;
import dev.stretto.compiler.ir.Type;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs a kernel that is still a graph, for a whole grid: block after block, and of a block one
 * thread after the other. Where threads do an instruction together, each runs up to it and lets the
 * next one run; all of them have to come to the same one, which is stricter than a GPU and catches
 * a pass that doubles it.
 *
 * <p>The kernel's arguments are its entry's parameters in order: an array is the address of its
 * first element followed by its length.
 */
final class Interpreter {
  /** How many jumps a thread may do between two meetings with others. */
  private static final int JUMPS = 2_000_000;

  private final InterpretedCode code;
  private final List<String> printed = new ArrayList<>();

  private Interpreter(InterpretedCode code) {
    this.code = code;
  }

  /**
   * How a kernel is launched.
   *
   * @param grid blocks in x, y and z
   * @param block threads in x, y and z
   * @param dynamicBytes of dynamic shared memory
   */
  @SuppressWarnings("ArrayRecordComponent") // shapes are not compared
  record Shape(int[] grid, int[] block, int dynamicBytes) {
    static Shape of(int blocks, int threads) {
      return new Shape(new int[] {blocks, 1, 1}, new int[] {threads, 1, 1}, 0);
    }

    int blocks() {
      return grid[0] * grid[1] * grid[2];
    }

    int threads() {
      return block[0] * block[1] * block[2];
    }
  }

  /** Gets a kernel ready. Changes to it later are not seen. */
  static Interpreter of(Function function) {
    return new Interpreter(InterpretedCode.of(function));
  }

  /** {@return whether another kernel does exactly the same} */
  boolean isSame(Interpreter other) {
    return code.isSame(other.code);
  }

  /** {@return the lines that threads printed} */
  List<String> printed() {
    return printed;
  }

  /**
   * Runs the kernel.
   *
   * @param arguments numbers, and arrays of this memory
   * @throws InterpretedThread.Trapped if it ends itself before its time
   * @throws InterpretedThread.Stuck if it does not end, or does what the GPU would refuse
   */
  void run(Shape shape, DeviceMemory memory, Object... arguments) {
    long[] registers = registers(arguments);
    InterpretedThread.Place place =
        new InterpretedThread.Place(shape.grid, shape.block, shape.dynamicBytes);
    DeviceMemory.Heap heap = new DeviceMemory.Heap();
    InterpretedThread[] threads = new InterpretedThread[code.gathers() ? shape.threads() : 1];
    for (int i = 0; i < threads.length; i++) {
      threads[i] = new InterpretedThread(code, memory, place, heap, printed);
    }
    for (int number = 0; number < shape.blocks(); number++) {
      place.index()[0] = number % shape.grid[0];
      place.index()[1] = number / shape.grid[0] % shape.grid[1];
      place.index()[2] = number / shape.grid[0] / shape.grid[1];
      memory.freshShared(code.sharedBytes() + shape.dynamicBytes);
      heap.clear();
      if (code.gathers()) {
        runTogether(threads, registers);
      } else {
        for (int rank = 0; rank < shape.threads(); rank++) {
          heap.clear();
          threads[0].begin(rank, registers);
          threads[0].run(JUMPS);
        }
      }
    }
  }

  private long[] registers(Object[] arguments) {
    List<Type> types = code.parameterTypes();
    long[] registers = new long[types.size()];
    int next = 0;
    for (Object argument : arguments) {
      if (argument instanceof DeviceMemory.Array array) {
        registers[next++] = array.address();
        registers[next++] = array.length();
      } else {
        registers[next] = Arithmetic.of(argument, types.get(next));
        next++;
      }
    }
    if (next != registers.length) {
      throw new IllegalArgumentException(
          next + " values for the " + registers.length + " parameters " + types);
    }
    return registers;
  }

  private static void runTogether(InterpretedThread[] threads, long[] arguments) {
    for (int rank = 0; rank < threads.length; rank++) {
      threads[rank].begin(rank, arguments);
    }
    while (true) {
      boolean running = false;
      for (InterpretedThread thread : threads) {
        if (!thread.hasEnded()) {
          running = true;
          if (thread.waitsFor() == null) {
            thread.run(JUMPS);
          }
        }
      }
      if (!running) {
        return;
      }
      if (!meet(threads)) {
        return;
      }
    }
  }

  /** Lets threads go on that have come together; false if all have ended. */
  private static boolean meet(InterpretedThread[] threads) {
    boolean met = false;
    boolean allEnded = true;
    for (InterpretedThread thread : threads) {
      allEnded &= thread.hasEnded();
      Call call = thread.waitsFor();
      if (call != null) {
        List<InterpretedThread> group = group(thread, call, threads);
        if (group != null) {
          doTogether(new Group(group, call), (Together) call.meaning());
          met = true;
        }
      }
    }
    if (!met && !allEnded) {
      throw deadlock(threads);
    }
    return !allEnded;
  }

  /** The threads that do a call with this one, in order; null if one of them is not there yet. */
  @SuppressWarnings("ReferenceEquality") // the same instruction, not one like it
  private static List<InterpretedThread> group(
      InterpretedThread self, Call call, InterpretedThread[] threads) {
    Together together = (Together) call.meaning();
    int from = together.ofBlock() ? 0 : self.rank() / 32 * 32;
    int to = together.ofBlock() ? threads.length : Math.min(threads.length, from + 32);
    int members = together.members(self, call);
    List<InterpretedThread> group = new ArrayList<>();
    for (int i = from; i < to; i++) {
      InterpretedThread thread = threads[i];
      boolean member = together.ofBlock() || (members >>> (i & 31) & 1) != 0;
      if (!member || thread.hasEnded()) {
        continue;
      }
      if (thread.waitsFor() != call || together.members(thread, call) != members) {
        return null;
      }
      group.add(thread);
    }
    if (!group.contains(self)) {
      throw new InterpretedThread.Stuck(self + " is none of the lanes that it waits for");
    }
    return group;
  }

  private static void doTogether(Group group, Together together) {
    long[] results = together.results(group);
    for (int i = 0; i < results.length; i++) {
      group.threads().get(i).resume(results[i]);
    }
  }

  private static InterpretedThread.Stuck deadlock(InterpretedThread[] threads) {
    StringBuilder who = new StringBuilder("threads wait for each other in different places:");
    for (InterpretedThread thread : threads) {
      Call call = thread.waitsFor();
      if (call != null) {
        who.append("\n  ").append(thread).append(" at ").append(call.op().line());
        who.append(" for ").append(call.op().attribute());
      }
    }
    return new InterpretedThread.Stuck(who.toString());
  }
}
