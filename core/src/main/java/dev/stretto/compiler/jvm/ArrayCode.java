package dev.stretto.compiler.jvm;

import dev.stretto.compiler.ir.Element;
import dev.stretto.compiler.ir.Op;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;

/** Writes operations on local arrays that stay arrays, since a called method keeps them. */
final class ArrayCode {
  private ArrayCode() {}

  /** Writes an operation; a result is left on the operand stack. */
  static void write(Op op, MemoryCode.Place place) {
    CodeBuilder code = place.code();
    TypeKind kind = kind(op.attribute(Element.class));
    switch (op.code()) {
      case NEW_ARRAY -> {
        place.push(op.operand(0));
        code.newarray(kind);
      }
      case ARRAY_GET -> {
        element(op, kind, place);
        code.arrayLoad(kind);
      }
      default -> {
        element(op, kind, place);
        place.push(op.operand(2));
        code.arrayStore(kind);
      }
    }
  }

  private static void element(Op op, TypeKind kind, MemoryCode.Place place) {
    place.push(op.operand(0));
    place.code().checkcast(kind.upperBound().arrayType());
    place.push(op.operand(1));
  }

  /** How an array holds elements. */
  static TypeKind kind(Element element) {
    return switch (element) {
      case I8 -> TypeKind.BYTE;
      case I16 -> TypeKind.SHORT;
      case U16 -> TypeKind.CHAR;
      default -> Cell.kind(element.type());
    };
  }
}
