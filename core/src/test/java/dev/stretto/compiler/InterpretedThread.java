package dev.stretto.compiler;

import dev.stretto.compiler.InterpretedCode.Call;
import dev.stretto.compiler.ir.Cond;
import dev.stretto.compiler.ir.Element;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.Trap;
import dev.stretto.compiler.ir.Type;
import java.util.Arrays;
import java.util.List;

/** One thread of an interpreted kernel: its registers, and where it is. */
final class InterpretedThread {
  /** A kernel that ended before its time, as it says itself. */
  static final class Trapped extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final transient Trap trap;

    Trapped(Trap trap, List<String> numbers, String where) {
      super(trap.kind() + " " + trap.message() + " " + numbers + " " + where);
      this.trap = trap;
    }

    /** {@return why} */
    Trap trap() {
      return trap;
    }
  }

  /** A kernel that cannot go on, or does not end. */
  static final class Stuck extends RuntimeException {
    private static final long serialVersionUID = 1;

    Stuck(String message) {
      super(message);
    }

    Stuck(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /** Where a block stands in the grid. */
  static final class Place {
    private final int[] grid;
    private final int[] block;
    private final int dynamicBytes;
    private final int[] index = new int[3];
    private long clock;

    Place(int[] grid, int[] block, int dynamicBytes) {
      this.grid = grid;
      this.block = block;
      this.dynamicBytes = dynamicBytes;
    }

    int[] grid() {
      return grid;
    }

    int[] block() {
      return block;
    }

    int[] index() {
      return index;
    }

    int dynamicBytes() {
      return dynamicBytes;
    }

    long tick() {
      return clock++;
    }
  }

  private static final OpCode[] OPCODES = OpCode.values();
  private static final Cond[] CONDS = Cond.values();
  private static final Element[] ELEMENTS = Element.values();
  private static final Type[] TYPES = Type.values();

  private final InterpretedCode code;
  private final DeviceMemory memory;
  private final Place place;
  private final DeviceMemory.Heap heap;
  private final List<String> printed;
  private final long[] registers;
  private int rank;
  private int at;
  private Call waitsFor;
  private boolean ended;

  /** Whether it has not waited for the kernels before this one yet, as it has to. */
  private boolean early;

  InterpretedThread(
      InterpretedCode code,
      DeviceMemory memory,
      Place place,
      DeviceMemory.Heap heap,
      List<String> printed) {
    this.code = code;
    this.memory = memory;
    this.place = place;
    this.heap = heap;
    this.printed = printed;
    this.registers = code.initial().clone();
  }

  /** Goes to the begin of the kernel as another thread; what values there were are left. */
  void begin(int newRank, long[] arguments) {
    rank = newRank;
    at = 0;
    waitsFor = null;
    ended = false;
    early = code.awaitsGrids();
    System.arraycopy(arguments, 0, registers, 0, arguments.length);
  }

  int rank() {
    return rank;
  }

  int lane() {
    return rank & 31;
  }

  Place place() {
    return place;
  }

  DeviceMemory memory() {
    return memory;
  }

  long register(int number) {
    return registers[number];
  }

  boolean hasEnded() {
    return ended;
  }

  /**
   * {@return the instruction that it does with others and has not done yet; null if it can go on}
   */
  Call waitsFor() {
    return waitsFor;
  }

  /** Goes on behind the instruction that it waited for. */
  void resume(long result) {
    if (waitsFor.result() >= 0) {
      registers[waitsFor.result()] = result;
    }
    waitsFor = null;
  }

  @Override
  public String toString() {
    return "thread " + rank + " of block " + Arrays.toString(place.index);
  }

  /** Runs until it ends, or has to wait for others. */
  void run(int jumps) {
    try {
      interpret(jumps);
    } catch (Trapped | Stuck e) {
      throw e;
    } catch (RuntimeException e) {
      throw new Stuck(e + " at " + describe(at) + " in " + this, e);
    }
  }

  /** Waits for the kernels before this one; here there are none. */
  void awaitGrids() {
    early = false;
  }

  /** Whether it may access memory: all of its block's, but no other without its wait. */
  boolean mayAccess(boolean shared) {
    return shared || !early;
  }

  private void requireAwaited(int place, boolean shared) {
    if (!mayAccess(shared)) {
      throw new Stuck(this + " has not awaited the kernels before at " + describe(place));
    }
  }

  private String describe(int place) {
    return code.opAt(place).code() + " of line " + code.opAt(place).line();
  }

  private void interpret(int jumps) {
    int[] c = code.code();
    long[] r = registers;
    int left = jumps;
    int p = at;
    try {
      while (true) {
        switch (c[p]) {
          case InterpretedCode.INTS -> {
            r[c[p + 2]] = Arithmetic.ints(OPCODES[c[p + 1]], (int) r[c[p + 3]], (int) r[c[p + 4]]);
            p += 5;
          }
          case InterpretedCode.LONGS -> {
            r[c[p + 2]] = Arithmetic.longs(OPCODES[c[p + 1]], r[c[p + 3]], r[c[p + 4]]);
            p += 5;
          }
          case InterpretedCode.FLOATS -> {
            r[c[p + 2]] =
                Arithmetic.of(
                    Arithmetic.floats(
                        OPCODES[c[p + 1]],
                        Arithmetic.asFloat(r[c[p + 3]]),
                        Arithmetic.asFloat(r[c[p + 4]]),
                        Arithmetic.asFloat(r[c[p + 5]])));
            p += 6;
          }
          case InterpretedCode.DOUBLES -> {
            r[c[p + 2]] =
                Arithmetic.of(
                    Arithmetic.doubles(
                        OPCODES[c[p + 1]],
                        Arithmetic.asDouble(r[c[p + 3]]),
                        Arithmetic.asDouble(r[c[p + 4]]),
                        Arithmetic.asDouble(r[c[p + 5]])));
            p += 6;
          }
          case InterpretedCode.COMPARE -> {
            r[c[p + 2]] =
                Arithmetic.of(Arithmetic.compare(CONDS[c[p + 1]], r[c[p + 3]], r[c[p + 4]]));
            p += 5;
          }
          case InterpretedCode.MOVE -> {
            r[c[p + 1]] = r[c[p + 2]];
            p += 3;
          }
          case InterpretedCode.SELECT -> {
            r[c[p + 1]] = r[r[c[p + 2]] != 0 ? c[p + 3] : c[p + 4]];
            p += 5;
          }
          case InterpretedCode.ELEMENT_ADDRESS -> {
            long address = r[c[p + 4]] + r[c[p + 5]] * c[p + 1];
            r[c[p + 3]] = c[p + 2] == 1 ? (int) address : address;
            p += 6;
          }
          case InterpretedCode.LOAD -> {
            requireAwaited(p, c[p + 1] == 1);
            r[c[p + 3]] = memory.load(c[p + 1] == 1, ELEMENTS[c[p + 2]], r[c[p + 4]]);
            p += 5;
          }
          case InterpretedCode.CONSTANT_GET -> {
            r[c[p + 2]] = code.constantAt(c[p + 1], r[c[p + 3]]);
            p += 4;
          }
          case InterpretedCode.STORE -> {
            requireAwaited(p, c[p + 1] == 1);
            memory.store(c[p + 1] == 1, ELEMENTS[c[p + 2]], r[c[p + 3]], r[c[p + 4]]);
            p += 5;
          }
          case InterpretedCode.JUMP -> {
            if (--left < 0) {
              throw new Stuck(this + " jumped " + jumps + " times, last at " + describe(p));
            }
            p = c[p + 1];
          }
          case InterpretedCode.BRANCH -> {
            if (--left < 0) {
              throw new Stuck(this + " jumped " + jumps + " times, last at " + describe(p));
            }
            p = c[r[c[p + 1]] != 0 ? p + 2 : p + 3];
          }
          case InterpretedCode.ALONE -> {
            Call call = code.call(c[p + 1]);
            long result = ((InstructionMeanings.Alone) call.meaning()).run(this, call);
            if (call.result() >= 0) {
              r[call.result()] = result;
            }
            p += 2;
          }
          case InterpretedCode.TOGETHER -> {
            waitsFor = code.call(c[p + 1]);
            p += 2;
            return;
          }
          case InterpretedCode.RETURN -> {
            requireAwaited(p, false);
            ended = true;
            return;
          }
          default -> p = rare(c, p, r);
        }
      }
    } finally {
      at = p;
    }
  }

  /** Apart, so that what is frequent is compiled well. */
  private int rare(int[] c, int p, long[] r) {
    return switch (c[p]) {
      case InterpretedCode.COMPARE_FLOATS -> {
        float a = Arithmetic.asFloat(r[c[p + 3]]);
        float b = Arithmetic.asFloat(r[c[p + 4]]);
        r[c[p + 2]] = Arithmetic.of(Arithmetic.compare(CONDS[c[p + 1]], (double) a, (double) b));
        yield p + 5;
      }
      case InterpretedCode.COMPARE_DOUBLES -> {
        double a = Arithmetic.asDouble(r[c[p + 3]]);
        double b = Arithmetic.asDouble(r[c[p + 4]]);
        r[c[p + 2]] = Arithmetic.of(Arithmetic.compare(CONDS[c[p + 1]], a, b));
        yield p + 5;
      }
      case InterpretedCode.NOT -> {
        r[c[p + 1]] = r[c[p + 2]] ^ 1;
        yield p + 3;
      }
      case InterpretedCode.IS_NAN -> {
        long bits = r[c[p + 3]];
        r[c[p + 2]] =
            Arithmetic.of(
                TYPES[c[p + 1]] == Type.FLOAT
                    ? Float.isNaN(Arithmetic.asFloat(bits))
                    : Double.isNaN(Arithmetic.asDouble(bits)));
        yield p + 4;
      }
      case InterpretedCode.CONVERT -> {
        r[c[p + 3]] = Arithmetic.convert(TYPES[c[p + 1]], TYPES[c[p + 2]], r[c[p + 4]]);
        yield p + 5;
      }
      case InterpretedCode.NARROW -> {
        r[c[p + 2]] = Arithmetic.narrow(ELEMENTS[c[p + 1]], r[c[p + 3]]);
        yield p + 4;
      }
      case InterpretedCode.ZERO_EXTEND -> {
        r[c[p + 1]] = r[c[p + 2]] & 0xFFFF_FFFFL;
        yield p + 3;
      }
      case InterpretedCode.TO_HALF -> {
        r[c[p + 2]] = Arithmetic.toHalf(ELEMENTS[c[p + 1]], Arithmetic.asFloat(r[c[p + 3]]));
        yield p + 4;
      }
      case InterpretedCode.FROM_HALF -> {
        r[c[p + 2]] = Arithmetic.of(Arithmetic.fromHalf(ELEMENTS[c[p + 1]], (short) r[c[p + 3]]));
        yield p + 4;
      }
      case InterpretedCode.LOAD_VECTOR -> {
        requireAwaited(p, c[p + 1] == 1);
        Element element = ELEMENTS[c[p + 2]];
        int count = c[p + 3];
        long address = r[c[p + 5]];
        memory.checkVector(c[p + 1] == 1, address, element.bytes() * count);
        for (int i = 0; i < count; i++) {
          r[c[p + 4] + i] = memory.load(c[p + 1] == 1, element, address + i * element.bytes());
        }
        yield p + 6;
      }
      case InterpretedCode.STORE_VECTOR -> {
        requireAwaited(p, c[p + 1] == 1);
        Element element = ELEMENTS[c[p + 2]];
        int count = c[p + 3];
        long address = r[c[p + 4]];
        memory.checkVector(c[p + 1] == 1, address, element.bytes() * count);
        for (int i = 0; i < count; i++) {
          memory.store(c[p + 1] == 1, element, address + i * element.bytes(), r[c[p + 5 + i]]);
        }
        yield p + 5 + count;
      }
      case InterpretedCode.PRINT -> {
        Call call = code.call(c[p + 1]);
        printed.add(call.op().attribute() + " " + number(call, 0));
        yield p + 2;
      }
      case InterpretedCode.CHECK -> {
        if (r[c[p + 1]] == 0) {
          throw trapped(code.call(c[p + 2]));
        }
        yield p + 3;
      }
      case InterpretedCode.FAIL -> throw trapped(code.call(c[p + 1]));
      default -> objects(c, p, r);
    };
  }

  private int objects(int[] c, int p, long[] r) {
    return switch (c[p]) {
      case InterpretedCode.NEW -> {
        r[c[p + 1]] = heap.add(new long[c[p + 2]]);
        yield p + 3;
      }
      case InterpretedCode.GET_FIELD -> {
        r[c[p + 1]] = heap.get(r[c[p + 2]])[c[p + 3]];
        yield p + 4;
      }
      case InterpretedCode.PUT_FIELD -> {
        heap.get(r[c[p + 1]])[c[p + 2]] = r[c[p + 3]];
        yield p + 4;
      }
      case InterpretedCode.NEW_ARRAY -> {
        r[c[p + 1]] = heap.add(new long[(int) r[c[p + 2]]]);
        yield p + 3;
      }
      case InterpretedCode.ARRAY_LENGTH -> {
        r[c[p + 1]] = array(r[c[p + 2]]).length;
        yield p + 3;
      }
      case InterpretedCode.ARRAY_GET -> {
        r[c[p + 1]] = array(r[c[p + 2]])[(int) r[c[p + 3]]];
        yield p + 4;
      }
      case InterpretedCode.ARRAY_SET -> {
        long value = r[c[p + 4]];
        Element element = ELEMENTS[c[p + 1]];
        heap.get(r[c[p + 2]])[(int) r[c[p + 3]]] =
            element.bytes() < 4 ? Arithmetic.narrow(element, value) : value;
        yield p + 5;
      }
      case InterpretedCode.VIEW -> {
        r[c[p + 1]] = heap.add(r[c[p + 2]], r[c[p + 3]]);
        yield p + 4;
      }
      default -> throw new IllegalStateException("no instruction has the number " + c[p]);
    };
  }

  private Trapped trapped(Call call) {
    List<String> numbers =
        java.util.stream.IntStream.range(0, call.operands().length)
            .mapToObj(i -> number(call, i))
            .toList();
    return new Trapped(call.op().attribute(Trap.class), numbers, call.op().line() + ", " + this);
  }

  private String number(Call call, int operand) {
    long register = registers[call.operands()[operand]];
    return switch (call.types()[operand]) {
      case FLOAT -> String.valueOf(Arithmetic.asFloat(register));
      case DOUBLE -> String.valueOf(Arithmetic.asDouble(register));
      case BOOL -> String.valueOf(register != 0);
      default -> String.valueOf(register);
    };
  }

  /** A local array, or one whose content is known. */
  private long[] array(long reference) {
    return reference < 0 ? code.constantArray(reference) : heap.get(reference);
  }
}
