package dev.stretto.examples.kmeans;

import dev.stretto.Stream;
import dev.stretto.memory.GlobalDoubles;
import java.util.function.Consumer;

/**
 * Lloyd's iterations: each takes the mean of the points that are nearest to a centre for the next
 * centre. All processes compute the same centres of the same totals.
 */
public final class Lloyd {
  private final Stream stream;
  private final KMeansStep step;
  private final Pass points;
  private final Sharing sharing;

  /**
   * @param stream for what is done between two passes
   * @param step of this process's device
   * @param points of this process
   * @param sharing with the others
   */
  public Lloyd(Stream stream, KMeansStep step, Pass points, Sharing sharing) {
    this.stream = stream;
    this.step = step;
    this.points = points;
    this.sharing = sharing;
  }

  /**
   * {@return the state after the last iteration} There are no more of them once no centre moves
   * farther than the tolerance, as in MLlib.
   *
   * @param start where to go on
   * @param iterations how many there are at most, with those that are done
   * @param tolerance a distance, 0 or more
   * @param after is told of each iteration
   * @throws StrangePointException if a point has NaN or an infinite coordinate
   */
  public State run(State start, int iterations, double tolerance, Consumer<State> after) {
    State state = start;
    while (state.iteration() < iterations && !state.isConverged()) {
      state = next(state, tolerance);
      after.accept(state);
    }
    return state;
  }

  /**
   * {@return the state after one more iteration}
   *
   * @param state where to go on
   * @param tolerance a distance, 0 or more
   * @throws StrangePointException if a point has NaN or an infinite coordinate
   */
  public State next(State state, double tolerance) {
    Centres centres = state.centres();
    step.begin(stream, centres);
    points.addAll(step);
    double[] totals = new double[KMeansStep.totals(centres.width(), centres.count())];
    GlobalDoubles sums = step.totals(stream);
    sharing.sum(stream, sums);
    stream.copy(sums, totals).await();
    double cost = totals[totals.length - 1];
    if (!Double.isFinite(cost)) {
      throw new StrangePointException(step.strangePoint(stream));
    }
    Centres moved = centres.moved(totals);
    return new State(state.iteration() + 1, moved, cost, moved.isWithin(centres, tolerance));
  }
}
