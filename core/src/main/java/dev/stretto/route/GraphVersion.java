package dev.stretto.route;

import dev.stretto.driver.GraphWork;
import dev.stretto.fault.ClosedException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/**
 * What a graph does between two changes of its parameters, and all that this uses: none of it is
 * released before the last launch with these parameters is done and the graph has others, or was
 * closed.
 */
public final class GraphVersion extends Resource {
  private final Engine engine;
  private final GraphWork[][] works;
  private final List<Resource> held = new ArrayList<>();

  /** What its owner may take away: every launch looks whether it is still there. */
  private final List<Resource> borrowed = new ArrayList<>();

  private boolean reachesHost;

  private GraphVersion(Engine engine, GraphWork[][] works) {
    this.engine = engine;
    this.works = works;
  }

  /**
   * {@return a version that holds what it uses}
   *
   * @param engine the device
   * @param works for each stage what its steps do; nothing for one on the host
   * @param used everything that they use
   * @throws ClosedException if something of it is closed and no earlier version holds it
   */
  public static GraphVersion of(Engine engine, GraphWork[][] works, Collection<Resource> used) {
    GraphVersion version = new GraphVersion(engine, works);
    engine.requireUsable();
    for (Resource resource : used) {
      version.reachesHost |= resource instanceof PinnedBlock;
      if (resource instanceof PinnedBlock block && !block.canBeHeldBy(engine)) {
        version.borrowed.add(block);
      } else if (resource.hold()) {
        version.held.add(resource);
      } else {
        version.held.forEach(Resource::letGo);
        throw new ClosedException(resource.describe() + " is closed");
      }
    }
    if (!engine.adopt(version)) {
      version.closeAfterLastUse();
      throw engine.closedException();
    }
    return version;
  }

  /**
   * {@return what the works are with one of them changed; the others are shared}
   *
   * @param stage which stage
   * @param step which step of it
   * @param work what it does from now on
   */
  public GraphWork[][] with(int stage, int step, GraphWork work) {
    GraphWork[][] changed = works.clone();
    changed[stage] = Arrays.copyOf(works[stage], works[stage].length);
    changed[stage][step] = work;
    return changed;
  }

  GraphWork[] works(int stage) {
    return works[stage];
  }

  /** {@return whether a pinned end of its copies may have staged copies still to arrive} */
  boolean reachesHost() {
    return reachesHost;
  }

  /** Notes that a launch uses it. */
  void noteUse(StreamQueue queue, long sequence) {
    queue.noteUse(this, sequence);
    if (!borrowed.isEmpty()) {
      borrowed.forEach(resource -> queue.noteUse(resource, sequence));
    }
  }

  @Override
  public String describe() {
    return "a graph on " + engine.name();
  }

  @Override
  protected void release() {
    held.forEach(Resource::letGo);
    engine.released(this);
    gone();
  }
}
