package dev.stretto.contract;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.Registration;
import dev.stretto.Route;
import dev.stretto.memory.GlobalArray;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Some memory of a random program, and what it has to hold when all that was enqueued is done. */
final class SoakMemory {
  /** Where memory can lie. */
  enum Kind {
    BYTES,
    INTS,
    ADOPTED,
    HEAP,
    PLAIN,
    MAPPED,
    PINNED;

    boolean isOnDevice() {
      return this == BYTES || this == INTS || this == ADOPTED;
    }
  }

  final Kind kind;
  final Device device;
  final byte[] expected;
  List<Event> read = new ArrayList<>();
  @Nullable Event written;
  @Nullable GlobalArray array;
  @Nullable MemorySegment host;
  @Nullable Registration registration;

  /** Whether host threads may have to touch it still, so that it must not go in the meantime. */
  boolean touched;

  /** What holds it, and is closed with it. */
  @Nullable AutoCloseable owner;

  SoakMemory(Kind kind, Device device, int size) {
    this.kind = kind;
    this.device = device;
    this.expected = new byte[size];
  }

  /** Notes how it was copied. */
  void copied(Route route) {
    touched |= route.kind() != Route.Kind.DIRECT;
  }

  GlobalArray slice(int at, int length) {
    return array instanceof GlobalInts ints
        ? ints.slice(at / 4, length / 4)
        : ((GlobalBytes) array).slice(at, length);
  }

  MemorySegment part(int at, int length) {
    return host.asSlice(at, length);
  }

  byte[] held() {
    return host.toArray(JAVA_BYTE);
  }

  @Override
  public String toString() {
    return kind + " of " + device.name() + "@" + Integer.toHexString(System.identityHashCode(this));
  }
}
