package dev.stretto.compiler.jvm;

import dev.stretto.compiler.ir.BlockParam;
import dev.stretto.compiler.ir.Constant;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.Trap;
import dev.stretto.compiler.ir.Type;
import dev.stretto.compiler.ir.Value;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;

/**
 * Writes one method: a loop over threads that each go on from one point to the next where they may
 * have to wait.
 */
final class StepMethod implements MemoryCode.Place {
  /** What a thread's point is when it has returned. */
  static final int RETURNED = 1 << 20;

  /** What the threads' common point is before the first of them has arrived. */
  static final int NONE = -2;

  private static final int WARP_SIZE = 32;

  private static final ClassDesc J = ConstantDescs.CD_long;
  private static final MethodTypeDesc ARRIVE =
      MethodTypeDesc.of(
          ConstantDescs.CD_int,
          Names.INTS,
          ConstantDescs.CD_int,
          ConstantDescs.CD_int,
          ConstantDescs.CD_int,
          ConstantDescs.CD_int);
  private static final ClassDesc I = ConstantDescs.CD_int;
  private static final MethodTypeDesc IS_SAME =
      MethodTypeDesc.of(ConstantDescs.CD_boolean, Names.INTS, I, I);
  private static final MethodTypeDesc BOUND = MethodTypeDesc.of(I, I, I, I, I, I, I);
  private static final MethodTypeDesc JOIN = MethodTypeDesc.of(I, I, I, I, I, I, I);
  private static final ClassDesc FAULT = Names.desc(RuntimeException.class);

  // The parameters of the method, and its variables.
  private static final int BLOCK = 0;
  private static final int ORDER = 1;
  private static final int FROM = 2;
  private static final int TO = 3;

  private final SteppedClass kernel;
  private final boolean light;
  private final Cells cells;
  private final CodeBuilder code;
  private final Hoists hoists;
  private final Expressions expressions;
  private final IdentityHashMap<Cell, Integer> locals = new IdentityHashMap<>();
  private final Map<Piece, Label> labels = new HashMap<>();
  private final BitSet set = new BitSet();
  private final BitSet used = new BitSet();
  private SequencedSet<Piece> region = Collections.emptyNavigableSet();
  private boolean isMeeting;
  private int thread;
  private int first;
  private int common;

  // Where the step began and was to end, and where threads are that needed no turn.
  private int begins;
  private int ends;
  private int idle;
  private Label next;

  /**
   * Creates a writer.
   *
   * @param light whether for blocks that nobody watches
   */
  StepMethod(SteppedClass kernel, CodeBuilder code, boolean light) {
    this.kernel = kernel;
    this.light = light;
    this.cells = kernel.cells();
    this.code = code;
    this.hoists = new Hoists(BLOCK);
    this.expressions =
        new Expressions(code, this::push, kernel.inlined()::contains, kernel::numberOf);
    this.next = code.newLabel();
  }

  // --- the loop
  // -------------------------------------------------------------------------------------

  /** Writes a step from a point. */
  void step(Piece entry, SequencedSet<Piece> pieces) {
    region = pieces;
    findSetAndUsed();
    thread = code.allocateLocal(TypeKind.INT);
    first = code.allocateLocal(TypeKind.INT);
    common = code.allocateLocal(TypeKind.INT);
    Label begin = code.newLabel();
    Label loop = code.newLabel();
    Label end = code.newLabel();
    Label prepared = code.newLabel();
    IdleThreads.Prologue prologue = IdleThreads.before(kernel, entry, pieces);
    code.goto_(begin);
    if (prologue != null) {
      begins = code.allocateLocal(TypeKind.INT);
      ends = code.allocateLocal(TypeKind.INT);
      idle = code.allocateLocal(TypeKind.INT);
      code.labelBinding(prepared);
      code.iload(FROM).istore(begins).iload(TO).istore(ends).loadConstant(NONE).istore(idle);
      leaveOutIdle(prologue, loop);
    }
    code.labelBinding(loop);
    code.iload(FROM).iload(TO).if_icmpge(end);
    Label ordered = code.newLabel();
    Label chosen = code.newLabel();
    code.aload(ORDER).ifnonnull(ordered);
    code.iload(FROM).goto_(chosen);
    code.labelBinding(ordered).aload(ORDER).iload(FROM).iaload();
    code.labelBinding(chosen).istore(thread);
    if (kernel.calls() || !light) {
      runs();
    }
    loadNeeds(entry);
    for (Piece piece : pieces) {
      labels.put(piece, code.newLabel());
    }
    code.goto_(labels.get(entry));
    for (Piece piece : pieces) {
      code.labelBinding(labels.get(piece));
      write(piece);
    }
    code.labelBinding(next).iinc(FROM, 1).goto_(loop);
    code.labelBinding(end);
    if (prologue != null) {
      joinIdle();
    }
    code.iload(common).ireturn();
    code.labelBinding(begin);
    hoists.set(code);
    code.iload(FROM).istore(first).loadConstant(NONE).istore(common);
    code.goto_(prologue == null ? loop : prepared);
  }

  // --- threads that need no turn
  // ------------------------------------------------------------------------------------------------

  /** Writes what takes those threads out of the loop; they are at both ends. */
  private void leaveOutIdle(IdleThreads.Prologue prologue, Label loop) {
    code.aload(ORDER).ifnonnull(loop);
    hoists.field(code, "blockSizeY", ConstantDescs.CD_int);
    hoists.field(code, "blockSizeZ", ConstantDescs.CD_int);
    code.imul().iconst_1().if_icmpne(loop);
    code.iload(FROM).iload(TO).if_icmpge(loop);
    for (Cell cell : prologue.reads()) {
      hoists.frame(code, cell);
      code.iload(FROM).iload(TO);
      code.invokestatic(Names.RANGE, "isSame", IS_SAME).ifeq(loop);
      hoists.frame(code, cell);
      code.iload(FROM).iaload();
      set(cell);
    }
    int active = code.allocateLocal(TypeKind.INT);
    int behind = code.allocateLocal(TypeKind.INT);
    follow(prologue.plan(), active, behind, loop, loop);
  }

  private void follow(IdleThreads.Plan plan, int active, int behind, Label arrived, Label loop) {
    switch (plan) {
      case IdleThreads.Turns _ -> code.goto_(loop);
      case IdleThreads.Values values -> {
        for (Op op : values.ops()) {
          expressions.value(op);
          set(cells.get(op));
        }
        follow(values.then(), active, behind, arrived, loop);
      }
      case IdleThreads.Jump jump -> {
        jump.sets().values().forEach(this::push);
        jump.sets().sequencedKeySet().reversed().forEach(param -> set(cells.get(param)));
        follow(jump.then(), active, behind, arrived, loop);
      }
      case IdleThreads.Either either -> {
        Label yes = code.newLabel();
        expressions.branch(either.condition(), yes);
        follow(either.no(), active, behind, arrived, loop);
        code.labelBinding(yes);
        follow(either.yes(), active, behind, arrived, loop);
      }
      case IdleThreads.Some some -> {
        bound(some, "begin", FROM, active);
        bound(some, "end", TO, behind);
        Label turns = code.newLabel();
        code.iload(active).iload(begins).if_icmpne(turns);
        code.iload(behind).iload(ends).if_icmpeq(loop);
        code.labelBinding(turns);
        Label left = code.newLabel();
        follow(some.others(), active, behind, left, loop);
        code.labelBinding(left);
        code.iload(active).istore(FROM).iload(active).istore(first).iload(behind).istore(TO);
        code.iload(FROM).iload(TO).if_icmplt(loop);
        code.iload(idle).istore(common).goto_(loop);
      }
      case IdleThreads.Arrival arrival -> {
        for (Cell cell : arrival.keeps()) {
          fill(cell, begins, active);
          fill(cell, behind, ends);
        }
        code.loadConstant(arrival.point()).istore(idle).goto_(arrived);
      }
    }
  }

  private void bound(IdleThreads.Some some, String which, int side, int local) {
    code.iload(side);
    hoists.field(code, "first", ConstantDescs.CD_int);
    code.loadConstant(some.relation().ordinal());
    push(some.bound());
    code.iload(FROM).iload(TO);
    code.invokestatic(Names.RANGE, which, BOUND).istore(local);
  }

  private void fill(Cell cell, int from, int to) {
    ClassDesc element =
        switch (cell.kind()) {
          case LONG -> J;
          case FLOAT -> ConstantDescs.CD_float;
          case DOUBLE -> ConstantDescs.CD_double;
          case REFERENCE -> ConstantDescs.CD_Object;
          default -> ConstantDescs.CD_int;
        };
    hoists.frame(code, cell);
    code.iload(from).iload(to);
    push(cell);
    code.invokestatic(
        Names.desc(Arrays.class),
        "fill",
        MethodTypeDesc.of(
            ConstantDescs.CD_void,
            element.arrayType(),
            ConstantDescs.CD_int,
            ConstantDescs.CD_int,
            element));
  }

  /** Writes what puts threads that had a turn and those that had none together. */
  private void joinIdle() {
    Label end = code.newLabel();
    code.iload(idle).loadConstant(NONE).if_icmpeq(end);
    code.iload(idle).iload(common).if_icmpeq(end);
    code.aload(BLOCK).iload(begins).iload(first).iload(TO).iload(ends).iload(common).iload(idle);
    code.invokevirtual(Names.BLOCK, "join", JOIN).istore(common);
    code.labelBinding(end);
  }

  /** Writes that the thread is the one that runs. */
  private void runs() {
    code.aload(BLOCK).iload(thread).putfield(Names.BLOCK, "at", ConstantDescs.CD_int);
  }

  private void findSetAndUsed() {
    for (Piece piece : region) {
      if (piece.isFirst()) {
        cells.of(piece.block().params()).forEach(cell -> set.set(cell.number()));
      }
      for (Op op : piece.ops()) {
        cells.setBy(op).forEach(cell -> set.set(cell.number()));
        cells.of(op.uses()).forEach(cell -> used.set(cell.number()));
      }
    }
  }

  private void loadNeeds(Piece entry) {
    for (Cell cell : kernel.keptAt(entry)) {
      if (!used.get(cell.number()) && !set.get(cell.number())) {
        continue; // it stays in its frame
      }
      hoists.frame(code, cell);
      code.iload(thread).arrayLoad(cell.kind());
      set(cell);
    }
  }

  private void write(Piece piece) {
    for (Op op : piece.ops()) {
      if (!op.isEnd() && !kernel.inlined().contains(op)) {
        code.lineNumber(kernel.sites().of(op.line()) + 1);
        write(op);
      }
    }
    Op meets = piece.meets();
    Piece follows = piece.next();
    if (meets != null && follows != null) {
      leave(follows, kernel.keptFor(piece));
    } else if (follows != null) {
      goOn(follows, List.of());
    } else {
      code.lineNumber(kernel.sites().of(piece.block().end().line()) + 1);
      end(piece);
    }
  }

  private void end(Piece piece) {
    Op end = piece.block().end();
    switch (end.code()) {
      case JUMP -> goOn(piece.targets().getFirst(), end.targets().getFirst().arguments());
      case BRANCH -> {
        Label yes = code.newLabel();
        expressions.branch(end.operand(0), yes);
        goOn(piece.targets().get(1), end.targets().get(1).arguments());
        code.labelBinding(yes);
        goOn(piece.targets().get(0), end.targets().get(0).arguments());
      }
      case RETURN -> arrive(RETURNED);
      case FAIL -> fail(end, end.attribute(Trap.class), List.of());
      default -> throw new IllegalArgumentException("a block ends in " + end.code());
    }
  }

  /** Goes on in another piece, within the method or in another step. */
  private void goOn(Piece target, List<Value> arguments) {
    List<BlockParam> params = target.isFirst() ? target.block().params() : List.of();
    if (!kernel.goesOn(region, target)) {
      for (int i = 0; i < params.size(); i++) {
        Cell cell = cells.get(params.get(i));
        if (cell.slot() >= 0) {
          hoists.frame(code, cell);
          code.iload(thread);
          push(arguments.get(i));
          code.arrayStore(cell.kind());
        }
      }
      List<Cell> kept = new ArrayList<>(kernel.keptAt(target));
      kept.removeAll(cells.of(params));
      leave(target, kept);
      return;
    }
    arguments.forEach(this::push);
    for (BlockParam param : params.reversed()) {
      set(cells.get(param));
    }
    code.goto_(labels.get(target));
  }

  /** Leaves off before a point. */
  private void leave(Piece target, List<Cell> kept) {
    for (Cell cell : kept) {
      if (set.get(cell.number())) {
        hoists.frame(code, cell);
        code.iload(thread);
        push(cell);
        code.arrayStore(cell.kind());
      }
    }
    arrive(target.point());
  }

  private void arrive(int point) {
    code.loadConstant(point).iload(common).if_icmpeq(next);
    code.aload(BLOCK).aload(ORDER).iload(first).iload(FROM).iload(common).loadConstant(point);
    code.invokevirtual(Names.BLOCK, "arrive", ARRIVE).istore(common);
    code.goto_(next);
  }

  // --- a meeting
  // ------------------------------------------------------------------------------------

  /** Writes the call in which a thread meets others. */
  void meet(Op op) {
    thread = 1;
    isMeeting = true;
    Label begin = code.newLabel();
    Label body = code.newLabel();
    code.goto_(begin).labelBinding(body);
    for (Cell cell : new java.util.LinkedHashSet<>(cells.of(op.operands()))) {
      hoists.frame(code, cell);
      code.iload(thread).arrayLoad(cell.kind());
      set(cell);
    }
    code.lineNumber(kernel.sites().of(op.line()) + 1);
    List<Cell> results = cells.setBy(op);
    boolean single = op.type() != Type.TUPLE;
    boolean kept = single && !results.isEmpty() && results.getFirst().slot() >= 0;
    if (kept) {
      hoists.frame(code, results.getFirst());
      code.iload(thread);
    }
    CallCode.write(op, this, (result, push) -> keep(results.get(result), push));
    if (kept) {
      code.arrayStore(results.getFirst().kind());
    } else if (single && op.type() != Type.VOID) {
      pop(op.type());
    }
    code.return_().labelBinding(begin);
    hoists.set(code);
    code.goto_(body);
  }

  // --- operations
  // -----------------------------------------------------------------------------------

  private void keep(Cell cell, Runnable push) {
    if (cell.slot() >= 0) {
      hoists.frame(code, cell);
      code.iload(thread);
      push.run();
      code.arrayStore(cell.kind());
    }
  }

  private void write(Op op) {
    switch (op.code()) {
      case LOAD -> kernel.memory(light).load(op, this, cells.get(op));
      case STORE -> kernel.memory(light).store(op, this);
      case LOAD_VECTOR -> kernel.memory(light).loadVector(op, this);
      case STORE_VECTOR -> kernel.memory(light).storeVector(op, this);
      case EXTRACT, REQUIRE, KNOWN, IN_RANGE, NOTE -> {}
      case SHARED_BASE, DYNAMIC_BASE, DYNAMIC_BYTES -> {}
      case CHECK -> check(op);
      case NEW_ARRAY, ARRAY_GET, ARRAY_SET -> {
        ArrayCode.write(op, this);
        cells.setBy(op).forEach(this::set);
      }
      case CALL -> {
        if (!Cells.isPlace(op)) {
          List<Cell> results = cells.setBy(op);
          CallCode.write(
              op,
              this,
              (result, push) -> {
                push.run();
                set(results.get(result));
              });
          if (op.type() != Type.VOID && op.type() != Type.TUPLE) {
            set(cells.get(op));
          }
        }
      }
      default -> {
        expressions.value(op);
        set(cells.get(op));
      }
    }
  }

  private void check(Op op) {
    Label fine = code.newLabel();
    expressions.branch(op.operand(0), fine);
    fail(op, op.attribute(Trap.class), op.operands().subList(1, op.size()));
    code.labelBinding(fine);
  }

  private void fail(Op op, Trap trap, List<Value> numbers) {
    runs();
    code.aload(BLOCK).loadConstant(kernel.sites().of(op.line(), trap));
    List<ClassDesc> types = new ArrayList<>(List.of(ConstantDescs.CD_int));
    for (Value number : numbers) {
      push(number);
      if (Cell.kind(number.type()) == TypeKind.INT) {
        code.i2l();
      }
      types.add(J);
    }
    code.invokevirtual(Names.BLOCK, "fault", MethodTypeDesc.of(FAULT, types)).athrow();
  }

  private void pop(Type type) {
    if (Cell.kind(type).slotSize() == 2) {
      code.pop2();
    } else {
      code.pop();
    }
  }

  // --- values
  // ---------------------------------------------------------------------------------------

  @Override
  public CodeBuilder code() {
    return code;
  }

  @Override
  public Hoists hoists() {
    return hoists;
  }

  @Override
  public int site(Op op) {
    return kernel.sites().of(op.line());
  }

  @Override
  public boolean hasShortCopies() {
    return kernel.hasShortCopies();
  }

  @Override
  public boolean isLight() {
    return light;
  }

  @Override
  public boolean callsElsewhere(Op op) {
    if (isMeeting || !OutlinedCall.isPossible(op)) {
      return false;
    }
    code.aload(BLOCK);
    OutlinedCall.operands(op).forEach(this::push);
    kernel.callsElsewhere(op, code);
    return true;
  }

  @Override
  public void pushBlock() {
    code.aload(BLOCK);
  }

  @Override
  public void push(Value value) {
    if (value instanceof Constant constant) {
      expressions.constant(constant);
      return;
    }
    int parameter = cells.parameter(value);
    if (parameter >= 0) {
      hoists.parameter(code, parameter, Cell.kind(value.type()));
    } else if (Cells.isPlace(value)) {
      place((Op) value);
    } else if (value instanceof Op op && kernel.inlined().contains(op)) {
      if (op.code() == OpCode.CALL) {
        CallCode.write(op, this, (_, _) -> {});
      } else {
        expressions.value(op);
      }
    } else {
      push(cells.get(value));
    }
  }

  private void push(Cell cell) {
    code.loadLocal(cell.kind(), local(cell));
  }

  @Override
  public void set(Cell cell) {
    code.storeLocal(cell.kind(), local(cell));
  }

  private int local(Cell cell) {
    return locals.computeIfAbsent(cell, it -> code.allocateLocal(it.kind()));
  }

  private void rankInBlock() {
    code.iload(thread);
    hoists.field(code, "first", ConstantDescs.CD_int);
    code.isub();
  }

  private void place(Op op) {
    switch (op.code()) {
      case SHARED_BASE -> code.loadConstant(kernel.sharedAt(op));
      case DYNAMIC_BASE -> hoists.field(code, "dynamicBase", ConstantDescs.CD_int);
      case DYNAMIC_BYTES -> hoists.field(code, "dynamicBytes", ConstantDescs.CD_int);
      default -> {
        String name = java.util.Objects.requireNonNull(Cells.place(op));
        if (name.equals(Cells.LANE)) {
          rankInBlock();
          code.loadConstant(WARP_SIZE - 1).iand();
        } else if (name.equals(Cells.WARP)) {
          rankInBlock();
          code.loadConstant(WARP_SIZE).idiv();
        } else if (name.startsWith("threadIndex")) {
          hoists.field(code, name, Names.INTS);
          code.iload(thread).iaload();
        } else {
          hoists.field(code, name, ConstantDescs.CD_int);
        }
      }
    }
  }
}
