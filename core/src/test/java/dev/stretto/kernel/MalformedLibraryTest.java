package dev.stretto.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.fault.KernelRefusedException;
import dev.stretto.kernel.host.SynchronizationScan;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A class file with faults that a kernel calls is refused before the kernel runs anywhere. */
class MalformedLibraryTest {
  private static final ClassDesc KERNELS = ClassDesc.of("made.Kernels");
  private static final ClassDesc LIBRARY = ClassDesc.of("made.Library");
  private static final MethodTypeDesc KERNEL =
      MethodTypeDesc.of(ConstantDescs.CD_void, ClassDesc.of(ThreadBlock.class.getName()));
  private static final int FLAGS = ClassFile.ACC_PUBLIC | ClassFile.ACC_STATIC;

  /** Has defined the kernel's class, and finds the library's file. */
  private static final class Loader extends ClassLoader {
    private final Map<String, byte[]> files;

    Loader(byte[] kernels, byte[] library) {
      super(MalformedLibraryTest.class.getClassLoader());
      files = Map.of("made/Kernels.class", kernels, "made/Library.class", library);
    }

    Class<?> kernels() {
      byte[] file = files.get("made/Kernels.class");
      return defineClass("made.Kernels", file, 0, file.length);
    }

    @Override
    public InputStream getResourceAsStream(String name) {
      byte[] file = files.get(name);
      return file == null ? super.getResourceAsStream(name) : new ByteArrayInputStream(file);
    }
  }

  private static Method kernel(byte[] library) throws NoSuchMethodException {
    byte[] kernels =
        ClassFile.of()
            .build(
                KERNELS,
                builder ->
                    builder.withMethodBody(
                        "kernel",
                        KERNEL,
                        FLAGS,
                        code ->
                            code.invokestatic(LIBRARY, "act", ConstantDescs.MTD_void).return_()));
    return new Loader(kernels, library).kernels().getMethod("kernel", ThreadBlock.class);
  }

  private static byte[] library() {
    return ClassFile.of()
        .build(
            LIBRARY,
            builder ->
                builder.withMethodBody(
                    "act", ConstantDescs.MTD_void, FLAGS, code -> code.return_()));
  }

  @Test
  void oneThatIsWholeIsLookedThrough() throws Exception {
    assertThat(SynchronizationScan.finds(BlockCalls.WORDS, kernel(library()))).isFalse();
  }

  @Test
  void oneThatIsCutOffIsRefused() throws Exception {
    byte[] right = library();
    for (int length = 0; length < right.length; length++) {
      Method kernel = kernel(Arrays.copyOf(right, length));
      assertThatThrownBy(() -> SynchronizationScan.finds(BlockCalls.WORDS, kernel))
          .isInstanceOf(KernelRefusedException.class)
          .hasMessageContaining("the class file of made.Library is malformed");
    }
  }
}
