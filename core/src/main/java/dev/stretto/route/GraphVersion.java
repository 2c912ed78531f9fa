package dev.stretto.route;

import dev.stretto.driver.CopyKind;
import dev.stretto.driver.GraphPlan;
import dev.stretto.driver.GraphWork;
import dev.stretto.fault.ClosedException;
import dev.stretto.fault.PeerAccessException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The work of a graph between two changes of its parameters, and all resources that it uses. None
 * of them is released before the last launch with these parameters is done and the graph has newer
 * parameters or is closed.
 */
public final class GraphVersion extends Resource {
  private final DeviceRuntime engine;
  private final GraphWork[][] works;

  /** For each stage its callback, or null if the device does it. */
  private final GraphStage.@Nullable OnHost[] callbacks;

  private final List<Resource> held = new ArrayList<>();

  /** Resources that their owners may close; every launch checks them. */
  private final List<Resource> borrowed = new ArrayList<>();

  /** The devices whose memory its nodes access; every launch needs peer access to them. */
  private final List<DeviceRuntime> reached = new ArrayList<>(0);

  private boolean reachesHost;
  private final boolean bringsToHost;

  private GraphVersion(
      DeviceRuntime engine, GraphWork[][] works, GraphStage.@Nullable OnHost[] callbacks) {
    this.engine = engine;
    this.works = works;
    this.callbacks = callbacks;
    this.bringsToHost =
        Arrays.stream(works).flatMap(Arrays::stream).anyMatch(GraphVersion::bringsToHost);
  }

  private static boolean bringsToHost(GraphWork work) {
    return switch (work) {
      case GraphWork.Copy copy -> copy.kind() == CopyKind.DEVICE_TO_HOST;
      case GraphWork.Planes copy -> copy.kind() == CopyKind.DEVICE_TO_HOST;
      case GraphWork.Off off -> bringsToHost(off.work());
      case GraphWork.Conditional conditional ->
          conditional.bodies().stream().anyMatch(GraphVersion::bringsToHost);
      default -> false;
    };
  }

  private static boolean bringsToHost(GraphPlan plan) {
    return plan.steps().stream().anyMatch(step -> bringsToHost(step.work()));
  }

  /**
   * {@return a version that holds the resources that it uses}
   *
   * @param engine the device
   * @param works for each stage the work of its steps; empty for a stage on the host
   * @param callbacks for each stage its callback; null for a stage on the device
   * @param used all resources that they use
   * @param refusal makes the exception if a resource is closed and no earlier version holds it
   */
  public static GraphVersion of(
      DeviceRuntime engine,
      GraphWork[][] works,
      GraphStage.@Nullable OnHost[] callbacks,
      Collection<Resource> used,
      Function<? super Resource, ? extends RuntimeException> refusal) {
    GraphVersion version = new GraphVersion(engine, works, callbacks);
    engine.requireUsable();
    for (Resource resource : used) {
      version.reachesHost |= resource instanceof PinnedBlock;
      if (resource instanceof PeerLink link) {
        version.reach(link.to());
      } else if (isBorrowed(resource, engine)) {
        version.borrowed.add(resource);
      } else if (resource.hold()) {
        version.held.add(resource);
      } else {
        version.held.forEach(Resource::letGo);
        throw refusal.apply(resource);
      }
    }
    if (!engine.resources().adopt(version)) {
      version.closeAfterLastUse();
      throw engine.device().closedException();
    }
    return version;
  }

  private void reach(DeviceRuntime other) {
    if (!reached.contains(other)) {
      reached.add(other);
    }
  }

  /**
   * Whether its owner may close it while the graph holds it: another device's resource, or an
   * arena.
   */
  private static boolean isBorrowed(Resource resource, DeviceRuntime engine) {
    return switch (resource) {
      case PinnedBlock block -> !block.canBeHeldBy(engine.device());
      case DeviceBlock block -> block.engine() != engine;
      default -> false;
    };
  }

  /** {@return for each stage the work of its steps} The inner arrays must not be changed. */
  public GraphWork[][] works() {
    return works.clone();
  }

  /** {@return for each stage its callback, or null} */
  public GraphStage.@Nullable OnHost[] callbacks() {
    return callbacks.clone();
  }

  GraphStage.@Nullable OnHost callback(int stage) {
    return callbacks[stage];
  }

  GraphWork[] works(int stage) {
    return works[stage];
  }

  /** {@return whether a launch copies anything to host memory} */
  boolean bringsToHost() {
    return bringsToHost;
  }

  /** {@return whether a pinned end of its copies may have staged copies still to arrive} */
  boolean reachesHost() {
    return reachesHost;
  }

  /** Notes that a launch uses this version. */
  void noteUse(StreamQueue queue, long sequence) {
    queue.handover.noteUse(this, sequence);
    if (!borrowed.isEmpty()) {
      borrowed.forEach(resource -> queue.handover.noteUse(resource, sequence));
    }
    if (!reached.isEmpty()) {
      reached.forEach(other -> noteAccess(queue, other, sequence));
    }
  }

  /**
   * Refuses a launch if an owner has closed a resource; the driver's own error would not say so.
   */
  void requireBorrowed() {
    for (Resource resource : borrowed) {
      if (!resource.isOpen()) {
        throw new ClosedException(resource.describe() + " is closed");
      }
    }
    for (DeviceRuntime other : reached) {
      other.requireUsable();
      if (engine.peers().to(other) == null) {
        throw noAccess(other);
      }
    }
  }

  private PeerAccessException noAccess(DeviceRuntime other) {
    return new PeerAccessException(
        "%s no longer has access to the memory of %s, which nodes of the graph use: enable access before the launch"
            .formatted(engine.name(), other.name()));
  }

  private void noteAccess(StreamQueue queue, DeviceRuntime other, long sequence) {
    other.requireUsable();
    for (PeerLink link = engine.peers().to(other); link != null; link = engine.peers().to(other)) {
      if (link.use(queue.completion, sequence)) {
        return;
      }
      // Access ended at this very moment; it may have been enabled several times.
    }
    throw noAccess(other);
  }

  @Override
  public String describe() {
    return "a graph on " + engine.name();
  }

  @Override
  protected void release() {
    held.forEach(Resource::letGo);
    engine.resources().released(this);
    gone();
  }
}
