package dev.stretto.compiler.jvm;

import dev.stretto.compiler.ir.Element;
import dev.stretto.compiler.ir.Op;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;

/** Writes operations on local arrays that stay arrays, since a called method keeps them. */
final class ArrayCode {
  private static final MethodTypeDesc USES =
      MethodTypeDesc.of(
          ConstantDescs.CD_void,
          ConstantDescs.CD_Object,
          ConstantDescs.CD_int,
          ConstantDescs.CD_boolean,
          ConstantDescs.CD_int);

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
        watch(op, false, place);
        element(op, kind, place);
        code.arrayLoad(kind);
      }
      default -> {
        watch(op, true, place);
        element(op, kind, place);
        place.push(op.operand(2));
        code.arrayStore(kind);
      }
    }
  }

  /** A product of a warp group may own the registers for which the array stands. */
  private static void watch(Op op, boolean writes, MemoryCode.Place place) {
    if (place.isLight()) {
      return;
    }
    CodeBuilder code = place.code();
    Label end = code.newLabel();
    place.hoists().field(code, "watchable", ConstantDescs.CD_boolean);
    code.ifeq(end);
    place.pushBlock();
    place.push(op.operand(0));
    place.push(op.operand(1));
    code.loadConstant(writes ? 1 : 0).loadConstant(place.site(op));
    code.invokevirtual(Names.BLOCK, "usesRegister", USES);
    code.labelBinding(end);
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
