package dev.stretto.driver.cuda;

import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.Graph;
import dev.stretto.Stream;
import dev.stretto.collective.Communicator;
import dev.stretto.collective.CommunicatorId;
import dev.stretto.collective.Reduction;
import dev.stretto.collective.Window;
import dev.stretto.fault.OutOfDeviceMemoryException;
import dev.stretto.fault.PeerLostException;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * Two ranks that share arrays by NCCL, of whose library and driver there are fakes: run by {@link
 * NcclOnFakesTest} in a process of its own. Prints what it has seen.
 */
final class NcclRanks {
  private static final int RANKS = 2;

  /** {@code ncclRemoteError} */
  private static final int REMOTE_ERROR = 6;

  private final List<Device> devices = new ArrayList<>();
  private final List<Stream> streams = new ArrayList<>();
  private List<Communicator> ranks = List.of();

  private NcclRanks() {}

  public static void main(String[] arguments) throws Throwable {
    call("dev.stretto.libcuda", "fake_reset");
    NcclRanks program = new NcclRanks();
    program.open();
    program.collectives();
    program.groups();
    if (arguments.length > 0 && arguments[0].equals("windows")) {
      program.windows();
      program.close();
      for (int i = 0; i < 500 && call("dev.stretto.nccl", "fake_nccl_windows") > 0; i++) {
        Thread.sleep(10); // they are given back by threads of their own
      }
      System.out.println("windows left: " + call("dev.stretto.nccl", "fake_nccl_windows"));
      return;
    }
    if (arguments.length > 0) { // calls of a communicator that was split off are not held back
      program.graphs();
      program.refused();
      program.broken("split");
      program.broken("joined");
      program.brokenInACall();
      program.closedBroken("split");
      program.closedBroken("joined");
      program.close();
      System.out.println("split off: " + call("dev.stretto.nccl", "fake_nccl_splits"));
      return;
    }
    program.heldBack();
    program.graphs();
    program.refused();
    program.lostPeer();
    program.lostInALaunch();
    program.closedInAGraph();
    program.refusedInACapture();
    program.broken("joined");
    program.closedBroken("joined");
    program.close();
  }

  /** Calls a function of a fake. */
  private static int call(String library, String function, int... arguments) throws Throwable {
    MemorySegment address =
        SymbolLookup.libraryLookup(System.getProperty(library), Arena.global())
            .find(function)
            .orElseThrow();
    Linker linker = Linker.nativeLinker();
    return arguments.length == 0
        ? (int)
            linker
                .downcallHandle(address, FunctionDescriptor.of(ValueLayout.JAVA_INT))
                .invokeExact()
        : (int)
            linker
                .downcallHandle(
                    address, FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT))
                .invokeExact(arguments[0]);
  }

  private void open() {
    for (int i = 0; i < RANKS; i++) {
      devices.add(Device.open("cuda:" + i));
      streams.add(devices.get(i).stream());
    }
    join();
    System.out.println(ranks.getFirst().transport() + ": " + ranks.getFirst().reason());
  }

  private void join() {
    CommunicatorId id = Communicator.id();
    List<CompletableFuture<Communicator>> all =
        IntStream.range(0, RANKS)
            .mapToObj(
                i ->
                    CompletableFuture.supplyAsync(
                        () ->
                            Communicator.awaitPeers(
                                id, i, RANKS, devices.get(i), Duration.ofSeconds(20)),
                        task -> Thread.ofVirtual().start(task)))
            .toList();
    ranks = all.stream().map(CompletableFuture::join).toList();
  }

  private GlobalInts ints(int rank, int... values) {
    GlobalInts array = devices.get(rank).allocateInts(values.length);
    streams.get(rank).copy(values.clone(), array);
    return array;
  }

  private String read(int rank, GlobalInts array) {
    int[] values = new int[(int) array.length()];
    streams.get(rank).copy(array, values).await();
    return Arrays.toString(values);
  }

  private static <T> List<T> on(IntFunction<T> each) {
    return IntStream.range(0, RANKS).mapToObj(each).toList();
  }

  private void show(String what, List<GlobalInts> arrays, IntFunction<Event> call) {
    on(call).forEach(Event::await);
    System.out.println(what + ": " + on(i -> read(i, arrays.get(i))));
  }

  private void collectives() {
    List<GlobalInts> from = on(i -> ints(i, 1 + i, 10 + i));
    List<GlobalInts> two = on(i -> ints(i, 0, 0));
    List<GlobalInts> four = on(i -> ints(i, 0, 0, 0, 0));
    List<GlobalInts> one = on(i -> ints(i, 0));
    show("sum", two, i -> all(i).allReduce(at(i), from.get(i), two.get(i), Reduction.SUM));
    show("product", two, i -> all(i).allReduce(at(i), from.get(i), two.get(i), Reduction.PRODUCT));
    show("maximum", two, i -> all(i).allReduce(at(i), from.get(i), two.get(i), Reduction.MAX));
    show("minimum", two, i -> all(i).allReduce(at(i), from.get(i), two.get(i), Reduction.MIN));
    show("average", two, i -> all(i).allReduce(at(i), from.get(i), two.get(i), Reduction.AVERAGE));
    show("gathered", four, i -> all(i).allGather(at(i), from.get(i), four.get(i)));
    show(
        "scattered", one, i -> all(i).reduceScatter(at(i), from.get(i), one.get(i), Reduction.SUM));
    show("exchanged", two, i -> all(i).allToAll(at(i), from.get(i), two.get(i)));
    show("broadcast", from, i -> all(i).broadcast(at(i), from.get(i), 1));
    List<GlobalFloats> floats = on(i -> devices.get(i).allocateFloats(3));
    on(i -> at(i).fill(floats.get(i), 0.5f + i));
    on(i -> all(i).allReduce(at(i), floats.get(i), floats.get(i), Reduction.SUM))
        .forEach(Event::await);
    float[] sums = new float[3];
    at(1).copy(floats.get(1), sums).await();
    System.out.println("floats: " + Arrays.toString(sums));
  }

  private Communicator all(int rank) {
    return ranks.get(rank);
  }

  private Stream at(int rank) {
    return streams.get(rank);
  }

  private void groups() {
    List<GlobalInts> from = on(i -> ints(i, 100 + i));
    List<GlobalInts> to = on(i -> ints(i, 0));
    show(
        "swapped",
        to,
        i ->
            all(i)
                .group(
                    at(i),
                    group -> {
                      group.send(from.get(i), 1 - i);
                      group.recv(to.get(i), 1 - i);
                    }));
  }

  /** Windows that the library registers, and what it must not be given. */
  private void windows() {
    List<Window> from = open(12);
    List<Window> to = open(16);
    System.out.println("by copy engines: " + on(i -> from.get(i).isByCopyEngines()));
    on(i -> at(i).fill(ints(from.get(i)).slice(i, 1), 5 + i));
    on(i -> from.get(i).allGather(at(i), 4)).forEach(Event::await);
    System.out.println("gathered: " + on(i -> read(i, ints(from.get(i)).slice(0, 2))));
    on(i -> at(i).fill(ints(from.get(i)).slice(0, 1), 10 * (i + 1)));
    on(i -> at(i).fill(ints(from.get(i)).slice(1, 1), 10 * (i + 1) + 1));
    on(i -> from.get(i).allToAll(at(i), to.get(i), 4)).forEach(Event::await);
    System.out.println("exchanged: " + on(i -> read(i, ints(to.get(i)).slice(0, 2))));
    try {
      Event _ = all(0).allReduce(at(0), ints(to.get(0)), ints(to.get(0)), Reduction.SUM);
    } catch (IllegalArgumentException e) {
      System.out.println("refused: " + e.getMessage());
    }
    List<String> tooMuch =
        later(
            i -> {
              try (Window window = all(i).awaitWindow(1L << 41)) {
                return window.toString();
              } catch (OutOfDeviceMemoryException e) {
                return e.getMessage();
              }
            });
    System.out.println("short: " + tooMuch.getFirst());
    from.forEach(Window::close);
    to.forEach(Window::close);
  }

  private static GlobalInts ints(Window window) {
    return window.memory().asInts();
  }

  private List<Window> open(long bytes) {
    return later(i -> all(i).awaitWindow(bytes));
  }

  private static <T> List<T> later(IntFunction<T> each) {
    List<CompletableFuture<T>> all =
        on(
            i ->
                CompletableFuture.supplyAsync(
                    () -> each.apply(i), t -> Thread.ofVirtual().start(t)));
    return all.stream().map(CompletableFuture::join).toList();
  }

  /** A call that the library has not finished holds its stream, and not the caller. */
  private void heldBack() {
    List<GlobalInts> arrays = on(i -> ints(i, i + 1));
    Event first = all(0).allReduce(at(0), arrays.get(0), arrays.get(0), Reduction.SUM);
    boolean early = first.await(Duration.ofMillis(50));
    arrays.get(0).slice(0, 1);
    Event second = all(1).allReduce(at(1), arrays.get(1), arrays.get(1), Reduction.SUM);
    first.await();
    second.await();
    System.out.println("early: " + early + ", then " + read(0, arrays.get(0)));
  }

  /** Both ranks capture the same calls, and each launch does them. */
  private void graphs() {
    List<GlobalInts> sums = on(i -> ints(i, 0));
    List<GlobalInts> from = on(i -> ints(i, 0));
    List<GlobalInts> to = on(i -> ints(i, 0));
    List<Graph> graphs =
        on(
            i ->
                Graph.capture(
                    at(i),
                    () -> {
                      Event _ = all(i).allReduce(at(i), from.get(i), sums.get(i), Reduction.SUM);
                      Event _ =
                          all(i)
                              .group(
                                  at(i),
                                  group -> {
                                    group.send(from.get(i), 1 - i);
                                    group.recv(to.get(i), 1 - i);
                                  });
                    }));
    for (int round = 1; round <= 2; round++) {
      int times = round;
      on(i -> at(i).fill(from.get(i), times * (i + 1)));
      on(i -> graphs.get(i).launch(at(i))).forEach(Event::await);
      System.out.println(
          "launched: "
              + on(i -> read(i, sums.get(i)))
              + ", swapped: "
              + on(i -> read(i, to.get(i))));
    }
    graphs.forEach(Graph::close);
  }

  /** A rank that leaves ends the launch that waits for it, and each later one is refused. */
  private void lostInALaunch() throws Throwable {
    GlobalInts array = ints(0, 1);
    try (Graph graph =
        Graph.capture(
            at(0),
            () -> {
              Event _ = all(0).allReduce(at(0), array, array, Reduction.SUM);
            })) {
      Event waiting = graph.launch(at(0));
      all(1).close();
      String told = "nothing";
      for (int i = 0; i < 1000 && told.equals("nothing"); i++) {
        try {
          Event _ = graph.launch(at(0));
          LockSupport.parkNanos(10_000_000);
        } catch (PeerLostException e) {
          told = "rank " + e.rank();
        }
      }
      System.out.println("lost in a launch: " + told);
      hear(at(0));
      waiting.isDone();
    }
    renew();
  }

  /** A communicator that is closed takes leave when the last graph that has its calls is closed. */
  private void closedInAGraph() throws Throwable {
    List<GlobalInts> arrays = on(i -> ints(i, 3));
    List<Graph> graphs =
        on(
            i ->
                Graph.capture(
                    at(i),
                    () -> {
                      Event _ =
                          all(i).allReduce(at(i), arrays.get(i), arrays.get(i), Reduction.SUM);
                    }));
    ranks.forEach(Communicator::close);
    on(i -> graphs.get(i).launch(at(i))).forEach(Event::await);
    System.out.println(
        "closed: "
            + on(i -> read(i, arrays.get(i)))
            + ", still there: "
            + call("dev.stretto.nccl", "fake_nccl_live"));
    graphs.forEach(Graph::close);
    renew();
  }

  /** What the library refuses ends the communicator, with its words. */
  private void refused() throws Throwable {
    List<GlobalInts> arrays = on(i -> ints(i, i + 1));
    int _ = call("dev.stretto.nccl", "fake_nccl_fail", 4);
    String thrown = "nothing";
    try {
      all(0).allReduce(at(0), arrays.get(0), arrays.get(0), Reduction.SUM).await();
    } catch (RuntimeException e) {
      thrown = e.getMessage();
    }
    System.out.println("refused: " + thrown);
    awaitFailure(1, arrays.get(1));
    renew();
  }

  /** A call that the library refuses when it is captured ends the capture and the communicator. */
  private void refusedInACapture() throws Throwable {
    GlobalInts array = ints(0, 1);
    int _ = call("dev.stretto.nccl", "fake_nccl_fail", 4);
    String thrown = "nothing";
    try {
      Graph.capture(
              at(0),
              () -> {
                Event _ = all(0).allReduce(at(0), array, array, Reduction.SUM);
              })
          .close();
    } catch (RuntimeException e) {
      thrown = e.getMessage();
    }
    System.out.println("refused in a capture: " + thrown);
    System.out.println("graphs left: " + call("dev.stretto.libcuda", "fake_live", 10));
    renew();
  }

  private void awaitFailure(int rank, GlobalInts array) {
    for (int i = 0; i < 1000; i++) {
      try {
        Event _ = all(rank).broadcast(at(rank), array, 0);
      } catch (PeerLostException e) {
        System.out.println("told: " + e.getMessage().replaceAll("process [0-9]+ on [^,]*", "…"));
        return;
      }
      LockSupport.parkNanos(10_000_000);
    }
  }

  private void renew() throws Throwable {
    ranks.forEach(Communicator::close);
    for (Stream stream : streams) {
      hear(stream);
    }
    awaitNone();
    join();
    List<GlobalInts> arrays = on(i -> ints(i, 7));
    show(
        "again", arrays, i -> all(i).allReduce(at(i), arrays.get(i), arrays.get(i), Reduction.SUM));
  }

  /** Waits for a stream, which may tell a failure once more. */
  private static void hear(Stream stream) {
    try {
      stream.await();
    } catch (RuntimeException _) {
      return;
    }
  }

  private static void awaitNone() throws Throwable {
    for (int i = 0; i < 1000 && call("dev.stretto.nccl", "fake_nccl_live") > 0; i++) {
      LockSupport.parkNanos(10_000_000);
    }
    System.out.println("left: " + call("dev.stretto.nccl", "fake_nccl_live"));
  }

  /** {@return how many threads still ask the library, after a while} */
  private static long awaitNoWatch() {
    long watching = 1;
    for (int i = 0; i < 1000 && watching > 0; i++) {
      LockSupport.parkNanos(10_000_000);
      watching =
          Thread.getAllStackTraces().keySet().stream()
              .filter(thread -> thread.getName().equals("stretto-nccl-watch"))
              .count();
    }
    return watching;
  }

  /** A rank that leaves ends the calls that wait for it. */
  private void lostPeer() throws Throwable {
    GlobalInts array = ints(0, 1);
    Event waiting = all(0).allReduce(at(0), array, array, Reduction.SUM);
    all(1).close();
    try {
      waiting.await();
      System.out.println("lost: nothing");
    } catch (PeerLostException e) {
      System.out.println("lost: rank " + e.rank());
    }
    renew();
  }

  /**
   * What the library finds out while nobody calls it ends what is under way, on all ranks.
   *
   * @param where of which of rank 0's communicators it is
   */
  private void broken(String where) throws Throwable {
    List<GlobalInts> arrays = on(i -> ints(i, i + 1));
    int _ = call("dev.stretto.nccl", "fake_nccl_hang", 1);
    List<Event> waiting =
        on(i -> all(i).allReduce(at(i), arrays.get(i), arrays.get(i), Reduction.SUM));
    boolean early = waiting.get(0).await(Duration.ofMillis(300));
    int _ = call("dev.stretto.nccl", "fake_nccl_lose_" + where, REMOTE_ERROR);
    for (int i = 0; i < RANKS; i++) {
      Event event = waiting.get(i);
      System.out.println(
          "broken " + where + " at " + i + ": " + early + ", " + thrown(() -> awaitSoon(event)));
    }
    String again = thrown(() -> all(0).broadcast(at(0), arrays.get(0), 0));
    System.out.println("after it was broken: " + again);
    int _ = call("dev.stretto.nccl", "fake_nccl_hang", 0);
    closeBroken(where);
  }

  /** The same while a call does not return, as when the stream has no room for one more. */
  private void brokenInACall() throws Throwable {
    GlobalInts array = ints(0, 1);
    int _ = call("dev.stretto.nccl", "fake_nccl_hang", 2);
    CompletableFuture<String> called =
        CompletableFuture.supplyAsync(
            () -> thrown(() -> all(0).allReduce(at(0), array, array, Reduction.SUM).await()),
            task -> Thread.ofPlatform().daemon().start(task));
    LockSupport.parkNanos(300_000_000);
    boolean early = called.isDone();
    int _ = call("dev.stretto.nccl", "fake_nccl_lose_split", REMOTE_ERROR);
    String told = called.completeOnTimeout("nothing", 5, TimeUnit.SECONDS).join();
    System.out.println("broken in a call: " + early + ", " + told);
    int _ = call("dev.stretto.nccl", "fake_nccl_hang", 0);
    closeBroken("split");
  }

  /** A communicator is closed that the library has given up while nothing was under way. */
  private void closedBroken(String where) throws Throwable {
    int _ = call("dev.stretto.nccl", "fake_nccl_lose_" + where, REMOTE_ERROR);
    closeBroken(where);
  }

  private void closeBroken(String where) throws Throwable {
    ranks.forEach(Communicator::close);
    awaitNone();
    int _ = call("dev.stretto.nccl", "fake_nccl_lose_" + where, 0);
    renew();
  }

  private static void awaitSoon(Event event) {
    boolean _ = event.await(Duration.ofSeconds(5));
  }

  /** {@return what a call throws, without what is another one each time} */
  private static String thrown(Runnable call) {
    try {
      call.run();
      return "nothing";
    } catch (RuntimeException e) {
      return e.getClass().getSimpleName()
          + ": "
          + e.getMessage().replaceAll("process [0-9]+ on [^,]*", "…");
    }
  }

  private void close() throws Throwable {
    ranks.forEach(Communicator::close);
    streams.forEach(Stream::close);
    devices.forEach(Device::close); // NCCL still uses their contexts
    awaitNone();
    System.out.println("watching: " + awaitNoWatch());
  }
}
