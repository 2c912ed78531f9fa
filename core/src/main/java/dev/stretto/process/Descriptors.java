package dev.stretto.process;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.NoSuchElementException;
import java.util.Optional;

/**
 * File descriptors that one process passes to another one: {@code SCM_RIGHTS}, by a message to a
 * socket in a folder that only this user may enter. The receiver asks the kernel who has sent it.
 * On Linux, for processors of 64 bits, on all of which these structures are the same. See unix(7),
 * cmsg(3).
 */
@SuppressWarnings("restricted")
public final class Descriptors {
  /** No descriptor. */
  public static final int NONE = -1;

  private static final short FAMILY = 1; // AF_UNIX
  private static final int DATAGRAM = 2;
  private static final int CLOSE_ON_EXEC = 0x80000;
  private static final int READ_WRITE = 2;
  private static final int SOCKET_LEVEL = 1;
  private static final int PASS_CREDENTIALS = 16;
  private static final int RIGHTS = 1;
  private static final int CREDENTIALS = 2;
  private static final int NO_SIGNAL = 0x4000;
  private static final int DO_NOT_WAIT = 0x40;
  private static final int CLOSE_RECEIVED_ON_EXEC = 0x40000000;

  /** {@code msghdr} */
  private static final long MESSAGE_BYTES = 56;

  private static final long NAME = 0;
  private static final long NAME_BYTES = 8;
  private static final long PARTS = 16;
  private static final long PART_COUNT = 24;
  private static final long CONTROL = 32;
  private static final long CONTROL_BYTES = 40;

  /** {@code cmsghdr}: its length, its level, its type, and what it brings. */
  private static final long LEVEL = 8;

  private static final long TYPE = 12;
  private static final long HEAD_BYTES = 16;

  /** {@code CMSG_SPACE} of a descriptor and of a {@code ucred}. */
  private static final long ROOM_OF_RIGHTS = 24;

  private static final long ROOM_OF_CREDENTIALS = 32;

  /** {@code ucred::uid} */
  private static final long USER = 4;

  /** {@code sockaddr_un} */
  private static final long ADDRESS_BYTES = 110;

  private static final long LONGEST_PATH = 107;

  private static final MemoryLayout STATE = Linker.Option.captureStateLayout();
  private static final VarHandle ERROR =
      STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

  private static final Optional<Descriptors> HERE = here();

  private final MethodHandle socket = call("socket", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT);
  private final MethodHandle bind = call("bind", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT);
  private final MethodHandle option =
      call("setsockopt", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT);
  private final MethodHandle send = call("sendmsg", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT);
  private final MethodHandle receive = call("recvmsg", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT);
  private final MethodHandle close = call("close", JAVA_INT, JAVA_INT);
  private final MethodHandle user = call("getuid", JAVA_INT);
  private final MethodHandle open = call("open", JAVA_INT, ADDRESS, JAVA_INT);

  private Descriptors() {}

  private static Optional<Descriptors> here() {
    if (!"Linux".equals(System.getProperty("os.name")) || ADDRESS.byteSize() != Long.BYTES) {
      return Optional.empty();
    }
    try {
      return Optional.of(new Descriptors());
    } catch (NoSuchElementException | UnsupportedOperationException | IllegalCallerException e) {
      return Optional.empty(); // another C library, a JVM without it, or native access is denied
    }
  }

  private static MethodHandle call(String name, MemoryLayout result, MemoryLayout... parameters) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker.defaultLookup().find(name).orElseThrow(),
        FunctionDescriptor.of(result, parameters),
        Linker.Option.captureCallState("errno"));
  }

  /** {@return whether this system can pass them on} */
  public static boolean canPass() {
    return HERE.isPresent();
  }

  private static Descriptors calls() throws IOException {
    return HERE.orElseThrow(
        () -> new IOException("this system passes on no file descriptors: that needs Linux"));
  }

  /** Closes a descriptor. */
  public static void close(int descriptor) {
    if (descriptor >= 0) {
      HERE.ifPresent(calls -> calls.end(descriptor));
    }
  }

  private void end(int descriptor) {
    try (Arena arena = Arena.ofConfined()) {
      int _ = (int) close.invokeExact(arena.allocate(STATE), descriptor);
    } catch (Throwable e) {
      throw new AssertionError("close does not throw", e);
    }
  }

  /** {@return a descriptor of a file} The caller closes it. */
  public static int ofFile(Path file) throws IOException {
    Descriptors calls = calls();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(STATE);
      return calls.checked(
          "open",
          state,
          (int)
              calls.open.invokeExact(
                  state, arena.allocateFrom(file.toString()), READ_WRITE | CLOSE_ON_EXEC));
    } catch (IOException | RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError("open does not throw", e);
    }
  }

  /** {@return the file of a descriptor} */
  public static Path fileOf(int descriptor) throws IOException {
    return Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor));
  }

  /**
   * Passes a descriptor on, which stays open here.
   *
   * @param to the socket of a {@link Receiver}
   * @param number what it is recognized by there
   */
  public static void send(int descriptor, Path to, long number) throws IOException {
    Descriptors calls = calls();
    int from = NONE;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(STATE);
      from = calls.socket(state);
      MemorySegment control = arena.allocate(ROOM_OF_RIGHTS, Long.BYTES);
      control.set(JAVA_LONG, 0, HEAD_BYTES + Integer.BYTES);
      control.set(JAVA_INT, LEVEL, SOCKET_LEVEL);
      control.set(JAVA_INT, TYPE, RIGHTS);
      control.set(JAVA_INT, HEAD_BYTES, descriptor);
      MemorySegment message = message(arena, arena.allocateFrom(JAVA_LONG, number), control);
      message.set(ADDRESS, NAME, address(arena, to));
      message.set(JAVA_INT, NAME_BYTES, (int) ADDRESS_BYTES);
      int flags = NO_SIGNAL | DO_NOT_WAIT;
      int _ =
          calls.checked(
              "sendmsg", state, (int) (long) calls.send.invokeExact(state, from, message, flags));
    } catch (IOException | RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError("sendmsg does not throw", e);
    } finally {
      close(from);
    }
  }

  /** Where a descriptor arrives. */
  static final class Receiver implements AutoCloseable {
    private final Descriptors calls;
    private final Path path;
    private final int socket;

    /**
     * Makes a socket.
     *
     * @param path where; nothing is there yet
     */
    Receiver(Path path) throws IOException {
      this.calls = calls();
      this.path = path;
      int made = NONE;
      boolean isMade = false;
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment state = arena.allocate(STATE);
        made = calls.socket(state);
        MemorySegment yes = arena.allocateFrom(JAVA_INT, 1);
        int _ =
            calls.checked(
                "setsockopt",
                state,
                (int)
                    calls.option.invokeExact(
                        state, made, SOCKET_LEVEL, PASS_CREDENTIALS, yes, Integer.BYTES));
        MemorySegment address = address(arena, path);
        int _ =
            calls.checked(
                "bind",
                state,
                (int) calls.bind.invokeExact(state, made, address, (int) ADDRESS_BYTES));
        isMade = true;
      } catch (IOException | RuntimeException | Error e) {
        throw e;
      } catch (Throwable e) {
        throw new AssertionError("bind does not throw", e);
      } finally {
        if (!isMade) {
          Descriptors.close(made);
        }
      }
      this.socket = made;
    }

    /**
     * {@return the descriptor that has arrived} Does not wait: a message is there when its sender
     * goes on.
     *
     * @param number by which it is recognized
     * @throws IOException if none has arrived, or another user has sent it
     */
    int receive(long number) throws IOException {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment state = arena.allocate(STATE);
        MemorySegment control = arena.allocate(ROOM_OF_RIGHTS + ROOM_OF_CREDENTIALS, Long.BYTES);
        MemorySegment sent = arena.allocate(JAVA_LONG);
        MemorySegment message = message(arena, sent, control);
        int flags = CLOSE_RECEIVED_ON_EXEC | DO_NOT_WAIT;
        int bytes =
            calls.checked(
                "recvmsg",
                state,
                (int) (long) calls.receive.invokeExact(state, socket, message, flags));
        boolean isTheOne = bytes == Long.BYTES && sent.get(JAVA_LONG, 0) == number;
        return received(
            control.asSlice(0, Math.min(control.byteSize(), message.get(JAVA_LONG, CONTROL_BYTES))),
            isTheOne,
            (int) calls.user.invokeExact(state));
      } catch (IOException | RuntimeException | Error e) {
        throw e;
      } catch (Throwable e) {
        throw new AssertionError("recvmsg does not throw", e);
      }
    }

    private static int received(MemorySegment control, boolean isTheOne, int user)
        throws IOException {
      int descriptor = NONE;
      boolean isOwn = false;
      for (long at = 0; at + HEAD_BYTES <= control.byteSize(); ) {
        long length = control.get(JAVA_LONG, at);
        if (length < HEAD_BYTES || at + length > control.byteSize()) {
          break;
        }
        int type = control.get(JAVA_INT, at + TYPE);
        if (type == RIGHTS) {
          descriptor = control.get(JAVA_INT, at + HEAD_BYTES);
        } else if (type == CREDENTIALS) {
          isOwn = control.get(JAVA_INT, at + HEAD_BYTES + USER) == user;
        }
        at += (length + Long.BYTES - 1) & -Long.BYTES;
      }
      if (descriptor == NONE || !isTheOne || !isOwn) {
        Descriptors.close(descriptor);
        throw new IOException(
            isOwn
                ? "no descriptor has come with the message"
                : "a descriptor has come from another user");
      }
      return descriptor;
    }

    @Override
    public void close() {
      Descriptors.close(socket);
      try {
        boolean _ = Files.deleteIfExists(path);
      } catch (IOException _) { // the folder is swept later
        return;
      }
    }
  }

  private int socket(MemorySegment state) throws IOException {
    try {
      return checked(
          "socket",
          state,
          (int) socket.invokeExact(state, (int) FAMILY, DATAGRAM | CLOSE_ON_EXEC, 0));
    } catch (IOException | RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError("socket does not throw", e);
    }
  }

  /** {@return a message of one number, and of what comes beside it} */
  private static MemorySegment message(Arena arena, MemorySegment number, MemorySegment control) {
    MemorySegment part = arena.allocate(2L * Long.BYTES, Long.BYTES);
    part.set(ADDRESS, 0, number);
    part.set(JAVA_LONG, Long.BYTES, Long.BYTES);
    MemorySegment message = arena.allocate(MESSAGE_BYTES, Long.BYTES);
    message.set(ADDRESS, PARTS, part);
    message.set(JAVA_LONG, PART_COUNT, 1);
    message.set(ADDRESS, CONTROL, control);
    message.set(JAVA_LONG, CONTROL_BYTES, control.byteSize());
    return message;
  }

  private static MemorySegment address(Arena arena, Path path) throws IOException {
    byte[] name = path.toString().getBytes(StandardCharsets.UTF_8);
    if (name.length > LONGEST_PATH) {
      throw new IOException(
          "a socket's path may have %d bytes, and %s has %d"
              .formatted(LONGEST_PATH, path, name.length));
    }
    MemorySegment address = arena.allocate(ADDRESS_BYTES, Long.BYTES);
    address.set(JAVA_SHORT, 0, FAMILY);
    MemorySegment.copy(name, 0, address, JAVA_BYTE, Short.BYTES, name.length);
    return address;
  }

  private int checked(String call, MemorySegment state, int result) throws IOException {
    if (result < 0) {
      throw new IOException("%s: error %d".formatted(call, (int) ERROR.get(state, 0L)));
    }
    return result;
  }
}
