package dev.stretto.driver.virtual;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Sample;
import dev.stretto.driver.DriverException;
import dev.stretto.driver.FunctionProperties;
import dev.stretto.driver.Mutations;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * PTX with faults is loaded or refused, in a second and 256 MiB; see {@link Mutations} for how to
 * have more of it.
 */
@Timeout(value = 60, unit = TimeUnit.MINUTES) // as many as one likes
class MutatedPtxTest {
  private static final int FILES = Sample.of(1_000, 3_000);
  private static final int MOST_REPEATED = 1 << 20;
  private static final int MOST_BYTES = 8 << 20;
  private static final int REPEATED_BYTES = Integer.getInteger("stretto.fuzz.bytes", 1 << 20);

  private static final String RIGHT =
      """
      // made by hand
      .version 8.0
      .target sm_80
      .address_size 64
      .file 1 "kernels.cu"
      .extern .shared .align 16 .b8 dynamic[];
      .shared .align 4 .b8 outside[64];
      .global .align 4 .b32 counter = 0;
      .visible .func helper(.param .b32 n)
      {
        ret; /* nothing
                to do */
      }
      .visible .entry one(
        .param .u64 .ptr .align 1 one_param_0,
        .param .u32 one_param_1
      )
      .maxntid 64, 2, 1
      .minnctapersm 2
      {
        .reg .pred %p<2>;
        .reg .b32 %r<9>;
        .shared .align 4 .f32 tile[16][17];
        ld.param.u32 %r1, [one_param_1];
        mov.u32 %r2, %tid.x;
        { setp.ge.s32 %p1, %r2, %r1; }
        @%p1 bra $done;
        st.shared.u32 [tile], %r2;
      $done:
        ret;
      }
      .visible .entry two() .reqntid 32 { .shared .align 8 .b64 barrier; ret; }
      """;

  private static final List<String> TOKENS =
      List.of(
          ".entry",
          ".shared",
          ".extern",
          ".align",
          ".maxntid",
          ".version",
          ".target",
          "{",
          "}",
          "[",
          "]",
          "/*",
          "*/",
          "//",
          "\"",
          "\n",
          " ",
          "\0",
          "0",
          "-1",
          "46341",
          "2147483648",
          "9223372036854775808",
          "99999999999999999999999999",
          ".b8",
          ".b64",
          ".b99999999999",
          "[46341][46341]",
          "x",
          "$",
          "%",
          "ü",
          ".shared .b8 x[1]",
          ".entry e() { ret; }");

  /** Bytes that are wrong, or words that are, some of them very often. */
  private static byte[] mutated(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    if (random.nextBoolean()) {
      return Mutations.of(RIGHT.getBytes(StandardCharsets.UTF_8), seed);
    }
    StringBuilder text = new StringBuilder(RIGHT);
    int times = 1 + random.nextInt(4);
    for (int i = 0; i < times; i++) {
      int at = random.nextInt(text.length() + 1);
      String token = TOKENS.get(random.nextInt(TOKENS.size()));
      int count = random.nextInt(20) == 0 ? 1 + random.nextInt(MOST_REPEATED / token.length()) : 1;
      switch (random.nextInt(3)) {
        case 0 -> text.insert(at, token.repeat(count));
        case 1 ->
            text.replace(at, Math.min(text.length(), at + random.nextInt(12)), token.repeat(count));
        default -> number(text, random, token);
      }
    }
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** Puts something in place of a number. */
  private static void number(StringBuilder text, SplittableRandom random, String token) {
    List<Integer> digits = new ArrayList<>();
    for (int i = 0; i < text.length(); i++) {
      if (Character.isDigit(text.charAt(i))) {
        digits.add(i);
      }
    }
    if (!digits.isEmpty()) {
      int at = digits.get(random.nextInt(digits.size()));
      text.replace(at, at + 1, token);
    }
  }

  /** Loads an image and asks for a kernel, or has it refused as CUDA does. */
  private static boolean loads(byte[] file) {
    try {
      FunctionProperties one = ModuleImage.load(file).entry("one");
      assertThat(one.sharedBytes()).isNotNegative();
      assertThat(one.maxThreadsPerBlock()).isBetween(0, 1024);
      return true;
    } catch (DriverException e) {
      assertThat(e.kind()).isEqualTo(DriverException.Kind.BAD_IMAGE);
      assertThat(e.getMessage()).hasSizeLessThan(20_000);
      return false;
    }
  }

  @Test
  void theRightTextIsLoaded() {
    assertThat(loads(RIGHT.getBytes(StandardCharsets.UTF_8))).isTrue();
  }

  @Test
  void aTextWithFaultsIsLoadedOrRefused() {
    Mutations.each("PTX texts", FILES, MutatedPtxTest::mutated, (file, _) -> loads(file));
  }

  /**
   * What costs a parser most that looks ahead, looks back or remembers. {@code
   * -Dstretto.fuzz.bytes=8000000} makes them as long as they may be.
   */
  @Test
  void aTextThatRepeatsOneThingIsLoadedOrRefusedHoweverLongItIs() {
    List<String> heads = List.of("", ".version 8.0\n.target sm_80\n", RIGHT);
    Mutations.each(
        "PTX texts that repeat one thing",
        heads.size() * TOKENS.size(),
        seed -> {
          String head = heads.get((int) (seed % heads.size()));
          String token = TOKENS.get((int) (seed / heads.size() % TOKENS.size()));
          int bytes = token.getBytes(StandardCharsets.UTF_8).length;
          return (head + token.repeat(REPEATED_BYTES / bytes)).getBytes(StandardCharsets.UTF_8);
        },
        (file, _) -> loads(file));
  }

  @Test
  void aTextThatIsLargerThanAnyIsRefused() {
    assertThat(loads(new byte[MOST_BYTES + 1])).isFalse();
    byte[] spaces = (RIGHT + " ".repeat(MOST_BYTES)).getBytes(StandardCharsets.UTF_8);
    assertThat(loads(spaces)).isFalse();
  }
}
