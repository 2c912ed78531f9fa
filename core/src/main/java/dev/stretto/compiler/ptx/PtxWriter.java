package dev.stretto.compiler.ptx;

import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.BlockParam;
import dev.stretto.compiler.ir.Constant;
import dev.stretto.compiler.ir.EntryParameter;
import dev.stretto.compiler.ir.Function;
import dev.stretto.compiler.ir.Line;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.StructLayout;
import dev.stretto.compiler.ir.Target;
import dev.stretto.compiler.ir.Trap;
import dev.stretto.compiler.ir.Type;
import dev.stretto.compiler.ir.Value;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Writes a kernel as PTX. */
public final class PtxWriter {
  private final Function function;
  private final PtxOptions options;
  private final StringBuilder out = new StringBuilder();
  private final Registers registers = new Registers();
  private final SharedLayout shared;
  private final Texts texts;
  private final ConstantMemory constants;
  private final Faults faults;
  private final Operations operations;
  private final IdentityHashMap<Block, String> labels = new IdentityHashMap<>();
  private final Set<Value> used = Collections.newSetFromMap(new IdentityHashMap<>());
  private final List<Runnable> detours = new ArrayList<>();
  private @Nullable Line line;
  private int detourCount;

  private PtxWriter(Function function, PtxOptions options) {
    this.function = function;
    this.options = options;
    this.shared = new SharedLayout(function);
    this.texts = new Texts(options.entry());
    this.constants = new ConstantMemory(out, registers, options.entry());
    this.faults = new Faults(out, registers, texts);
    AccumulatorRegisters accumulators = new AccumulatorRegisters(function);
    accumulators.name(registers);
    this.operations =
        new Operations(
            out,
            registers,
            new ClusterAddresses(function),
            shared,
            faults,
            texts,
            constants,
            accumulators,
            options.sm(),
            options.contract());
  }

  /** {@return a kernel's text, with what a launch needs to know} */
  public static PtxText write(Function function, PtxOptions options) {
    return new PtxWriter(function, options).run();
  }

  private PtxText run() {
    List<Block> blocks = function.blocks();
    blocks.forEach(block -> block.ops().forEach(op -> used.addAll(op.uses())));
    parameters();
    for (Block block : blocks) {
      labels.put(block, "$L" + labels.size());
    }
    for (int i = 0; i < blocks.size(); i++) {
      if (i > 0) {
        out.append(labels.get(blocks.get(i))).append(":\n");
      }
      block(blocks.get(i), i + 1 < blocks.size() ? blocks.get(i + 1) : null);
    }
    detours.forEach(Runnable::run);
    faults.end(parameterName(options.parameters().size()));
    String body = out.toString();
    out.setLength(0);
    header();
    out.append("{\n").append(registers.declarations());
    out.append(shared.declarations()).append(operations.locals());
    out.append('\n').append(body).append("}\n");
    return new PtxText(
        out.toString(), options.entry(), faults.sites(), shared.movedBytes(), shared.staticBytes());
  }

  private void header() {
    out.append(".version ")
        .append(PtxVersion.of(function, options.version(), parameterBytes()))
        .append('\n');
    out.append(".target ").append(options.target()).append('\n');
    out.append(".address_size 64\n\n");
    out.append(shared.globals()).append(operations.externals()).append(faults.externals());
    out.append(texts.declarations()).append(constants.declarations());
    out.append(".visible .entry ").append(options.entry()).append("(\n");
    List<String> declared = new ArrayList<>();
    int next = 0;
    for (int i = 0; i < options.parameters().size(); i++) {
      EntryParameter parameter = options.parameters().get(i);
      declared.add(
          parameter instanceof EntryParameter.Scalar
              ? "\t.param ." + memoryType(param(next), parameter.bytes()) + " " + parameterName(i)
              : "\t.param .align %d .b8 %s[%d]"
                  .formatted(parameter.alignment(), parameterName(i), parameter.bytes()));
      next += parameter.count();
    }
    if (faults.isUsed()) {
      declared.add("\t.param .u64 " + parameterName(options.parameters().size()));
    }
    out.append(String.join(",\n", declared)).append("\n)\n");
    if (options.maxThreads() > 0) {
      out.append(".maxntid ").append(options.maxThreads()).append(", 1, 1\n");
    }
    if (options.minBlocks() > 0) {
      out.append(".minnctapersm ").append(options.minBlocks()).append('\n');
    }
  }

  /** The bytes of all parameters, with one for reports. */
  private long parameterBytes() {
    StructLayout layout = new StructLayout();
    options.parameters().forEach(it -> layout.add(it.bytes(), it.alignment()));
    return layout.add(Long.BYTES, Long.BYTES) + Long.BYTES;
  }

  private static String parameterName(int number) {
    return "param" + number;
  }

  private BlockParam param(int number) {
    return function.entry().params().get(number);
  }

  /** The type of a parameter in memory: a byte and a short are as small as in Java. */
  private static String memoryType(BlockParam param, long bytes) {
    return switch (param.type()) {
      case INT -> bytes == 1 ? "s8" : bytes == 2 ? "s16" : "b32";
      case LONG -> "b64";
      case FLOAT -> "f32";
      case DOUBLE -> "f64";
      default -> "u64";
    };
  }

  private void parameters() {
    int next = 0;
    for (int i = 0; i < options.parameters().size(); i++) {
      EntryParameter parameter = options.parameters().get(i);
      switch (parameter) {
        case EntryParameter.Scalar number -> number(param(next), i, number.bytes());
        case EntryParameter.Whole _ -> {
          String register = registers.of(param(next));
          out.append("\tmov.b64 ").append(register).append(", ").append(parameterName(i));
          out.append(";\n\tcvta.param.u64 ").append(register).append(", ").append(register);
          out.append(";\n");
        }
        case EntryParameter.Struct struct -> struct(struct, next, i);
      }
      next += parameter.count();
    }
  }

  private void number(BlockParam param, int number, long bytes) {
    String register = registers.of(param);
    load(memoryType(param, bytes), register, parameterName(number));
    if (param.type() == Type.GLOBAL) {
      out.append("\tcvta.to.global.u64 ").append(register).append(", ").append(register);
      out.append(";\n");
    }
  }

  /** Loads the numbers of a struct that the kernel uses. */
  private void struct(EntryParameter.Struct struct, int first, int number) {
    for (int i = 0; i < struct.count(); i++) {
      EntryParameter.Part part = struct.parts().get(i);
      if (used.contains(param(first + i))) {
        String place = parameterName(number) + (part.offset() == 0 ? "" : "+" + part.offset());
        load(part.element().ptx(), registers.of(param(first + i)), place);
      }
    }
  }

  private void load(String type, String register, String place) {
    out.append("\tld.param.").append(type).append(' ').append(register);
    out.append(", [").append(place).append("];\n");
  }

  private void block(Block block, @Nullable Block next) {
    for (Op op : block.ops()) {
      if (op.line().number() > 0 && !op.line().equals(line)) {
        line = op.line();
        out.append("\t// ").append(line).append('\n');
      }
      if (op.isEnd()) {
        end(op, next);
      } else {
        operations.write(op);
      }
    }
  }

  private void end(Op op, @Nullable Block next) {
    switch (op.code()) {
      case JUMP -> jump(op.targets().getFirst(), next);
      case BRANCH -> branch(op, next);
      case RETURN -> out.append("\tret;\n");
      case FAIL -> faults.always(op.attribute(Trap.class), op.line());
      default -> throw new IllegalStateException(op.code().name());
    }
  }

  private void branch(Op op, @Nullable Block next) {
    Target yes = op.targets().get(0);
    Target no = op.targets().get(1);
    String condition = registers.operand(op.operand(0));
    boolean invert = needsCopies(yes) && !needsCopies(no);
    if (!invert && !needsCopies(yes) && yes.block() == next && !needsCopies(no)) {
      invert = true;
    }
    Target away = invert ? no : yes;
    Target on = invert ? yes : no;
    out.append("\t@").append(invert ? "!" : "").append(condition).append(" bra ");
    out.append(needsCopies(away) ? detour(away) : labels.get(away.block())).append(";\n");
    jump(on, next);
  }

  private String detour(Target target) {
    String label = "$E" + detourCount++;
    detours.add(
        () -> {
          out.append(label).append(":\n");
          jump(target, null);
        });
    return label;
  }

  private void jump(Target target, @Nullable Block next) {
    copies(target);
    if (target.block() != next) {
      out.append("\tbra ").append(labels.get(target.block())).append(";\n");
    }
  }

  private boolean needsCopies(Target target) {
    return !target.arguments().isEmpty();
  }

  /** Moves all arguments into the parameters as if simultaneously. */
  private void copies(Target target) {
    record Move(String to, String from, Type type) {}
    List<Move> left = new ArrayList<>();
    for (int i = 0; i < target.arguments().size(); i++) {
      Value from = target.arguments().get(i);
      String to = registers.of(target.block().params().get(i));
      String source = registers.operand(from);
      if (!to.equals(source)) {
        left.add(new Move(to, source, from.type()));
      }
    }
    while (!left.isEmpty()) {
      Move free = null;
      for (Move move : left) {
        if (left.stream().noneMatch(other -> !other.equals(move) && other.from.equals(move.to))) {
          free = move;
          break;
        }
      }
      if (free == null) {
        // A cycle: the value that the first move overwrites is saved for the moves that still need
        // it.
        Move first = left.getFirst();
        String kept = registers.fresh(first.type);
        move(first.type, kept, first.to);
        left.replaceAll(it -> it.from.equals(first.to) ? new Move(it.to, kept, it.type) : it);
        continue;
      }
      left.remove(free);
      move(free.type, free.to, free.from);
    }
  }

  private void move(Type type, String to, String from) {
    out.append("\tmov.").append(moveType(type)).append(' ').append(to).append(", ").append(from);
    out.append(";\n");
  }

  static String moveType(Type type) {
    return switch (type) {
      case BOOL -> "pred";
      case INT, SHARED -> "b32";
      case LONG, GLOBAL -> "b64";
      case FLOAT -> "f32";
      case DOUBLE -> "f64";
      default -> throw new IllegalStateException("no move of a " + type);
    };
  }

  static boolean isConstant(Value value) {
    return value instanceof Constant;
  }

  static boolean isAddressSum(Value value) {
    return value instanceof Op op
        && op.code() == OpCode.OFFSET
        && op.operand(1) instanceof Constant;
  }
}
