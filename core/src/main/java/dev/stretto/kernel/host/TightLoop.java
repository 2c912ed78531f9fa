package dev.stretto.kernel.host;

import dev.stretto.kernel.machine.KernelFaults;
import dev.stretto.kernel.machine.LaunchExtents;
import dev.stretto.kernel.machine.ThreadPosition;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DynamicConstantDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.stream.Stream;

/**
 * The loop over the threads of a block, if they do not wait for each other. Each kernel has a class
 * of its own, in which its method is a constant, so that the JIT inlines the method into the loop
 * and keeps the thread's position in registers. In Java, the generated code would be:
 *
 * <pre>{@code
 * void run(KernelFaults faults, LaunchExtents extents,
 *     int blockX, int blockY, int blockZ, int threadX, int threadY, int threadZ, int left,
 *     Object[] arguments) {
 *   float a = (Float) arguments[0];
 *   GlobalFloats x = (GlobalFloats) arguments[1];
 *   try {
 *     while (left > 0) {
 *       METHOD.invokeExact(
 *           ThreadBlock.alone(extents, blockX, blockY, blockZ, threadX, threadY, threadZ), a, x);
 *       if (++threadX >= extents.blockX()) {
 *         threadX = 0;
 *         if (++threadY >= extents.blockY()) {
 *           threadY = 0;
 *           threadZ++;
 *         }
 *       }
 *       left--;
 *     }
 *   } catch (Throwable e) {
 *     throw faults.of(
 *         new ThreadPosition(extents, blockX, blockY, blockZ, threadX, threadY, threadZ), e);
 *   }
 * }
 * }</pre>
 *
 * <p>The indices are not loop counters on purpose. From a counter, the JIT would conclude before
 * the loop that all indices are in bounds. They are not in blocks that reach beyond the end of an
 * array, and the JIT would discard the code each time it finds that out.
 */
public abstract class TightLoop {
  private static final ClassDesc EXTENTS = LaunchExtents.class.describeConstable().orElseThrow();
  private static final ClassDesc POSITION = ThreadPosition.class.describeConstable().orElseThrow();
  private static final ClassDesc FAULTS = KernelFaults.class.describeConstable().orElseThrow();
  private static final ClassDesc PARENT = TightLoop.class.describeConstable().orElseThrow();
  private static final MethodTypeDesc RUN =
      MethodTypeDesc.of(
          ConstantDescs.CD_void,
          FAULTS,
          EXTENTS,
          ConstantDescs.CD_int,
          ConstantDescs.CD_int,
          ConstantDescs.CD_int,
          ConstantDescs.CD_int,
          ConstantDescs.CD_int,
          ConstantDescs.CD_int,
          ConstantDescs.CD_int,
          ConstantDescs.CD_Object.arrayType());
  private static final MethodTypeDesc NEW_POSITION =
      MethodTypeDesc.of(
          ConstantDescs.CD_void,
          Stream.concat(Stream.of(EXTENTS), Stream.generate(() -> ConstantDescs.CD_int).limit(6))
              .toList());
  private static final MethodTypeDesc FAULT =
      MethodTypeDesc.of(
          IllegalStateException.class.describeConstable().orElseThrow(),
          POSITION,
          ConstantDescs.CD_Throwable);
  private static final DynamicConstantDesc<?> METHOD =
      DynamicConstantDesc.ofNamed(
          ConstantDescs.ofConstantBootstrap(
              MethodHandles.class.describeConstable().orElseThrow(),
              "classData",
              ConstantDescs.CD_Object),
          ConstantDescs.DEFAULT_NAME,
          ConstantDescs.CD_MethodHandle);

  // The slots of the generated method's variables. The block and the thread take three slots each.
  private static final int AT_FAULTS = 1;
  private static final int AT_EXTENTS = 2;
  private static final int AT_BLOCK = 3;
  private static final int AT_THREAD = 6;
  private static final int AT_LEFT = 9;
  private static final int AT_ARGUMENTS = 10;
  private static final int AT_FREE = 11;

  /** Called by generated classes. */
  protected TightLoop() {}

  /** Runs {@code left} threads of a block, starting with the given thread. */
  public abstract void run(
      KernelFaults faults,
      LaunchExtents extents,
      int blockX,
      int blockY,
      int blockZ,
      int threadX,
      int threadY,
      int threadZ,
      int left,
      Object[] arguments);

  /**
   * Creates the loop over a method that takes a block and the kernel's parameters.
   *
   * @param lookup see {@link ThreadCalls#lookup}
   */
  static TightLoop over(MethodHandles.Lookup lookup, MethodHandle method) {
    try {
      MethodHandles.Lookup loop =
          lookup.defineHiddenClassWithClassData(
              generate(lookup.lookupClass().getPackageName(), method.type()), method, true);
      return (TightLoop)
          loop.findConstructor(loop.lookupClass(), MethodType.methodType(void.class)).invoke();
    } catch (Throwable e) {
      throw new AssertionError("the loop over " + method, e);
    }
  }

  private static byte[] generate(String beside, MethodType method) {
    return ClassFile.of()
        .build(
            ClassDesc.of(beside, "Loop"),
            type ->
                type.withSuperclass(PARENT)
                    .withMethodBody(
                        ConstantDescs.INIT_NAME,
                        ConstantDescs.MTD_void,
                        0,
                        code ->
                            code.aload(0)
                                .invokespecial(
                                    PARENT, ConstantDescs.INIT_NAME, ConstantDescs.MTD_void)
                                .return_())
                    .withMethodBody("run", RUN, ClassFile.ACC_PUBLIC, code -> run(code, method)));
  }

  private static void run(CodeBuilder code, MethodType method) {
    unpack(code, method);
    Label start = code.newBoundLabel();
    loop(code, method);
    Label end = code.newBoundLabel();
    code.return_();
    Label handler = code.newBoundLabel();
    code.exceptionCatchAll(start, end, handler);
    code.astore(AT_FREE).aload(AT_FAULTS).new_(POSITION).dup();
    coordinates(code);
    code.invokespecial(POSITION, ConstantDescs.INIT_NAME, NEW_POSITION);
    code.aload(AT_FREE).invokevirtual(FAULTS, "of", FAULT).athrow();
  }

  /** Unpacks the arguments into variables. */
  private static void unpack(CodeBuilder code, MethodType method) {
    int at = AT_FREE;
    for (int i = 1; i < method.parameterCount(); i++) {
      Class<?> type = method.parameterType(i);
      TypeKind kind = TypeKind.from(type);
      ClassDesc boxed =
          MethodType.methodType(type).wrap().returnType().describeConstable().orElseThrow();
      code.aload(AT_ARGUMENTS).loadConstant(i - 1).aaload().checkcast(boxed);
      if (type.isPrimitive()) {
        MethodTypeDesc unbox = MethodTypeDesc.of(type.describeConstable().orElseThrow());
        code.invokevirtual(boxed, type.getName() + "Value", unbox);
      }
      code.storeLocal(kind, at);
      at += kind.slotSize();
    }
  }

  private static void loop(CodeBuilder code, MethodType method) {
    Label end = code.newLabel();
    Label begin = code.newBoundLabel();
    Label same = code.newLabel();
    code.iload(AT_LEFT).ifle(end);
    call(code, method);
    next(code, 0, "blockX", same);
    next(code, 1, "blockY", same);
    code.iinc(AT_THREAD + 2, 1);
    code.labelBinding(same).iinc(AT_LEFT, -1).goto_(begin).labelBinding(end);
  }

  /**
   * Increments an index. At its end it starts again at 0, and the code that follows increments the
   * next one.
   */
  private static void next(CodeBuilder code, int dimension, String extent, Label otherwise) {
    int index = AT_THREAD + dimension;
    code.iinc(index, 1).iload(index);
    extent(code, extent);
    code.if_icmplt(otherwise).iconst_0().istore(index);
  }

  private static void extent(CodeBuilder code, String name) {
    code.aload(AT_EXTENTS).invokevirtual(EXTENTS, name, MethodTypeDesc.of(ConstantDescs.CD_int));
  }

  private static void call(CodeBuilder code, MethodType method) {
    code.loadConstant(METHOD);
    coordinates(code);
    ClassDesc block = method.parameterType(0).describeConstable().orElseThrow();
    code.invokestatic(block, "alone", NEW_POSITION.changeReturnType(block));
    int at = AT_FREE;
    for (int i = 1; i < method.parameterCount(); i++) {
      TypeKind kind = TypeKind.from(method.parameterType(i));
      code.loadLocal(kind, at);
      at += kind.slotSize();
    }
    code.invokevirtual(
        ConstantDescs.CD_MethodHandle, "invokeExact", method.describeConstable().orElseThrow());
  }

  /** Loads the extents and the thread's position. */
  private static void coordinates(CodeBuilder code) {
    code.aload(AT_EXTENTS);
    for (int i = 0; i < 3; i++) {
      code.iload(AT_BLOCK + i);
    }
    for (int i = 0; i < 3; i++) {
      code.iload(AT_THREAD + i);
    }
  }
}
