package dev.stretto.kernels.attention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Device;
import dev.stretto.Stream;
import dev.stretto.kernels.Devices;
import dev.stretto.memory.GlobalBfloats;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalHalfs;
import dev.stretto.memory.GlobalInts;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Each packed sequence has the attention that it has alone. */
@ParameterizedClass(name = "on {0}")
@MethodSource("devices")
class PackedAttentionTest {
  private final Device device;

  /** The kernel of warp groups on the usual virtual device, and the other one. */
  static java.util.stream.Stream<String> devices() {
    return java.util.stream.Stream.concat(
        Devices.few(), java.util.stream.Stream.of("virtual:a100,order=checked"));
  }

  PackedAttentionTest(String name) {
    device = Device.open(name);
  }

  @AfterEach
  void close() {
    device.close();
  }

  @SuppressWarnings("ArrayRecordComponent") // they are not compared
  private record Lengths(int[] queries, int[] keys) implements Case.Sequences {
    static Lengths of(String queries, String keys) {
      return new Lengths(numbers(queries), numbers(keys));
    }

    private static int[] numbers(String words) {
      return Arrays.stream(words.split(" ", -1)).mapToInt(Integer::parseInt).toArray();
    }

    @Override
    public int count() {
      return queries.length;
    }

    @Override
    public int queryStart(int sequence) {
      return IntStream.of(queries).limit(sequence).sum();
    }

    @Override
    public int keyStart(int sequence) {
      return IntStream.of(keys).limit(sequence).sum();
    }

    @Override
    public boolean apart() {
      return false;
    }

    AttentionShape shape(int heads, int keyHeads, int dim) {
      return new AttentionShape(
          count(),
          heads,
          keyHeads,
          IntStream.of(queries).max().orElseThrow(),
          IntStream.of(keys).max().orElseThrow(),
          dim);
    }
  }

  @ParameterizedTest
  @CsvSource({
    // queries, keys, numbers of a row, keys before, keys behind, tokens first, bfloat16
    "'100 7 130', '100 7 130', 64, 2147483647, 0, true, true",
    "'1 200 0 33', '90 120 5 64', 128, 2147483647, 2147483647, false, false",
    "'70 50', '10 200', 128, 40, 10, true, true",
    "'60 0 3', '0 9 140', 256, 2147483647, 0, false, true",
    "'65', '65', 96, 20, 0, true, false",
    "'300 3 170', '300 3 170', 64, 2147483647, 0, true, true",
  })
  void eachSequenceIsOnItsOwn(
      String queries,
      String keys,
      int dim,
      int before,
      int after,
      boolean tokensFirst,
      boolean bf16) {
    Lengths lengths = Lengths.of(queries, keys);
    TokenOrder order = tokensFirst ? TokenOrder.TOKENS_FIRST : TokenOrder.HEADS_FIRST;
    Case all = new Case(lengths.shape(4, 2, dim), order, before, after, 0.2, bf16);
    try (Stream copies = device.stream();
        GlobalInts queryStarts = Case.starts(device, copies, lengths.queries());
        GlobalInts keyStarts = Case.starts(device, copies, lengths.keys())) {
      all.isRight(
          device,
          lengths,
          (stream, q, k, v, o, lse) -> {
            PackedAttention attention = all.attention().packed();
            if (bf16) {
              attention.enqueue(
                  stream,
                  (GlobalBfloats) q,
                  (GlobalBfloats) k,
                  (GlobalBfloats) v,
                  queryStarts,
                  keyStarts,
                  (GlobalBfloats) o,
                  lse);
            } else {
              attention.enqueue(
                  stream,
                  (GlobalHalfs) q,
                  (GlobalHalfs) k,
                  (GlobalHalfs) v,
                  queryStarts,
                  keyStarts,
                  (GlobalHalfs) o,
                  lse);
            }
          });
    }
  }

  /** A neighbour's values that are no numbers do not reach a sequence. */
  @Test
  void aSequenceNeverReadsAnotherOnesRows() {
    int dim = 64;
    try (Stream stream = device.stream();
        GlobalBfloats rows = device.allocateBfloats(100L * dim);
        GlobalBfloats o = device.allocateBfloats(100L * dim);
        GlobalFloats lse = device.allocateFloats(100);
        GlobalInts starts = Case.starts(device, stream, 30, 40, 30)) {
      stream.fill(rows, Float.NaN);
      stream.fill(rows.slice(30L * dim, 40L * dim), 1f);
      // @start region="packed"
      // 3 sequences of up to 40 tokens; starts holds 0, 30, 70 and 100
      AttentionShape longest = AttentionShape.of(3, 1, 40, 64);
      PackedAttention attention = Attention.of(longest).causal().packed();
      attention.enqueue(stream, rows, rows, rows, starts, starts, o, lse);
      // @end
      float[] found = new float[100 * dim];
      stream.copy(o, found).await();
      assertThat(Arrays.copyOfRange(found, 30 * dim, 70 * dim)).containsOnly(1);
      assertThat(Arrays.copyOfRange(found, 0, 30 * dim)).containsOnly(Float.NaN);
    }
  }

  @Test
  void whatDoesNotFitIsRefused() {
    PackedAttention attention = Attention.of(AttentionShape.of(2, 2, 16, 64)).packed();
    try (Stream stream = device.stream();
        GlobalBfloats q = device.allocateBfloats(20 * 128);
        GlobalBfloats o = device.allocateBfloats(20 * 128);
        GlobalBfloats part = device.allocateBfloats(20 * 128 + 64);
        GlobalFloats lse = device.allocateFloats(40);
        GlobalInts starts = Case.starts(device, stream, 10, 10);
        GlobalInts few = Case.starts(device, stream, 20)) {
      assertThatThrownBy(() -> attention.enqueue(stream, part, q, q, starts, starts, part, lse))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContainingAll("q has 2624 elements", "2 heads of 64");
      assertThatThrownBy(() -> attention.enqueue(stream, q, q, q, few, starts, o, lse))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContainingAll("queryStarts has 2 elements", "3");
      assertThatThrownBy(
              () -> attention.enqueue(stream, q, q, q, starts, starts, o, lse.slice(1, 39)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContainingAll("lse has 39 elements", "40");
    }
  }
}
