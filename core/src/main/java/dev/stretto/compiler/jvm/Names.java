package dev.stretto.compiler.jvm;

import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.foreign.MemorySegment;

/** What the written classes use, by name: the compiler does not depend on what runs its kernels. */
final class Names {
  static final ClassDesc BLOCK = ClassDesc.of("dev.stretto.kernel.machine.SteppedBlock");
  static final ClassDesc KERNEL = ClassDesc.of("dev.stretto.kernel.machine.SteppedKernel");
  static final ClassDesc ARITHMETIC = ClassDesc.of("dev.stretto.kernel.machine.StepArithmetic");
  static final ClassDesc MEMORY = ClassDesc.of("dev.stretto.kernel.machine.StepMemory");
  static final ClassDesc WORDS = ClassDesc.of("dev.stretto.kernel.machine.StepWords");
  static final ClassDesc RANGE = ClassDesc.of("dev.stretto.kernel.machine.StepRange");
  static final ClassDesc STORAGE = ClassDesc.of("dev.stretto.kernel.machine.SharedStorage");
  static final ClassDesc GLOBAL = ClassDesc.of("dev.stretto.memory.GlobalArray");
  static final ClassDesc SEGMENT = MemorySegment.class.describeConstable().orElseThrow();
  static final ClassDesc INTS = ConstantDescs.CD_int.arrayType();
  static final MethodTypeDesc STEP =
      MethodTypeDesc.of(
          ConstantDescs.CD_int, BLOCK, INTS, ConstantDescs.CD_int, ConstantDescs.CD_int);
  static final MethodTypeDesc MEET =
      MethodTypeDesc.of(ConstantDescs.CD_void, BLOCK, ConstantDescs.CD_int);

  private Names() {}

  static ClassDesc desc(Class<?> type) {
    return type.describeConstable().orElseThrow();
  }
}
