package dev.stretto.compiler.bank;

import dev.stretto.compiler.ir.Asm;
import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.Element;
import dev.stretto.compiler.ir.Function;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.Type;
import dev.stretto.compiler.ir.Value;
import dev.stretto.compiler.ir.Vector;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds how many passes a warp needs at each place that accesses shared memory.
 *
 * <p>The address is computed for each lane of a warp, by the operations of the kernel itself. What
 * is not known before the kernel runs (arguments, rounds of loops, which warp and which block it
 * is, what was loaded) gets one value for all lanes, and another one in each of {@value #SAMPLES}
 * samples. If the passes are the same in all of them, they count as known; an access whose passes
 * change only for values that no sample has would be missed. Values that may differ from lane to
 * lane and are not known make an access unknown. Lanes for which a condition before the access does
 * not hold take no part, and of all samples those count that have the most lanes. If no sample gets
 * to an access, because it needs one value of many, conditions that are the same for all lanes
 * count as met.
 */
public final class BankConflicts {
  private static final int SAMPLES = 64;

  /** To find out what an access depends on, each unknown is changed so often in each sample. */
  private static final int VARIANTS = 6;

  private static final String MATRIX = "dev/stretto/kernel/Ptx.";
  private static final int ROW = 16;
  private static final int ROWS = 8;

  private static final Comparator<Unknown> ORDER =
      Comparator.comparing(Unknown::kind)
          .thenComparingInt(Unknown::number)
          .thenComparing(Unknown::place);

  /**
   * An operation that accesses shared memory.
   *
   * @param address the address
   * @param bytes how many bytes a lane accesses
   * @param lanes bit by bit, the lanes whose address counts
   */
  private record Use(Op op, String kind, Value address, int bytes, int lanes) {}

  /** What one sample says of an access; null passes if a lane's address is not known. */
  @SuppressWarnings("ArrayRecordComponent") // they are not compared
  private record Outcome(int active, Banks.@Nullable Passes passes, int[] at, Set<Unknown> from) {}

  private final Nest nest;
  private final BlockShape shape;
  private final boolean flat;
  private final List<Evaluation> evaluations = new ArrayList<>();
  private final List<WarpPlace> places = new ArrayList<>();

  private BankConflicts(Function function, BlockShape given, int maxThreads, List<String> names) {
    this.nest = new Nest(function, names);
    this.flat =
        nest.blocks().stream()
            .flatMap(block -> block.ops().stream())
            .noneMatch(BankConflicts::asksForRows);
    this.shape =
        given.isKnown() || maxThreads == 0 || !flat ? given : new BlockShape(maxThreads, 1, 1);
    for (int number = 0; number < SAMPLES; number++) {
      WarpPlace place = new WarpPlace(Sample.of(number), shape, flat);
      places.add(place);
      evaluations.add(new Evaluation(nest, Sample.of(number), place));
    }
  }

  /**
   * {@return the places that access shared memory, in the order of the lines; equal ones of one
   * line are one}
   *
   * @param function a kernel as it is written to PTX; it is not changed
   * @param shape the threads of a block, if they are known
   * @param maxThreads otherwise, the most of them; 0 if that is not known either
   * @param names what to call each parameter of the entry
   */
  public static List<SharedAccess> of(
      Function function, BlockShape shape, int maxThreads, List<String> names) {
    BankConflicts conflicts = new BankConflicts(function, shape, maxThreads, names);
    Set<SharedAccess> found = new LinkedHashSet<>();
    for (Block block : conflicts.nest.blocks()) {
      for (Op op : block.ops()) {
        Use use = use(op);
        if (use != null) {
          found.add(conflicts.access(use));
        }
      }
    }
    return found.stream()
        .sorted(
            Comparator.comparing((SharedAccess it) -> it.line().file())
                .thenComparingInt(it -> it.line().number()))
        .toList();
  }

  private static boolean asksForRows(Op op) {
    if (op.code() != OpCode.ASM) {
      return false;
    }
    String name = op.attribute(Asm.class).name();
    return name.endsWith("ThreadBlock.threadIndexY") || name.endsWith("ThreadBlock.threadIndexZ");
  }

  private static @Nullable Use use(Op op) {
    return switch (op.code()) {
      case LOAD, LOAD_VECTOR -> use(op, "load");
      case STORE, STORE_VECTOR -> use(op, "store");
      case ASM -> matrix(op, op.attribute(Asm.class));
      default -> null;
    };
  }

  private static @Nullable Use use(Op op, String kind) {
    if (op.operand(0).type() != Type.SHARED || isOfCluster(op.operand(0))) {
      return null;
    }
    int bytes =
        op.attribute() instanceof Vector vector
            ? vector.bytes()
            : op.attribute(Element.class).bytes();
    return new Use(op, kind, op.operand(0), bytes, -1);
  }

  /** A matrix has 8 rows of 16 bytes; lane 8 m + r has the address of row r of matrix m. */
  private static @Nullable Use matrix(Op op, Asm asm) {
    String name = asm.name();
    if (!name.startsWith(MATRIX + "ldmatrixX") && !name.startsWith(MATRIX + "stmatrixX")) {
      return null;
    }
    int matrices = name.charAt(name.indexOf('X') + 1) - '0';
    int lanes = matrices == 4 ? -1 : (1 << (ROWS * matrices)) - 1;
    for (Asm.Piece piece : asm.pieces()) {
      if (piece instanceof Asm.Address address) {
        String kind = name.substring(MATRIX.length(), name.indexOf('X'));
        return new Use(op, kind, op.operand(address.index()), ROW, lanes);
      }
    }
    return null;
  }

  /** Whether an address lies in another block of the cluster, whose banks are others. */
  private static boolean isOfCluster(Value address) {
    Value at = address;
    while (at instanceof Op op && (op.code() == OpCode.ELEMENT || op.code() == OpCode.OFFSET)) {
      at = op.operand(0);
    }
    return at instanceof Op op && op.code() == OpCode.CLUSTER_ADDRESS;
  }

  private SharedAccess access(Use use) {
    List<Outcome> reached = outcomes(use, true);
    List<Outcome> outcomes = reached.isEmpty() ? outcomes(use, false) : reached;
    Set<Unknown> from = new HashSet<>();
    outcomes.forEach(outcome -> from.addAll(outcome.from));
    int lanes = outcomes.stream().mapToInt(it -> Integer.bitCount(it.active)).max().orElse(0);
    if (outcomes.isEmpty() || outcomes.stream().anyMatch(it -> it.passes == null)) {
      List<Unknown> why =
          from.stream().filter(it -> it.kind() == Unknown.Kind.LANES).sorted(ORDER).toList();
      return new SharedAccess(
          use.op.line(), use.kind, use.bytes, lanes, 0, -1, -1, -1, OptionalLong.empty(), why);
    }
    List<Outcome> full =
        outcomes.stream().filter(it -> Integer.bitCount(it.active) == lanes).toList();
    int least = full.stream().mapToInt(it -> passes(it).all()).min().orElseThrow();
    int most = full.stream().mapToInt(it -> passes(it).all()).max().orElseThrow();
    return new SharedAccess(
        use.op.line(),
        use.kind,
        use.bytes,
        lanes,
        full.stream().mapToInt(it -> passes(it).needed()).max().orElseThrow(),
        least,
        most,
        full.stream().mapToInt(it -> passes(it).ways()).max().orElseThrow(),
        distance(full),
        least == most ? List.of() : causes(use, lanes, from, !reached.isEmpty()));
  }

  private List<Outcome> outcomes(Use use, boolean strict) {
    List<Outcome> outcomes = new ArrayList<>();
    for (int number = 0; number < SAMPLES; number++) {
      Outcome outcome = outcome(use, evaluations.get(number), places.get(number), strict);
      if (outcome != null) {
        outcomes.add(outcome);
      }
    }
    return outcomes;
  }

  private static Banks.Passes passes(Outcome outcome) {
    return Objects.requireNonNull(outcome.passes, "passes");
  }

  /**
   * What a sample says; null if no lane gets there, or none could in a kernel without a fault.
   *
   * @param strict whether conditions that are the same for all lanes must hold
   */
  private @Nullable Outcome outcome(Use use, Evaluation values, WarpPlace place, boolean strict) {
    Block home = nest.home(use.op);
    int active = use.lanes & place.lanes();
    Set<Unknown> from = Set.of();
    for (Nest.Guard guard : nest.guards(home)) {
      Lanes condition = values.of(guard.branch().operand(0));
      if (!strict && condition.isSame()) {
        continue;
      }
      from = Lanes.union(from, condition.from());
      for (int lane = 0; lane < Banks.LANES; lane++) {
        Object holds = condition.of(lane);
        if (holds != null && (Boolean) holds != guard.holds()) {
          active &= ~(1 << lane);
        }
      }
    }
    Lanes address = values.of(use.address);
    from = Lanes.union(from, address.from());
    int[] at = new int[Banks.LANES];
    boolean known = true;
    for (int lane = 0; lane < at.length; lane++) {
      if ((active >>> lane & 1) != 0) {
        Object its = address.of(lane);
        known &= its != null;
        at[lane] = its == null ? 0 : (Integer) its;
        if (Math.floorMod(at[lane], use.bytes) != 0) {
          return null;
        }
      }
    }
    if (active == 0) {
      return null;
    }
    return new Outcome(active, known ? Banks.passes(at, active, use.bytes) : null, at, from);
  }

  /** The bytes from lane to lane if they are always the same. */
  private static OptionalLong distance(List<Outcome> outcomes) {
    OptionalLong distance = OptionalLong.empty();
    for (Outcome outcome : outcomes) {
      for (int lane = 1; lane < Banks.LANES; lane++) {
        if ((outcome.active >>> (lane - 1) & 3) != 3) {
          continue;
        }
        long its = (long) outcome.at[lane] - outcome.at[lane - 1];
        if (distance.isPresent() && distance.getAsLong() != its) {
          return OptionalLong.empty();
        }
        distance = OptionalLong.of(its);
      }
    }
    return distance;
  }

  /** The unknowns that change the passes when only they change. */
  private List<Unknown> causes(Use use, int lanes, Set<Unknown> from, boolean strict) {
    return from.stream().filter(it -> isCause(use, lanes, it, strict)).sorted(ORDER).toList();
  }

  private boolean isCause(Use use, int lanes, Unknown unknown, boolean strict) {
    for (int number = 0; number < SAMPLES; number++) {
      int before = -1;
      for (int variant = 0; variant < VARIANTS; variant++) {
        Sample sample = new Sample(number, unknown, variant);
        WarpPlace place = new WarpPlace(sample, shape, flat);
        Outcome outcome = outcome(use, new Evaluation(nest, sample, place), place, strict);
        if (outcome != null && Integer.bitCount(outcome.active) == lanes) {
          int passes = passes(outcome).all();
          if (before >= 0 && before != passes) {
            return true;
          }
          before = passes;
        }
      }
    }
    return false;
  }
}
