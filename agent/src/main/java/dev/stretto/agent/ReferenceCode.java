package dev.stretto.agent;

import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDesc;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.DynamicCallSiteDesc;
import java.lang.constant.MethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * References to methods that have something to tell ({@code latch::countDown}). Each of them
 * becomes a reference to a method that is added to the class, and calls the other one.
 */
final class ReferenceCode {
  private static final ClassDesc FACTORY = ClassDesc.of("java.lang.invoke.LambdaMetafactory");

  private static final int IMPLEMENTATION = 1;

  private final ClassModel type;
  private final CallCode calls;
  private final Supertypes supertypes;
  private final List<DirectMethodHandleDesc> added = new ArrayList<>();

  ReferenceCode(ClassModel type, CallCode calls, Supertypes supertypes) {
    this.type = type;
    this.calls = calls;
    this.supertypes = supertypes;
  }

  /** {@return the method to which an instruction refers, if it has something to tell} */
  private @Nullable DirectMethodHandleDesc watched(InvokeDynamicInstruction reference) {
    DirectMethodHandleDesc factory = reference.bootstrapMethod();
    if (!factory.owner().equals(FACTORY)
        || !factory.methodName().equals("metafactory")
        || !(reference.bootstrapArgs().get(IMPLEMENTATION)
            instanceof DirectMethodHandleDesc method)) {
      return null;
    }
    return switch (method.kind()) {
      case VIRTUAL, INTERFACE_VIRTUAL, STATIC, INTERFACE_STATIC ->
          calls.handing(callOf(method), supertypes).isNothing() ? null : method;
      default -> null;
    };
  }

  private static boolean isStatic(DirectMethodHandleDesc method) {
    return method.kind() == DirectMethodHandleDesc.Kind.STATIC
        || method.kind() == DirectMethodHandleDesc.Kind.INTERFACE_STATIC;
  }

  private static Call callOf(DirectMethodHandleDesc method) {
    return new Call(
        method.owner(),
        method.methodName(),
        MethodTypeDesc.ofDescriptor(method.lookupDescriptor()),
        isStatic(method));
  }

  boolean isWatched(InvokeDynamicInstruction reference) {
    return watched(reference) != null;
  }

  /** Writes a reference. */
  void add(CodeBuilder code, InvokeDynamicInstruction reference) {
    DirectMethodHandleDesc method = watched(reference);
    if (method == null) {
      code.with(reference);
      return;
    }
    int index = added.indexOf(method);
    if (index < 0) {
      index = added.size();
      added.add(method);
    }
    List<ConstantDesc> arguments = new ArrayList<>(reference.bootstrapArgs());
    arguments.set(
        IMPLEMENTATION,
        MethodHandleDesc.ofMethod(
            type.flags().has(AccessFlag.INTERFACE)
                ? DirectMethodHandleDesc.Kind.INTERFACE_STATIC
                : DirectMethodHandleDesc.Kind.STATIC,
            type.thisClass().asSymbol(),
            name(index),
            typeOf(method)));
    code.invokedynamic(
        DynamicCallSiteDesc.of(
            reference.bootstrapMethod(),
            reference.name().stringValue(),
            reference.typeSymbol(),
            arguments.toArray(ConstantDesc[]::new)));
  }

  private static String name(int index) {
    return "stretto$reference$" + index;
  }

  private static MethodTypeDesc typeOf(DirectMethodHandleDesc method) {
    MethodTypeDesc its = MethodTypeDesc.ofDescriptor(method.lookupDescriptor());
    return isStatic(method) ? its : its.insertParameterTypes(0, method.owner());
  }

  /** Adds the methods. */
  void addMethods(ClassBuilder to) {
    for (int i = 0; i < added.size(); i++) {
      DirectMethodHandleDesc method = added.get(i);
      MethodTypeDesc its = typeOf(method);
      to.withMethodBody(
          name(i),
          its,
          ClassFile.ACC_PRIVATE | ClassFile.ACC_STATIC | ClassFile.ACC_SYNTHETIC,
          code -> body(code, method, its));
    }
  }

  private void body(CodeBuilder code, DirectMethodHandleDesc method, MethodTypeDesc its) {
    int free = 0;
    for (ClassDesc parameter : its.parameterList()) {
      TypeKind kind = TypeKind.from(parameter);
      code.loadLocal(kind, free);
      free += kind.slotSize();
    }
    Call call = callOf(method);
    CallCode.add(
        code, call, callCode -> invoke(callCode, method), calls.handing(call, supertypes), free);
    code.return_(TypeKind.from(its.returnType()));
  }

  private static void invoke(CodeBuilder code, DirectMethodHandleDesc method) {
    MethodTypeDesc its = MethodTypeDesc.ofDescriptor(method.lookupDescriptor());
    switch (method.kind()) {
      case STATIC, INTERFACE_STATIC ->
          code.invokestatic(method.owner(), method.methodName(), its, method.isOwnerInterface());
      case INTERFACE_VIRTUAL -> code.invokeinterface(method.owner(), method.methodName(), its);
      default -> code.invokevirtual(method.owner(), method.methodName(), its);
    }
  }
}
