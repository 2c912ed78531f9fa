package dev.stretto.compiler.jvm;

import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.BlockParam;
import dev.stretto.compiler.ir.Element;
import dev.stretto.compiler.ir.Function;
import dev.stretto.compiler.ir.Function.Edge;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.Table;
import dev.stretto.compiler.ir.Type;
import dev.stretto.compiler.ir.Value;
import dev.stretto.compiler.ir.Vector;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Writes loads and stores. */
final class MemoryCode {
  private static final ClassDesc V = ConstantDescs.CD_void;
  private static final ClassDesc I = ConstantDescs.CD_int;
  private static final ClassDesc J = ConstantDescs.CD_long;

  /** What a step's method has that loads and stores use. */
  interface Place {
    CodeBuilder code();

    Hoists hoists();

    void push(Value value);

    void pushBlock();

    void set(Cell cell);

    int site(Op op);

    /** Whether blocks that nobody watches may copy in a short way. */
    default boolean hasShortCopies() {
      return false;
    }

    /** Whether the code is only for such blocks. */
    default boolean isLight() {
      return false;
    }

    /**
     * Writes a call of a method of its own in which the library's method is called.
     *
     * @return false if the library's method is to be called here
     */
    default boolean callsElsewhere(Op op) {
      return false;
    }
  }

  /** How an element is read. */
  private record Access(String name, ClassDesc type) {
    static Access of(Element element) {
      return switch (element) {
        case I8, U8 -> new Access("Byte", ConstantDescs.CD_byte);
        case I16, F16, BF16 -> new Access("Short", ConstantDescs.CD_short);
        case U16 -> new Access("Char", ConstantDescs.CD_char);
        case I32 -> new Access("Int", I);
        case I64 -> new Access("Long", J);
        case F32 -> new Access("Float", ConstantDescs.CD_float);
        case F64 -> new Access("Double", ConstantDescs.CD_double);
      };
    }
  }

  private final Cells cells;
  private final Table<Block, List<Edge>> predecessors;
  private final Table<BlockParam, Block> homes = new Table<>();
  private final boolean watchesRaces;
  private final boolean watchesGlobal;
  private final Set<Op> guesses;

  /**
   * Creates a writer.
   *
   * @param watchesRaces whether accesses may race with those of other threads, and with copies
   * @param watchesGlobal whether copies may read what threads store in global memory
   */
  MemoryCode(Function function, Cells cells, boolean watchesRaces, boolean watchesGlobal) {
    this.cells = cells;
    this.predecessors = function.predecessors();
    for (Block block : function.blocks()) {
      block.params().forEach(param -> homes.put(param, block));
    }
    this.watchesRaces = watchesRaces;
    this.watchesGlobal = watchesGlobal;
    this.guesses = watchesRaces ? GuessedLoads.of(function) : Set.of();
  }

  /** The parameter of the kernel that an address was computed from; -1 if there are several. */
  int origin(Value address) {
    return origin(address, new HashSet<>());
  }

  /** The parameter of the kernel that an address was computed from; -1 if there are several. */
  private int origin(Value address, Set<Value> seen) {
    if (!seen.add(address)) {
      return ANY;
    }
    int parameter = cells.parameter(address);
    if (parameter >= 0) {
      return parameter;
    }
    if (address instanceof Op op) {
      return switch (op.code()) {
        case ELEMENT, OFFSET -> origin(op.operand(0), seen);
        case SELECT -> same(origin(op.operand(1), seen), origin(op.operand(2), seen));
        default -> -1;
      };
    }
    if (address instanceof BlockParam param) {
      Block home = homes.get(param);
      int index = home.params().indexOf(param);
      int all = ANY;
      for (Edge edge : predecessors.get(home)) {
        all = same(all, origin(edge.target().arguments().get(index), seen));
      }
      return all;
    }
    return -1;
  }

  private static final int ANY = Integer.MAX_VALUE;

  private static int same(int a, int b) {
    return a == ANY ? b : b == ANY || a == b ? a : -1;
  }

  private boolean isShared(Op op) {
    return op.operand(0).type() == Type.SHARED;
  }

  void load(Op op, Place place, Cell result) {
    Element element = op.attribute(Element.class);
    watch(op, element.bytes(), true, place);
    read(op, element, 0, place);
    place.set(result);
  }

  void loadVector(Op op, Place place) {
    Vector vector = op.attribute(Vector.class);
    watch(op, vector.count() * vector.element().bytes(), true, place);
    for (int i = 0; i < vector.count(); i++) {
      read(op, vector.element(), i * vector.element().bytes(), place);
      place.set(cells.setBy(op).get(i));
    }
  }

  void store(Op op, Place place) {
    Element element = op.attribute(Element.class);
    watch(op, element.bytes(), false, place);
    write(op, element, 0, op.operand(1), place);
    stored(op, place);
  }

  void storeVector(Op op, Place place) {
    Vector vector = op.attribute(Vector.class);
    watch(op, vector.count() * vector.element().bytes(), false, place);
    for (int i = 0; i < vector.count(); i++) {
      write(op, vector.element(), i * vector.element().bytes(), op.operand(i + 1), place);
    }
    stored(op, place);
  }

  private void stored(Op op, Place place) {
    if (watchesRaces) {
      place.pushBlock();
      place.code().loadConstant(place.site(op));
      place.code().invokevirtual(Names.BLOCK, "hasStored", MethodTypeDesc.of(V, I));
    }
  }

  private void read(Op op, Element element, int offset, Place place) {
    Access access = Access.of(element);
    CodeBuilder code = place.code();
    position(op, offset, place);
    if (isShared(op)) {
      code.invokestatic(
          Names.WORDS, "get" + access.name, MethodTypeDesc.of(access.type, Names.INTS, I));
    } else {
      code.invokestatic(
          Names.MEMORY, "get" + access.name, MethodTypeDesc.of(access.type, Names.SEGMENT, J));
    }
    if (element == Element.F16 || element == Element.BF16) {
      Expressions.fromHalf(code, element);
    }
  }

  private void write(Op op, Element element, int offset, Value value, Place place) {
    Access access = Access.of(element);
    CodeBuilder code = place.code();
    position(op, offset, place);
    place.push(value);
    switch (element) {
      case F16, BF16 -> Expressions.toHalf(code, element);
      case I8 -> code.i2b();
      case I16 -> code.i2s();
      case U16 -> code.i2c();
      default -> {}
    }
    if (isShared(op)) {
      code.invokestatic(
          Names.WORDS, "set" + access.name, MethodTypeDesc.of(V, Names.INTS, I, access.type));
    } else {
      code.invokestatic(
          Names.MEMORY, "set" + access.name, MethodTypeDesc.of(V, Names.SEGMENT, J, access.type));
    }
  }

  /** Pushes the memory and the offset. */
  private void position(Op op, int offset, Place place) {
    CodeBuilder code = place.code();
    Value address = op.operand(0);
    if (isShared(op)) {
      place.hoists().field(code, "words", Names.INTS);
      place.push(address);
      if (offset != 0) {
        code.loadConstant(offset).iadd();
      }
      return;
    }
    int parameter = origin(address, new HashSet<>());
    if (parameter >= 0 && parameter != ANY) {
      place.hoists().segment(code, parameter);
      place.push(address);
      place.hoists().parameter(code, parameter, TypeKind.LONG);
      code.lsub();
    } else {
      place.pushBlock();
      place.push(address);
      code.invokevirtual(Names.BLOCK, "memoryAt", MethodTypeDesc.of(Names.SEGMENT, J));
      place.pushBlock();
      place.push(address);
      code.invokevirtual(Names.BLOCK, "offsetOf", MethodTypeDesc.of(J, J));
    }
    if (offset != 0) {
      code.loadConstant((long) offset).ladd();
    }
  }

  private void watch(Op op, int bytes, boolean reads, Place place) {
    CodeBuilder code = place.code();
    if (isShared(op) && watchesRaces) {
      Label end = code.newLabel();
      place.hoists().field(code, "watchable", ConstantDescs.CD_boolean);
      code.ifeq(end);
      place.pushBlock();
      code.invokevirtual(Names.BLOCK, "isWatched", MethodTypeDesc.of(ConstantDescs.CD_boolean));
      code.ifeq(end);
      place.pushBlock();
      place.push(op.operand(0));
      code.loadConstant(bytes).loadConstant(place.site(op));
      String name = guesses.contains(op) ? "guesses" : reads ? "reads" : "writes";
      code.invokevirtual(Names.BLOCK, name, MethodTypeDesc.of(V, I, I, I));
      code.labelBinding(end);
    } else if (!isShared(op) && watchesRaces) {
      Label end = code.newLabel();
      int parameter = origin(op.operand(0));
      if (parameter >= 0 && parameter != ANY) {
        place.hoists().field(code, "isRacing", ConstantDescs.CD_boolean.arrayType());
        code.loadConstant(parameter).baload().ifeq(end);
      }
      place.pushBlock();
      place.push(op.operand(0));
      code.loadConstant(bytes).loadConstant(place.site(op));
      String name = guesses.contains(op) ? "guessesGlobal" : reads ? "readsGlobal" : "writesGlobal";
      code.invokevirtual(Names.BLOCK, name, MethodTypeDesc.of(V, J, I, I));
      code.labelBinding(end);
    }
    if (!isShared(op) && !reads && watchesGlobal) {
      place.pushBlock();
      place.push(op.operand(0));
      code.loadConstant(bytes).loadConstant(place.site(op));
      code.invokevirtual(Names.BLOCK, "stores", MethodTypeDesc.of(V, J, I, I));
    }
  }
}
