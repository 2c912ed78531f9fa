package dev.stretto.kernel.machine;

import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** An exchange between all 32 lanes of each warp of a block, as a loop over arrays. */
abstract class LaneExchange {
  static final int LANES = 32;

  /** Which lane a lane gets a number of, by its own and by what it asks for. */
  private interface Source {
    int of(int lane, int asked);
  }

  private interface Reduction {
    int of(int a, int b);
  }

  private static final Map<String, Source> SHUFFLES =
      Map.of(
          "shuffle", (_, asked) -> asked & 31,
          "shuffleUp", (lane, delta) -> lane < (delta & 31) ? lane : lane - (delta & 31),
          "shuffleDown", (lane, delta) -> lane + (delta & 31) > 31 ? lane : lane + (delta & 31),
          "shuffleXor", (lane, mask) -> lane ^ (mask & 31));

  private static final Map<String, Reduction> REDUCTIONS =
      Map.of(
          "reduceAdd",
          Integer::sum,
          "reduceMin",
          Math::min,
          "reduceMax",
          Math::max,
          "reduceAnd",
          (a, b) -> a & b,
          "reduceOr",
          (a, b) -> a | b,
          "reduceXor",
          (a, b) -> a ^ b);

  /**
   * Exchanges what the threads of some whole warps of a block have kept.
   *
   * @return whether that was possible; if not, nothing has happened
   */
  abstract boolean run(SteppedBlock block, int from, int to);

  /** The exchange that a meeting is; null if it is another one, or only of some lanes. */
  static @Nullable LaneExchange of(SteppedPlan.Meeting meeting) {
    String method = meeting.method();
    if (method.startsWith("Ptx.")) {
      boolean known = meeting.operands().stream().allMatch(LaneExchange::isKept);
      return !known
          ? null
          : method.startsWith("Ptx.mma") ? MatrixProduct.of(meeting) : MatrixLoad.of(meeting);
    }
    if (!method.startsWith("Warp.")) {
      return null;
    }
    String name = method.substring("Warp.".length(), method.indexOf('('));
    String parameters = method.substring(method.indexOf('(') + 1, method.indexOf(')'));
    if (name.equals("sync") && parameters.isEmpty()) {
      return new Nothing();
    }
    if (meeting.results().size() != 1 || meeting.results().getFirst() < 0) {
      return null;
    }
    if (meeting.operands().stream().anyMatch(operand -> !isKept(operand))) {
      return null;
    }
    Source source = SHUFFLES.get(name);
    if (source != null && parameters.length() == 2 && parameters.charAt(1) == 'I') {
      return shuffle(source, parameters.charAt(0), meeting);
    }
    Reduction reduction = REDUCTIONS.get(name);
    if (reduction != null && parameters.equals("I")) {
      return new Reduce(reduction, meeting.operands().getFirst(), meeting.results().getFirst());
    }
    if (parameters.equals("Z")
        && (name.equals("ballot") || name.equals("any") || name.equals("all"))) {
      return new Vote(name, meeting.operands().getFirst(), meeting.results().getFirst());
    }
    return null;
  }

  private static @Nullable LaneExchange shuffle(
      Source source, char type, SteppedPlan.Meeting meeting) {
    SteppedPlan.Operand value = meeting.operands().get(0);
    if (value.slot() < 0) {
      return null;
    }
    return new Shuffle(
        source, type, value.slot(), meeting.operands().get(1), meeting.results().getFirst());
  }

  static int number(SteppedPlan.Operand operand, SteppedBlock block, int thread) {
    return operand.slot() >= 0
        ? block.ints[operand.slot()][thread]
        : operand.known() instanceof Boolean known
            ? (known ? 1 : 0)
            : ((Number) Objects.requireNonNull(operand.known())).intValue();
  }

  private static boolean isKept(SteppedPlan.Operand operand) {
    return operand.slot() >= 0 || operand.known() != null;
  }

  private static final class Nothing extends LaneExchange {
    @Override
    boolean run(SteppedBlock block, int from, int to) {
      return !block.isWatched(); // otherwise the lanes learn what the others have done
    }
  }

  private static final class Shuffle extends LaneExchange {
    private final Source source;
    private final char type;
    private final int given;
    private final SteppedPlan.Operand asked;
    private final int got;
    private final int[] lanes = new int[LANES];
    private boolean hasAsked;
    private int lastAsked;

    Shuffle(Source source, char type, int given, SteppedPlan.Operand asked, int got) {
      this.source = source;
      this.type = type;
      this.given = given;
      this.asked = asked;
      this.got = got;
      if (asked.slot() < 0) {
        for (int lane = 0; lane < LANES; lane++) {
          lanes[lane] = source.of(lane, (Integer) Objects.requireNonNull(asked.known()));
        }
      }
    }

    @Override
    boolean run(SteppedBlock block, int from, int to) {
      for (int warp = from; warp < to; warp += LANES) {
        if (asked.slot() >= 0) {
          ask(block.ints[asked.slot()], warp);
        }
        switch (type) {
          case 'I' -> ints(block.ints[given], block.ints[got], warp);
          case 'F' -> floats(block.floats[given], block.floats[got], warp);
          case 'J' -> longs(block.longs[given], block.longs[got], warp);
          default -> doubles(block.doubles[given], block.doubles[got], warp);
        }
      }
      return true;
    }

    /** Most often all lanes of a warp ask for the same, and for the same as the warp before. */
    private void ask(int[] numbers, int warp) {
      int differences = 0;
      for (int lane = 0; lane < LANES; lane++) {
        differences |= numbers[warp + lane] ^ numbers[warp];
      }
      if (differences == 0 && hasAsked && numbers[warp] == lastAsked) {
        return;
      }
      hasAsked = differences == 0;
      lastAsked = numbers[warp];
      for (int lane = 0; lane < LANES; lane++) {
        lanes[lane] = source.of(lane, numbers[warp + lane]);
      }
    }

    private void ints(int[] given, int[] got, int warp) {
      for (int lane = 0; lane < LANES; lane++) {
        got[warp + lane] = given[warp + lanes[lane]];
      }
    }

    private void floats(float[] given, float[] got, int warp) {
      for (int lane = 0; lane < LANES; lane++) {
        got[warp + lane] = given[warp + lanes[lane]];
      }
    }

    private void longs(long[] given, long[] got, int warp) {
      for (int lane = 0; lane < LANES; lane++) {
        got[warp + lane] = given[warp + lanes[lane]];
      }
    }

    private void doubles(double[] given, double[] got, int warp) {
      for (int lane = 0; lane < LANES; lane++) {
        got[warp + lane] = given[warp + lanes[lane]];
      }
    }
  }

  private static final class Reduce extends LaneExchange {
    private final Reduction reduction;
    private final SteppedPlan.Operand operand;
    private final int result;

    Reduce(Reduction reduction, SteppedPlan.Operand operand, int result) {
      this.reduction = reduction;
      this.operand = operand;
      this.result = result;
    }

    @Override
    boolean run(SteppedBlock block, int from, int to) {
      int[] got = block.ints[result];
      for (int warp = from; warp < to; warp += LANES) {
        int all = number(operand, block, warp);
        for (int lane = 1; lane < LANES; lane++) {
          all = reduction.of(all, number(operand, block, warp + lane));
        }
        java.util.Arrays.fill(got, warp, warp + LANES, all);
      }
      return true;
    }
  }

  private static final class Vote extends LaneExchange {
    private final String name;
    private final SteppedPlan.Operand operand;
    private final int result;

    Vote(String name, SteppedPlan.Operand operand, int result) {
      this.name = name;
      this.operand = operand;
      this.result = result;
    }

    @Override
    boolean run(SteppedBlock block, int from, int to) {
      int[] got = block.ints[result];
      for (int warp = from; warp < to; warp += LANES) {
        int votes = 0;
        for (int lane = 0; lane < LANES; lane++) {
          votes |= number(operand, block, warp + lane) != 0 ? 1 << lane : 0;
        }
        int voted =
            switch (name) {
              case "any" -> votes != 0 ? 1 : 0;
              case "all" -> votes == -1 ? 1 : 0;
              default -> votes;
            };
        java.util.Arrays.fill(got, warp, warp + LANES, voted);
      }
      return true;
    }
  }
}
