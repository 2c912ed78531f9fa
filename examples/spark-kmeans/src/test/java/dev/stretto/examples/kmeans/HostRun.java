package dev.stretto.examples.kmeans;

/** Iterations on the host. */
public final class HostRun {
  private HostRun() {}

  /** {@return the state after so many iterations} */
  public static State of(float[] points, Centres first, int iterations) {
    State state = State.before(first);
    while (state.iteration() < iterations) {
      double[] totals = HostStep.totals(points, state.centres());
      Centres moved = state.centres().moved(totals);
      state =
          new State(
              state.iteration() + 1,
              moved,
              totals[totals.length - 1],
              moved.isWithin(state.centres(), 0));
    }
    return state;
  }
}
