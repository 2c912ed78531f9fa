package dev.stretto.collective.nccl;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;

/** What the library reads from the environment when the first rank of the process joins. */
final class NcclEnvironment {
  private static boolean prepared;

  private NcclEnvironment() {}

  /**
   * Has the ranks connect when they join, unless the user has said otherwise. By default the first
   * call that needs a ring or a tree connects them, and waits for the other ranks to do so.
   */
  static synchronized void prepare() {
    if (!prepared) {
      prepared = true;
      setIfUnset("NCCL_RUNTIME_CONNECT", "0");
    }
  }

  // The signature is that of POSIX.
  @SuppressWarnings("restricted")
  private static void setIfUnset(String name, String value) {
    Linker linker = Linker.nativeLinker();
    MemorySegment setenv = linker.defaultLookup().find("setenv").orElse(null);
    if (setenv == null) {
      return;
    }
    try (Arena arena = Arena.ofConfined()) {
      int _ =
          (int)
              linker
                  .downcallHandle(
                      setenv, FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_INT))
                  .invokeExact(arena.allocateFrom(name), arena.allocateFrom(value), 0);
    } catch (Throwable e) {
      throw new IllegalStateException("setenv", e);
    }
  }
}
