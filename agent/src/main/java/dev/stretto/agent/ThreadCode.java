package dev.stretto.agent;

import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.MonitorInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.HashSet;
import java.util.Set;

/**
 * Where threads hand over what they know without a call: monitors, volatile fields, the begin and
 * the end of some methods. Where an exception is caught, a call may not have told what it got.
 */
final class ThreadCode {
  private static final MethodTypeDesc NOTHING = MethodTypeDesc.of(ConstantDescs.CD_void);
  private static final MethodTypeDesc OBJECT =
      MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_Object);
  private static final MethodTypeDesc NAME =
      MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_String);

  private final ClassModel type;
  private final MethodModel method;
  private final Supertypes supertypes;
  private final Set<Label> handlers = new HashSet<>();

  ThreadCode(ClassModel type, MethodModel method, CodeModel code, Supertypes supertypes) {
    this.type = type;
    this.method = method;
    this.supertypes = supertypes;
    code.exceptionHandlers().forEach(each -> handlers.add(each.handler()));
  }

  /** {@return whether the method's begin or end has something to tell} */
  boolean isWatched() {
    return isSynchronized() || isMain() || isThread() || isInitializer() || !handlers.isEmpty();
  }

  boolean isWatched(CodeElement element) {
    return element instanceof MonitorInstruction
        || (element instanceof FieldInstruction field && isVolatile(field));
  }

  private boolean isSynchronized() {
    return method.flags().has(AccessFlag.SYNCHRONIZED);
  }

  private boolean isStatic() {
    return method.flags().has(AccessFlag.STATIC);
  }

  private boolean isMain() {
    return method.methodName().equalsString("main")
        && (method.methodType().equalsString("([Ljava/lang/String;)V")
            || method.methodType().equalsString("()V"));
  }

  private boolean isThread() {
    return method.methodName().equalsString("run")
        && method.methodType().equalsString("()V")
        && !isStatic()
        && supertypes.is(Supertypes.nameOf(type.thisClass().asSymbol()), "java.lang.Thread");
  }

  private boolean isInitializer() {
    return method.methodName().equalsString(ConstantDescs.CLASS_INIT_NAME);
  }

  private boolean isVolatile(FieldInstruction field) {
    ClassDesc owner = field.owner().asSymbol();
    String name = field.name().stringValue();
    if (owner.equals(type.thisClass().asSymbol())) {
      for (var own : type.fields()) {
        if (own.fieldName().equalsString(name)) {
          return own.flags().has(AccessFlag.VOLATILE);
        }
      }
    }
    return supertypes.isVolatile(Supertypes.nameOf(owner), name);
  }

  /** Writes what is told when the method begins. */
  void begin(CodeBuilder code) {
    if (isMain()) {
      code.invokestatic(Hook.THREADS, "programBegins", NOTHING);
    }
    if (isThread()) {
      code.aload(0).invokestatic(Hook.THREADS, "threadBegins", OBJECT);
    }
    if (isSynchronized()) {
      lock(code).invokestatic(Hook.THREADS, "locksHere", OBJECT);
    }
  }

  private CodeBuilder lock(CodeBuilder code) {
    return isStatic() ? code.loadConstant(type.thisClass().asSymbol()) : code.aload(0);
  }

  /** Writes what is told before an element. */
  void before(CodeBuilder code, CodeElement element) {
    switch (element) {
      case MonitorInstruction monitor -> {
        code.dup();
        if (monitor.opcode() == Opcode.MONITOREXIT) {
          code.invokestatic(Hook.THREADS, "unlocks", OBJECT);
        }
      }
      case FieldInstruction field when isWrite(field) && isVolatile(field) ->
          code.loadConstant(nameOf(field)).invokestatic(Hook.THREADS, "writesField", NAME);
      case ReturnInstruction _ when isSynchronized() ->
          lock(code).invokestatic(Hook.THREADS, "unlocks", OBJECT);
      case ReturnInstruction _ when isInitializer() ->
          code.invokestatic(Hook.THREADS, "initialized", NOTHING);
      default -> {}
    }
  }

  /** Writes what is told behind an element. */
  void behind(CodeBuilder code, CodeElement element) {
    switch (element) {
      case MonitorInstruction monitor when monitor.opcode() == Opcode.MONITORENTER ->
          code.invokestatic(Hook.THREADS, "locks", OBJECT);
      case FieldInstruction field when !isWrite(field) && isVolatile(field) ->
          code.loadConstant(nameOf(field)).invokestatic(Hook.THREADS, "readField", NAME);
      case LabelTarget label when handlers.contains(label.label()) ->
          code.invokestatic(Hook.THREADS, "called", NOTHING);
      default -> {}
    }
  }

  private static boolean isWrite(FieldInstruction field) {
    return field.opcode() == Opcode.PUTFIELD || field.opcode() == Opcode.PUTSTATIC;
  }

  private static String nameOf(FieldInstruction field) {
    return field.name().stringValue();
  }
}
