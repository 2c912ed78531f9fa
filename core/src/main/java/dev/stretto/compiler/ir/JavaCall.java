package dev.stretto.compiler.ir;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A call of a method of the library, which a kernel for the JVM makes where one for a GPU has an
 * instruction.
 *
 * @param owner the internal name of the method's class
 * @param method its name
 * @param descriptor its descriptor
 * @param isStatic whether it has no receiver; otherwise that is the thread's block or warp
 * @param arguments what becomes of the operands
 * @param pure whether it may be shared, moved and removed
 * @param convergent whether threads may wait for each other in it
 */
public record JavaCall(
    String owner,
    String method,
    String descriptor,
    boolean isStatic,
    List<Argument> arguments,
    boolean pure,
    boolean convergent)
    implements Attribute {

  /** An argument of the method. */
  public sealed interface Argument {}

  /**
   * A number or a predicate.
   *
   * @param operand which operand it is
   */
  public record Number(int operand) implements Argument {}

  /**
   * A view of memory.
   *
   * @param base the operand with its address
   * @param length the operand with its length
   * @param element the operand with the number of its {@link Element}
   * @param type the internal name of the parameter's class
   */
  public record View(int base, int length, int element, String type) implements Argument {}

  /**
   * Text, or a constant of an enum.
   *
   * @param value a String or a {@link Constant.EnumName}
   */
  public record Known(Object value) implements Argument {}

  /** {@return the method without its package} */
  public String title() {
    return owner.substring(owner.lastIndexOf('/') + 1) + "." + method;
  }

  /** {@return the method if its class has this name, else null} */
  public @Nullable String of(String simpleName) {
    return owner.endsWith("/" + simpleName) ? method : null;
  }

  @Override
  public String toString() {
    return title();
  }
}
