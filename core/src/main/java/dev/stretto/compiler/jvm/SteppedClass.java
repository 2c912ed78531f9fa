package dev.stretto.compiler.jvm;

import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.BlockParam;
import dev.stretto.compiler.ir.Constant;
import dev.stretto.compiler.ir.ConstantArray;
import dev.stretto.compiler.ir.Function;
import dev.stretto.compiler.ir.JavaCall;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.SharedVariable;
import dev.stretto.compiler.ir.Value;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.classfile.attribute.SourceFileAttribute;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/** Writes the class of a kernel whose objects are all in registers. */
public final class SteppedClass {
  /** The most that a copy may promise, so that an address is aligned as its place in its array. */
  private static final int ALIGNMENT = 128;

  // What the methods of points are called.
  private static final String LIGHT = "step";
  private static final String WATCHED = "watched";

  private final Function function;
  private final Cells cells;
  private final Pieces pieces;
  private final MemoryCode memory;

  /** Accesses of a block that nobody watches. */
  private final MemoryCode lightMemory;

  private final Sites sites = new Sites();
  private final Set<Op> inlined = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Map<Integer, SharedVariable> shared = new TreeMap<>();
  private final Map<Integer, Integer> sharedPlaces = new TreeMap<>();
  private final Map<Integer, Cell> byNumber = new TreeMap<>();
  private final IdentityHashMap<Op, String> outlined = new IdentityHashMap<>();
  private final List<Op> toOutline = new ArrayList<>();
  private final ClassDesc self;
  private final boolean shortCopies;
  private final boolean calls;
  private int sharedBytes;

  private SteppedClass(
      Function function, ClassDesc self, boolean copies, boolean watchesGlobal, Set<Op> asking) {
    this.function = function;
    this.self = self;
    this.shortCopies = copies;
    this.cells = new Cells(function);
    this.calls = copies || watchesGlobal || hasCalls(function);
    this.pieces = new Pieces(function, cells, asking);
    this.memory = new MemoryCode(function, cells, true, watchesGlobal);
    this.lightMemory = new MemoryCode(function, cells, false, watchesGlobal);
    function.blocks().forEach(this::layOut);
    findInlined();
    for (Piece piece : pieces.points()) {
      keptAt(piece).forEach(cells::keep);
    }
    for (Piece piece : pieces.all()) {
      if (piece.meets() != null) {
        keptFor(piece).forEach(cells::keep);
      }
    }
  }

  /**
   * {@return a kernel as a class}
   *
   * @param function the kernel
   * @param beside the package that the class will be in
   * @param copies whether threads may begin asynchronous copies
   * @param watchesGlobal whether stores to global memory are watched
   * @param asking where threads ask for what others do, and leave off before
   */
  public static SteppedCode write(
      Function function, String beside, boolean copies, boolean watchesGlobal, Set<Op> asking) {
    ClassDesc self = ClassDesc.of(beside, "Stepped");
    return new SteppedClass(function, self, copies, watchesGlobal, asking).write();
  }

  private static boolean hasCalls(Function function) {
    return function.blocks().stream()
        .flatMap(block -> block.ops().stream())
        .anyMatch(op -> op.code() == OpCode.CALL && !Pieces.waits(op) && !Cells.isPlace(op));
  }

  private void layOut(Block block) {
    for (BlockParam param : block.params()) {
      note(param);
    }
    for (Op op : block.ops()) {
      note(op);
      if (op.code() == OpCode.SHARED_BASE) {
        SharedVariable array = op.attribute(SharedVariable.class);
        shared.put(array.number(), array);
      }
    }
    sharedBytes = 0;
    for (SharedVariable array : shared.values()) {
      sharedPlaces.put(array.number(), sharedBytes);
      sharedBytes += (int) (array.bytes() + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }
  }

  private void note(Value value) {
    if (value instanceof Op op) {
      cells.setBy(op).forEach(cell -> byNumber.put(cell.number(), cell));
    } else {
      cells.of(List.of(value)).forEach(cell -> byNumber.put(cell.number(), cell));
    }
  }

  /** An operation without effects is written where its only use is, if both are in one piece. */
  private void findInlined() {
    IdentityHashMap<Value, Integer> uses = new IdentityHashMap<>();
    IdentityHashMap<Value, Piece> where = new IdentityHashMap<>();
    for (Piece piece : pieces.all()) {
      for (Op op : piece.ops()) {
        op.uses()
            .forEach(
                value -> {
                  uses.merge(value, 1, Integer::sum);
                  where.put(value, piece);
                });
      }
      Op meets = piece.meets();
      if (meets != null) {
        meets.operands().forEach(value -> uses.merge(value, 2, Integer::sum));
      }
    }
    for (Piece piece : pieces.all()) {
      for (Op op : piece.ops()) {
        if (op.isPure()
            && cells.find(op) != null
            && op.code() != OpCode.EXTRACT
            && uses.getOrDefault(op, 0) == 1
            && where.get(op) == piece) {
          inlined.add(op);
        }
      }
    }
  }

  // --- what the methods ask ---------------------------------------------------------------------

  /** Where an array of constants is in the class's data. */
  int numberOf(ConstantArray array) {
    return function.constants().indexOf(array);
  }

  Cells cells() {
    return cells;
  }

  Sites sites() {
    return sites;
  }

  /**
   * {@return what writes loads and stores}
   *
   * @param light whether for blocks that nobody watches
   */
  MemoryCode memory(boolean light) {
    return light ? lightMemory : memory;
  }

  /** Whether threads call what asks which of them runs. */
  boolean calls() {
    return calls;
  }

  boolean hasShortCopies() {
    return shortCopies;
  }

  Set<Op> inlined() {
    return inlined;
  }

  int sharedAt(Op base) {
    return Objects.requireNonNull(
        sharedPlaces.get(base.attribute(SharedVariable.class).number()), "a shared array");
  }

  /** Writes a call of the method in which a method of the library is called. */
  void callsElsewhere(Op op, CodeBuilder code) {
    String name =
        outlined.computeIfAbsent(
            op,
            it -> {
              toOutline.add(it);
              return "call" + toOutline.size();
            });
    code.invokestatic(self, name, OutlinedCall.type(op));
  }

  /** Whether a thread goes on in a piece of a region without leaving off. */
  boolean goesOn(Set<Piece> region, Piece target) {
    return region.contains(target) && !pieces.asks(target);
  }

  /** The cells that are in the frame where a thread goes on. */
  List<Cell> keptAt(Piece piece) {
    List<Cell> kept = new ArrayList<>();
    piece.needs.stream().forEach(number -> kept.add(byNumber.get(number)));
    if (piece.isFirst()) {
      kept.addAll(cells.of(piece.block().params()));
    }
    return kept;
  }

  /** The cells that a thread keeps when it leaves off for a meeting. */
  List<Cell> keptFor(Piece piece) {
    Op meets = Objects.requireNonNull(piece.meets());
    List<Cell> kept = new ArrayList<>(keptAt(Objects.requireNonNull(piece.next())));
    kept.removeAll(cells.setBy(meets));
    for (Cell cell : cells.of(meets.operands())) {
      if (!kept.contains(cell)) {
        kept.add(cell);
      }
    }
    return kept;
  }

  // --- the class --------------------------------------------------------------------------------

  private SteppedCode write() {
    List<Piece> points = pieces.points();
    IdentityHashMap<Piece, Op> meetings = new IdentityHashMap<>();
    for (Piece piece : pieces.all()) {
      if (piece.meets() != null) {
        meetings.put(Objects.requireNonNull(piece.next()), piece.meets());
      }
    }
    byte[] bytes =
        ClassFile.of()
            .build(
                self,
                type -> {
                  type.withSuperclass(Names.KERNEL);
                  type.withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SYNTHETIC);
                  type.with(SourceFileAttribute.of("Stepped"));
                  type.withMethodBody(
                      ConstantDescs.INIT_NAME,
                      ConstantDescs.MTD_void,
                      0,
                      code ->
                          code.aload(0)
                              .invokespecial(
                                  Names.KERNEL, ConstantDescs.INIT_NAME, ConstantDescs.MTD_void)
                              .return_());
                  for (Piece point : points) {
                    step(type, point, LIGHT, true);
                    step(type, point, WATCHED, false);
                    Op op = meetings.get(point);
                    if (op != null) {
                      type.withMethodBody(
                          "meet" + point.point(),
                          Names.MEET,
                          ClassFile.ACC_STATIC,
                          code -> new StepMethod(this, code, false).meet(op));
                    }
                  }
                  for (Op op : toOutline) {
                    type.withMethodBody(
                        Objects.requireNonNull(outlined.get(op)),
                        OutlinedCall.type(op),
                        ClassFile.ACC_STATIC,
                        code -> new OutlinedCall(this, code, op).write());
                  }
                  type.withMethodBody(
                      "step",
                      Names.STEP.insertParameterTypes(0, ConstantDescs.CD_int),
                      ClassFile.ACC_PUBLIC,
                      code -> chooseStep(code, self, points));
                  type.withMethodBody(
                      "meet",
                      Names.MEET.insertParameterTypes(0, ConstantDescs.CD_int),
                      ClassFile.ACC_PUBLIC,
                      code ->
                          choose(
                              code,
                              self,
                              "meet",
                              points.stream().filter(meetings::containsKey).toList()));
                });
    return new SteppedCode(
        bytes,
        points.stream().map(point -> describe(point, meetings.get(point))).toList(),
        sites.all(),
        function.entry().params().stream().map(Value::type).toList(),
        List.copyOf(shared.values()),
        places(),
        new SteppedCode.Frame(
            cells.kept(TypeKind.INT),
            cells.kept(TypeKind.LONG),
            cells.kept(TypeKind.FLOAT),
            cells.kept(TypeKind.DOUBLE),
            cells.kept(TypeKind.REFERENCE)),
        ArrayUses.of(function, cells, memory),
        List.copyOf(function.constants()));
  }

  private void step(ClassBuilder type, Piece point, String name, boolean light) {
    type.withMethodBody(
        name + point.point(),
        Names.STEP,
        ClassFile.ACC_STATIC,
        code -> new StepMethod(this, code, light).step(point, pieces.region(point)));
  }

  /**
   * Calls the method of a point. Blocks that are watched have methods of their own: the JVM would
   * compile what they call into the methods of all blocks, which takes it ten times longer.
   */
  private void chooseStep(CodeBuilder code, ClassDesc self, List<Piece> points) {
    Label light = code.newLabel();
    code.aload(2).getfield(Names.BLOCK, "watchable", ConstantDescs.CD_boolean).ifeq(light);
    choose(code, self, WATCHED, points);
    code.labelBinding(light);
    choose(code, self, LIGHT, points);
  }

  private List<Integer> places() {
    List<Integer> places = new ArrayList<>(sharedPlaces.values());
    places.add(sharedBytes);
    return places;
  }

  private SteppedCode.Point describe(Piece point, @org.jspecify.annotations.Nullable Op meets) {
    if (meets == null) {
      Op asks = pieces.asks(point) ? point.ops().getFirst() : null;
      return asks == null
          ? new SteppedCode.Point(null, null, -1, List.of(), List.of())
          : new SteppedCode.Point(
              null,
              asks.attribute(JavaCall.class).title(),
              sites.of(asks.line()),
              List.of(),
              List.of());
    }
    List<SteppedCode.Operand> operands = new ArrayList<>();
    for (Value operand : meets.operands()) {
      Cell cell = cells.find(operand);
      Object known =
          operand instanceof Constant constant
              ? constant.value()
              : operand instanceof Op op && op.code() == OpCode.SHARED_BASE ? sharedAt(op) : null;
      operands.add(new SteppedCode.Operand(operand.type(), cell == null ? -1 : cell.slot(), known));
    }
    List<Cell> results = cells.setBy(meets);
    return new SteppedCode.Point(
        meets.attribute(JavaCall.class).title() + meets.attribute(JavaCall.class).descriptor(),
        null,
        sites.of(meets.line()),
        operands,
        results.stream().map(Cell::slot).toList());
  }

  /** Calls the method of a point. */
  private static void choose(CodeBuilder code, ClassDesc self, String name, List<Piece> points) {
    boolean steps = !name.equals("meet");
    List<SwitchCase> cases = new ArrayList<>();
    Label none = code.newLabel();
    for (Piece point : points) {
      cases.add(SwitchCase.of(point.point(), code.newLabel()));
    }
    if (!cases.isEmpty()) { // the JDK writes a switch without cases for ever
      code.iload(1).tableswitch(none, cases);
    }
    for (SwitchCase one : cases) {
      code.labelBinding(one.target()).aload(2);
      if (steps) {
        code.aload(3).iload(4).iload(5);
        code.invokestatic(self, name + one.caseValue(), Names.STEP).ireturn();
      } else {
        code.iload(3).invokestatic(self, name + one.caseValue(), Names.MEET).return_();
      }
    }
    code.labelBinding(none);
    code.new_(Names.desc(IllegalArgumentException.class))
        .dup()
        .invokespecial(
            Names.desc(IllegalArgumentException.class),
            ConstantDescs.INIT_NAME,
            ConstantDescs.MTD_void)
        .athrow();
  }
}
