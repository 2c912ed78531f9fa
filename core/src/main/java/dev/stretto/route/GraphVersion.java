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
import java.util.function.Supplier;
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
  private final List<Reach> reached = new ArrayList<>(0);

  /**
   * The access of one device to another.
   *
   * @param from the device that does the work
   * @param to the device whose memory it accesses
   */
  private record Reach(DeviceRuntime from, DeviceRuntime to) {}

  /** The other devices that do some of its work; it is released before one of them is closed. */
  private final Collection<DeviceRuntime> others;

  private boolean reachesHost;
  private final boolean bringsToHost;

  private GraphVersion(
      DeviceRuntime engine,
      GraphWork[][] works,
      GraphStage.@Nullable OnHost[] callbacks,
      Collection<DeviceRuntime> others) {
    this.engine = engine;
    this.others = List.copyOf(others);
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
      case GraphWork.Elsewhere elsewhere -> bringsToHost(elsewhere.work());
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
   * @param others the other devices that do some of the work
   * @param refusal makes the exception if a resource is closed and no earlier version holds it
   */
  public static GraphVersion of(
      DeviceRuntime engine,
      GraphWork[][] works,
      GraphStage.@Nullable OnHost[] callbacks,
      Collection<Resource> used,
      Collection<DeviceRuntime> others,
      Function<? super Resource, ? extends RuntimeException> refusal) {
    GraphVersion version = new GraphVersion(engine, works, callbacks, others);
    engine.requireUsable();
    version.requireOthers();
    for (Resource resource : used) {
      version.reachesHost |= resource instanceof PinnedBlock;
      if (resource instanceof PeerLink link) {
        version.reach(link);
      } else if (version.isBorrowed(resource)) {
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
    for (DeviceRuntime other : others) {
      if (!other.resources().adoptGuest(version)) {
        version.closeAfterLastUse();
        throw other.device().closedException();
      }
    }
    return version;
  }

  private void reach(PeerLink link) {
    Reach reach = new Reach(link.from(), link.to());
    if (!reached.contains(reach)) {
      reached.add(reach);
    }
  }

  /**
   * Whether its owner may close it while the graph holds it: a resource of another device that does
   * no work of the graph, or an arena.
   */
  private boolean isBorrowed(Resource resource) {
    return switch (resource) {
      case PinnedBlock block ->
          !block.canBeHeldBy(engine.device())
              && others.stream().noneMatch(other -> block.canBeHeldBy(other.device()));
      case DeviceBlock block -> block.engine() != engine && !others.contains(block.engine());
      default -> false;
    };
  }

  /** Refuses the graph if another device that does some of its work is closed or lost. */
  void requireOthers() {
    if (!others.isEmpty()) {
      others.forEach(DeviceRuntime::requireUsable);
    }
  }

  /** Makes a call of the driver while none of the devices that do the work is closed. */
  <T> T call(Supplier<T> body) {
    Supplier<T> all = body;
    for (DeviceRuntime other : others) {
      Supplier<T> inner = all;
      all = () -> other.call(inner);
    }
    return engine.call(all);
  }

  /** {@return the other devices that do some of the work} */
  Collection<DeviceRuntime> others() {
    return others;
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
      reached.forEach(reach -> noteAccess(queue, reach, sequence));
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
    requireOthers();
    for (Reach reach : reached) {
      reach.to().requireUsable();
      if (reach.from().peers().to(reach.to()) == null) {
        throw noAccess(reach);
      }
    }
  }

  private static PeerAccessException noAccess(Reach reach) {
    return new PeerAccessException(
        "%s no longer has access to the memory of %s, which nodes of the graph use: enable access before the launch"
            .formatted(reach.from().name(), reach.to().name()));
  }

  private static void noteAccess(StreamQueue queue, Reach reach, long sequence) {
    reach.to().requireUsable();
    Peers peers = reach.from().peers();
    for (PeerLink link = peers.to(reach.to()); link != null; link = peers.to(reach.to())) {
      if (link.use(queue.completion, sequence)) {
        return;
      }
      // Access ended at this very moment; it may have been enabled several times.
    }
    throw noAccess(reach);
  }

  @Override
  public String describe() {
    return "a graph on " + engine.name();
  }

  @Override
  protected void release() {
    held.forEach(Resource::letGo);
    engine.resources().released(this);
    others.forEach(other -> other.resources().releasedGuest(this));
    gone();
  }
}
