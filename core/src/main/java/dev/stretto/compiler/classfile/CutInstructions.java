package dev.stretto.compiler.classfile;

import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.attribute.CodeAttribute;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Finds instructions that go on behind the end of their method. The JDK's verifier never comes to
 * an end with a switch of this kind (JDK 25), so it is not asked about such a class.
 */
public final class CutInstructions {
  private static final int[] LENGTHS = new int[256];

  private static final int SWITCH_HEAD = 4;
  private static final int WIDE = 0xc4;
  private static final int WIDE_LENGTH = 4;
  private static final int WIDE_INCREMENT = 6;

  static {
    for (Opcode opcode : Opcode.values()) {
      if (!opcode.isWide()) {
        LENGTHS[opcode.bytecode()] = Math.max(0, opcode.sizeIfFixed());
      }
    }
  }

  private CutInstructions() {}

  /** {@return the name of a method that has one} */
  public static Optional<String> find(ClassModel model) {
    for (MethodModel method : model.methods()) {
      CodeModel code = method.code().orElse(null);
      if (code instanceof CodeAttribute attribute && isCut(attribute.codeArray())) {
        return Optional.of(method.methodName().stringValue());
      }
    }
    return Optional.empty();
  }

  private static boolean isCut(byte[] code) {
    long at = 0;
    while (at < code.length) {
      int opcode = code[(int) at] & 0xff;
      long length = length(code, (int) at, opcode);
      if (length == 0) {
        return false; // no opcode: the verifier says so
      }
      at += length;
    }
    return at > code.length;
  }

  private static long length(byte[] code, int at, int opcode) {
    if (opcode == Opcode.TABLESWITCH.bytecode() || opcode == Opcode.LOOKUPSWITCH.bytecode()) {
      return switchLength(code, at);
    }
    if (opcode == WIDE) {
      boolean isIncrement = at + 1 < code.length && (code[at + 1] & 0xff) == Opcode.IINC.bytecode();
      return isIncrement ? WIDE_INCREMENT : WIDE_LENGTH;
    }
    return LENGTHS[opcode];
  }

  /** {@return its length, or more than there is if it does not say} */
  private static long switchLength(byte[] code, int at) {
    ByteBuffer bytes = ByteBuffer.wrap(code);
    int aligned = (at + SWITCH_HEAD) & -SWITCH_HEAD;
    boolean isTable = (code[at] & 0xff) == Opcode.TABLESWITCH.bytecode();
    int numbers = isTable ? 2 : 1;
    int head = aligned + Integer.BYTES * (1 + numbers);
    if (head > code.length) {
      return code.length + 1L;
    }
    long first = bytes.getInt(aligned + Integer.BYTES);
    long count = isTable ? bytes.getInt(aligned + 2 * Integer.BYTES) - first + 1 : 2 * first;
    return count < 0 ? code.length + 1L : head - at + Integer.BYTES * count;
  }
}
