package dev.stretto.compiler.ptx;

import dev.stretto.compiler.ir.Asm;
import dev.stretto.compiler.ir.Cond;
import dev.stretto.compiler.ir.Constant;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.SharedVariable;
import dev.stretto.compiler.ir.Trap;
import dev.stretto.compiler.ir.Type;
import dev.stretto.compiler.ir.Value;
import java.util.ArrayList;
import java.util.List;

/** Writes each operation in PTX. */
final class Operations {
  private final StringBuilder out;
  private final Registers registers;
  private final ClusterAddresses cluster;
  private final SharedLayout shared;
  private final Faults faults;
  private final Arithmetic arithmetic;
  private final MemoryOperations memory;
  private final Prints prints;
  private final ConstantMemory constants;
  private final AccumulatorRegisters accumulators;
  private int unique;

  Operations(
      StringBuilder out,
      Registers registers,
      ClusterAddresses cluster,
      SharedLayout shared,
      Faults faults,
      Texts texts,
      ConstantMemory constants,
      AccumulatorRegisters accumulators,
      int sm,
      boolean contract) {
    this.out = out;
    this.registers = registers;
    this.shared = shared;
    this.faults = faults;
    this.constants = constants;
    this.accumulators = accumulators;
    SmallFloats smallFloats = new SmallFloats(out, registers, sm);
    this.arithmetic = new Arithmetic(out, registers, smallFloats, sm, contract);
    this.cluster = cluster;
    this.memory = new MemoryOperations(out, registers, cluster, smallFloats);
    this.prints = new Prints(out, registers, texts);
  }

  String externals() {
    return prints.externals();
  }

  String locals() {
    return prints.locals();
  }

  void write(Op op) {
    switch (op.code()) {
      case LOAD, STORE, LOAD_VECTOR, STORE_VECTOR, ELEMENT, OFFSET, CLUSTER_ADDRESS ->
          memory.write(op);
      case CONSTANT_GET -> constants.read(op);
      case ASM -> asm(op);
      case EXTRACT -> extract(op);
      case PRINT -> prints.write(op);
      case CHECK -> check(op);
      case SHARED_BASE ->
          line("mov.u32", registers.of(op), shared.address(op.attribute(SharedVariable.class)));
      case DYNAMIC_BASE -> line("mov.u32", registers.of(op), shared.dynamicAddress());
      case DYNAMIC_BYTES -> {
        line("mov.u32", registers.of(op), "%dynamic_smem_size");
        if (shared.movedBytes() > 0) {
          line("sub.s32", registers.of(op), registers.of(op), String.valueOf(shared.movedBytes()));
        }
      }
      case VIEW, NOTE -> {} // its parts are used, not the tuple itself; notes were read earlier
      case CMP -> compare(op);
      case SELECT -> select(op);
      case NOT -> line("not.pred", registers.of(op), registers.operand(op.operand(0)));
      case BOOL_TO_INT ->
          line("selp.s32", registers.of(op), "1", "0", registers.operand(op.operand(0)));
      case IS_NAN -> {
        String value = registers.operand(op.operand(0));
        line("setp.nan." + suffix(op.operand(0).type()), registers.of(op), value, value);
      }
      default -> arithmetic.write(op);
    }
  }

  private void line(String instruction, String... operands) {
    out.append('\t').append(instruction).append(' ').append(String.join(", ", operands));
    out.append(";\n");
  }

  private static String suffix(Type type) {
    return type == Type.FLOAT ? "f32" : "f64";
  }

  private void check(Op op) {
    Value condition = op.operand(0);
    if (condition instanceof Constant known) {
      if (!known.asBoolean()) {
        faults.always(op.attribute(Trap.class), op.line());
      }
      return;
    }
    faults.unless(
        registers.operand(condition),
        op.attribute(Trap.class),
        op.line(),
        op.operands().subList(1, op.size()));
  }

  private void compare(Op op) {
    Cond cond = op.attribute(Cond.class);
    String a = registers.operand(op.operand(0));
    String b = registers.operand(op.operand(1));
    Type type = op.operand(0).type();
    if (type == Type.BOOL) {
      line("xor.pred", registers.of(op), a, b);
      if (cond == Cond.EQ) {
        line("not.pred", registers.of(op), registers.of(op));
      }
      return;
    }
    if (type == Type.LONG && isUnequal(cond)) {
      if (op.operand(1) instanceof Constant known) {
        compareWithConstant(op, cond, a, known.asLong());
        return;
      }
      if (op.operand(0) instanceof Constant known) {
        compareWithConstant(op, cond, b, known.asLong());
        return;
      }
    }
    if (type == Type.FLOAT && isOrdered(cond)) {
      // The assembler (ptxas 13.0) assumes that -1 < abs(x) holds for NaN too, but gets the
      // negation right.
      line("setp." + floating(cond.negated(true)) + ".f32", registers.of(op), a, b);
      line("not.pred", registers.of(op), registers.of(op));
      return;
    }
    String how = type.isFloating() ? floating(cond) : integer(cond);
    String suffix =
        switch (type) {
          case INT -> isUnsigned(cond) ? "u32" : "s32";
          case FLOAT -> "f32";
          case DOUBLE -> "f64";
          default -> isUnsigned(cond) ? "u64" : "s64";
        };
    line("setp." + how + "." + suffix, registers.of(op), a, b);
  }

  /**
   * Where both are equal, the assembler (ptxas 13.0 for sm_90) replaces the upper half of the
   * number by the lower half of the constant, which is right only for 0.
   */
  private void compareWithConstant(Op op, Cond cond, String a, long known) {
    String difference = a;
    if (known != 0) {
      difference = registers.fresh(Type.LONG);
      if (known == -1) {
        line("not.b64", difference, a);
      } else {
        line("xor.b64", difference, a, String.valueOf(known));
      }
    }
    line("setp." + integer(cond) + ".s64", registers.of(op), difference, "0");
  }

  private static boolean isOrdered(Cond cond) {
    return switch (cond) {
      case LT, LE, GT, GE -> true;
      default -> false;
    };
  }

  private static boolean isUnequal(Cond cond) {
    return cond == Cond.EQ || cond == Cond.NE;
  }

  private static boolean isUnsigned(Cond cond) {
    return switch (cond) {
      case ULT, ULE, UGT, UGE -> true;
      default -> false;
    };
  }

  private static String integer(Cond cond) {
    return switch (cond) {
      case EQ -> "eq";
      case NE -> "ne";
      case LT -> "lt";
      case LE -> "le";
      case GT -> "gt";
      case GE -> "ge";
      case ULT -> "lo";
      case ULE -> "ls";
      case UGT -> "hi";
      case UGE -> "hs";
    };
  }

  private static String floating(Cond cond) {
    return switch (cond) {
      case EQ -> "eq";
      case NE -> "neu";
      case LT -> "lt";
      case LE -> "le";
      case GT -> "gt";
      case GE -> "ge";
      case ULT -> "ltu";
      case ULE -> "leu";
      case UGT -> "gtu";
      case UGE -> "geu";
    };
  }

  private void select(Op op) {
    String condition = registers.operand(op.operand(0));
    String a = registers.operand(op.operand(1));
    String b = registers.operand(op.operand(2));
    if (op.type() != Type.BOOL) {
      // By their bits: between two floats, the assembler (ptxas 13.0 for sm_90) takes -0.0 for 0.0.
      line("selp." + bits(op.type()), registers.of(op), a, b, condition);
      return;
    }
    String yes = registers.fresh(Type.BOOL);
    String no = registers.fresh(Type.BOOL);
    line("and.pred", yes, condition, a);
    line("not.pred", no, condition);
    line("and.pred", no, no, b);
    line("or.pred", registers.of(op), yes, no);
  }

  private static String bits(Type type) {
    return switch (type) {
      case INT, FLOAT, SHARED -> "b32";
      default -> "b64";
    };
  }

  private void extract(Op op) {
    // The operation that gave the tuple has named its results.
    registers.name(op, memory.result((Op) op.operand(0), op.count()));
  }

  private void asm(Op op) {
    Asm asm = op.attribute(Asm.class);
    List<String> results = new ArrayList<>();
    for (int i = 0; i < asm.results().size(); i++) {
      results.add(
          op.type() == Type.TUPLE ? resultRegister(op, i, asm.results().get(i)) : registers.of(op));
    }
    memory.results(op, results);
    int number = unique++;
    StringBuilder text = new StringBuilder();
    List<String> given = new ArrayList<>();
    for (Value operand : op.operands()) {
      given.add(
          asm.pieces().stream().anyMatch(it -> isRegister(it, given.size()))
              ? inRegister(operand)
              : "");
    }
    for (Asm.InPlace place : asm.inPlace()) {
      bring(op, place, results.get(place.result()));
    }
    for (Asm.Piece piece : asm.pieces()) {
      text.append(
          switch (piece) {
            case Asm.Text it -> it.text();
            case Asm.InPlace it -> results.get(it.result());
            case Asm.Operand it -> given.get(it.index());
            case Asm.Literal it -> registers.operand(op.operand(it.index()));
            case Asm.Address it -> memory.address(op.operand(it.index()));
            case Asm.Space it -> cluster.scopeAndSpace(op.operand(it.index()));
            case Asm.Result it -> results.get(it.index());
            case Asm.Unique _ -> String.valueOf(number);
          });
    }
    text.toString().lines().forEach(it -> out.append('\t').append(it).append('\n'));
  }

  /**
   * The register of a result: if the value must be in a particular register, it is named before the
   * operation is written.
   */
  private String resultRegister(Op op, int index, Type type) {
    Value result = accumulators.result(op, index);
    return result != null && registers.has(result) ? registers.of(result) : registers.fresh(type);
  }

  /** Moves a value that an instruction reads and writes in place into its register beforehand. */
  private void bring(Op op, Asm.InPlace place, String register) {
    Value before = op.operand(place.operand());
    String from = registers.operand(before);
    if (!from.equals(register) && !place.isFresh(op)) {
      line("mov." + PtxWriter.moveType(before.type()), register, from);
    }
  }

  private static boolean isRegister(Asm.Piece piece, int index) {
    return piece instanceof Asm.Operand operand && operand.index() == index;
  }

  /** An operand in a register, for an instruction that may not accept a number. */
  private String inRegister(Value value) {
    if (!(value instanceof Constant constant)) {
      return registers.of(value);
    }
    String register = registers.fresh(value.type());
    line("mov." + PtxWriter.moveType(value.type()), register, Registers.literal(constant));
    return register;
  }
}
