package dev.stretto.compiler;

import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;
import java.lang.classfile.Annotation;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.attribute.RuntimeVisibleAnnotationsAttribute;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/**
 * To compile a kernel of a great many loops takes work that grows as their number does, by what is
 * allocated meanwhile: that depends on no machine.
 */
class ManyLoopsTest {
  private static final ClassDesc INTS = GlobalInts.class.describeConstable().orElseThrow();
  private static final MethodTypeDesc TYPE =
      MethodTypeDesc.of(CD_void, ThreadBlock.class.describeConstable().orElseThrow(), INTS, CD_int);
  private static final int FEW = 150;
  private static final int MANY = 8 * FEW;

  /** Twice what it is if it grows as their number does; the square is 64. */
  private static final double MOST = 16;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  @Test
  void aThousandLoopsThatAreUnrolled() {
    assertWorkGrowsWithTheirNumber(OptionalInt.of(4));
  }

  @Test
  void aThousandLoopsWhoseRoundsAreNotKnown() {
    assertWorkGrowsWithTheirNumber(OptionalInt.empty());
  }

  private static void assertWorkGrowsWithTheirNumber(OptionalInt rounds) {
    long _ = bytes(FEW, rounds); // loads classes
    double few = bytes(FEW, rounds);
    double many = bytes(MANY, rounds);
    assertThat(many / few).isLessThan(MOST);
  }

  private static long bytes(int loops, OptionalInt rounds) {
    byte[] file = kernel(loops, rounds);
    KernelSource source =
        new KernelSource(
            new GeneratedClasses(Map.of("Loops", file)),
            "Loops",
            "loops",
            TYPE.descriptorString(),
            Map.of(),
            false);
    long begin = THREADS.getCurrentThreadAllocatedBytes();
    CompiledKernel compiled = KernelCompiler.compile(source, KernelTarget.of(9, 0));
    long bytes = THREADS.getCurrentThreadAllocatedBytes() - begin;
    assertThat(compiled.ptx().text()).contains("st.global");
    return bytes;
  }

  private static byte[] kernel(int loops, OptionalInt rounds) {
    Annotation mark = Annotation.of(Kernel.class.describeConstable().orElseThrow());
    return ClassFile.of()
        .build(
            ClassDesc.of("Loops"),
            type ->
                type.withMethod(
                    "loops",
                    TYPE,
                    ClassFile.ACC_STATIC,
                    method ->
                        method
                            .with(RuntimeVisibleAnnotationsAttribute.of(mark))
                            .withCode(code -> write(code, loops, rounds))));
  }

  private static void write(CodeBuilder code, int loops, OptionalInt rounds) {
    int sum = 3;
    int i = 4;
    code.iload(2).istore(sum);
    for (int loop = 0; loop < loops; loop++) {
      Label again = code.newLabel();
      Label over = code.newLabel();
      code.iconst_0().istore(i).labelBinding(again).iload(i);
      if (rounds.isPresent()) {
        code.loadConstant(rounds.getAsInt());
      } else {
        code.iload(2);
      }
      code.if_icmpge(over);
      code.iload(sum).bipush(31).imul().iload(i).iadd().istore(sum);
      code.iinc(i, 1).goto_(again).labelBinding(over);
    }
    code.aload(1).lconst_0().iload(sum);
    code.invokevirtual(INTS, "set", MethodTypeDesc.of(CD_void, CD_long, CD_int)).return_();
  }
}
