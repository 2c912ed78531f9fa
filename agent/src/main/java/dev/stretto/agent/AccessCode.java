package dev.stretto.agent;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.ArrayLoadInstruction;
import java.lang.classfile.instruction.ArrayStoreInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The instructions that access host memory, and what is added to them. */
final class AccessCode {
  private static final MethodTypeDesc ELEMENT =
      MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_Object, ConstantDescs.CD_int);

  private static final ClassDesc CHARSETS = ClassDesc.of("java.nio.charset.StandardCharsets");
  private static final ClassDesc CHARSET = ClassDesc.of("java.nio.charset.Charset");

  private final KnownCalls calls;

  AccessCode(KnownCalls calls) {
    this.calls = calls;
  }

  boolean isAccess(CodeElement element, Supertypes supertypes) {
    return switch (element) {
      case ArrayLoadInstruction load -> load.typeKind() != TypeKind.REFERENCE;
      case ArrayStoreInstruction store -> store.typeKind() != TypeKind.REFERENCE;
      case InvokeInstruction call -> !hooks(call, supertypes).isEmpty();
      default -> false;
    };
  }

  /**
   * Writes an element, and what it has to tell.
   *
   * @param free the first local variable that the method does not use
   */
  void add(CodeBuilder code, CodeElement element, Supertypes supertypes, int free) {
    switch (element) {
      case ArrayLoadInstruction load when load.typeKind() != TypeKind.REFERENCE ->
          code.dup2().invokestatic(Hook.OWNER, "reads", ELEMENT).with(load);
      case ArrayStoreInstruction store when store.typeKind() != TypeKind.REFERENCE ->
          store(code, store);
      case InvokeInstruction call -> {
        List<Hook> hooks = hooks(call, supertypes);
        if (hooks.isEmpty()) {
          code.with(call);
        } else {
          call(code, call, hooks, free);
        }
      }
      default -> code.with(element);
    }
  }

  /** From (array, index, value), tells of array and index. */
  private static void store(CodeBuilder code, ArrayStoreInstruction store) {
    if (store.typeKind().slotSize() == 2) {
      code.dup2_x2().pop2().dup2().invokestatic(Hook.OWNER, "writes", ELEMENT).dup2_x2().pop2();
    } else {
      code.dup_x2().pop().dup2().invokestatic(Hook.OWNER, "writes", ELEMENT).dup2_x1().pop2();
    }
    code.with(store);
  }

  // --- calls -----------------------------------------------------------------------------------

  private List<Hook> hooks(InvokeInstruction call, Supertypes supertypes) {
    String name = call.name().stringValue();
    ClassDesc owner = call.owner().asSymbol();
    if (owner.isArray()) {
      return owner.componentType().isPrimitive() && name.equals("clone")
          ? List.of(new Hook("reads", List.of(new Hook.Operand.Argument(0))))
          : List.of();
    }
    if (Handles.isHandle(owner)) {
      Hook hook = Handles.hook(name, call.typeSymbol());
      return hook == null ? List.of() : List.of(hook);
    }
    List<KnownCall> alike = calls.of(new KnownCall.Shape(name, call.typeSymbol().parameterList()));
    if (alike.isEmpty()) {
      return List.of();
    }
    boolean isStatic = call.opcode() == Opcode.INVOKESTATIC;
    KnownCall known = known(alike, Supertypes.nameOf(owner), isStatic, supertypes);
    return known == null ? List.of() : known.hooks();
  }

  private static @Nullable KnownCall known(
      List<KnownCall> alike, String owner, boolean isStatic, Supertypes supertypes) {
    for (KnownCall each : alike) {
      if (each.isStatic() == isStatic
          && (Supertypes.isOfJdk(owner) || !Supertypes.isClosed(each.owner()))
          && supertypes.is(owner, each.owner())) {
        return each;
      }
    }
    return null;
  }

  /** Puts a call's arguments aside, tells of them, and brings them back. */
  private static void call(CodeBuilder code, InvokeInstruction call, List<Hook> hooks, int free) {
    List<TypeKind> kinds = new ArrayList<>();
    boolean isConstructor = call.name().equalsString(ConstantDescs.INIT_NAME);
    if (call.opcode() != Opcode.INVOKESTATIC) {
      kinds.add(TypeKind.REFERENCE);
    }
    call.typeSymbol().parameterList().forEach(each -> kinds.add(TypeKind.from(each)));
    int first = isConstructor ? 1 : 0; // what is not made yet cannot be put aside
    int[] places = new int[kinds.size()];
    int next = free;
    for (int i = first; i < places.length; i++) {
      places[i] = next;
      next += kinds.get(i).slotSize();
    }
    for (int i = places.length - 1; i >= first; i--) {
      code.storeLocal(kinds.get(i), places[i]);
    }
    hooks.stream()
        .filter(hook -> !hook.isBehind())
        .forEach(hook -> tell(code, hook, kinds, places));
    for (int i = first; i < places.length; i++) {
      code.loadLocal(kinds.get(i), places[i]);
    }
    code.with(call);
    for (Hook hook : hooks) {
      if (hook.isBehind()) {
        code.dup();
        tell(code, hook, kinds, places);
      }
    }
  }

  private static void tell(CodeBuilder code, Hook hook, List<TypeKind> kinds, int[] places) {
    for (Hook.Operand operand : hook.operands()) {
      switch (operand) {
        case Hook.Operand.Argument(int index) -> {
          code.loadLocal(kinds.get(index), places[index]);
          if (kinds.get(index).asLoadable() == TypeKind.INT) {
            code.i2l();
          }
        }
        case Hook.Operand.Constant(long value) -> code.loadConstant(value);
        case Hook.Operand.Utf8 _ -> code.getstatic(CHARSETS, "UTF_8", CHARSET);
      }
    }
    code.invokestatic(Hook.OWNER, hook.name(), hook.type(kinds));
  }
}
