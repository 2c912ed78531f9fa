package dev.stretto.driver.cuda;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Anonymous memory of the process, in huge pages where the system has some, all of whose pages
 * exist. The driver pins such memory several times as fast as it allocates pinned memory itself:
 * several threads make the pages, and there are fewer of them.
 */
final class MappedMemory {
  /** The size of a huge page; less memory gains nothing. */
  static final long LEAST_BYTES = 2 << 20;

  private static final long PAGE = 4096;

  /** A multiple of the size of every page but huge ones. */
  private static final long GRAIN = 64 << 10;

  /** One at a time, so that several do not count on the same memory. */
  private static final ReentrantLock MAKING = new ReentrantLock();

  private static final int PROT_READ_WRITE = 3;
  private static final int MAP_PRIVATE_ANONYMOUS = 0x22;
  private static final int MADV_DONTFORK = 10;
  private static final int MADV_HUGEPAGE = 14;
  private static final long FAILED = -1;
  private static final Path GROUPS = Path.of("/sys/fs/cgroup");
  private static final long UNLIMITED = Long.MAX_VALUE;

  /** A thread makes at least so much; it takes about a millisecond. */
  private static final long BYTES_A_THREAD = 8 << 20;

  private static final int MOST_THREADS = 8;

  /** The part of the available memory, as a divisor, that is left to others. */
  private static final int RESERVED = 8;

  private static final @Nullable MethodHandle MMAP =
      link("mmap", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG);

  private static final @Nullable MethodHandle MUNMAP =
      link("munmap", JAVA_INT, JAVA_LONG, JAVA_LONG);

  private static final @Nullable MethodHandle MADVISE =
      link("madvise", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT);

  private MappedMemory() {}

  @SuppressWarnings("restricted")
  private static @Nullable MethodHandle link(
      String name, MemoryLayout result, MemoryLayout... parameters) {
    Linker linker = Linker.nativeLinker();
    return linker
        .defaultLookup()
        .find(name)
        .map(f -> linker.downcallHandle(f, FunctionDescriptor.of(result, parameters)))
        .orElse(null);
  }

  /**
   * {@return the address of new memory, all zero, or 0 if there is none to spare} The process would
   * be killed if it touched more than there is, so that is refused before.
   *
   * @param bytes {@link #LEAST_BYTES} at least
   */
  static long map(long bytes) {
    if (MMAP == null || MUNMAP == null || MADVISE == null) {
      return 0;
    }
    MAKING.lock();
    try {
      return bytes > toSpare() ? 0 : make(bytes);
    } finally {
      MAKING.unlock();
    }
  }

  private static long make(long bytes) {
    long size = whole(bytes);
    long mapped = mmap(size + LEAST_BYTES);
    if (mapped == FAILED) {
      return 0;
    }
    long address = (mapped + LEAST_BYTES - 1) & -LEAST_BYTES;
    cut(mapped, address);
    cut(address + size, mapped + size + LEAST_BYTES);
    // A child process must not share pages that a device writes. Both are wishes: without them the
    // memory is slower to pin.
    int _ = madvise(address, size, MADV_DONTFORK);
    int _ = madvise(address, size, MADV_HUGEPAGE);
    touchAll(address, size);
    return address;
  }

  /** Gives memory back. */
  static void unmap(long address, long bytes) {
    cut(address, address + whole(bytes));
  }

  private static long whole(long bytes) {
    return (bytes + GRAIN - 1) & -GRAIN;
  }

  private static long toSpare() {
    long ofSystem = number(Path.of("/proc/meminfo"), "MemAvailable:", UNLIMITED >> 10) << 10;
    long available = Math.max(0, Math.min(ofSystem, ofGroups()));
    return available - available / RESERVED;
  }

  /**
   * {@return how much memory the process's control groups have left} None if that cannot be found
   * out: without a limit of its own a group's folder is there all the same.
   */
  private static long ofGroups() {
    long least = UNLIMITED;
    for (String line : lines(Path.of("/proc/self/cgroup"))) {
      String[] words = line.split(":", 3);
      boolean unified = words.length == 3 && words[1].isEmpty();
      if (unified) {
        least = Math.min(least, ofGroup(GROUPS, words[2], "memory.max", "memory.current"));
      } else if (words.length == 3 && List.of(words[1].split(",")).contains("memory")) {
        Path mount = GROUPS.resolve("memory");
        least =
            Math.min(
                least, ofGroup(mount, words[2], "memory.limit_in_bytes", "memory.usage_in_bytes"));
      }
    }
    return least;
  }

  /** {@return what a group and those above it have left} */
  private static long ofGroup(Path mount, String path, String limit, String usage) {
    Path group = mount.resolve(path.substring(path.startsWith("/") ? 1 : 0)).normalize();
    if (!group.startsWith(mount) || !Files.isDirectory(group)) {
      // A container sees its own group at the top, under the path that it has outside.
      group = mount;
      if (!Files.exists(mount.resolve(limit))) {
        return 0;
      }
    }
    long least = UNLIMITED;
    for (Path at = group; at != null && at.startsWith(mount); at = at.getParent()) {
      long most = number(at.resolve(limit), "", UNLIMITED);
      if (most != UNLIMITED) {
        least = Math.min(least, most - number(at.resolve(usage), "", 0));
      }
    }
    return least;
  }

  /** {@return the first number in a line that begins with a word} */
  private static long number(Path file, String word, long byDefault) {
    for (String line : lines(file)) {
      String digits = line.startsWith(word) ? line.replaceAll("\\D", "") : "";
      if (!digits.isEmpty() && digits.length() < 19) {
        return Long.parseLong(digits);
      }
    }
    return byDefault;
  }

  private static List<String> lines(Path file) {
    try {
      return Files.exists(file) ? Files.readAllLines(file) : List.of();
    } catch (IOException | SecurityException e) {
      return List.of();
    }
  }

  /** Touches every page, with several threads if there are many. */
  private static void touchAll(long address, long bytes) {
    int cores = Runtime.getRuntime().availableProcessors();
    int count = Math.clamp(bytes / BYTES_A_THREAD, 1, Math.clamp(cores / 2, 1, MOST_THREADS));
    long part = (bytes / count + LEAST_BYTES - 1) & -LEAST_BYTES;
    List<Thread> others = new ArrayList<>();
    for (int i = 1; i < count; i++) {
      long begin = Math.min(bytes, i * part);
      long size = Math.min(part, bytes - begin);
      others.add(started(() -> touch(address + begin, size)));
    }
    touch(address, Math.min(part, bytes));
    boolean interrupted = false;
    for (Thread other : others) {
      interrupted |= awaitUninterruptibly(other);
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** If the process can have no more threads, the calling one does the work. */
  private static Thread started(Runnable work) {
    Thread thread = Thread.ofPlatform().daemon().name("stretto-pin").unstarted(work);
    try {
      thread.start();
    } catch (OutOfMemoryError e) {
      work.run();
    }
    return thread;
  }

  private static boolean awaitUninterruptibly(Thread thread) {
    boolean interrupted = false;
    while (true) {
      try {
        thread.join();
        return interrupted;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
  }

  @SuppressWarnings("restricted")
  private static void touch(long address, long bytes) {
    MemorySegment memory = MemorySegment.ofAddress(address).reinterpret(bytes);
    for (long at = 0; at < bytes; at += PAGE) {
      memory.set(JAVA_BYTE, at, (byte) 0);
    }
  }

  private static long mmap(long bytes) {
    try {
      return (long)
          required(MMAP).invokeExact(0L, bytes, PROT_READ_WRITE, MAP_PRIVATE_ANONYMOUS, -1, 0L);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  private static int madvise(long address, long bytes, int advice) {
    try {
      return (int) required(MADVISE).invokeExact(address, bytes, advice);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  private static void cut(long begin, long end) {
    if (begin == end) {
      return;
    }
    try {
      int _ = (int) required(MUNMAP).invokeExact(begin, end - begin);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  private static MethodHandle required(@Nullable MethodHandle handle) {
    if (handle == null) {
      throw new IllegalStateException("the C library has no mmap");
    }
    return handle;
  }
}
