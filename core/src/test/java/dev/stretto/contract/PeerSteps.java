package dev.stretto.contract;

import static dev.stretto.contract.EveryOperation.SIZE;
import static dev.stretto.contract.EveryOperation.bytes;

import dev.stretto.Device;
import dev.stretto.PeerAccess;
import dev.stretto.PinnedArena;
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
