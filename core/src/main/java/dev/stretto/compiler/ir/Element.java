package dev.stretto.compiler.ir;

/** An element in memory: how many bytes it takes, and which value it is read as. */
public enum Element implements Attribute {
  /** A byte, read as signed. */
  I8(1, Type.INT, "s8"),
  /** A short, read as signed. */
  I16(2, Type.INT, "s16"),
  /** A char, read as unsigned. */
  U16(2, Type.INT, "u16"),
  /** An int. */
  I32(4, Type.INT, "b32"),
  /** A long. */
  I64(8, Type.LONG, "b64"),
  /** A float. */
  F32(4, Type.FLOAT, "f32"),
  /** A double. */
  F64(8, Type.DOUBLE, "f64"),
  /** A binary16, read as a float. */
  F16(2, Type.FLOAT, "b16"),
  /** A bfloat16, read as a float. */
  BF16(2, Type.FLOAT, "b16"),
  /**
   * A byte, read as unsigned. No array has such elements, which are counted up to here: loads
   * become them.
   */
  U8(1, Type.INT, "u8");

  private final int bytes;
  private final Type type;
  private final String ptx;

  Element(int bytes, Type type, String ptx) {
    this.bytes = bytes;
    this.type = type;
    this.ptx = ptx;
  }

  /** {@return its size} */
  public int bytes() {
    return bytes;
  }

  /** {@return the type of the value that a load gives} */
  public Type type() {
    return type;
  }

  /** {@return the type that a PTX load or store names} */
  public String ptx() {
    return ptx;
  }
}
