package dev.stretto.bench;

import dev.stretto.Device;
import dev.stretto.Route;
import dev.stretto.collective.Collective;
import dev.stretto.collective.CollectiveCopy;
import dev.stretto.memory.GlobalLongs;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A collective operation of one size: its memory on all devices, with words that are known. Sizes
 * and bandwidths are those that NCCL's tests define.
 */
final class CollectiveJob implements AutoCloseable {
  /** What the devices do together. */
  enum Operation {
    /** The size is that of the array which the first device sends. */
    BROADCAST,
    /** The size is that of all parts together. */
    ALL_GATHER,
    /** The size is that of all that one device sends, the part for itself included. */
    ALL_TO_ALL;

    /** Returns the name, such as {@code all-gather}. */
    String label() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static Operation labelled(String label) {
      for (Operation operation : values()) {
        if (operation.label().equals(label)) {
          return operation;
        }
      }
      throw new IllegalArgumentException(
          "no such operation: "
              + label
              + "; there are "
              + Arrays.stream(values()).map(Operation::label).toList());
    }

    /** The share of the size that crosses the busiest link. */
    double busFactor(int devices) {
      return this == BROADCAST ? 1 : (devices - 1.0) / devices;
    }
  }

  private static final Set<Route.Kind> WAYS = Set.of(Route.Kind.PEER, Route.Kind.LOCAL);

  private final Collective collective;
  private final Operation operation;
  private final long words;
  private final List<GlobalLongs> sources = new ArrayList<>();
  private final List<Words> destinations = new ArrayList<>();
  private final List<GlobalLongs> received = new ArrayList<>();

  /**
   * Allocates and fills its memory.
   *
   * @param bytes the size; what cannot be divided among the devices is left out
   */
  CollectiveJob(Collective collective, Operation operation, long bytes) {
    this.collective = collective;
    this.operation = operation;
    int count = collective.devices().size();
    this.words = bytes / Long.BYTES / count * count;
    try {
      switch (operation) {
        case BROADCAST -> prepareBroadcast();
        case ALL_GATHER -> prepareAllGather();
        case ALL_TO_ALL -> prepareAllToAll();
      }
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  Operation operation() {
    return operation;
  }

  int devices() {
    return collective.devices().size();
  }

  long bytes() {
    return words * Long.BYTES;
  }

  /** What the operation writes: overwrite it before, and compare it after. */
  List<Words> destinations() {
    return destinations;
  }

  /** Enqueues the operation and awaits it. */
  void run() {
    enqueue().await();
  }

  private CollectiveCopy enqueue() {
    return switch (operation) {
      case BROADCAST -> collective.broadcast(sources.getFirst(), received);
      case ALL_GATHER -> collective.allGather(sources, received);
      case ALL_TO_ALL -> collective.allToAll(sources, received);
    };
  }

  /** Runs the operation once, and checks every word and the routes of all copies. */
  void verify() {
    destinations.forEach(Words::poison);
    CollectiveCopy copy = enqueue();
    copy.await();
    destinations.forEach(Words::compare);
    if (!WAYS.containsAll(copy.routes())) {
      throw new IllegalStateException("not only " + WAYS + ": " + copy.routes());
    }
  }

  private void prepareBroadcast() {
    List<Device> devices = collective.devices();
    Words.fill(devices.getFirst(), source(devices.getFirst(), words), 1, 0);
    for (Device device : devices.subList(1, devices.size())) {
      receive(device, 1);
    }
  }

  /** Every device receives the same words, of which each has a part. */
  private void prepareAllGather() {
    long part = words / devices();
    for (Device device : collective.devices()) {
      long from = part * sources.size();
      Words.fill(device, source(device, part), 1, from);
      receive(device, 1);
    }
  }

  /** Every device receives other words, of which each has a part. */
  private void prepareAllToAll() {
    long part = words / devices();
    for (int sender = 0; sender < devices(); sender++) {
      Device device = collective.devices().get(sender);
      GlobalLongs source = source(device, words);
      for (int receiver = 0; receiver < devices(); receiver++) {
        Words.fill(device, source.slice(receiver * part, part), receiver, sender * part);
      }
      receive(device, sender);
    }
  }

  private void receive(Device device, long seed) {
    Words destination = new Words(device, bytes(), seed);
    destinations.add(destination);
    received.add(destination.array());
  }

  private GlobalLongs source(Device device, long length) {
    GlobalLongs source = device.allocateLongs(length);
    sources.add(source);
    return source;
  }

  @Override
  public void close() {
    sources.forEach(GlobalLongs::close);
    destinations.forEach(Words::close);
  }
}
