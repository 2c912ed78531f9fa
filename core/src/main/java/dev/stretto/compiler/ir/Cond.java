package dev.stretto.compiler.ir;

/** How two values are compared. */
public enum Cond implements Attribute {
  /** Equal; false for NaN. */
  EQ,
  /** Not equal; true for NaN. */
  NE,
  /** Less; false for NaN. */
  LT,
  /** Less or equal; false for NaN. */
  LE,
  /** Greater; false for NaN. */
  GT,
  /** Greater or equal; false for NaN. */
  GE,
  /** Integers: less as unsigned. Floats: less or unordered. */
  ULT,
  /** Integers: less or equal as unsigned. Floats: less, equal or unordered. */
  ULE,
  /** Integers: greater as unsigned. Floats: greater or unordered. */
  UGT,
  /** Integers: greater or equal as unsigned. Floats: greater, equal or unordered. */
  UGE;

  /** {@return the condition that holds exactly if this one does not} */
  public Cond negated(boolean floating) {
    return switch (this) {
      case EQ -> NE;
      case NE -> EQ;
      case LT -> floating ? UGE : GE;
      case LE -> floating ? UGT : GT;
      case GT -> floating ? ULE : LE;
      case GE -> floating ? ULT : LT;
      case ULT -> floating ? GE : UGE;
      case ULE -> floating ? GT : UGT;
      case UGT -> floating ? LE : ULE;
      case UGE -> floating ? LT : ULT;
    };
  }

  /** {@return the condition for exchanged operands} */
  public Cond swapped() {
    return switch (this) {
      case EQ, NE -> this;
      case LT -> GT;
      case LE -> GE;
      case GT -> LT;
      case GE -> LE;
      case ULT -> UGT;
      case ULE -> UGE;
      case UGT -> ULT;
      case UGE -> ULE;
    };
  }
}
