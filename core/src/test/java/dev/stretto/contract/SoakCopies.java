package dev.stretto.contract;

import dev.stretto.CopyRequest;
import dev.stretto.Device;
import dev.stretto.Extent;
import dev.stretto.PeerAccess;
import dev.stretto.PinnedBuffer;
import dev.stretto.Pitches;
import dev.stretto.Registration;
import dev.stretto.Route;
import dev.stretto.SourceAccess;
import dev.stretto.Stream;
import dev.stretto.contract.SoakMemory.Kind;
import dev.stretto.contract.SoakProgram.Chance;
import dev.stretto.fault.PinnedBudgetException;
import dev.stretto.memory.GlobalArray;
import dev.stretto.memory.GlobalBytes;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** The copies of a random program: every way, from and to every kind of memory. */
final class SoakCopies {
  private final SoakProgram program;
  private final Random random;
  private final Device device;
  private final List<PeerAccess> access = new ArrayList<>();

  SoakCopies(SoakProgram program) {
    this.program = program;
    this.random = program.random;
    this.device = program.devices.getFirst();
  }

  void addTo(List<Chance> chances) {
    chances.add(new Chance("copy in", 12, this::in));
    chances.add(new Chance("copy out", 12, this::out));
    chances.add(new Chance("copy in, route forced", 3, this::inForced));
    chances.add(new Chance("copy out, route forced", 3, this::outForced));
    chances.add(new Chance("copy within or between devices", 8, this::onDevices));
    chances.add(new Chance("copy on the host", 2, this::onHost));
    chances.add(new Chance("copy2D", 4, this::planes2D));
    chances.add(new Chance("copy3D", 4, this::planes3D));
    chances.add(new Chance("copy with source access", 3, this::access));
    chances.add(new Chance("copyAll", 4, this::batch));
    chances.add(new Chance("lend a pinned buffer", 4, this::lend));
    chances.add(new Chance("register or end it", 2, this::register));
    chances.add(new Chance("replace pinned memory", 2, this::replacePinned));
    if (program.devices.size() > 1) {
      chances.add(new Chance("access on or off", 2, this::peerAccess));
    }
  }

  private SoakMemory host() {
    return program.any(program.onHost);
  }

  /** {@return a stream for a copy between device and host memory, which may be staged} */
  private Stream streamFor(SoakMemory onDevice, SoakMemory host) {
    return host.kind == Kind.PINNED && host.device == onDevice.device
        ? program.anyStreamOf(onDevice.device)
        : program.streamOf(onDevice.device);
  }

  private void in() {
    SoakMemory from = host();
    SoakMemory to = program.any(program.onDevice);
    Stream stream = streamFor(to, from);
    int[] range = begin(stream, from, to);
    from.copied(stream.copy(from.part(range[0], range[1]), to.slice(range[0], range[1])).route());
    end(stream, from, to, range);
  }

  private void out() {
    SoakMemory from = program.any(program.onDevice);
    SoakMemory to = host();
    Stream stream = streamFor(from, to);
    int[] range = begin(stream, from, to);
    to.copied(stream.copy(from.slice(range[0], range[1]), to.part(range[0], range[1])).route());
    end(stream, from, to, range);
  }

  private int[] begin(Stream stream, SoakMemory from, SoakMemory to) {
    program.reads(stream, from);
    program.writes(stream, to);
    return program.range();
  }

  private void end(Stream stream, SoakMemory from, SoakMemory to, int[] range) {
    System.arraycopy(from.expected, range[0], to.expected, range[0], range[1]);
    program.hasRead(stream, from);
    program.hasWritten(stream, to);
  }

  /** Whether the driver's own pageable path can be had. */
  private boolean isPageable(SoakMemory host) {
    return host.kind == Kind.PLAIN && host.registration == null && random.nextBoolean();
  }

  private void inForced() {
    SoakMemory from = host();
    SoakMemory to = program.any(program.onDevice);
    Stream stream = program.streamOf(to.device);
    int[] range = begin(stream, from, to);
    Route.Kind way = isPageable(from) ? Route.Kind.AWAITED_PAGEABLE : Route.Kind.STAGED;
    if (way == Route.Kind.AWAITED_PAGEABLE) {
      program.await(stream);
    }
    from.touched = true;
    stream.copy(from.part(range[0], range[1]), to.slice(range[0], range[1]), way);
    end(stream, from, to, range);
  }

  private void outForced() {
    SoakMemory from = program.any(program.onDevice);
    SoakMemory to = host();
    Stream stream = program.streamOf(from.device);
    int[] range = begin(stream, from, to);
    Route.Kind way = isPageable(to) ? Route.Kind.AWAITED_PAGEABLE : Route.Kind.STAGED;
    if (way == Route.Kind.AWAITED_PAGEABLE) {
      program.await(stream);
    }
    to.touched = true;
    stream.copy(from.slice(range[0], range[1]), to.part(range[0], range[1]), way);
    end(stream, from, to, range);
  }

  private void onDevices() {
    SoakMemory from = program.any(program.onDevice);
    SoakMemory to = program.any(program.onDevice);
    if (from == to) {
      return;
    }
    Stream stream =
        from.device == to.device
            ? program.anyStreamOf(to.device)
            : program.streamOf(random.nextBoolean() ? from.device : to.device);
    int[] range = begin(stream, from, to);
    stream.copy(from.slice(range[0], range[1]), to.slice(range[0], range[1]));
    end(stream, from, to, range);
  }

  private void onHost() {
    SoakMemory from = host();
    SoakMemory to = host();
    if (from == to) {
      return;
    }
    Stream stream = program.any(program.streams);
    int[] range = begin(stream, from, to);
    from.touched = true;
    to.touched = true;
    stream.copy(from.part(range[0], range[1]), to.part(range[0], range[1]));
    end(stream, from, to, range);
  }

  // --- rows and planes --------------------------------------------------------------------------

  private void planes2D() {
    int pitch = 4 * (1 + random.nextInt(Math.min(500, program.size / 8)));
    int width = 1 + random.nextInt(pitch);
    int rows = 1 + random.nextInt(program.size / pitch);
    planes(new Pitches(pitch, (long) pitch * rows), new Extent(width, rows, 1), true);
  }

  private void planes3D() {
    int pitch = 4 * (1 + random.nextInt(Math.min(100, program.size / 16)));
    int rows = 1 + random.nextInt(3);
    int between = random.nextInt(3);
    int plane = pitch * (rows + between);
    int planes = 1 + random.nextInt(Math.max(1, program.size / plane));
    if ((long) plane * planes > program.size) {
      return;
    }
    planes(new Pitches(pitch, plane), new Extent(1 + random.nextInt(pitch), rows, planes), false);
  }

  private void planes(Pitches pitches, Extent extent, boolean flat) {
    SoakMemory onDevice = program.any(program.onDevice);
    SoakMemory other = random.nextInt(3) == 0 ? program.any(program.onDevice) : host();
    if (other == onDevice || (other.kind.isOnDevice() && other.device != onDevice.device)) {
      return;
    }
    boolean in = random.nextBoolean();
    SoakMemory from = in ? other : onDevice;
    SoakMemory to = in ? onDevice : other;
    Stream stream =
        other.kind.isOnDevice() ? program.anyStreamOf(onDevice.device) : streamFor(onDevice, other);
    program.reads(stream, from);
    program.writes(stream, to);
    from.touched = true;
    to.touched = true;
    if (flat) {
      copy2D(stream, from, to, pitches.row(), extent);
    } else {
      copy3D(stream, from, to, pitches, extent);
    }
    for (int plane = 0; plane < extent.planes(); plane++) {
      for (int row = 0; row < extent.rows(); row++) {
        int at = (int) (plane * pitches.plane() + row * pitches.row());
        System.arraycopy(from.expected, at, to.expected, at, (int) extent.width());
      }
    }
    program.hasRead(stream, from);
    program.hasWritten(stream, to);
  }

  private static void copy2D(
      Stream stream, SoakMemory from, SoakMemory to, long pitch, Extent extent) {
    long width = extent.width();
    if (!from.kind.isOnDevice()) {
      stream.copy2D(from.host, pitch, to.array, pitch, width, extent.rows());
    } else if (!to.kind.isOnDevice()) {
      stream.copy2D(from.array, pitch, to.host, pitch, width, extent.rows());
    } else {
      stream.copy2D(from.array, pitch, to.array, pitch, width, extent.rows());
    }
  }

  private static void copy3D(
      Stream stream, SoakMemory from, SoakMemory to, Pitches pitches, Extent extent) {
    if (!from.kind.isOnDevice()) {
      stream.copy3D(from.host, pitches, to.array, pitches, extent);
    } else if (!to.kind.isOnDevice()) {
      stream.copy3D(from.array, pitches, to.host, pitches, extent);
    } else {
      stream.copy3D(from.array, pitches, to.array, pitches, extent);
    }
  }

  // --- attributes, batches ----------------------------------------------------------------------

  private void access() {
    SoakMemory from = host();
    SoakMemory to = program.any(program.onDevice);
    Stream stream = program.streamOf(to.device);
    program.settle(from);
    program.writes(stream, to);
    int[] range = program.range();
    int length = Math.min(range[1], SourceAccess.DURING_CALL_BYTES);
    MemorySegment source = from.part(range[0], length);
    GlobalArray target = to.slice(range[0], length);
    SourceAccess when = SourceAccess.values()[random.nextInt(SourceAccess.values().length)];
    from.copied(stream.copy(source, target, when).route());
    System.arraycopy(from.expected, range[0], to.expected, range[0], length);
    if (when == SourceAccess.DURING_CALL) { // it has been read, and may hold anything
      source.fill((byte) 77);
      SoakProgram.fill(from.expected, range[0], length, 77 * 0x01010101);
    } else {
      program.hasRead(stream, from);
    }
    program.hasWritten(stream, to);
  }

  /** In and out at once, of memories of which none is used twice. */
  private void batch() {
    List<SoakMemory> hosts = new ArrayList<>(program.onHost);
    List<SoakMemory> arrays =
        new ArrayList<>(program.onDevice.stream().filter(m -> m.device == device).toList());
    java.util.Collections.shuffle(hosts, random);
    java.util.Collections.shuffle(arrays, random);
    Stream stream = program.streamOf(device);
    List<CopyRequest> copies = new ArrayList<>();
    List<Runnable> after = new ArrayList<>();
    int most = Math.min(arrays.size(), hosts.size());
    for (int i = 0; i < 1 + random.nextInt(most); i++) {
      SoakMemory array = arrays.get(i);
      SoakMemory host = hosts.get(i);
      boolean in = random.nextBoolean();
      SoakMemory from = in ? host : array;
      SoakMemory to = in ? array : host;
      int[] range = begin(stream, from, to);
      GlobalArray slice = array.slice(range[0], range[1]);
      MemorySegment part = host.part(range[0], range[1]);
      copies.add(in ? CopyRequest.of(part, slice) : CopyRequest.of(slice, part));
      host.touched = true;
      after.add(() -> end(stream, from, to, range));
    }
    var batch = stream.copyAll(copies);
    after.forEach(Runnable::run);
    if (random.nextInt(4) == 0) {
      program.await(batch);
    }
  }

  // --- pinned memory ----------------------------------------------------------------------------

  private void lend() {
    PinnedBuffer buffer =
        switch (random.nextInt(3)) {
          case 0 -> program.buffers().tryLease().orElse(null);
          case 1 -> SoakProgram.join(program.buffers().lease());
          default -> program.buffers().awaitLease();
        };
    if (buffer == null) {
      return; // all are in use
    }
    SoakMemory to =
        program.any(program.onDevice.stream().filter(m -> m.kind != Kind.INTS).toList());
    Stream stream = program.streamOf(to.device);
    int length = (int) buffer.byteSize();
    byte[] data = EveryOperation.bytes(length, random.nextLong());
    buffer.memory().copyFrom(MemorySegment.ofArray(data));
    program.writes(stream, to);
    stream.copy(buffer.memory(), ((GlobalBytes) to.array).slice(0, length));
    buffer.close();
    System.arraycopy(data, 0, to.expected, 0, length);
    program.hasWritten(stream, to);
  }

  private void register() {
    for (SoakMemory memory : program.onHost) {
      if (memory.kind == Kind.PLAIN) {
        Registration registration = memory.registration;
        if (registration != null) {
          registration.close();
          program.open.remove(registration);
          memory.registration = null;
        } else {
          try {
            memory.registration = device.register(memory.host, program.arena());
            program.open.add(memory.registration);
          } catch (PinnedBudgetException e) {
            // it is pinned still, by a registration that has ended with copies under way
          }
        }
      }
    }
  }

  /**
   * Closes an arena in flight, unless host threads have to touch its memory still. What copies
   * bring to it nobody sees any more.
   */
  private void replacePinned() {
    SoakMemory memory =
        program.any(program.onHost.stream().filter(m -> m.kind == Kind.PINNED).toList());
    if (memory.touched) {
      program.settle(memory);
      memory.touched = false;
    }
    try {
      memory.owner.close();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
    program.hosted(memory);
    memory.read.clear();
    memory.written = null;
  }

  private void peerAccess() {
    if (!access.isEmpty() && random.nextBoolean()) {
      PeerAccess ended = access.remove(random.nextInt(access.size()));
      program.open.remove(ended);
      ended.close();
      return;
    }
    Device from = program.any(program.devices);
    Device to = program.any(program.devices);
    if (from != to && from.canAccess(to) && access.size() < 4) {
      PeerAccess begun = from.enablePeerAccess(to);
      access.add(begun);
      program.open.add(begun);
    }
  }
}
