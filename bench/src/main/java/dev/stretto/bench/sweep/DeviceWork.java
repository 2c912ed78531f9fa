package dev.stretto.bench.sweep;

import dev.stretto.Awaitable;
import dev.stretto.Device;
import dev.stretto.PeerAccess;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalInts;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Copies within a device and to another one, and fills. */
final class DeviceWork {
  private static final byte BYTE = 0x17;
  private static final int WORD = 0x12345678;

  private DeviceWork() {}

  static void local(Bench bench, String way) {
    copies(bench, way, bench.device());
  }

  /** To the other device, with access of each to the other, or without. */
  static void peer(Bench bench, String way, boolean access) {
    bench
        .machine()
        .peer()
        .ifPresentOrElse(
            peer -> peer(bench, way, access, peer),
            () -> bench.meter().skipped(way, "there is one device only"));
  }

  private static void peer(Bench bench, String way, boolean access, Device peer) {
    if (!access) {
      copies(bench, way, peer);
    } else if (!bench.device().canAccess(peer) || !peer.canAccess(bench.device())) {
      bench.meter().skipped(way, "the devices cannot access each other");
    } else {
      try (PeerAccess _ = bench.device().enablePeerAccess(peer);
          PeerAccess _ = peer.enablePeerAccess(bench.device())) {
        copies(bench, way, peer);
      }
    }
  }

  private static void copies(Bench bench, String way, Device to) {
    long budget = to == bench.device() ? Plan.DEVICE_BYTES : Plan.HOST_BYTES;
    long bytes = bench.plan().bytes(budget);
    try (GlobalBytes source = bench.device().allocateBytes(bytes);
        GlobalBytes destination = to.allocateBytes(bytes)) {
      bench.data().fill(source);
      new Rounds(
              bench,
              way,
              budget,
              (size, pieces) ->
                  List.of(
                      new CopyJob(
                          bench.data(),
                          pieces(source, size, pieces),
                          pieces(destination, size, pieces),
                          destination.slice(0, size * pieces))))
          .run();
    }
  }

  static void fillBytes(Bench bench, String way) {
    fill(
        bench,
        way,
        BYTE * 0x0101010101010101L,
        pieces -> (stream, i) -> stream.fill(pieces.get(i), BYTE));
  }

  static void fillWords(Bench bench, String way) {
    fill(
        bench,
        way,
        WORD * 0x1_0000_0001L,
        pieces -> {
          List<GlobalInts> words = pieces.stream().map(GlobalBytes::asInts).toList();
          return (stream, i) -> stream.fill(words.get(i), WORD);
        });
  }

  private static void fill(
      Bench bench, String way, long word, Function<List<GlobalBytes>, Enqueuing> filling) {
    try (GlobalBytes array = bench.device().allocateBytes(bench.plan().bytes(Plan.DEVICE_BYTES))) {
      new Rounds(
              bench,
              way,
              Plan.DEVICE_BYTES,
              (size, count) -> {
                Enqueuing enqueuing = filling.apply(pieces(array, size, count));
                GlobalBytes all = array.slice(0, size * count);
                return List.of(new FillJob(bench.data(), all, word, enqueuing));
              })
          .run();
    }
  }

  private static List<GlobalBytes> pieces(GlobalBytes array, long size, int count) {
    return IntStream.range(0, count).mapToObj(i -> array.slice(i * size, size)).toList();
  }

  /** Enqueues a job's operation. */
  private interface Enqueuing {
    Awaitable of(Stream stream, int piece);
  }

  /** Copies of one size. */
  private record CopyJob(
      DeviceData data, List<GlobalBytes> from, List<GlobalBytes> to, GlobalBytes all)
      implements Job {
    @Override
    public Awaitable enqueue(Stream stream, int piece) {
      return stream.copy(from.get(piece), to.get(piece));
    }

    @Override
    public void poison() {
      data.poison(all);
    }

    @Override
    public void compare() {
      data.require(all, _ -> true);
    }
  }

  /** Fills of one size. */
  private record FillJob(DeviceData data, GlobalBytes all, long word, Enqueuing enqueuing)
      implements Job {
    @Override
    public Awaitable enqueue(Stream stream, int piece) {
      return enqueuing.of(stream, piece);
    }

    @Override
    public void poison() {
      data.poison(all);
    }

    @Override
    public void compare() {
      data.requireWord(all, word);
    }
  }
}
