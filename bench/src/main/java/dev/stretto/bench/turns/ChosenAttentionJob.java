package dev.stretto.bench.turns;

import dev.stretto.Device;
import dev.stretto.Stream;
import dev.stretto.kernels.attention.Attention;
import dev.stretto.kernels.attention.AttentionChoice;
import dev.stretto.kernels.attention.Fp8Attention;
import dev.stretto.kernels.attention.PackedAttention;
import dev.stretto.memory.Fp8;
import dev.stretto.memory.GlobalArray;
import dev.stretto.memory.GlobalBfloats;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalHalfs;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** The library's attention of any form, by the kernel that it chooses: {@code chosen}. */
final class ChosenAttentionJob implements Job {
  private static final short NAN = 0x7fff;

  /** With three bits behind the point, numbers times these are exact as bfloat16. */
  private static final float[] FACTORS = {1, 0.75f, 0.5f, 1.5f};

  /** Numbers of an array as both sides get them. */
  private static final class Numbers {
    final short[] wide;
    final byte[] bytes;
    final float[] factors;

    Numbers(AttentionForm form, int heads, int seed) {
      boolean eight = form.format() == AttentionForm.Format.FP8;
      this.wide = new short[form.elements(heads)];
      this.bytes = new byte[eight ? wide.length : 0];
      this.factors = new float[eight ? form.factors(heads) : 0];
      for (int i = 0; i < factors.length; i++) {
        factors[i] = FACTORS[i % FACTORS.length];
      }
      int ofHead = form.tokens() * form.dim();
      int blocks = Math.ceilDiv(form.tokens(), AttentionForm.BLOCK);
      IntStream.range(0, wide.length)
          .parallel()
          .forEach(
              i -> {
                // No multiple of the generator's own step: else the arrays would be correlated.
                SplittableRandom random = new SplittableRandom(seed * 0xD1B54A32D192ED03L + i);
                float number = (float) random.nextGaussian();
                if (eight) {
                  int block = i / ofHead * blocks + i % ofHead / form.dim() / AttentionForm.BLOCK;
                  bytes[i] = Fp8.ofE4m3(number);
                  number = Fp8.toFloatE4m3(bytes[i]) * factors[block];
                }
                wide[i] = form.bits(number);
              });
    }
  }

  private final AttentionForm form;
  private final Stream stream;
  private final List<GlobalArray> arrays = new ArrayList<>();
  private final Numbers hostQ;
  private final Numbers hostK;
  private final Numbers hostV;
  private final GlobalArray q;
  private final GlobalArray k;
  private final GlobalArray v;
  private final GlobalFloats ofQ;
  private final GlobalFloats ofK;
  private final GlobalFloats ofV;
  private final GlobalInts starts;
  private final GlobalArray o;
  private final GlobalFloats lse;

  ChosenAttentionJob(Device device, AttentionForm form) {
    this.form = form;
    this.stream = device.stream();
    this.hostQ = new Numbers(form, form.heads(), 1);
    this.hostK = new Numbers(form, form.keyHeads(), 2);
    this.hostV = new Numbers(form, form.keyHeads(), 3);
    this.q = copied(hostQ);
    this.k = copied(hostK);
    this.v = copied(hostV);
    this.starts = kept(device.allocateInts(form.batches() + 1L));
    this.o = array(hostQ.wide.length);
    this.ofQ = factors(hostQ);
    this.ofK = factors(hostK);
    this.ofV = factors(hostV);
    this.lse = kept(device.allocateFloats((long) form.allTokens() * form.heads()));
    stream.copy(form.starts(), starts).await();
  }

  private <A extends GlobalArray> A kept(A array) {
    arrays.add(array);
    return array;
  }

  private GlobalArray array(int length) {
    Device device = stream.device();
    return kept(
        form.format() == AttentionForm.Format.FP16
            ? device.allocateHalfs(length)
            : device.allocateBfloats(length));
  }

  private GlobalArray copied(Numbers numbers) {
    if (numbers.bytes.length > 0) {
      GlobalBytes bytes = kept(stream.device().allocateBytes(numbers.bytes.length));
      stream.copy(numbers.bytes, bytes).await();
      return bytes;
    }
    GlobalArray wide = array(numbers.wide.length);
    stream.copy(MemorySegment.ofArray(numbers.wide), wide).await();
    return wide;
  }

  private GlobalFloats factors(Numbers numbers) {
    if (numbers.factors.length == 0) {
      return GlobalFloats.of(o.allocation()).slice(0, 0);
    }
    GlobalFloats factors = kept(stream.device().allocateFloats(numbers.factors.length));
    stream.copy(numbers.factors, factors).await();
    return factors;
  }

  @Override
  public Stream stream() {
    return stream;
  }

  @Override
  public String choice() {
    Attention attention = form.attention();
    AttentionChoice choice;
    if (form.packed()) {
      choice = attention.packed().choice(stream.device());
    } else if (form.format() == AttentionForm.Format.FP8) {
      choice = attention.e4m3().choice(stream.device());
    } else {
      choice = attention.choice(stream.device());
    }
    return choice.toString();
  }

  @Override
  public Runnable enqueuing(String kernel) {
    if (!kernel.equals("chosen")) {
      throw new IllegalArgumentException("no such kernel of attention of this form: " + kernel);
    }
    return switch (form.format()) {
      case FP8 -> eightBits((GlobalBytes) q, (GlobalBytes) k, (GlobalBytes) v, (GlobalBfloats) o);
      case BF16 ->
          bfloats((GlobalBfloats) q, (GlobalBfloats) k, (GlobalBfloats) v, (GlobalBfloats) o);
      case FP16 -> halfs((GlobalHalfs) q, (GlobalHalfs) k, (GlobalHalfs) v, (GlobalHalfs) o);
    };
  }

  private Runnable eightBits(
      GlobalBytes ofQueries, GlobalBytes ofKeys, GlobalBytes ofValues, GlobalBfloats out) {
    Fp8Attention attention = form.attention().e4m3();
    return () -> attention.enqueue(stream, ofQueries, ofKeys, ofValues, ofQ, ofK, ofV, out, lse);
  }

  private Runnable bfloats(
      GlobalBfloats ofQueries, GlobalBfloats ofKeys, GlobalBfloats ofValues, GlobalBfloats out) {
    Attention attention = form.attention();
    if (form.packed()) {
      PackedAttention packed = attention.packed();
      return () -> packed.enqueue(stream, ofQueries, ofKeys, ofValues, starts, starts, out, lse);
    }
    return () -> attention.enqueue(stream, ofQueries, ofKeys, ofValues, out, lse);
  }

  private Runnable halfs(
      GlobalHalfs ofQueries, GlobalHalfs ofKeys, GlobalHalfs ofValues, GlobalHalfs out) {
    Attention attention = form.attention();
    if (form.packed()) {
      PackedAttention packed = attention.packed();
      return () -> packed.enqueue(stream, ofQueries, ofKeys, ofValues, starts, starts, out, lse);
    }
    return () -> attention.enqueue(stream, ofQueries, ofKeys, ofValues, out, lse);
  }

  /** Writes numbers of eight bits with their factors, as bfloat16. */
  @Override
  public void writeInputs(Path folder) {
    Inputs.write(folder.resolve("q"), hostQ.wide);
    Inputs.write(folder.resolve("k"), hostK.wide);
    Inputs.write(folder.resolve("v"), hostV.wide);
  }

  @Override
  public void forget() {
    short[] wrong = new short[hostQ.wide.length];
    Arrays.fill(wrong, NAN);
    stream.fill(lse, Float.NaN);
    stream.copy(MemorySegment.ofArray(wrong), o).await();
  }

  /** Some rows of each head, the same as in {@code attention.py}. */
  @Override
  public Deviation deviation() {
    short[] found = new short[hostQ.wide.length];
    stream.copy(o, MemorySegment.ofArray(found)).await();
    return IntStream.range(0, form.batches() * form.heads())
        .parallel()
        .mapToObj(head -> ofHead(head / form.heads(), head % form.heads(), found))
        .reduce(
            new Deviation(0, true),
            (a, b) ->
                new Deviation(Math.max(a.greatest(), b.greatest()), a.isSmall() && b.isSmall()));
  }

  private Deviation ofHead(int sequence, int head, short[] found) {
    int[] all = form.starts();
    int length = all[sequence + 1] - all[sequence];
    double worst = 0;
    boolean isSmall = true;
    for (int token : new int[] {0, 1, 7, length / 3, length / 2 + 5, length - 2, length - 1}) {
      double[] exact = new double[form.dim()];
      double greatest = exact(sequence, head, token, length, exact);
      int row = form.row(sequence, form.heads(), head, token);
      for (int x = 0; x < exact.length; x++) {
        double off = Math.abs(form.value(found[row + x]) - exact[x]);
        worst = Math.max(worst, off);
        isSmall &= off <= form.tolerance(greatest);
      }
    }
    return new Deviation(worst, isSmall);
  }

  /** A row of the result in double precision. Returns the greatest of the values that it is of. */
  private double exact(int sequence, int head, int token, int length, double[] out) {
    int keyHead = head / (form.heads() / form.keyHeads());
    int query = form.row(sequence, form.heads(), head, token);
    int first = (int) Math.max(0, (long) token - form.window());
    int end = form.causal() ? token + 1 : length;
    double[] scores = new double[end - first];
    for (int i = 0; i < scores.length; i++) {
      int key = form.row(sequence, form.keyHeads(), keyHead, first + i);
      for (int x = 0; x < out.length; x++) {
        scores[i] += form.value(hostQ.wide[query + x]) * form.value(hostK.wide[key + x]);
      }
      scores[i] /= Math.sqrt(out.length);
    }
    double most = Arrays.stream(scores).max().orElse(0);
    double sum = 0;
    double greatest = 0;
    for (int i = 0; i < scores.length; i++) {
      int key = form.row(sequence, form.keyHeads(), keyHead, first + i);
      double weight = Math.exp(scores[i] - most);
      sum += weight;
      for (int x = 0; x < out.length; x++) {
        double value = form.value(hostV.wide[key + x]);
        out[x] += weight * value;
        greatest = Math.max(greatest, Math.abs(value));
      }
    }
    for (int x = 0; x < out.length; x++) {
      out[x] /= sum;
    }
    return greatest;
  }

  @Override
  public void close() {
    arrays.forEach(GlobalArray::close);
    stream.close();
  }
}
