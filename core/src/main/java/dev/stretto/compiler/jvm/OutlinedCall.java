package dev.stretto.compiler.jvm;

import dev.stretto.compiler.ir.Constant;
import dev.stretto.compiler.ir.JavaCall;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.Type;
import dev.stretto.compiler.ir.Value;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;

/**
 * Writes a method in which a method of the library is called, with what it needs for that. The JVM
 * compiles a step in less time if such calls, most of which few threads make, are not a part of it.
 */
final class OutlinedCall implements MemoryCode.Place {
  private static final int BLOCK = 0;

  private final SteppedClass kernel;
  private final CodeBuilder code;
  private final Op op;
  private final Expressions expressions;
  private final IdentityHashMap<Value, Integer> parameters = new IdentityHashMap<>();

  OutlinedCall(SteppedClass kernel, CodeBuilder code, Op op) {
    this.kernel = kernel;
    this.code = code;
    this.op = op;
    this.expressions = new Expressions(code, this::push, _ -> false, kernel::numberOf);
    int local = BLOCK + 1;
    for (Value operand : operands(op)) {
      parameters.put(operand, local);
      local += Cell.kind(operand.type()).slotSize();
    }
  }

  /** Whether a call can stand in a method of its own. */
  static boolean isPossible(Op op) {
    JavaCall call = op.attribute(JavaCall.class);
    return !call.pure()
        && op.type() != Type.TUPLE
        && call.of("FastMath") == null
        && call.arguments().stream().noneMatch(one -> one instanceof JavaCall.Numbers);
  }

  /** The operands that the method takes. */
  static List<Value> operands(Op op) {
    List<Value> operands = new ArrayList<>();
    for (Value operand : op.operands()) {
      if (!(operand instanceof Constant) && !operands.contains(operand)) {
        operands.add(operand);
      }
    }
    return operands;
  }

  static MethodTypeDesc type(Op op) {
    List<ClassDesc> types = new ArrayList<>(List.of(Names.BLOCK));
    operands(op).forEach(operand -> types.add(desc(operand.type())));
    return MethodTypeDesc.of(
        op.type() == Type.VOID ? ConstantDescs.CD_void : desc(op.type()), types);
  }

  private static ClassDesc desc(Type type) {
    return Cell.kind(type) == TypeKind.REFERENCE ? ConstantDescs.CD_Object : Expressions.desc(type);
  }

  void write() {
    code.lineNumber(kernel.sites().of(op.line()) + 1);
    CallCode.call(
        op,
        this,
        (_, _) -> {
          throw new AssertionError("a call with results in arrays");
        });
    if (op.type() == Type.VOID) {
      code.return_();
    } else {
      code.return_(Cell.kind(op.type()));
    }
  }

  @Override
  public CodeBuilder code() {
    return code;
  }

  @Override
  public Hoists hoists() {
    throw new UnsupportedOperationException("a call has no loop");
  }

  @Override
  public void push(Value value) {
    if (value instanceof Constant constant) {
      expressions.constant(constant);
    } else {
      code.loadLocal(
          Cell.kind(value.type()), Objects.requireNonNull(parameters.get(value), "an operand"));
    }
  }

  @Override
  public void pushBlock() {
    code.aload(BLOCK);
  }

  @Override
  public void set(Cell cell) {
    throw new UnsupportedOperationException("a call sets no cell");
  }

  @Override
  public int site(Op at) {
    return kernel.sites().of(at.line());
  }
}
