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
 * @param results the types of the elements of local arrays that it sets; then it returns nothing
 * @param pure whether it may be shared, moved and removed
 * @param convergent whether threads may wait for each other in it
 */
public record JavaCall(
    String owner,
    String method,
    String descriptor,
    boolean isStatic,
    List<Argument> arguments,
    List<Type> results,
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
  public record Scalar(int operand) implements Argument {}

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
   * A tensor map, which is known by its address.
   *
   * @param operand which operand the address is
   */
  public record Tensor(int operand) implements Argument {}

  /**
   * A local array, which is made for the call.
   *
   * @param element the type of its elements
   * @param operands for each element the operand that it holds before, or -1
   * @param results for each element the number of the result that it holds after, or -1
   */
  public record Numbers(Element element, List<Integer> operands, List<Integer> results)
      implements Argument {}

  /**
   * A local array that stays an array, since the called method keeps it.
   *
   * @param operand which operand it is
   * @param descriptor its type
   */
  public record Array(int operand, String descriptor) implements Argument {}

  /**
   * A number that the compiler has chosen, text, or a constant of an enum.
   *
   * @param value an Integer, a String or a {@link Constant.EnumName}
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
