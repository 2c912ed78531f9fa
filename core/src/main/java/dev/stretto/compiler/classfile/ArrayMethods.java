package dev.stretto.compiler.classfile;

import dev.stretto.compiler.ir.Attribute;
import dev.stretto.compiler.ir.Builder;
import dev.stretto.compiler.ir.Cond;
import dev.stretto.compiler.ir.Constant;
import dev.stretto.compiler.ir.Element;
import dev.stretto.compiler.ir.Field;
import dev.stretto.compiler.ir.NewObject;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.Requirement;
import dev.stretto.compiler.ir.SharedVariable;
import dev.stretto.compiler.ir.Trap;
import dev.stretto.compiler.ir.Type;
import dev.stretto.compiler.ir.Value;
import dev.stretto.compiler.ir.Vector;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Translates the methods of global and shared arrays. */
final class ArrayMethods {
  private static final String GLOBAL = "dev/stretto/memory/Global";
  private static final String SHARED = "dev/stretto/kernel/Shared";
  private static final String BLOCK = "dev/stretto/kernel/ThreadBlock";
  private static final String CLUSTER = "dev/stretto/kernel/Cluster";
  private static final String LENGTH = "the length of a shared array must be a positive constant";
  private static final Requirement POSITIVE =
      new Requirement(
          LENGTH,
          LENGTH,
          "write a number, a static final or a @Const parameter, or use block.dynamicShared()");
  private static final List<String> PARTS = List.of("x", "y", "z", "w");
  private static final Map<String, Element> ELEMENTS =
      Map.of(
          "Bytes", Element.I8,
          "Shorts", Element.I16,
          "Ints", Element.I32,
          "Longs", Element.I64,
          "Floats", Element.F32,
          "Doubles", Element.F64,
          "Halfs", Element.F16,
          "Bfloats", Element.BF16);

  private final Site site;
  private final Builder builder;

  ArrayMethods(Site site) {
    this.site = site;
    this.builder = site.builder();
  }

  /** The element type of a global or shared array class; null for another class. */
  static @Nullable Element elementOf(String internalName) {
    if (internalName.startsWith(GLOBAL)) {
      return ELEMENTS.get(internalName.substring(GLOBAL.length()));
    }
    if (internalName.startsWith(SHARED)) {
      return ELEMENTS.get(internalName.substring(SHARED.length()));
    }
    return null;
  }

  static boolean isGlobal(String internalName) {
    return internalName.startsWith(GLOBAL) && elementOf(internalName) != null;
  }

  static boolean isShared(String internalName) {
    return internalName.startsWith(SHARED) && elementOf(internalName) != null;
  }

  boolean isMemory(String owner, String name) {
    return elementOf(owner) != null
        || owner.equals(GLOBAL + "Array")
        || owner.equals(SHARED + "Array")
        || (owner.equals(CLUSTER) && name.equals("shared"))
        || (owner.equals(BLOCK) && (name.startsWith("shared") || name.equals("dynamicShared")));
  }

  @Nullable Value call(String owner, String name, String descriptor, List<Value> arguments) {
    if (owner.equals(BLOCK)) {
      return name.equals("dynamicShared") ? dynamic() : fixed(name, arguments.get(1));
    }
    if (owner.equals(CLUSTER)) {
      String type = descriptor.substring(descriptor.indexOf(")L") + 2, descriptor.length() - 1);
      Element element = elementOf(type);
      if (element == null) {
        throw new AssertionError(descriptor);
      }
      return ofBlock(new View(arguments.get(1), element, Type.SHARED), arguments.get(2));
    }
    Value view = arguments.getFirst();
    Element element = elementOf(owner);
    if (name.equals("length")) {
      // A shared array's length is kept as an INT, a global one's as a LONG.
      boolean shared = owner.startsWith(SHARED);
      return builder.op(OpCode.VIEW_LENGTH, shared ? Type.INT : Type.LONG, view);
    }
    if (name.equals("elementBytes")) {
      return builder.op(OpCode.VIEW_WIDTH, Type.INT, view);
    }
    if (element != null) {
      View on = new View(view, element, owner.startsWith(SHARED) ? Type.SHARED : Type.GLOBAL);
      switch (name) {
        case "get" -> {
          return load(on, arguments.get(1));
        }
        case "set" -> {
          store(on, arguments.get(1), arguments.get(2));
          return null;
        }
        case "slice" -> {
          return slice(on, arguments.get(1), arguments.get(2));
        }
        case "get2", "get4" -> {
          return loadVector(on, name.charAt(3) - '0', arguments.get(1), descriptor);
        }
        case "set2", "set4" -> {
          storeVector(on, name.charAt(3) - '0', arguments.get(1), arguments.get(2), descriptor);
          return null;
        }
        default -> {
          Element other = name.startsWith("as") ? ELEMENTS.get(name.substring(2)) : null;
          if (other != null) {
            return reinterpret(on, other);
          }
        }
      }
    }
    throw site.refuse(
        "a kernel cannot call " + Calls.shortName(owner) + "." + name,
        "kernels use get, set, slice, length and elementBytes of an array");
  }

  /** A view that a kernel holds; its parts may become known later. */
  private record View(Value value, Element element, Type space) {
    Type lengthType() {
      return space == Type.SHARED ? Type.INT : Type.LONG;
    }
  }

  private Value base(View view) {
    return builder.op(OpCode.VIEW_BASE, view.space, view.value);
  }

  private Value length(View view) {
    return builder.op(OpCode.VIEW_LENGTH, view.lengthType(), view.value);
  }

  private Value address(View view, Value index) {
    return builder.op(
        OpCode.ELEMENT, view.space, new Attribute.Count(view.element.bytes()), base(view), index);
  }

  private Value checkedAddress(View view, Value index) {
    Value length = length(view);
    if (site.isForCalls() && view.space == Type.SHARED) {
      // On the JVM, shared memory counts bytes.
      Constant width = Constant.of((long) view.element.bytes());
      site.check(
          builder.cmp(Cond.ULT, index, length),
          Trap.Kind.INDEX,
          Trap.BYTES,
          builder.op(OpCode.MUL, Type.LONG, builder.toLong(index), width),
          builder.op(OpCode.MUL, Type.LONG, builder.toLong(length), width));
      return address(view, index);
    }
    site.check(builder.cmp(Cond.ULT, index, length), Trap.Kind.INDEX, "", index, length);
    return address(view, index);
  }

  /**
   * The address of an element, for an instruction that takes an address.
   *
   * @param unread whether the instruction reads nothing there, so that any address is legal; or
   *     null if it always reads or writes
   */
  Value address(Value view, String owner, Value index, @Nullable Value unread) {
    boolean shared = owner.startsWith(SHARED);
    Value at = shared ? index : builder.toLong(index);
    Element element = elementOf(owner);
    if (element == null) {
      return byteAddress(view, shared ? Type.SHARED : Type.GLOBAL, at, unread);
    }
    return checkedAddress(new View(view, element, shared ? Type.SHARED : Type.GLOBAL), at);
  }

  /** The address in an array of which only the space is known: there the index counts bytes. */
  private Value byteAddress(Value view, Type space, Value index, @Nullable Value unread) {
    Type type = space == Type.SHARED ? Type.INT : Type.LONG;
    Value width = builder.op(OpCode.VIEW_WIDTH, Type.INT, view);
    Value bytes =
        builder.op(
            OpCode.MUL,
            type,
            builder.op(OpCode.VIEW_LENGTH, type, view),
            type == Type.INT ? width : builder.toLong(width));
    Value inside = builder.cmp(Cond.ULT, index, bytes);
    site.check(
        unread == null ? inside : builder.op(OpCode.OR, Type.BOOL, unread, inside),
        Trap.Kind.INDEX,
        "",
        index,
        bytes);
    return builder.op(
        OpCode.ELEMENT,
        space,
        new Attribute.Count(1),
        builder.op(OpCode.VIEW_BASE, space, view),
        index);
  }

  private Value load(View view, Value index) {
    return builder.op(OpCode.LOAD, view.element.type(), view.element, checkedAddress(view, index));
  }

  private void store(View view, Value index, Value value) {
    builder.op(OpCode.STORE, Type.VOID, view.element, checkedAddress(view, index), value);
  }

  private Value vectorAddress(View view, int count, Value index) {
    Type type = view.lengthType();
    Value length = length(view);
    if (site.isForCalls()) {
      return vectorAddressForCalls(view, count, index, length);
    }
    Value last = builder.op(OpCode.ADD, type, index, number(type, count - 1));
    site.check(
        builder.op(
            OpCode.AND,
            Type.BOOL,
            builder.cmp(Cond.ULT, index, length),
            builder.cmp(Cond.ULT, last, length)),
        Trap.Kind.INDEX,
        "the last of " + count + " elements",
        last,
        length);
    site.check(
        builder.cmp(
            Cond.EQ,
            builder.op(OpCode.AND, type, index, number(type, count - 1)),
            Constant.zero(type)),
        Trap.Kind.ALIGNMENT,
        "a multiple of " + count,
        index);
    return address(view, index);
  }

  /** The JVM sees the address as well, and names the array. */
  private Value vectorAddressForCalls(View view, int count, Value index, Value length) {
    Type type = view.lengthType();
    Value counted = number(type, count);
    site.check(
        builder.op(
            OpCode.AND,
            Type.BOOL,
            builder.cmp(Cond.ULE, index, length),
            builder.cmp(Cond.ULE, counted, builder.op(OpCode.SUB, type, length, index))),
        Trap.Kind.SLICE,
        "",
        index,
        counted,
        length);
    Value address = address(view, index);
    Value low =
        builder.op(
            OpCode.AND,
            type,
            builder.op(OpCode.BITS, type, address),
            number(type, count * view.element.bytes() - 1));
    Value inner = builder.op(OpCode.AND, type, index, number(type, count - 1));
    site.check(
        builder.cmp(Cond.EQ, builder.op(OpCode.OR, type, low, inner), Constant.zero(type)),
        Trap.Kind.ALIGNMENT,
        view.space == Type.SHARED ? "shared" : "global",
        index,
        counted,
        builder.op(OpCode.BITS, type, base(view)),
        length,
        Constant.of(view.element.ordinal()));
    return address;
  }

  private static Constant number(Type type, int number) {
    return type == Type.INT ? Constant.of(number) : Constant.of((long) number);
  }

  private Value loadVector(View view, int count, Value index, String descriptor) {
    Value loaded =
        builder.op(
            OpCode.LOAD_VECTOR,
            Type.TUPLE,
            new Vector(view.element, count),
            vectorAddress(view, count, index));
    String type = descriptor.substring(descriptor.indexOf(")L") + 2, descriptor.length() - 1);
    Value object = builder.op(OpCode.NEW, Type.REF, new NewObject(type, true));
    for (int i = 0; i < count; i++) {
      Value part = builder.op(OpCode.EXTRACT, view.element.type(), new Attribute.Count(i), loaded);
      builder.op(
          OpCode.PUT_FIELD, Type.VOID, new Field(type, PARTS.get(i), view.element), object, part);
    }
    return object;
  }

  private void storeVector(View view, int count, Value index, Value object, String descriptor) {
    String type = descriptor.substring(descriptor.indexOf('L') + 1, descriptor.indexOf(';'));
    Value[] operands = new Value[count + 1];
    operands[0] = vectorAddress(view, count, index);
    for (int i = 0; i < count; i++) {
      operands[i + 1] =
          builder.op(
              OpCode.GET_FIELD,
              view.element.type(),
              new Field(type, PARTS.get(i), view.element),
              object);
    }
    builder.op(OpCode.STORE_VECTOR, Type.VOID, new Vector(view.element, count), operands);
  }

  private Value slice(View view, Value from, Value count) {
    Type type = view.lengthType();
    Value length = length(view);
    site.check(
        builder.op(
            OpCode.AND,
            Type.BOOL,
            builder.cmp(Cond.ULE, from, length),
            builder.cmp(Cond.ULE, count, builder.op(OpCode.SUB, type, length, from))),
        Trap.Kind.SLICE,
        "",
        from,
        count,
        length);
    return builder.op(OpCode.VIEW, Type.REF, view.element, address(view, from), count);
  }

  /** The JVM refuses a view that does not begin and end at whole elements. */
  private void checkWhole(View view, Value bytes, Element other) {
    Type type = view.lengthType();
    Value base = builder.op(OpCode.BITS, type, base(view));
    Value low =
        builder.op(
            OpCode.AND,
            type,
            builder.op(OpCode.OR, type, base, bytes),
            number(type, other.bytes() - 1));
    site.check(
        builder.cmp(Cond.EQ, low, Constant.zero(type)),
        Trap.Kind.ALIGNMENT,
        Trap.WHOLE,
        number(type, other.bytes()),
        number(type, 1),
        base,
        length(view),
        Constant.of(view.element.ordinal()));
  }

  private Value reinterpret(View view, Element other) {
    Type type = view.lengthType();
    Value bytes = builder.op(OpCode.MUL, type, length(view), number(type, view.element.bytes()));
    if (site.isForCalls() && other.bytes() > view.element.bytes()) {
      checkWhole(view, bytes, other);
    }
    int shift = Integer.numberOfTrailingZeros(other.bytes());
    Value count = builder.op(OpCode.USHR, type, bytes, Constant.of(shift));
    return builder.op(OpCode.VIEW, Type.REF, other, base(view), count);
  }

  /** The array at the same place in another block of the cluster. */
  private Value ofBlock(View view, Value rank) {
    if (site.isForCalls()) {
      throw new NotForCallsException("shared memory of another block");
    }
    return builder.op(
        OpCode.VIEW,
        Type.REF,
        view.element,
        builder.op(OpCode.CLUSTER_ADDRESS, Type.SHARED, base(view), rank),
        length(view));
  }

  private Value fixed(String name, Value length) {
    Element element = ELEMENTS.get(name.substring("shared".length()));
    if (element == null) {
      throw site.refuse("a block has no " + name, "see ThreadBlock for what it has");
    }
    int number = site.nextSharedArray();
    builder.op(OpCode.REQUIRE, Type.VOID, POSITIVE, builder.cmp(Cond.GE, length, Constant.of(1)));
    // A choice that depends on a constant is resolved once branches are folded.
    Value base =
        length instanceof Constant constant
            ? builder.op(
                OpCode.SHARED_BASE,
                Type.SHARED,
                new SharedVariable(number, element, constant.asInt()))
            : builder.op(
                OpCode.SHARED_BASE, Type.SHARED, new SharedVariable(number, element, 0), length);
    return builder.op(OpCode.VIEW, Type.REF, element, base, length);
  }

  private Value dynamic() {
    return builder.op(
        OpCode.VIEW,
        Type.REF,
        Element.I8,
        builder.op(OpCode.DYNAMIC_BASE, Type.SHARED),
        builder.op(OpCode.DYNAMIC_BYTES, Type.INT));
  }
}
