package dev.stretto.compiler.jvm;

import dev.stretto.compiler.ir.Type;
import java.lang.classfile.TypeKind;

/** A number that a thread has: the result of an operation, or a parameter of a block. */
final class Cell {
  private final int number;
  private final TypeKind kind;
  private int slot = -1;

  Cell(int number, Type type) {
    this.number = number;
    this.kind = kind(type);
  }

  static TypeKind kind(Type type) {
    return switch (type) {
      case BOOL, INT, SHARED -> TypeKind.INT;
      case LONG, GLOBAL -> TypeKind.LONG;
      case FLOAT -> TypeKind.FLOAT;
      case DOUBLE -> TypeKind.DOUBLE;
      case REF -> TypeKind.REFERENCE;
      default -> throw new IllegalArgumentException("a thread has no " + type);
    };
  }

  int number() {
    return number;
  }

  TypeKind kind() {
    return kind;
  }

  /** Its place among the cells of its kind in a frame; -1 if it never outlives a step. */
  int slot() {
    return slot;
  }

  void slot(int place) {
    slot = place;
  }
}
