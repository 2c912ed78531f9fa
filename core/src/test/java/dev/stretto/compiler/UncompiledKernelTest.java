package dev.stretto.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.ThreadBlock;
import java.lang.invoke.MethodType;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/** The log says which kernels run as their methods on virtual devices, and why. */
class UncompiledKernelTest {
  @SuppressWarnings("UnusedMethod") // the compiler reads it
  private static void differentLengths(ThreadBlock block) {
    SharedInts array = block.sharedInts(32 + block.threadRank());
    array.set(0, 1);
    block.sync();
  }

  @SuppressWarnings("UnusedMethod") // the compiler reads it
  private static void sameLengths(ThreadBlock block) {
    SharedInts array = block.sharedInts(32);
    array.set(0, 1);
    block.sync();
  }

  /** Collects what is logged. */
  private static final class Messages extends Handler {
    private final List<LogRecord> all = new CopyOnWriteArrayList<>();

    @Override
    public void publish(LogRecord record) {
      all.add(record);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  private static boolean compiles(String method) {
    KernelSource source =
        new KernelSource(
            UncompiledKernelTest.class.getClassLoader(),
            UncompiledKernelTest.class.getName().replace('.', '/'),
            method,
            MethodType.methodType(void.class, ThreadBlock.class).toMethodDescriptorString(),
            Map.of(),
            true);
    Optional<?> code =
        KernelCompiler.steps(source, new KernelTarget(90), "dev.stretto.compiler", false, false);
    return code.isPresent();
  }

  @Test
  void aKernelThatCannotBeCompiledForTheJvmIsNamedWithTheReason() {
    Logger logger = Logger.getLogger("dev.stretto");
    Messages messages = new Messages();
    Level before = logger.getLevel();
    logger.setLevel(Level.FINE);
    logger.addHandler(messages);
    try {
      assertThat(compiles("sameLengths")).isTrue();
      assertThat(messages.all).isEmpty();
      assertThat(compiles("differentLengths")).isFalse();
    } finally {
      logger.removeHandler(messages);
      logger.setLevel(before);
    }
    LogRecord record = messages.all.getFirst();
    assertThat(record.getLevel()).isEqualTo(Level.FINE);
    assertThat(record.getMessage())
        .contains("kernel differentLengths runs as its Java method on virtual devices")
        .contains("UncompiledKernelTest.java:")
        .contains("the length of a shared array must be a positive constant");
  }
}
