package dev.stretto.bench.kernel.samples;

import dev.stretto.kernel.Const;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.SharedFloats;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.kernel.math.DeviceMath;
import dev.stretto.memory.GlobalFloats;

/** Prices of European options. */
public final class Options {
  public static final int THREADS = 128;

  private Options() {}

  /**
   * A step of the binomial tree.
   *
   * @param growth the logarithm of the price's factor in a step up
   * @param up the chance of a step up, discounted by one step
   * @param down the chance of a step down, discounted by one step
   */
  public record Step(float growth, float up, float down) {}

  /**
   * The formula of Black and Scholes, for a call and a put of each option.
   *
   * @param years until the option expires
   * @param rate of interest, a year
   * @param volatility of the price, a year
   */
  @Kernel(maxThreads = THREADS, contract = true)
  public static void blackScholes(
      ThreadBlock block,
      GlobalFloats calls,
      GlobalFloats puts,
      GlobalFloats prices,
      GlobalFloats strikes,
      GlobalFloats years,
      float rate,
      float volatility) {
    long i = block.globalIndexX();
    if (i < calls.length()) {
      float price = prices.get(i);
      float strike = strikes.get(i);
      float time = years.get(i);
      float root = (float) Math.sqrt(time);
      float d1 =
          (DeviceMath.log(price / strike) + (rate + 0.5f * volatility * volatility) * time)
              / (volatility * root);
      float d2 = d1 - volatility * root;
      float chance1 = normal(d1);
      float chance2 = normal(d2);
      float discounted = strike * DeviceMath.exp(-rate * time);
      calls.set(i, price * chance1 - discounted * chance2);
      puts.set(i, discounted * (1 - chance2) - price * (1 - chance1));
    }
  }

  /** The chance that a normally distributed number is at most {@code d}: a polynomial. */
  private static float normal(float d) {
    float k = 1 / (1 + 0.2316419f * Math.abs(d));
    float polynomial =
        k
            * (0.31938154f
                + k * (-0.35656378f + k * (1.7814779f + k * (-1.8212559f + k * 1.3302745f))));
    float tail = 0.3989423f * DeviceMath.exp(-0.5f * d * d) * polynomial;
    return d > 0 ? 1 - tail : tail;
  }

  /**
   * A tree for a call; a block for each option. A thread holds neighbouring leaves in registers,
   * and gets the next thread's first one through shared memory.
   *
   * @param steps of the tree, a multiple of {@link #THREADS}
   */
  @Kernel(maxThreads = THREADS, contract = true)
  public static void binomial(
      ThreadBlock block,
      GlobalFloats calls,
      GlobalFloats prices,
      GlobalFloats strikes,
      Step step,
      @Const int steps) {
    SharedFloats exchange = block.sharedFloats(THREADS + 1);
    int share = steps / THREADS;
    int rank = block.threadIndexX();
    float price = prices.get(block.blockIndexX());
    float strike = strikes.get(block.blockIndexX());
    float[] call = new float[share + 1];
    for (int i = 0; i < share; i++) {
      call[i] = leaf(price, strike, step, rank * share + i, steps);
    }
    if (rank == 0) {
      exchange.set(THREADS, leaf(price, strike, step, steps, steps));
    }
    int last = Math.max(0, rank * share - 1);
    for (int i = steps; i > 0; i--) {
      exchange.set(rank, call[0]);
      block.sync();
      call[share] = exchange.get(rank + 1);
      block.sync();
      if (i > last) {
        for (int j = 0; j < share; j++) {
          call[j] = step.up * call[j + 1] + step.down * call[j];
        }
      }
    }
    if (rank == 0) {
      calls.set(block.blockIndexX(), call[0]);
    }
  }

  /** What the option is worth at the end, after {@code ups} steps up. */
  private static float leaf(float price, float strike, Step step, int ups, int steps) {
    float end = price * DeviceMath.exp(step.growth * (2.0f * ups - steps));
    return Math.max(0, end - strike);
  }
}
