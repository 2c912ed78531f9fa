package dev.stretto.agent;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.ArrayLoadInstruction;
import java.lang.classfile.instruction.ArrayStoreInstruction;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;

/** The instructions that access an array's elements, and what is added to them. */
final class AccessCode {
  private static final MethodTypeDesc ELEMENT =
      MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_Object, ConstantDescs.CD_int);

  private AccessCode() {}

  static boolean isAccess(CodeElement element) {
    return switch (element) {
      case ArrayLoadInstruction load -> load.typeKind() != TypeKind.REFERENCE;
      case ArrayStoreInstruction store -> store.typeKind() != TypeKind.REFERENCE;
      default -> false;
    };
  }

  /** Writes what an access has to tell. */
  static void tell(CodeBuilder code, CodeElement access) {
    switch (access) {
      case ArrayStoreInstruction store -> tell(code, store);
      default -> code.dup2().invokestatic(Hook.ACCESSES, "reads", ELEMENT);
    }
  }

  /** From (array, index, value), tells of array and index. */
  private static void tell(CodeBuilder code, ArrayStoreInstruction store) {
    if (store.typeKind().slotSize() == 2) {
      code.dup2_x2().pop2().dup2().invokestatic(Hook.ACCESSES, "writes", ELEMENT).dup2_x2().pop2();
    } else {
      code.dup_x2().pop().dup2().invokestatic(Hook.ACCESSES, "writes", ELEMENT).dup2_x1().pop2();
    }
  }
}
