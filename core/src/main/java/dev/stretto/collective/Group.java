package dev.stretto.collective;

import dev.stretto.memory.GlobalArray;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Calls that a {@link Communicator} makes as one operation: {@code ncclGroupStart} and {@code
 * ncclGroupEnd}. What the ranks send and receive in a group goes at the same time, so that two can
 * send to each other; it comes before the group's collective operations, which come in order. Of
 * several sends to one rank, the first meets the first receive there, and so on.
 *
 * <p>For the duration of {@link Communicator#group} only, on its thread.
 */
public final class Group {
  private final Communicator of;
  private final List<Part> parts = new ArrayList<>();
  private boolean isOver;

  Group(Communicator of) {
    this.of = of;
  }

  /**
   * Sends an array to a rank; see {@link Communicator#send}.
   *
   * @param array on the communicator's device
   * @param peer its rank; may be this one, if it receives in the same group
   */
  public void send(GlobalArray array, int peer) {
    add(of.arguments().send(Objects.requireNonNull(array, "array"), peer));
  }

  /**
   * Receives an array of a rank; see {@link Communicator#recv}.
   *
   * @param array on the communicator's device
   * @param peer its rank; may be this one, if it sends in the same group
   */
  public void recv(GlobalArray array, int peer) {
    add(of.arguments().receive(Objects.requireNonNull(array, "array"), peer));
  }

  /**
   * Combines arrays of all ranks; see {@link Communicator#allReduce}.
   *
   * @param source of this rank
   * @param destination the result
   * @param reduction how
   */
  public void allReduce(GlobalArray source, GlobalArray destination, Reduction reduction) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    add(
        of.arguments()
            .allReduce(source, destination, Objects.requireNonNull(reduction, "reduction")));
  }

  /**
   * Gives all ranks the arrays of all; see {@link Communicator#allGather}.
   *
   * @param source of this rank
   * @param destination of all ranks
   */
  public void allGather(GlobalArray source, GlobalArray destination) {
    Objects.requireNonNull(source, "source");
    add(of.arguments().allGather(source, Objects.requireNonNull(destination, "destination")));
  }

  /**
   * Gives each rank its part of the combined arrays; see {@link Communicator#reduceScatter}.
   *
   * @param source of this rank
   * @param destination the part of the result
   * @param reduction how
   */
  public void reduceScatter(GlobalArray source, GlobalArray destination, Reduction reduction) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    add(
        of.arguments()
            .reduceScatter(source, destination, Objects.requireNonNull(reduction, "reduction")));
  }

  /**
   * Gives all ranks the array of one; see {@link Communicator#broadcast}.
   *
   * @param array of this rank
   * @param root whose array all get
   */
  public void broadcast(GlobalArray array, int root) {
    add(of.arguments().broadcast(Objects.requireNonNull(array, "array"), root));
  }

  /**
   * Sends each rank its part; see {@link Communicator#allToAll}.
   *
   * @param source a part for each rank
   * @param destination a part of each rank
   */
  public void allToAll(GlobalArray source, GlobalArray destination) {
    Objects.requireNonNull(source, "source");
    add(of.arguments().allToAll(source, Objects.requireNonNull(destination, "destination")));
  }

  private void add(Part part) {
    if (isOver) {
      throw new IllegalStateException("the group has ended: call it within group(…)");
    }
    parts.add(part);
  }

  List<Part> end() {
    isOver = true;
    return List.copyOf(parts);
  }
}
