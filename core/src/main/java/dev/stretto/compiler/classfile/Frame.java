package dev.stretto.compiler.classfile;

import dev.stretto.compiler.ir.Type;
import dev.stretto.compiler.ir.Value;
import java.lang.classfile.attribute.StackMapFrameInfo.SimpleVerificationTypeInfo;
import java.lang.classfile.attribute.StackMapFrameInfo.VerificationTypeInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The local variables and the stack at one place of a method. */
final class Frame {
  private final @Nullable Value[] locals;
  private final List<Value> stack = new ArrayList<>();

  Frame(int maxLocals) {
    locals = new Value[maxLocals];
  }

  static Frame ofArguments(int maxLocals, List<Value> arguments) {
    Frame frame = new Frame(maxLocals);
    int slot = 0;
    for (Value argument : arguments) {
      frame.locals[slot] = argument;
      slot += isWide(argument) ? 2 : 1;
    }
    return frame;
  }

  /** The type of an entry of a class file's stack map frame; VOID if it has none. */
  static Type type(VerificationTypeInfo type) {
    if (type instanceof SimpleVerificationTypeInfo simple) {
      return switch (simple) {
        case TOP -> Type.VOID;
        case INTEGER -> Type.INT;
        case FLOAT -> Type.FLOAT;
        case LONG -> Type.LONG;
        case DOUBLE -> Type.DOUBLE;
        case NULL, UNINITIALIZED_THIS -> Type.REF;
      };
    }
    return Type.REF;
  }

  static int slots(VerificationTypeInfo type) {
    return type == SimpleVerificationTypeInfo.LONG || type == SimpleVerificationTypeInfo.DOUBLE
        ? 2
        : 1;
  }

  static boolean isWide(Value value) {
    return value.type() == Type.LONG || value.type() == Type.DOUBLE;
  }

  Frame copy() {
    Frame copy = new Frame(locals.length);
    System.arraycopy(locals, 0, copy.locals, 0, locals.length);
    copy.stack.addAll(stack);
    return copy;
  }

  boolean hasLocal(int slot) {
    return locals[slot] != null;
  }

  Value local(int slot) {
    Value value = locals[slot];
    if (value == null) {
      throw new IllegalStateException("local " + slot + " has no value");
    }
    return value;
  }

  void local(int slot, Value value) {
    locals[slot] = value;
  }

  void push(Value value) {
    stack.add(value);
  }

  Value pop() {
    return stack.removeLast();
  }

  Value stack(int index) {
    return stack.get(index);
  }

  /** The number of values on the stack, however wide they are. */
  int depth() {
    return stack.size();
  }

  /** Inserts a value at a depth of that many values. */
  void insert(int deep, Value value) {
    stack.add(stack.size() - deep, value);
  }

  /** Whether the stack holds a value that matches. */
  boolean has(Predicate<Value> which) {
    return stack.stream().anyMatch(which);
  }

  /** Replaces an object everywhere by the one that it turned out to be. */
  void replace(Value old, Value now) {
    stack.replaceAll(value -> value == old ? now : value);
    for (int i = 0; i < locals.length; i++) {
      if (locals[i] == old) {
        locals[i] = now;
      }
    }
  }
}
