package dev.stretto.cli;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Optional;
import java.util.OptionalInt;

/** Asks the system what a stream of the process is connected to. */
final class Terminal {
  /** The file descriptor of the standard output. */
  static final int OUT = 1;

  /** The file descriptor of the standard error output. */
  static final int ERR = 2;

  private static final long GET_WINDOW_SIZE =
      System.getProperty("os.name").startsWith("Mac") ? 0x40087468L : 0x5413L;

  private Terminal() {}

  /** How many characters wide the terminal is, or empty if the stream is not one. */
  @SuppressWarnings("restricted") // a call of the C library, which writes 8 bytes
  static OptionalInt columns(int descriptor) {
    Linker linker = Linker.nativeLinker();
    Optional<MemorySegment> ioctl = linker.defaultLookup().find("ioctl");
    if (ioctl.isEmpty()) {
      return OptionalInt.empty();
    }
    try (Arena arena = Arena.ofConfined()) {
      MethodHandle call =
          linker.downcallHandle(
              ioctl.get(),
              FunctionDescriptor.of(
                  ValueLayout.JAVA_INT,
                  ValueLayout.JAVA_INT,
                  ValueLayout.JAVA_LONG,
                  ValueLayout.ADDRESS),
              Linker.Option.firstVariadicArg(2));
      MemorySegment size = arena.allocate(ValueLayout.JAVA_SHORT, 4);
      int failed = (int) call.invokeExact(descriptor, GET_WINDOW_SIZE, size);
      int columns = size.getAtIndex(ValueLayout.JAVA_SHORT, 1);
      return failed != 0 ? OptionalInt.empty() : OptionalInt.of(columns);
    } catch (Throwable e) {
      return OptionalInt.empty(); // then there is no progress bar, which is no reason to fail
    }
  }
}
