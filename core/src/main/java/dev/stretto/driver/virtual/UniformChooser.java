package dev.stretto.driver.virtual;

import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Everything is equally likely, the program going on included. */
record UniformChooser(SplittableRandom random) implements Chooser {
  @Override
  public int choose(Ready ready, @Nullable OpName within) {
    int index = random.nextInt(ready.size() + (within == null ? 0 : 1));
    return index == ready.size() ? PROGRAM : index;
  }
}
