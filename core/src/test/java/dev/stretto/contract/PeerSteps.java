package dev.stretto.contract;

import static dev.stretto.contract.EveryOperation.SIZE;
import static dev.stretto.contract.EveryOperation.bytes;

import dev.stretto.Device;
import dev.stretto.Extent;
import dev.stretto.PeerAccess;
import dev.stretto.PinnedArena;
import dev.stretto.Pitches;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalBytes;
import java.lang.foreign.MemorySegment;

/** Copies between two devices, with and without access. */
final class PeerSteps {
  private final EveryOperation all;
  private final Device device;
  private final Device peer;

  PeerSteps(EveryOperation all) {
    this.all = all;
    this.device = all.devices.get(0);
    this.peer = all.devices.get(1);
  }

  void run() {
    all.step("to a peer, staged", () -> there(SIZE));
    all.step("to a peer, small", () -> there(1000));
    all.step("from a peer, staged", () -> back(SIZE));
    all.step("from a peer, small", () -> back(1000));
    all.step("rows to a peer", () -> rows(device, peer, SIZE / 100));
    all.step("rows from a peer, small", () -> rows(peer, device, 20));
    all.step("planes with access", this::planesWithAccess);
    all.step("with access", this::withAccess);
    all.step("with the peer's access", this::withTheirAccess);
    all.step("events of both", this::events);
  }

  private void there(int size) {
    copy(device, peer, device, size);
  }

  private void back(int size) {
    copy(peer, device, device, size);
  }

  /** There and nothing else, on a stream of one of the two. */
  private void copy(Device from, Device to, Device on, int size) {
    byte[] data = bytes(size, 10);
    try (Stream first = from.stream();
        Stream second = to.stream();
        Stream between = on.stream();
        GlobalBytes source = from.allocateBytes(size);
        GlobalBytes target = to.allocateBytes(size)) {
      byte[] out = new byte[size];
      first.copy(data, source);
      between.waitFor(first.record());
      between.copy(source, target);
      between.copy(source.slice(0, 10), target.slice(0, 10));
      second.waitFor(between.record());
      second.copy(target, out);
      all.await(first);
      all.await(between);
      all.await(second);
      all.check(out, data);
    }
  }

  private void rows(Device from, Device to, int rows) {
    planes(from, to, rows, new Pitches(100, 100L * rows), new Pitches(80, 80L * rows), 1);
  }

  private void planesWithAccess() {
    if (device.canAccess(peer)) {
      try (PeerAccess _ = device.enablePeerAccess(peer)) {
        planes(device, peer, SIZE / 200, new Pitches(100, SIZE / 2), new Pitches(80, SIZE / 2), 2);
      }
    }
  }

  private void planes(
      Device from, Device to, int rows, Pitches source, Pitches target, int planes) {
    int width = 70;
    int size = (int) (planes * source.plane());
    int targetSize = (int) (planes * target.plane());
    byte[] data = bytes(size, 12);
    byte[] expected = new byte[targetSize];
    for (int i = 0; i < planes * rows; i++) {
      int plane = i / rows;
      int at = (int) (plane * source.plane() + i % rows * source.row());
      int there = (int) (plane * target.plane() + i % rows * target.row());
      System.arraycopy(data, at, expected, there, width);
    }
    try (Stream first = from.stream();
        Stream second = to.stream();
        GlobalBytes read = from.allocateBytes(size);
        GlobalBytes written = to.allocateBytes(targetSize)) {
      byte[] out = new byte[targetSize];
      second.fill(written, (byte) 0);
      first.copy(data, read);
      first.waitFor(second.record());
      if (planes == 1) {
        first.copy2D(read, source.row(), written, target.row(), width, rows);
      } else {
        first.copy3D(read, source, written, target, new Extent(width, rows, planes));
      }
      second.waitFor(first.record());
      second.copy(written, out);
      all.await(first);
      all.await(second);
      all.check(out, expected);
    }
  }

  private void withAccess() {
    if (device.canAccess(peer)) {
      try (PeerAccess access = device.enablePeerAccess(peer)) {
        all.check(access.isOpen() && device.routeTo(peer) != null, "there is a way");
        copy(device, peer, device, SIZE);
        copy(peer, device, peer, SIZE);
      }
    }
  }

  private void withTheirAccess() {
    if (peer.canAccess(device)) {
      try (PeerAccess access = peer.enablePeerAccess(device);
          PeerAccess again = peer.enablePeerAccess(device)) {
        all.check(access.isOpen() && again.isOpen(), "access is counted");
        copy(device, peer, device, SIZE);
      }
    }
  }

  private void events() {
    try (PinnedArena pinned = device.pinnedArena();
        Stream theirs = peer.stream();
        EveryOperation.Settled _ = all.settled(theirs);
        Stream mine = device.stream();
        GlobalBytes array = device.allocateBytes(SIZE)) {
      byte[] data = bytes(SIZE, 11);
      MemorySegment host = pinned.allocate(SIZE);
      theirs.then(() -> host.copyFrom(MemorySegment.ofArray(data)));
      mine.waitFor(theirs.record());
      mine.copy(host, array);
      theirs.waitFor(mine.record());
      byte[] out = new byte[SIZE];
      mine.copy(array, out);
      all.await(mine);
      all.await(theirs);
      all.check(out, data);
    }
  }
}
