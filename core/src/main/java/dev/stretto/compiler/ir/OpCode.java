package dev.stretto.compiler.ir;

import org.jspecify.annotations.Nullable;

/** The code of an operation. Integer arithmetic wraps; shifts treat the amount as Java does. */
public enum OpCode {
  // Arithmetic: operands and result have the same type.
  ADD(Effect.PURE),
  SUB(Effect.PURE),
  MUL(Effect.PURE),
  /** For integers, unspecified if the divisor is 0. */
  DIV(Effect.PURE),
  /** Integers only; unspecified if the divisor is 0. */
  REM(Effect.PURE),
  UDIV(Effect.PURE),
  UREM(Effect.PURE),
  /** The upper half of the signed product. */
  MULHI(Effect.PURE),
  /** The upper half of the unsigned product. */
  UMULHI(Effect.PURE),
  NEG(Effect.PURE),
  AND(Effect.PURE),
  OR(Effect.PURE),
  XOR(Effect.PURE),
  /** The amount is an INT, as for the next two. */
  SHL(Effect.PURE),
  SHR(Effect.PURE),
  USHR(Effect.PURE),
  ROTL(Effect.PURE),
  ABS(Effect.PURE),
  /** As in Java: NaN wins, and -0.0 is less than 0.0. */
  MIN(Effect.PURE),
  MAX(Effect.PURE),
  FMA(Effect.PURE),
  SQRT(Effect.PURE),
  FLOOR(Effect.PURE),
  CEIL(Effect.PURE),
  RINT(Effect.PURE),
  COPYSIGN(Effect.PURE),
  POPC(Effect.PURE),
  CLZ(Effect.PURE),
  REVERSE(Effect.PURE),
  /** Address or LONG plus a LONG of bytes; SHARED plus an INT. */
  OFFSET(Effect.PURE),
  /** {@code base + index * attr}; the base is an address, the index an INT or a LONG. */
  ELEMENT(Effect.PURE, Attribute.Count.class),

  // Predicates.
  /** The attribute is the {@link Cond}. */
  CMP(Effect.PURE, Cond.class),
  NOT(Effect.PURE),
  SELECT(Effect.PURE),
  BOOL_TO_INT(Effect.PURE),
  IS_NAN(Effect.PURE),

  // Conversions: from the operand's type to the result's, like Java's casts.
  CONVERT(Effect.PURE),
  /** An INT cast to byte, short or char and back to INT: the attribute is the {@link Element}. */
  NARROW(Effect.PURE, Element.class),
  /** INT to LONG without sign extension. */
  ZERO_EXTEND(Effect.PURE),
  /** The same bits as another type of the same size. */
  BITS(Effect.PURE),
  /**
   * A float to the bits of a binary16 or bfloat16 in a sign-extended INT, and back: the attribute
   * is the Element.
   */
  TO_HALF(Effect.PURE, Element.class),
  FROM_HALF(Effect.PURE, Element.class),

  // Memory. The attribute is the Element; the first operand is the address.
  LOAD(Effect.READS, Element.class),
  STORE(Effect.WRITES, Element.class),
  /** An element of constant memory: the operand is the index, the attribute the array. */
  CONSTANT_GET(Effect.READS, ConstantArray.class),
  /** Several elements at once, as a TUPLE; the attribute is the {@link Vector}. */
  LOAD_VECTOR(Effect.READS, Vector.class),
  STORE_VECTOR(Effect.WRITES, Vector.class),

  // Instructions of PTX.
  /** The attribute is the {@link Asm}. */
  ASM(Effect.WRITES, Asm.class),
  /**
   * A call of a method of the library, in a kernel for the JVM: the attribute is the {@link
   * JavaCall}.
   */
  CALL(Effect.WRITES, JavaCall.class),
  /** The attribute is the number of the result. */
  EXTRACT(Effect.PURE, Attribute.Count.class),
  /** A line of text from the device: the attribute is the label, the operand a number. */
  PRINT(Effect.WRITES, Attribute.Text.class),
  /** Ends the kernel with a report if the operand is false: the attribute is the {@link Trap}. */
  CHECK(Effect.WRITES, Trap.class),
  /**
   * What a copy became: the operands are the components of a {@link LoweredCopy}, with bytes last
   * but one.
   */
  NOTE(Effect.WRITES),
  /** Must be true once loops are unrolled: the attribute is the {@link Requirement}. */
  REQUIRE(Effect.WRITES, Requirement.class),
  /** Must be in range if it is constant once loops are unrolled: see {@link NumberRange}. */
  IN_RANGE(Effect.WRITES, NumberRange.class),
  /**
   * Must have a constant operand once loops are unrolled: the attribute names the parameter that
   * must be constant.
   */
  KNOWN(Effect.WRITES, Attribute.Text.class),
  /**
   * The address of a static shared array: the attribute is the {@link SharedVariable}. The operand
   * is its length, as long as the length is not known.
   */
  SHARED_BASE(Effect.PURE, SharedVariable.class),
  /** The address of the dynamic shared memory. */
  DYNAMIC_BASE(Effect.PURE),
  /** The address in another block of the cluster: of a SHARED address and the block's rank. */
  CLUSTER_ADDRESS(Effect.PURE),
  /** How much dynamic shared memory there is, in bytes. */
  DYNAMIC_BYTES(Effect.PURE),

  // Objects, until they are replaced by scalars.
  /**
   * A view of memory, made from its address and its length: the attribute is the {@link Element}.
   */
  VIEW(Effect.PURE, Element.class),
  VIEW_BASE(Effect.PURE),
  VIEW_LENGTH(Effect.PURE),
  /** The number of bytes of a view's element, as an INT: known wherever the view is. */
  VIEW_WIDTH(Effect.PURE),
  /** The number of a view's {@link Element}, as an INT: known wherever the view is. */
  VIEW_ELEMENT(Effect.PURE),
  /** The attribute is the {@link NewObject}. */
  NEW(Effect.LOCAL, NewObject.class),
  /** The attribute is the {@link Field}. */
  GET_FIELD(Effect.LOCAL, Field.class),
  PUT_FIELD(Effect.LOCAL, Field.class),
  /** The operand is the length; the attribute is the {@link Element}, or null for references. */
  NEW_ARRAY(Effect.LOCAL),
  ARRAY_LENGTH(Effect.PURE),
  /** Array and index; the attribute is the {@link Element}, or null for references. */
  ARRAY_GET(Effect.LOCAL),
  ARRAY_SET(Effect.LOCAL),

  // The ends of blocks.
  JUMP(Effect.END),
  BRANCH(Effect.END),
  RETURN(Effect.END),
  /** Ends the kernel with a report: the attribute is the {@link Trap}. */
  FAIL(Effect.END, Trap.class);

  /** The effect of an operation other than its result. */
  public enum Effect {
    /** Nothing. */
    PURE,
    /** Reads memory. */
    READS,
    /** May write memory, wait, or end the kernel. */
    WRITES,
    /** Reads or writes an object that only this thread can see. */
    LOCAL,
    /** Ends a block. */
    END
  }

  private final Effect effect;
  private final @Nullable Class<? extends Attribute> attribute;

  OpCode(Effect effect) {
    this(effect, null);
  }

  OpCode(Effect effect, @Nullable Class<? extends Attribute> attribute) {
    this.effect = effect;
    this.attribute = attribute;
  }

  /** {@return whether its operations may have an attribute, or none if it is null} */
  public boolean takes(@Nullable Attribute given) {
    return switch (this) {
      case NEW_ARRAY, ARRAY_GET, ARRAY_SET -> given == null || given instanceof Element;
      default -> attribute == null ? given == null : attribute.isInstance(given);
    };
  }

  /** {@return the effect other than the result} */
  public Effect effect() {
    return effect;
  }
}
