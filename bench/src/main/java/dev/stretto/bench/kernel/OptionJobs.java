package dev.stretto.bench.kernel;

import dev.stretto.Grid;
import dev.stretto.bench.kernel.samples.Options;
import dev.stretto.memory.GlobalFloats;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Prices of options. */
final class OptionJobs {
  private static final float RATE = 0.02f;
  private static final float VOLATILITY = 0.3f;
  private static final int CHECKED = 64;

  private OptionJobs() {}

  static Job blackScholes(Workbench bench) {
    int n = bench.size().elements();
    GlobalFloats prices = bench.floats(n, OptionJobs::price);
    GlobalFloats strikes = bench.floats(n, OptionJobs::strike);
    GlobalFloats years = bench.floats(n, OptionJobs::years);
    GlobalFloats calls = bench.floats(n);
    GlobalFloats puts = bench.floats(n);
    Grid grid = Grid.covering(n, Options.THREADS);
    return Job.ofBytes(
        bench
            .device()
            .prepare(
                grid, Options::blackScholes, calls, puts, prices, strikes, years, RATE, VOLATILITY),
        20.0 * n,
        () ->
            Expected.floats(bench.toHost(calls), n, 1e-3, OptionJobs::call)
                + Expected.floats(bench.toHost(puts), n, 1e-3, OptionJobs::put));
  }

  static Job binomial(Workbench bench) {
    int n = bench.size().sumBlocks();
    GlobalFloats prices = bench.floats(n, OptionJobs::price);
    GlobalFloats strikes = bench.floats(n, OptionJobs::strike);
    GlobalFloats calls = bench.floats(n);
    int steps = bench.size().matrix() / 2;
    Options.Step step = step(steps);
    Grid grid = Grid.of(n, Options.THREADS);
    return Job.ofOperations(
        bench.device().prepare(grid, Options::binomial, calls, prices, strikes, step, steps),
        1.5 * steps * steps * n,
        () -> checkTrees(bench.toHost(calls), n, step, steps));
  }

  private static float price(int i) {
    return 17.5f + 12.5f * Pattern.fineFloat(i, 34);
  }

  private static float strike(int i) {
    return 50.5f + 49.5f * Pattern.fineFloat(i, 35);
  }

  private static float years(int i) {
    return 5.125f + 4.875f * Pattern.fineFloat(i, 36);
  }

  private static float call(int i) {
    double root = Math.sqrt(years(i));
    double d1 = first(i);
    return (float)
        (price(i) * normal(d1) - discounted(i) * normal(d1 - (double) VOLATILITY * root));
  }

  private static float put(int i) {
    double root = Math.sqrt(years(i));
    double d1 = first(i);
    return (float)
        (discounted(i) * (1 - normal(d1 - (double) VOLATILITY * root))
            - price(i) * (1 - normal(d1)));
  }

  private static double first(int i) {
    double drift = RATE + 0.5 * VOLATILITY * VOLATILITY;
    return (Math.log((double) price(i) / strike(i)) + drift * years(i))
        / (VOLATILITY * Math.sqrt(years(i)));
  }

  private static double discounted(int i) {
    return strike(i) * Math.exp(-(double) RATE * years(i));
  }

  private static double normal(double d) {
    double k = 1 / (1 + 0.2316419 * Math.abs(d));
    double polynomial =
        k
            * (0.31938153
                + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))));
    double tail = Math.exp(-0.5 * d * d) / Math.sqrt(2 * Math.PI) * polynomial;
    return d > 0 ? 1 - tail : tail;
  }

  /** Of options that expire after ten years. */
  private static Options.Step step(int steps) {
    double time = 10.0 / steps;
    double growth = VOLATILITY * Math.sqrt(time);
    double interest = Math.exp(RATE * time);
    double chance = (interest - Math.exp(-growth)) / (Math.exp(growth) - Math.exp(-growth));
    return new Options.Step(
        (float) growth, (float) (chance / interest), (float) ((1 - chance) / interest));
  }

  private static double checkTrees(MemorySegment calls, int n, Options.Step step, int steps) {
    Expected.sumOfLong(
        Math.min(n, CHECKED),
        i -> {
          double found = calls.getAtIndex(ValueLayout.JAVA_FLOAT, i);
          double right = tree(i, step, steps);
          WrongResultException.requireClose("option " + i, found, right, 1e-3 * (1 + right));
          return 0;
        });
    return Chunks.sum(n, i -> Expected.weighed(calls.getAtIndex(ValueLayout.JAVA_FLOAT, i), i));
  }

  private static double tree(int option, Options.Step step, int steps) {
    double[] values = new double[steps + 1];
    for (int i = 0; i < values.length; i++) {
      double end = price(option) * Math.exp((double) step.growth() * (2 * i - steps));
      values[i] = Math.max(0, end - strike(option));
    }
    for (int length = steps; length > 0; length--) {
      for (int i = 0; i < length; i++) {
        values[i] = (double) step.up() * values[i + 1] + (double) step.down() * values[i];
      }
    }
    return values[0];
  }
}
