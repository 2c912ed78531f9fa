package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Copy;
import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.Grid;
import dev.stretto.Route;
import dev.stretto.Stream;
import dev.stretto.collective.Collective;
import dev.stretto.collective.CollectiveCopy;
import dev.stretto.fault.AwaitInterruptedException;
import dev.stretto.fault.ClosedException;
import dev.stretto.fault.DeviceLostException;
import dev.stretto.memory.GlobalArray;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One to all, all to one, all to all, over four devices that all reach each other. */
class CollectiveTest extends ContractTest {
  /** Small, so that little data is many chunks. */
  private static final long CHUNK = 4_096;

  private static final int[] SIZES = {1, 4_096, 50_001};

  List<Device> devices;
  private final List<Device> own = new ArrayList<>();

  /** {@return which devices reach each other} */
  String topology() {
    return "";
  }

  @Override
  Machine machine() {
    if (!machine.isVirtual()) {
      return machine;
    }
    String four = machine.isSeeded() ? machine.name().replace("h200", "h200x4") : "virtual:h200x4";
    return new Machine(four + topology());
  }

  /** On a computer with one GPU a virtual device, of another driver, is the second one. */
  @BeforeEach
  void openAll() {
    devices = new ArrayList<>(opened.devices());
    if (!machine.isVirtual()) {
      long gpus = Device.all().stream().filter(all -> all.driver().equals("cuda")).count();
      for (int i = 1; i < gpus; i++) {
        own.add(Device.open("cuda:" + i));
      }
      if (own.isEmpty()) {
        own.add(Device.open("virtual"));
      }
      devices.addAll(own);
    }
    for (Device from : devices) {
      for (Device to : devices) {
        if (from.canAccess(to)) {
          from.enablePeerAccess(to);
        }
      }
    }
  }

  @AfterEach
  void closeAll() {
    own.stream().filter(Device::isOpen).forEach(Device::close);
  }

  // --- data -------------------------------------------------------------------------------------

  private static byte[] readOf(GlobalArray array) {
    try (Stream stream = Device.of(array).stream()) {
      return read(stream, array);
    }
  }

  private static GlobalBytes arrayOf(Device owner, byte[] bytes) {
    GlobalBytes array = owner.allocateBytes(bytes.length);
    try (Stream stream = owner.stream()) {
      stream.copy(bytes.clone(), array).await();
    }
    return array;
  }

  private static List<GlobalBytes> allocate(List<Device> devices, int size) {
    return devices.stream().map(device -> device.allocateBytes(size)).toList();
  }

  /** {@return on each device other bytes} */
  private static List<GlobalBytes> filled(List<Device> devices, int size) {
    return IntStream.range(0, devices.size())
        .mapToObj(i -> arrayOf(devices.get(i), bytes(size, i)))
        .toList();
  }

  private static <T> List<T> without(List<T> all, int one) {
    List<T> others = new ArrayList<>(all);
    others.remove(one);
    return others;
  }

  private static byte[] joined(int parts, int size) {
    byte[] all = new byte[parts * size];
    for (int i = 0; i < parts; i++) {
      System.arraycopy(bytes(size, i), 0, all, i * size, size);
    }
    return all;
  }

  private static void close(List<? extends GlobalArray> arrays) {
    arrays.forEach(GlobalArray::close);
  }

  // --- what arrives -----------------------------------------------------------------------------

  @Test
  void aBroadcastBringsTheRootsArrayToAllOthersFromAnyRootAndInEitherManner() {
    for (int count = 1; count <= devices.size(); count++) {
      List<Device> some = devices.subList(0, count);
      try (Collective all = Collective.of(some, CHUNK)) {
        for (int size : SIZES) {
          for (int root = 0; root < count; root++) {
            byte[] data = bytes(size, 10L * root + size);
            try (GlobalBytes source = arrayOf(some.get(root), data)) {
              List<GlobalBytes> chain = without(allocate(some, size), root);
              List<GlobalBytes> tree = without(allocate(some, size), root);
              CollectiveCopy one = all.broadcast(source, chain);
              CollectiveCopy two = all.broadcastByTree(source, tree);
              two.await();
              one.await();
              chain.forEach(array -> assertSame(readOf(array), data));
              tree.forEach(array -> assertSame(readOf(array), data));
              close(chain);
              close(tree);
            }
          }
        }
      }
    }
  }

  @Test
  void whatIsScatteredIsGatheredAgain() {
    for (int count = 1; count <= devices.size(); count++) {
      List<Device> some = devices.subList(0, count);
      try (Collective all = Collective.of(some)) {
        for (int size : SIZES) {
          byte[] data = joined(count, size);
          int root = count - 1;
          List<GlobalBytes> parts = allocate(some, size);
          try (GlobalBytes whole = arrayOf(some.get(root), data);
              GlobalBytes back = some.getFirst().allocateBytes(data.length)) {
            CollectiveCopy scattered = all.scatter(whole, parts);
            all.gather(parts, back, scattered.events()).await();
            for (int i = 0; i < count; i++) {
              assertSame(readOf(parts.get(i)), bytes(size, i));
            }
            assertSame(readOf(back), data);
          }
          close(parts);
        }
      }
    }
  }

  @Test
  void anAllGatherBringsAllPartsToEachDevice() {
    for (int count = 1; count <= devices.size(); count++) {
      List<Device> some = devices.subList(0, count);
      try (Collective all = Collective.of(some, CHUNK)) {
        for (int size : SIZES) {
          List<GlobalBytes> parts = filled(some, size);
          List<GlobalBytes> wholes = allocate(some, size * count);
          all.allGather(parts, wholes).await();
          for (GlobalBytes whole : wholes) {
            assertSame(readOf(whole), joined(count, size));
          }
          close(parts);
          close(wholes);
        }
      }
    }
  }

  @Test
  void anAllToAllTransposes() {
    for (int count = 1; count <= devices.size(); count++) {
      List<Device> some = devices.subList(0, count);
      try (Collective all = Collective.of(some)) {
        for (int size : SIZES) {
          List<GlobalBytes> sources = filled(some, size * count);
          List<GlobalBytes> destinations = allocate(some, size * count);
          all.allToAll(sources, destinations).await();
          for (int i = 0; i < count; i++) {
            byte[] arrived = readOf(destinations.get(i));
            for (int j = 0; j < count; j++) {
              byte[] sent = bytes(size * count, j);
              assertSame(
                  Arrays.copyOfRange(arrived, j * size, (j + 1) * size),
                  Arrays.copyOfRange(sent, i * size, (i + 1) * size));
            }
          }
          close(sources);
          close(destinations);
        }
      }
    }
  }

  @Test
  void aPartThatLiesInItsPlaceIsNotCopied() {
    int count = devices.size();
    int size = 10_000;
    byte[] data = joined(count, size);
    List<GlobalBytes> wholes = allocate(devices, size * count);
    List<GlobalBytes> slots = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      slots.add(wholes.get(i).slice((long) i * size, size));
    }
    try (Collective all = Collective.of(devices, CHUNK);
        GlobalBytes start = arrayOf(device, data);
        Stream stream = device.stream()) {
      stream.copy(start, wholes.getFirst());
      CollectiveCopy scattered = all.scatter(wholes.getFirst(), slots, stream.record());
      assertThat(scattered.copies()).hasSize(count - 1);
      CollectiveCopy everywhere = all.allGather(slots, wholes, scattered.events());
      CollectiveCopy gathered = all.gather(slots, wholes.getLast(), everywhere.events());
      assertThat(gathered.copies()).hasSize(count - 1);
      gathered.await();
      wholes.forEach(whole -> assertSame(readOf(whole), data));
    }
  }

  @Test
  void slicesOfAnyTypeTakePart() {
    int count = devices.size();
    try (Collective all = Collective.of(devices, 1_000)) {
      List<GlobalLongs> longs = new ArrayList<>();
      for (Device each : devices) {
        longs.add(each.allocateLongs(1_003));
      }
      int[] odd = IntStream.range(0, 999).toArray();
      try (GlobalInts ints = device.allocateInts(1_003);
          Stream stream = device.stream()) {
        stream.copy(odd, ints.slice(3, 999));
        List<GlobalInts> others = new ArrayList<>();
        for (Device each : devices.subList(1, count)) {
          others.add(each.allocateInts(2_000).slice(1_001, 999));
        }
        all.broadcast(ints.slice(3, 999), others, stream.record()).await();
        for (GlobalInts other : others) {
          try (Stream reader = Device.of(other).stream()) {
            int[] result = new int[999];
            reader.copy(other, result).await();
            assertThat(result).isEqualTo(odd);
          }
        }
        stream.fill(longs.getFirst(), 0x1122334455667788L);
        List<GlobalLongs> rest = new ArrayList<>();
        for (GlobalLongs array : longs.subList(1, count)) {
          rest.add(array.slice(2, 1_001));
        }
        all.broadcast(longs.getFirst().slice(2, 1_001), rest, stream.record()).await();
        for (GlobalLongs array : rest) {
          try (Stream reader = Device.of(array).stream()) {
            long[] result = new long[1_001];
            reader.copy(array, result).await();
            assertThat(result).containsOnly(0x1122334455667788L);
          }
        }
      }
    }
  }

  // --- order ------------------------------------------------------------------------------------

  @Test
  void copiesWaitForTheEventsThatAreGivenAndStreamsForTheCopies() {
    int count = devices.size();
    int length = 30_000;
    List<Stream> streams = devices.stream().map(Device::stream).toList();
    List<GlobalInts> arrays = devices.stream().map(each -> each.allocateInts(length)).toList();
    List<GlobalInts> wholes =
        devices.stream().map(each -> each.allocateInts((long) length * count)).toList();
    try (Collective all = Collective.of(devices, CHUNK)) {
      for (int round = 0; round < 3; round++) {
        int root = round % count;
        Stream stream = streams.get(root);
        GlobalInts source = arrays.get(root);
        stream.fill(source, 10 * round);
        stream.launch(Grid.covering(length, 256), Kernels.ADD, source, 1, length);
        Event[] ready = streams.stream().map(Stream::record).toArray(Event[]::new);
        CollectiveCopy sent = all.broadcast(source, without(arrays, root), ready);
        for (int i = 0; i < count; i++) {
          sent.before(streams.get(i));
          streams.get(i).launch(Grid.covering(length, 256), Kernels.ADD, arrays.get(i), i, length);
        }
        Event[] added = streams.stream().map(Stream::record).toArray(Event[]::new);
        CollectiveCopy gathered = all.allGather(arrays, wholes, added);
        streams.forEach(gathered::before);
        for (int i = 0; i < count; i++) {
          streams.get(i).fill(arrays.get(i), -1);
          int[] result = new int[length * count];
          Copy back = streams.get(i).copy(wholes.get(i), result);
          back.await();
          for (int part = 0; part < count; part++) {
            assertThat(Arrays.copyOfRange(result, part * length, (part + 1) * length))
                .containsOnly(10 * round + 1 + part);
          }
        }
      }
    }
    streams.forEach(Stream::close);
  }

  @Test
  void nothingBlocksAndNothingBeginsBeforeItsEvents() {
    try (Collective all = Collective.of(devices, CHUNK);
        Stream stream = device.stream();
        GlobalBytes source = device.allocateBytes(20_000)) {
      List<GlobalBytes> others = without(allocate(devices, 20_000), 0);
      try (Gate gate = gate(stream)) {
        stream.fill(source, (byte) 5);
        CollectiveCopy sent = all.broadcast(source, others, stream.record());
        if (gate.isShut()) {
          assertThat(sent.isDone()).isFalse();
          assertThat(sent.await(Duration.ofMillis(20))).isFalse();
          Thread.currentThread().interrupt();
          assertThatThrownBy(sent::await).isInstanceOf(AwaitInterruptedException.class);
          assertThat(Thread.interrupted()).isTrue();
        }
        gate.open();
        assertThat(sent.await(Duration.ofSeconds(20))).isTrue();
        assertThat(sent.isDone()).isTrue();
        byte[] expected = new byte[20_000];
        Arrays.fill(expected, (byte) 5);
        others.forEach(array -> assertSame(readOf(array), expected));
      }
    }
  }

  @Test
  void aFutureCompletesWhenAllHasArrived() throws Exception {
    try (Collective all = Collective.of(devices)) {
      List<GlobalBytes> sources = filled(devices, 8_000 * devices.size());
      List<GlobalBytes> destinations = allocate(devices, 8_000 * devices.size());
      CollectiveCopy sent = all.allToAll(sources, destinations);
      sent.toCompletableFuture().get(20, TimeUnit.SECONDS);
      assertThat(sent.isDone()).isTrue();
      Collective alone = Collective.of(devices.subList(0, 1));
      CollectiveCopy nothing = alone.broadcast(sources.getFirst(), List.of());
      assertThat(nothing.isDone()).isTrue();
      assertThat(nothing.events()).isEmpty();
      nothing.await();
      nothing.toCompletableFuture().get(20, TimeUnit.SECONDS);
      alone.close();
    }
  }

  @Test
  void theEventsOfADeviceAreThoseOfItsOwnCopies() {
    int count = devices.size();
    try (Collective all = Collective.of(devices, CHUNK);
        GlobalBytes source = arrayOf(device, bytes(30_000, 1))) {
      List<GlobalBytes> others = without(allocate(devices, 30_000), 0);
      CollectiveCopy sent = all.broadcast(source, others);
      assertThat(sent.events()).hasSize(count - 1);
      assertThat(sent.on(device)).hasSize(1);
      assertThat(sent.on(devices.getLast())).hasSize(1);
      for (int i = 1; i < count - 1; i++) {
        assertThat(sent.on(devices.get(i))).hasSize(2);
      }
      for (GlobalBytes other : others) {
        for (Event event : sent.on(Device.of(other))) {
          event.await();
        }
        assertSame(readOf(other), bytes(30_000, 1));
      }
      sent.await();
    }
  }

  /** A chain by hand, whose devices pass chunks on without asking whether they have them. */
  private static byte[] chainWithoutEvents(List<Device> devices, GlobalBytes source) {
    List<Stream> streams = devices.stream().map(Device::stream).toList();
    List<GlobalBytes> arrays = new ArrayList<>(List.of(source));
    arrays.addAll(allocate(devices.subList(1, devices.size()), (int) source.length()));
    for (long from = 0; from < source.length(); from += CHUNK) {
      for (int i = 1; i < devices.size(); i++) {
        streams
            .get(i - 1)
            .copy(arrays.get(i - 1).slice(from, CHUNK), arrays.get(i).slice(from, CHUNK));
      }
    }
    streams.forEach(Stream::await);
    return readOf(arrays.getLast());
  }

  @Test
  @WithOrder("off") // which would find it without a seed
  void seedsFindTheEventsThatAChainNeeds() {
    if (!machine.isVirtual() || machine.isSeeded()) {
      return; // the seeds are chosen here
    }
    byte[] data = bytes(8 * (int) CHUNK, 1);
    int wrong = 0;
    for (int seed = 1; seed <= 10; seed++) {
      List<Device> seeded = Device.openAll("virtual:h200x4,seed=" + seed + topology());
      try (GlobalBytes source = arrayOf(seeded.getFirst(), data);
          Collective all = Collective.of(seeded, CHUNK)) {
        wrong += Arrays.equals(chainWithoutEvents(seeded, source), data) ? 0 : 1;
        List<GlobalBytes> others = without(allocate(seeded, data.length), 0);
        all.broadcast(source, others).await();
        others.forEach(array -> assertSame(readOf(array), data));
      }
      seeded.forEach(Device::close);
    }
    assertThat(wrong).as("seeds under which the chain without events is wrong").isPositive();
  }

  @Test
  @WithOrder("off") // which would find it without a seed
  void seedsFindThatThePreviousWorkWasNotGiven() {
    if (!machine.isVirtual() || machine.isSeeded()) {
      return; // the seeds are chosen here
    }
    int stale = 0;
    for (int seed = 1; seed <= 10; seed++) {
      List<Device> seeded = Device.openAll("virtual:h200x4,seed=" + seed + topology());
      try (GlobalBytes source = seeded.getFirst().allocateBytes(CHUNK);
          Stream stream = seeded.getFirst().stream();
          Collective all = Collective.of(seeded, CHUNK)) {
        List<GlobalBytes> others = without(allocate(seeded, (int) CHUNK), 0);
        stream.fill(source, (byte) 1);
        all.broadcast(source, others).await();
        stale += readOf(others.getLast())[0] == 1 ? 0 : 1;
        stream.fill(source, (byte) 2);
        all.broadcast(source, others, stream.record()).await();
        assertThat(readOf(others.getLast())).containsOnly((byte) 2);
      }
      seeded.forEach(Device::close);
    }
    assertThat(stale).as("seeds under which a missing event is seen").isPositive();
  }

  @Test
  void threadsMayCallAtTheSameTime() throws InterruptedException {
    int size = 20_000;
    try (Collective all = Collective.of(devices, CHUNK)) {
      List<List<GlobalBytes>> sources = new ArrayList<>();
      List<List<GlobalBytes>> wholes = new ArrayList<>();
      List<Thread> threads = new ArrayList<>();
      CollectiveCopy[] sent = new CollectiveCopy[4];
      for (int i = 0; i < sent.length; i++) {
        int number = i;
        sources.add(filled(devices, size));
        wholes.add(allocate(devices, size * devices.size()));
        threads.add(
            Thread.startVirtualThread(
                () -> sent[number] = all.allGather(sources.get(number), wholes.get(number))));
      }
      for (Thread thread : threads) {
        thread.join();
      }
      for (int i = 0; i < sent.length; i++) {
        sent[i].await();
        wholes.get(i).forEach(whole -> assertSame(readOf(whole), joined(devices.size(), size)));
      }
    }
  }

  // --- refusals ---------------------------------------------------------------------------------

  @Test
  void whatIsWrongIsToldBeforeAnythingIsEnqueued() {
    int count = devices.size();
    Device last = devices.getLast();
    List<GlobalBytes> parts = filled(devices, 1_000);
    List<GlobalBytes> wholes = allocate(devices, 1_000 * count);
    GlobalBytes whole = wholes.getFirst();
    List<GlobalBytes> swapped = new ArrayList<>(parts);
    swapped.set(0, parts.get(1));
    swapped.set(1, parts.get(0));
    List<GlobalArray> shorter = new ArrayList<>(parts);
    shorter.set(count - 1, parts.getLast().slice(0, 999));
    List<GlobalArray> empty = new ArrayList<>(parts);
    empty.set(count - 1, parts.getLast().slice(0, 0));
    List<GlobalArray> overlapping = new ArrayList<>(parts);
    overlapping.set(0, whole.slice(1, 1_000));
    List<GlobalArray> ints = new ArrayList<>(parts);
    ints.set(count - 1, parts.getLast().asInts());
    List<GlobalBytes> others = without(parts, 0);
    try (Collective all = Collective.of(devices)) {
      refused(() -> all.broadcast(parts.getFirst(), parts), "arrays (others) for", "are needed");
      refused(() -> all.broadcast(parts.getLast(), others), "in the order of the devices");
      refused(() -> all.broadcast(whole, others), "" + whole.byteSize(), "1000", "slice");
      refused(() -> all.broadcastByTree(parts.getFirst().slice(0, 0), others), "no elements");
      refused(() -> all.gather(swapped, whole), "in the order of the devices");
      refused(() -> all.gather(shorter, whole), "1000 bytes", "999");
      refused(() -> all.gather(empty, whole), "no elements");
      refused(() -> all.gather(ints, whole), "1 bytes", "4");
      refused(() -> all.gather(overlapping, whole), "overlaps", "from byte 0 on");
      refused(() -> all.scatter(whole, overlapping), "overlaps", "from byte 0 on");
      refused(
          () -> all.scatter(whole.slice(0, 1_999), parts), "1999", "" + 1_000 * count, "1000 for");
      refused(() -> all.allGather(parts, parts), "" + 1_000 * count);
      refused(() -> all.allGather(overlapping, wholes), "overlaps");
      refused(() -> all.allToAll(wholes, wholes), "overlap");
      refused(() -> all.allToAll(parts, wholes), "1000 bytes");
      if (1_001 % count != 0) {
        List<GlobalBytes> odd = allocate(devices, 1_001);
        refused(() -> all.allToAll(odd, allocate(devices, 1_001)), "1001 elements", "slice");
      }
      try (Stream stream = last.stream()) {
        Event event = stream.record();
        assertThatThrownBy(() -> all.gather(parts, whole, event, null))
            .isInstanceOf(NullPointerException.class);
      }
      if (count > 1) {
        try (Collective less = Collective.of(devices.subList(0, 1))) {
          refused(() -> less.broadcast(parts.getLast(), List.of()), "not part of the collective");
        }
      }
      GlobalBytes closed = last.allocateBytes(1_000);
      closed.close();
      List<GlobalBytes> oneClosed = new ArrayList<>(parts);
      oneClosed.set(count - 1, closed);
      assertThatThrownBy(() -> all.gather(oneClosed, whole)).isInstanceOf(ClosedException.class);
      for (int i = 0; i < count; i++) {
        assertSame(readOf(parts.get(i)), bytes(1_000, i));
      }
    }
    refused(() -> Collective.of(List.of()), "without devices");
    refused(() -> Collective.of(List.of(device, device)), device.name(), "device 0", "device 1");
    refused(() -> Collective.of(devices, 0), "chunks of 0 bytes");
    refused(() -> Collective.of(devices, 12), "chunks of 12 bytes", "multiple of 8");
  }

  private static void refused(Runnable call, String... words) {
    assertThatThrownBy(call::run)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(words);
  }

  // --- ways -------------------------------------------------------------------------------------

  @Test
  void aCollectiveSaysWhichWaysItsPairsTake() {
    try (Collective all = Collective.of(devices);
        GlobalBytes source = arrayOf(device, bytes(10_000, 1))) {
      int pairs = 0;
      for (Device from : devices) {
        assertThat(from.routeTo(from).kind()).isEqualTo(Route.Kind.LOCAL);
        for (Device to : devices) {
          if (from.routeTo(to).kind() == Route.Kind.PEER) {
            assertThat(from.canAccess(to)).isTrue();
            pairs++;
          }
        }
      }
      assertThat(all.toString()).contains(device.name());
      assertThat(all.toString().contains(pairs + " pairs PEER")).isEqualTo(pairs > 0);
      CollectiveCopy sent = all.broadcast(source, without(allocate(devices, 10_000), 0));
      if (devices.size() > 1) {
        assertThat(sent.routes()).contains(device.routeTo(devices.get(1)).kind());
        assertThat(sent.toString()).contains("10000 bytes").contains(sent.routes().toString());
      }
      sent.await();
    }
  }

  @Test
  void aChainTakesLittleLongerThanOneCopy() {
    if (!machine.isVirtual() || machine.isSeeded() || !topology().isEmpty()) {
      return; // what is measured is the model
    }
    int size = 64 << 20;
    try (Collective all = Collective.of(devices);
        Stream stream = device.stream()) {
      List<GlobalBytes> arrays = allocate(devices, size);
      long begin = device.hostClock().now();
      stream.copy(arrays.get(0), arrays.get(1)).await();
      long copied = device.hostClock().now();
      CollectiveCopy sent = all.broadcast(arrays.getFirst(), without(arrays, 0));
      sent.await();
      long sentNanos = device.hostClock().now() - copied;
      assertThat(sent.copies()).hasSizeBetween(24, 60);
      assertThat((double) sentNanos / (copied - begin)).isBetween(1.0, 1.4);
    }
  }

  // --- the end ----------------------------------------------------------------------------------

  @Test
  void theCollectiveAndItsArraysMayBeClosedInFlight() {
    int size = 200_000;
    byte[] data = bytes(size, 3);
    List<GlobalBytes> others = without(allocate(devices, size), 0);
    List<GlobalBytes> sources = filled(devices, 4_000 * devices.size());
    List<GlobalBytes> destinations = allocate(devices, 4_000 * devices.size());
    GlobalBytes root = arrayOf(device, data);
    Collective all = Collective.of(devices, CHUNK);
    CollectiveCopy sent;
    CollectiveCopy exchanged;
    try (Stream stream = device.stream();
        Gate gate = gate(stream)) {
      sent = all.broadcast(root, others, stream.record());
      exchanged = all.allToAll(sources, destinations, stream.record());
      all.close();
      root.close();
      close(sources);
      for (int i = 0; i < others.size() - 1; i++) {
        others.get(i).close();
      }
      assertThat(all.isOpen()).isFalse();
      all.close();
      assertThatThrownBy(() -> all.gather(destinations, destinations.getFirst()))
          .isInstanceOf(ClosedException.class)
          .hasMessageContaining("the collective is closed");
      gate.open();
    }
    sent.await();
    exchanged.await();
    if (!others.isEmpty()) {
      assertSame(readOf(others.getLast()), data);
    }
    for (int i = 0; i < devices.size(); i++) {
      byte[] arrived = Arrays.copyOf(readOf(destinations.get(i)), 4_000);
      byte[] first = bytes(4_000 * devices.size(), 0);
      assertSame(arrived, Arrays.copyOfRange(first, i * 4_000, (i + 1) * 4_000));
    }
    sent.toCompletableFuture().join();
    try (Stream stream = device.stream()) {
      sent.before(stream);
      stream.await();
    }
  }

  @Test
  void aDeviceMayBeClosedInFlight() {
    int size = 200_000;
    byte[] data = bytes(size, 3);
    GlobalBytes root = arrayOf(device, data);
    List<GlobalBytes> others = without(allocate(devices, size), 0);
    Collective all = Collective.of(devices, CHUNK);
    CollectiveCopy sent = all.broadcast(root, others);
    if (devices.size() > 2) {
      devices.get(1).close();
      assertThat(all.isOpen()).isFalse();
      assertThatThrownBy(() -> all.broadcast(root, others)).isInstanceOf(ClosedException.class);
    }
    sent.await();
    assertSame(readOf(others.getLast()), data);
    all.close();
  }

  @Test
  void aDeviceThatIsLostFailsTheCollectiveAndTheOthersGoOn() {
    if (!machine.isVirtual()) {
      return; // a GPU that is lost takes the process along
    }
    int size = 100_000;
    byte[] data = bytes(size, 4);
    Device bad = devices.get(1);
    GlobalBytes root = arrayOf(device, data);
    List<GlobalBytes> others = without(allocate(devices, size), 0);
    try (Collective all = Collective.of(devices, CHUNK);
        Stream stream = device.stream()) {
      CollectiveCopy sent;
      try (Gate gate = gate(stream)) {
        sent = all.broadcast(root, others, stream.record());
        try (Stream faulting = bad.stream();
            GlobalInts mine = bad.allocateInts(10)) {
          faulting.launch(Grid.of(1, 32), Kernels.FAULT, mine);
          assertThatThrownBy(faulting::await).isInstanceOf(DeviceLostException.class);
        }
        gate.open();
      }
      assertThatThrownBy(sent::await).isInstanceOf(DeviceLostException.class);
      assertThatThrownBy(() -> sent.await(Duration.ofSeconds(20)))
          .isInstanceOf(DeviceLostException.class);
      assertThatThrownBy(() -> sent.toCompletableFuture().get(20, TimeUnit.SECONDS))
          .hasCauseInstanceOf(DeviceLostException.class);
      assertThatThrownBy(() -> all.broadcast(root, others))
          .isInstanceOf(DeviceLostException.class)
          .hasMessageContaining("make one of the other devices");
    }
    List<Device> rest = without(devices, 1);
    try (Collective all = Collective.of(rest, CHUNK)) {
      List<GlobalBytes> arrays = without(others, 0);
      all.broadcast(root, arrays).await();
      arrays.forEach(array -> assertSame(readOf(array), data));
    }
  }
}
