package dev.stretto.contract;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stretto.Copy;
import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.Extent;
import dev.stretto.Graph;
import dev.stretto.PeerAccess;
import dev.stretto.Pitches;
import dev.stretto.Route;
import dev.stretto.Stream;
import dev.stretto.collective.Collective;
import dev.stretto.collective.CollectiveCopy;
import dev.stretto.memory.GlobalFloats;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;

/** Copies between devices, and collective ones, by every way, beside what other streams do. */
class CheckedPeersTest extends CheckedPrograms {
  private static final Programs PROGRAMS = new Programs();

  /** What a program has besides: another device, with a stream and an array. */
  private static final class Peer implements AutoCloseable {
    final Device device;
    final Stream stream;
    final Stream another;
    final GlobalFloats a;
    final GlobalFloats b;

    Peer(Device device) {
      this.device = device;
      this.stream = device.stream("peer");
      this.another = device.stream("another");
      this.a = device.allocateFloats(LENGTH);
      this.b = device.allocateFloats(LENGTH);
      stream.fill(a, 0).await();
      stream.fill(b, 0).await();
    }

    @Override
    public void close() {
      stream.close();
      another.close();
      a.close();
      b.close();
    }
  }

  /** A program with two devices. */
  private interface PeerProgram {
    void run(Hands with, Peer peer) throws Exception;
  }

  /** A copy to the peer's first array, or from it, on one of the two devices' streams. */
  private interface Way {
    Copy copy(Hands with, Peer peer);
  }

  private static final Pitches PLANES = new Pitches(32, 128);
  private static final Extent EXTENT = new Extent(28, 4, 2);

  private static final Map<String, Way> THERE = new LinkedHashMap<>();
  private static final Map<String, Way> BACK = new LinkedHashMap<>();

  static {
    for (Route.Kind kind : List.of(Route.Kind.PEER_STAGED, Route.Kind.PEER_BY_DRIVER)) {
      THERE.put("there, sent, " + kind, (with, peer) -> with.first.copy(with.a, peer.a, kind));
      THERE.put("there, fetched, " + kind, (with, peer) -> peer.stream.copy(with.a, peer.a, kind));
      BACK.put("back, sent, " + kind, (with, peer) -> peer.stream.copy(peer.a, with.a, kind));
      BACK.put("back, fetched, " + kind, (with, peer) -> with.first.copy(peer.a, with.a, kind));
    }
    THERE.put("there, sent", (with, peer) -> with.first.copy(with.a, peer.a));
    THERE.put("there, fetched", (with, peer) -> peer.stream.copy(with.a, peer.a));
    THERE.put("rows there, sent", (with, peer) -> with.first.copy2D(with.a, 64, peer.a, 64, 60, 4));
    THERE.put(
        "planes there, fetched",
        (with, peer) -> peer.stream.copy3D(with.a, PLANES, peer.a, PLANES, EXTENT));
    BACK.put("rows back, sent", (with, peer) -> peer.stream.copy2D(peer.a, 64, with.a, 64, 60, 4));
    BACK.put(
        "planes back, fetched",
        (with, peer) -> with.first.copy3D(peer.a, PLANES, with.a, PLANES, EXTENT));
    BACK.put("back, sent", (with, peer) -> peer.stream.copy(peer.a, with.a));
    BACK.put("back, fetched", (with, peer) -> with.first.copy(peer.a, with.a));

    THERE.forEach(
        (name, way) -> {
          bad(
              name + ": the peer overwrites what arrives",
              (with, peer) -> {
                way.copy(with, peer);
                peer.another.fill(peer.a, 1);
              });
          good(
              name + ": the peer overwrites what has arrived",
              (with, peer) -> {
                peer.another.waitFor(event(way.copy(with, peer)));
                peer.another.fill(peer.a, 1);
              });
          bad(
              name + ": the sender overwrites what leaves",
              (with, peer) -> {
                way.copy(with, peer);
                with.second.fill(with.a, 1);
              });
          good(
              name + ": the sender overwrites what was awaited",
              (with, peer) -> {
                way.copy(with, peer).await();
                with.second.fill(with.a, 1);
                peer.another.copy(peer.a, with.other);
              });
          good(
              name + ": the sender reads what leaves",
              (with, peer) -> {
                way.copy(with, peer);
                with.second.copy(with.a, with.other);
              });
          bad(
              name + ": the sender still fills what leaves",
              (with, peer) -> {
                with.second.fill(with.a, 1);
                way.copy(with, peer);
              });
          bad(
              name + ": the peer's stream waits for an event of before",
              (with, peer) -> {
                Event before = with.first.record();
                Event too = peer.stream.record();
                way.copy(with, peer);
                peer.another.waitFor(before);
                peer.another.waitFor(too);
                peer.another.copy(peer.a, with.other);
              });
        });
    BACK.forEach(
        (name, way) -> {
          bad(
              name + ": the receiver reads what arrives",
              (with, peer) -> {
                way.copy(with, peer);
                with.second.copy(with.a, with.other);
              });
          good(
              name + ": the receiver reads what is known to have arrived",
              (with, peer) -> {
                Copy copy = way.copy(with, peer);
                while (!copy.isDone()) {
                  Thread.onSpinWait();
                }
                with.second.copy(with.a, with.other);
              });
          good(
              name + ": the receiver reads behind a future",
              (with, peer) -> {
                way.copy(with, peer).toCompletableFuture().join();
                with.second.copy(with.a, with.other);
              });
          bad(
              name + ": the peer still fills what leaves",
              (with, peer) -> {
                peer.another.fill(peer.a, 1);
                way.copy(with, peer);
              });
          good(
              name + ": the peer has filled what leaves",
              (with, peer) -> {
                peer.another.fill(peer.a, 1);
                Event filled = peer.another.record();
                peer.stream.waitFor(filled);
                with.first.waitFor(filled);
                way.copy(with, peer);
              });
          good(
              name + ": the peer overwrites what has left, the receiver waiting",
              (with, peer) -> {
                with.third.waitFor(event(way.copy(with, peer)));
                peer.another.waitFor(with.third.record());
                peer.another.fill(peer.a, 1);
              });
        });
    good(
        "rows there, beside a fill between them",
        (with, peer) -> {
          with.first.copy2D(with.a, 64, peer.a, 64, 60, 4);
          peer.stream.fill2D(peer.a.slice(15, 49), 64, 4, 4, 1);
          with.second.fill2D(with.a.slice(15, 49), 64, 4, 4, 1);
        });
    bad(
        "rows there, beside a fill of their last column",
        (with, peer) -> {
          with.first.copy2D(with.a, 64, peer.a, 64, 60, 4);
          peer.stream.fill2D(peer.a.slice(14, 50), 64, 4, 4, 1);
        });
    bad(
        "planes with access, beside a fill of a row",
        (with, peer) -> {
          try (PeerAccess _ = with.device.enablePeerAccess(peer.device)) {
            with.first.copy3D(with.a, PLANES, peer.a, PLANES, EXTENT);
            peer.stream.fill(peer.a.slice(32, 2), 1);
          }
        });
    bad(
        "a copy with access, beside a fill",
        (with, peer) -> {
          try (PeerAccess _ = with.device.enablePeerAccess(peer.device)) {
            with.first.copy(with.a, peer.a);
            peer.stream.fill(peer.a, 1);
          }
        });
    good(
        "a copy with access, and a fill behind it",
        (with, peer) -> {
          try (PeerAccess _ = with.device.enablePeerAccess(peer.device)) {
            with.first.copy(with.a, peer.a);
            peer.stream.waitFor(with.first.record());
            peer.stream.fill(peer.a, 1);
          }
        });
    bad(
        "a copy in a graph, beside a fill on the peer",
        (with, peer) -> {
          try (PeerAccess _ = with.device.enablePeerAccess(peer.device);
              Graph graph = Graph.capture(with.first, stream -> stream.copy(with.a, peer.a))) {
            graph.launch(with.first);
            peer.stream.fill(peer.a, 1);
          }
        });
    good(
        "a copy in a graph, and a fill on the peer behind it",
        (with, peer) -> {
          try (PeerAccess _ = with.device.enablePeerAccess(peer.device);
              Graph graph = Graph.capture(with.first, stream -> stream.copy(with.a, peer.a))) {
            peer.stream.waitFor(graph.launch(with.first));
            peer.stream.fill(peer.a, 1);
          }
        });
    bad(
        "a broadcast beside a fill of its source",
        (with, peer) -> {
          try (Collective both = both(with, peer)) {
            broadcast(both, with, peer);
            with.second.fill(with.a, 1);
          }
        });
    bad(
        "a broadcast that does not come after the fill of its source",
        (with, peer) -> {
          try (Collective both = both(with, peer)) {
            with.second.fill(with.a, 1);
            broadcast(both, with, peer);
          }
        });
    good(
        "a broadcast that comes after the fill of its source",
        (with, peer) -> {
          try (Collective both = both(with, peer)) {
            with.second.fill(with.a, 1);
            broadcast(both, with, peer, with.second.record());
          }
        });
    bad(
        "what a broadcast brings is read at once",
        (with, peer) -> {
          try (Collective both = both(with, peer)) {
            broadcast(both, with, peer);
            peer.another.copy(peer.a, with.other);
          }
        });
    good(
        "what a broadcast brings is read by a stream that waits",
        (with, peer) -> {
          try (Collective both = both(with, peer)) {
            broadcast(both, with, peer).before(peer.another);
            peer.another.copy(peer.a, with.other);
          }
        });
    good(
        "what a broadcast has brought is read",
        (with, peer) -> {
          try (Collective both = both(with, peer)) {
            broadcast(both, with, peer).await();
            peer.another.copy(peer.a, with.other);
            with.second.fill(with.a, 1);
          }
        });
    good(
        "what a broadcast has brought is read behind its future",
        (with, peer) -> {
          try (Collective both = both(with, peer)) {
            broadcast(both, with, peer).toCompletableFuture().join();
            peer.another.copy(peer.a, with.other);
            with.second.fill(with.a, 1);
          }
        });
    good(
        "the halves of an all-gather side by side with other bytes",
        (with, peer) -> {
          try (Collective both = both(with, peer)) {
            CollectiveCopy gathered =
                both.allGather(
                    List.of(with.a.slice(0, 16), peer.a.slice(0, 16)),
                    List.of(with.b.slice(0, 32), peer.b.slice(0, 32)));
            with.second.fill(with.b.slice(32, 32), 1);
            peer.another.fill(peer.b.slice(32, 32), 1);
            gathered.before(with.second);
            with.second.fill(with.b, 2);
          }
        });
    bad(
        "an all-gather beside a fill of one element that it brings",
        (with, peer) -> {
          try (Collective both = both(with, peer)) {
            both.allGather(
                List.of(with.a.slice(0, 16), peer.a.slice(0, 16)),
                List.of(with.b.slice(0, 32), peer.b.slice(0, 32)));
            with.second.fill(with.b.slice(31, 33), 1);
          }
        });
  }

  private static Event event(Copy copy) {
    return copy.stream().record();
  }

  private static Collective both(Hands with, Peer peer) {
    return Collective.of(List.of(with.device, peer.device));
  }

  private static CollectiveCopy broadcast(Collective both, Hands with, Peer peer, Event... after) {
    return both.broadcast(with.a, List.of(peer.a), after);
  }

  private static void bad(String name, PeerProgram program) {
    PROGRAMS.bad(name, with -> run(program, with));
  }

  private static void good(String name, PeerProgram program) {
    PROGRAMS.good(name, with -> run(program, with));
  }

  private static void run(PeerProgram program, Hands with) throws Exception {
    try (Peer peer = new Peer(with.peer)) {
      try {
        program.run(with, peer);
      } finally {
        peer.stream.await();
        peer.another.await();
      }
    }
  }

  CheckedPeersTest() {
    super(PROGRAMS);
  }

  @Override
  @BeforeEach
  void open() {
    opened = machine.openPair(UnaryOperator.identity());
    device = opened.device();
    assumeTrue(opened.devices().size() > 1, "needs two devices");
  }

  @Override
  boolean areWrittenInOrder() {
    return false; // the ways stand above the programs
  }

  static Set<String> bad() {
    return PROGRAMS.bad.keySet();
  }

  static Set<String> good() {
    return PROGRAMS.good.keySet();
  }
}
