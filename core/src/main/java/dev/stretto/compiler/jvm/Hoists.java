package dev.stretto.compiler.jvm;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What all rounds of a step's loop use alike. It is put into variables before the loop; the code
 * for that stands at the method's end, when it is known what there is.
 */
final class Hoists {
  private static final ClassDesc FLOAT = Names.desc(Float.class);
  private static final ClassDesc DOUBLE = Names.desc(Double.class);

  private interface Load {
    void into(CodeBuilder code);
  }

  private record Variable(TypeKind kind, int local, Load load) {}

  private final Map<String, Variable> variables = new LinkedHashMap<>();
  private final int block;

  /**
   * Creates an empty list.
   *
   * @param block the variable with the block
   */
  Hoists(int block) {
    this.block = block;
  }

  private void load(CodeBuilder code, String name, TypeKind kind, Load load) {
    Variable known = variables.get(name);
    if (known == null) {
      known = new Variable(kind, code.allocateLocal(kind), load);
      variables.put(name, known);
    }
    code.loadLocal(known.kind, known.local);
  }

  /** Pushes a field of the block. */
  void field(CodeBuilder code, String name, ClassDesc type) {
    load(code, name, TypeKind.from(type), it -> it.aload(block).getfield(Names.BLOCK, name, type));
  }

  /** Pushes the numbers that the threads keep in a place of their frames. */
  void frame(CodeBuilder code, Cell cell) {
    String name = frames(cell.kind());
    ClassDesc row = element(cell.kind()).arrayType();
    load(
        code,
        name + cell.slot(),
        TypeKind.REFERENCE,
        it ->
            it.aload(block)
                .getfield(Names.BLOCK, name, row.arrayType())
                .loadConstant(cell.slot())
                .aaload());
  }

  /** Pushes a parameter of the kernel. */
  void parameter(CodeBuilder code, int number, TypeKind kind) {
    load(
        code,
        "parameter" + number,
        kind,
        it -> {
          it.aload(block)
              .getfield(Names.BLOCK, "parameters", ConstantDescs.CD_long.arrayType())
              .loadConstant(number)
              .laload();
          switch (kind) {
            case INT -> it.l2i();
            case FLOAT ->
                it.l2i()
                    .invokestatic(
                        FLOAT,
                        "intBitsToFloat",
                        MethodTypeDesc.of(ConstantDescs.CD_float, ConstantDescs.CD_int));
            case DOUBLE ->
                it.invokestatic(
                    DOUBLE,
                    "longBitsToDouble",
                    MethodTypeDesc.of(ConstantDescs.CD_double, ConstantDescs.CD_long));
            default -> {}
          }
        });
  }

  /** Pushes the memory of an array that is a parameter of the kernel. */
  void segment(CodeBuilder code, int parameter) {
    load(
        code,
        "segment" + parameter,
        TypeKind.REFERENCE,
        it ->
            it.aload(block)
                .getfield(Names.BLOCK, "segments", Names.SEGMENT.arrayType())
                .loadConstant(parameter)
                .aaload());
  }

  /** Writes the code that sets the variables. */
  void set(CodeBuilder code) {
    for (Variable variable : variables.values()) {
      variable.load.into(code);
      code.storeLocal(variable.kind, variable.local);
    }
  }

  private static String frames(TypeKind kind) {
    return switch (kind) {
      case LONG -> "longs";
      case FLOAT -> "floats";
      case DOUBLE -> "doubles";
      case REFERENCE -> "objects";
      default -> "ints";
    };
  }

  private static ClassDesc element(TypeKind kind) {
    return switch (kind) {
      case LONG -> ConstantDescs.CD_long;
      case FLOAT -> ConstantDescs.CD_float;
      case DOUBLE -> ConstantDescs.CD_double;
      case REFERENCE -> ConstantDescs.CD_Object;
      default -> ConstantDescs.CD_int;
    };
  }
}
