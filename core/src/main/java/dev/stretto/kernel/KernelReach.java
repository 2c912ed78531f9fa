package dev.stretto.kernel;

import dev.stretto.compiler.reach.AccessKind;
import dev.stretto.compiler.reach.Numbers;
import dev.stretto.compiler.reach.Reach;
import dev.stretto.compiler.reach.Reached;
import dev.stretto.driver.LaunchShape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a kernel does with the memory that it is given: inferred from its method, declared by the
 * program, or, if neither is possible, assumed to be everything. Immutable.
 */
public final class KernelReach {
  private final List<Parameter> parameters;
  private final @Nullable Reach inferred;
  private final List<ArgumentUse> uses;
  private final boolean isAssumed;

  private KernelReach(
      List<Parameter> parameters,
      @Nullable Reach inferred,
      List<ArgumentUse> uses,
      boolean isAssumed) {
    this.parameters = parameters;
    this.inferred = inferred;
    this.uses = uses;
    this.isAssumed = isAssumed;
  }

  static KernelReach inferred(List<Parameter> parameters, Reach reach) {
    List<ArgumentUse> uses = new ArrayList<>();
    for (int i = 0; i < parameters.size(); i++) {
      boolean isAtomic = reach.does(i, AccessKind.ATOMIC);
      uses.add(
          ArgumentUse.of(
              isAtomic || reach.does(i, AccessKind.READ) || reach.does(i, AccessKind.ATOMIC_READ),
              isAtomic || reach.does(i, AccessKind.WRITE)));
    }
    return new KernelReach(parameters, reach, List.copyOf(uses), false);
  }

  static KernelReach assumed(List<Parameter> parameters) {
    return new KernelReach(
        parameters,
        null,
        parameters.stream()
            .map(it -> it.hasMemory() ? ArgumentUse.READ_AND_WRITTEN : ArgumentUse.NONE)
            .toList(),
        true);
  }

  /**
   * What the program declares.
   *
   * @throws IllegalArgumentException if it declares more or fewer, or something of a number
   */
  static KernelReach declared(List<Parameter> parameters, List<ArgumentUse> uses) {
    if (uses.size() != parameters.size()) {
      throw new IllegalArgumentException(
          "the kernel takes %d arguments, and %d uses are declared: declare one for each, NONE for a"
                  .formatted(parameters.size(), uses.size())
              + " number");
    }
    for (int i = 0; i < uses.size(); i++) {
      if (uses.get(i) != ArgumentUse.NONE && !parameters.get(i).hasMemory()) {
        throw new IllegalArgumentException(
            "argument %d is a %s, which a kernel cannot read or write: declare NONE"
                .formatted(i, parameters.get(i).type().getSimpleName()));
      }
    }
    return new KernelReach(parameters, null, List.copyOf(uses), false);
  }

  /** {@return what the kernel does with each argument; nothing with a number} */
  public List<ArgumentUse> uses() {
    return uses;
  }

  /**
   * {@return whether nothing is known: all arrays count as read and written} So it is for a kernel
   * that is PTX or machine code, if the program does not declare what it does and its Java twin
   * cannot be compiled.
   */
  public boolean isAssumed() {
    return isAssumed;
  }

  /**
   * {@return the bytes that a launch may access} It accesses no other bytes of these arguments. The
   * bytes are exact where the kernel's indices follow from the launch's shape and numbers; where
   * they depend on what is in memory, they are all bytes that such an index may stand for.
   *
   * @param shape the launch's shape
   * @param values its packed arguments, see {@link Parameter#pack}
   */
  public List<ArgumentBytes> at(LaunchShape shape, MemorySegment values) {
    Objects.requireNonNull(shape, "shape");
    Objects.requireNonNull(values, "values");
    return inferred == null ? whole(values) : exact(inferred, shape, values);
  }

  /**
   * {@return how threads next to each other access the memory that a launch is given, place by
   * place; nothing if the kernel was not compiled from a method}
   *
   * @param shape the launch's shape
   * @param values its packed arguments, see {@link Parameter#pack}
   */
  public List<ArgumentAccess> accesses(LaunchShape shape, MemorySegment values) {
    Objects.requireNonNull(shape, "shape");
    Objects.requireNonNull(values, "values");
    return inferred == null
        ? List.of()
        : inferred.neighbours(new LaunchNumbers(parameters, shape, values)).stream()
            .map(
                it ->
                    new ArgumentAccess(
                        it.argument(),
                        it.kind() == AccessKind.WRITE || it.kind() == AccessKind.ATOMIC,
                        it.bytes(),
                        it.distance()))
            .distinct()
            .toList();
  }

  private List<ArgumentBytes> whole(MemorySegment values) {
    List<ArgumentBytes> all = new ArrayList<>();
    for (int i = 0; i < uses.size(); i++) {
      long bytes = bytes(i, values);
      if (uses.get(i).isRead()) {
        all.add(new ArgumentBytes(i, false, false, 0, bytes, bytes, 1, 0, 1));
      }
      if (uses.get(i).isWritten()) {
        all.add(new ArgumentBytes(i, true, false, 0, bytes, bytes, 1, 0, 1));
      }
    }
    return List.copyOf(all);
  }

  private List<ArgumentBytes> exact(Reach reach, LaunchShape shape, MemorySegment values) {
    List<ArgumentBytes> all = new ArrayList<>();
    for (Reached reached : reach.at(new LaunchNumbers(parameters, shape, values))) {
      ArgumentBytes bytes = within(reached, bytes(reached.argument(), values));
      if (bytes != null) {
        all.add(bytes);
      }
    }
    return List.copyOf(all);
  }

  /** The bytes of an array; of a tensor map all that it may stand for. */
  private long bytes(int argument, MemorySegment values) {
    Parameter parameter = parameters.get(argument);
    return parameter.isArray()
        ? values.get(ValueLayout.JAVA_LONG_UNALIGNED, parameter.lengthOffset())
            * parameter.elementBytes()
        : Long.MAX_VALUE;
  }

  private static @Nullable ArgumentBytes within(Reached reached, long bytes) {
    long offset = reached.offset();
    boolean isAtomic =
        reached.kind() == AccessKind.ATOMIC || reached.kind() == AccessKind.ATOMIC_READ;
    boolean isWritten = reached.kind() == AccessKind.ATOMIC || reached.kind() == AccessKind.WRITE;
    if (offset >= bytes) {
      return null;
    }
    if (reached.rows() == 1 && reached.planes() == 1) {
      long width = Math.min(reached.width(), bytes - offset);
      return new ArgumentBytes(
          reached.argument(), isWritten, isAtomic, offset, width, width, 1, 0, 1);
    }
    return new ArgumentBytes(
        reached.argument(),
        isWritten,
        isAtomic,
        offset,
        reached.width(),
        reached.pitch(),
        reached.rows(),
        reached.plane(),
        reached.planes());
  }

  private record LaunchNumbers(List<Parameter> parameters, LaunchShape shape, MemorySegment values)
      implements Numbers {
    @Override
    public long argument(int number, int component) {
      Parameter parameter = parameters.get(number);
      if (!parameter.isRecord()) {
        return number(parameter.type(), parameter.offset());
      }
      RecordLayout layout = RecordLayout.of(parameter.type());
      return number(layout.typeOf(component), parameter.offset() + layout.offset(component));
    }

    private long number(Class<?> type, long at) {
      return switch (type.getName()) {
        case "boolean", "byte" -> values.get(ValueLayout.JAVA_BYTE, at);
        case "short" -> values.get(ValueLayout.JAVA_SHORT_UNALIGNED, at);
        case "char" -> values.get(ValueLayout.JAVA_CHAR_UNALIGNED, at);
        case "long" -> values.get(ValueLayout.JAVA_LONG_UNALIGNED, at);
        default -> values.get(ValueLayout.JAVA_INT_UNALIGNED, at);
      };
    }

    @Override
    public long length(int number) {
      return values.get(ValueLayout.JAVA_LONG_UNALIGNED, parameters.get(number).lengthOffset());
    }

    @Override
    public int blockSize(int dimension) {
      return switch (dimension) {
        case 0 -> shape.blockX();
        case 1 -> shape.blockY();
        default -> shape.blockZ();
      };
    }

    @Override
    public int gridSize(int dimension) {
      return switch (dimension) {
        case 0 -> shape.gridX();
        case 1 -> shape.gridY();
        default -> shape.gridZ();
      };
    }
  }
}
