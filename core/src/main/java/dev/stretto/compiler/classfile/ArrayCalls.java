package dev.stretto.compiler.classfile;

import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.BlockParam;
import dev.stretto.compiler.ir.Builder;
import dev.stretto.compiler.ir.Cond;
import dev.stretto.compiler.ir.Constant;
import dev.stretto.compiler.ir.Element;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.Target;
import dev.stretto.compiler.ir.Type;
import dev.stretto.compiler.ir.Value;
import java.lang.constant.ClassDesc;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Translates the JDK's methods for local arrays into loops, which are unrolled like any other loop.
 */
final class ArrayCalls {
  private final Site site;
  private final Builder builder;

  ArrayCalls(Site site) {
    this.site = site;
    this.builder = site.builder();
  }

  static boolean isKnown(String owner, String name) {
    return switch (name) {
      case "arraycopy" -> owner.equals("java/lang/System");
      case "fill" -> owner.equals("java/util/Arrays");
      case "clone" -> owner.startsWith("[");
      default -> false;
    };
  }

  /** The result, or nothing if the method is not one of these. */
  Optional<Value> call(String owner, String name, String descriptor, List<Value> arguments) {
    switch (name) {
      case "fill" -> fill(descriptor.substring(1), arguments);
      case "clone" -> {
        return Optional.of(copy(owner, arguments.getFirst()));
      }
      default -> copy(arguments);
    }
    return Optional.empty();
  }

  private void fill(String type, List<Value> arguments) {
    Value array = arguments.getFirst();
    boolean whole = arguments.size() == 2;
    Value from = whole ? Constant.of(0) : arguments.get(1);
    Value to = whole ? builder.op(OpCode.ARRAY_LENGTH, Type.INT, array) : arguments.get(2);
    loop(
        builder.op(OpCode.SUB, Type.INT, to, from),
        i -> set(type, array, builder.op(OpCode.ADD, Type.INT, from, i), arguments.getLast()));
  }

  private Value copy(String type, Value array) {
    Value length = builder.op(OpCode.ARRAY_LENGTH, Type.INT, array);
    Value copy = builder.op(OpCode.NEW_ARRAY, Type.REF, element(type), length);
    site.type(copy, type);
    loop(length, i -> set(type, copy, i, get(type, array, i)));
    return copy;
  }

  private void copy(List<Value> arguments) {
    Value from = arguments.get(0);
    Value fromIndex = arguments.get(1);
    Value to = arguments.get(2);
    Value toIndex = arguments.get(3);
    Value count = arguments.get(4);
    String type = site.typeOf(from);
    String other = site.typeOf(to);
    if (type == null || other == null) {
      throw site.refuse(
          "the compiler cannot determine which array is copied", "copy the elements in a loop");
    }
    if (element(type) != element(other)) {
      throw site.refuse(
          "a kernel cannot copy " + name(type) + " into " + name(other),
          "use arrays of the same type, or convert the elements in a loop");
    }
    // Both may be the same array: then no element may be overwritten before it is copied.
    Value up = builder.cmp(Cond.GE, fromIndex, toIndex);
    Value last = builder.op(OpCode.SUB, Type.INT, count, Constant.of(1));
    loop(
        count,
        i -> {
          Value down = builder.op(OpCode.SUB, Type.INT, last, i);
          Value at = builder.op(OpCode.SELECT, Type.INT, up, i, down);
          Value element = get(type, from, builder.op(OpCode.ADD, Type.INT, fromIndex, at));
          set(type, to, builder.op(OpCode.ADD, Type.INT, toIndex, at), element);
        });
  }

  private Value get(String type, Value array, Value index) {
    Element element = element(type);
    Type is = element == null ? Type.REF : element.type();
    Value value = builder.op(OpCode.ARRAY_GET, is, element, array, index);
    site.type(value, type.substring(1));
    return value;
  }

  private void set(String type, Value array, Value index, Value value) {
    builder.op(OpCode.ARRAY_SET, Type.VOID, element(type), array, index, value);
  }

  private void loop(Value count, Consumer<Value> body) {
    Block head = new Block();
    Block round = new Block();
    Block after = new Block();
    BlockParam i = head.param(Type.INT);
    builder.jump(head, List.of(Constant.of(0)));
    builder.at(head);
    builder.branch(
        builder.cmp(Cond.LT, i, count), new Target(round, List.of()), new Target(after, List.of()));
    builder.at(round);
    body.accept(i);
    builder.jump(head, List.of(builder.op(OpCode.ADD, Type.INT, i, Constant.of(1))));
    builder.at(after);
  }

  private static @org.jspecify.annotations.Nullable Element element(String type) {
    char inner = type.charAt(1);
    return inner == '[' || inner == 'L' ? null : Site.element(inner);
  }

  /** Java's name for an array type. */
  static String name(String descriptor) {
    return ClassDesc.ofDescriptor(descriptor).displayName().replace('$', '.');
  }
}
