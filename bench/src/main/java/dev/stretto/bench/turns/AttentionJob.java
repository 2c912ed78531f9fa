package dev.stretto.bench.turns;

import dev.stretto.Device;
import dev.stretto.Launch;
import dev.stretto.Stream;
import dev.stretto.examples.attention.AttentionRun;
import dev.stretto.examples.attention.FlashAttention.Step;
import dev.stretto.examples.attention.Shape;
import dev.stretto.kernels.attention.Attention;
import dev.stretto.kernels.attention.AttentionShape;
import dev.stretto.memory.GlobalBfloats;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Attention of bfloat16 numbers: by the steps of the examples under their names, such as {@code
 * plain-loads}, and by the library, {@code warp-groups}, which has them on compute capability 9.0.
 */
final class AttentionJob implements Job {
  private final AttentionRun run;
  private final Shape shape;

  AttentionJob(Device device, Shape shape) {
    this.run = new AttentionRun(device, shape, true);
    this.shape = shape;
  }

  @Override
  public Stream stream() {
    return run.stream();
  }

  @Override
  public String choice() {
    return attention().choice(run.stream().device()).toString();
  }

  @Override
  public Runnable enqueuing(String kernel) {
    if (kernel.equals("warp-groups")) {
      Attention attention = attention();
      return () ->
          run.enqueue(
              (stream, _, q, k, v, o, lse) ->
                  attention.enqueue(
                      stream,
                      (GlobalBfloats) q,
                      (GlobalBfloats) k,
                      (GlobalBfloats) v,
                      (GlobalBfloats) o,
                      lse));
    }
    for (Step step : Step.values()) {
      if (step.toString().replace(' ', '-').equals(kernel)) {
        Launch launch = run.prepare(step);
        return () -> run.stream().launch(launch);
      }
    }
    throw new IllegalArgumentException("no such kernel of attention: " + kernel);
  }

  private Attention attention() {
    Attention attention =
        Attention.of(
            new AttentionShape(
                shape.batches(),
                shape.heads(),
                shape.keyHeads(),
                shape.queries(),
                shape.keys(),
                shape.headDim()));
    return shape.causal() ? attention.causal() : attention;
  }

  @Override
  public void writeInputs(Path folder) {
    run.writeInputs(folder);
  }

  @Override
  public void forget() {
    run.forget();
  }

  @Override
  public Deviation deviation() {
    AttentionRun.Deviation deviation = run.error(rows());
    return new Deviation(deviation.out(), deviation.isSmall(true));
  }

  /** The same rows of each head as in {@code attention.py}. */
  private int[] rows() {
    int length = shape.queries();
    int[] inHead = {0, 1, 7, length / 3, length / 2 + 5, length - 2, length - 1};
    return IntStream.range(0, shape.batches() * shape.heads())
        .flatMap(head -> Arrays.stream(inHead).map(row -> head * length + row))
        .toArray();
  }

  @Override
  public void close() {
    run.close();
  }
}
