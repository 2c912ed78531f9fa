package dev.stretto.agent;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The calls that access host memory or hand something over, and what is added to them. */
final class CallCode {
  private static final ClassDesc CHARSETS = ClassDesc.of("java.nio.charset.StandardCharsets");
  private static final ClassDesc CHARSET = ClassDesc.of("java.nio.charset.Charset");

  private final KnownCalls calls;

  CallCode(KnownCalls calls) {
    this.calls = calls;
  }

  /** {@return what a call has to tell} */
  Handing handing(Call call, Supertypes supertypes) {
    Handing threads = HandingCalls.of(call, supertypes);
    List<Hook> accesses = accesses(call, supertypes);
    return accesses.isEmpty() ? threads : threads.with(accesses);
  }

  private List<Hook> accesses(Call call, Supertypes supertypes) {
    ClassDesc owner = call.owner();
    if (owner.isArray()) {
      return owner.componentType().isPrimitive() && call.name().equals("clone")
          ? List.of(Hook.ofAccess("reads", List.of(new Hook.Operand.Argument(0))))
          : List.of();
    }
    if (Handles.isHandle(owner)) {
      Hook hook = Handles.hook(call.name(), call.type());
      return hook == null ? List.of() : List.of(hook);
    }
    List<KnownCall> alike = calls.of(new KnownCall.Shape(call.name(), call.type().parameterList()));
    KnownCall known =
        alike.isEmpty() ? null : known(alike, call.ownerName(), call.isStatic(), supertypes);
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

  /**
   * Puts a call's arguments aside, tells of them, and brings them back.
   *
   * @param itself writes the call
   * @param free the first local variable that the method does not use
   */
  static void add(
      CodeBuilder code, Call call, Consumer<CodeBuilder> itself, Handing handing, int free) {
    List<TypeKind> kinds = new ArrayList<>();
    int receiver = call.firstParameter();
    if (receiver > 0) {
      kinds.add(TypeKind.REFERENCE);
    }
    call.type().parameterList().forEach(each -> kinds.add(TypeKind.from(each)));
    // what is not made yet cannot be put aside
    int first = call.name().equals(ConstantDescs.INIT_NAME) ? 1 : 0;
    int[] places = new int[kinds.size()];
    int next = free;
    for (int i = first; i < places.length; i++) {
      places[i] = next;
      next += kinds.get(i).slotSize();
    }
    for (int i = places.length - 1; i >= first; i--) {
      String clothes = handing.tasks().get(i);
      if (clothes != null) {
        dress(code, clothes, call.type().parameterType(i - receiver));
      }
      code.storeLocal(kinds.get(i), places[i]);
    }
    for (Hook hook : handing.hooks()) {
      if (!hook.isBehind()) {
        tell(code, hook, kinds, places);
      }
    }
    for (int i = first; i < places.length; i++) {
      code.loadLocal(kinds.get(i), places[i]);
    }
    itself.accept(code);
    for (Hook hook : handing.hooks()) {
      if (hook.when() == Hook.When.BEHIND) {
        tell(code, hook, kinds, places);
      } else if (hook.when() == Hook.When.WITH_RESULT && makesObject(call)) {
        code.dup();
        tell(code, hook, kinds, places);
      }
    }
  }

  private static boolean makesObject(Call call) {
    return !call.type().returnType().isPrimitive();
  }

  /** Replaces a task by one that tells its begin and its end. */
  private static void dress(CodeBuilder code, String hook, ClassDesc type) {
    if (hook.equals(Handing.COLLECTION)) {
      code.invokestatic(
          Hook.THREADS, hook, MethodTypeDesc.of(ConstantDescs.CD_Object, ConstantDescs.CD_Object));
    } else {
      code.loadConstant(type)
          .invokestatic(
              Hook.THREADS,
              hook,
              MethodTypeDesc.of(
                  ConstantDescs.CD_Object, ConstantDescs.CD_Object, ConstantDescs.CD_Class));
    }
    code.checkcast(type);
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
    code.invokestatic(hook.owner(), hook.name(), hook.type(kinds));
  }

  /** {@return an instruction's call} */
  static Call callOf(InvokeInstruction call) {
    return new Call(
        call.owner().asSymbol(),
        call.name().stringValue(),
        call.typeSymbol(),
        call.opcode() == Opcode.INVOKESTATIC);
  }

  /** {@return whether a call has anything to tell} */
  boolean isWatched(InvokeInstruction call, Supertypes supertypes) {
    return !handing(callOf(call), supertypes).isNothing();
  }
}
