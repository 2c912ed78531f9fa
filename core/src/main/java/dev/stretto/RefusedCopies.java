// Generated from tools/families/RefusedCopies.template by tools/Families.java. Do not edit.
package dev.stretto;

/**
 * Overloads for copies that do not fit, so that the Java compiler refuses them in one sentence: see
 * {@link Refusals}.
 *
 * @param <R> a copy; this file does not depend on those that depend on it
 */
@SuppressWarnings({"DoNotCallSuggester", "InvalidBlockTag"}) // of what only the compiler may see
abstract class RefusedCopies<R> {
  RefusedCopies() {}

  /**
   * Refuses a copy whose ends do not fit, when the program is compiled.
   *
   * @hidden
   * @param <S> type of the source
   * @param <D> type of the destination
   * @param source not what can be copied there
   * @param destination not what can be copied to
   * @param refused cannot be given
   * @return never
   * @throws IllegalArgumentException always
   */
  @SafeVarargs
  @SuppressWarnings({"exports", "unused"})
  public final <S, D> R copy(S source, D destination, Refusals.NoCopyFrom<S>.To<D>... refused) {
    throw Refusals.noCopy();
  }

  /**
   * Refuses a copy of nothing, when the program is compiled.
   *
   * @hidden
   * @param refused cannot be given
   * @return never
   * @throws IllegalArgumentException always
   */
  @SuppressWarnings("exports")
  public final R copy(Refusals.NothingToCopy... refused) {
    throw Refusals.noCopy();
  }

  /**
   * Refuses one argument that no copy takes, when the program is compiled.
   *
   * @hidden
   * @param <A> type of argument 0
   * @param a argument 0
   * @param refused cannot be given
   * @return never
   * @throws IllegalArgumentException always
   */
  @SafeVarargs
  @SuppressWarnings({"exports", "unused"})
  public final <A> R copy(A a, Refusals.For1.NoCopyTakes<A>... refused) {
    throw Refusals.noCopy();
  }

  /**
   * Refuses three arguments that no copy takes, when the program is compiled.
   *
   * @hidden
   * @param <A> type of argument 0
   * @param <B> type of argument 1
   * @param <C> type of argument 2
   * @param a argument 0
   * @param b argument 1
   * @param c argument 2
   * @param refused cannot be given
   * @return never
   * @throws IllegalArgumentException always
   */
  @SafeVarargs
  @SuppressWarnings({"exports", "unused"})
  public final <A, B, C> R copy(A a, B b, C c, Refusals.For3.NoCopyTakes<A, B, C>... refused) {
    throw Refusals.noCopy();
  }

  /**
   * Refuses four arguments that no copy takes, when the program is compiled.
   *
   * @hidden
   * @param <A> type of argument 0
   * @param <B> type of argument 1
   * @param <C> type of argument 2
   * @param <D> type of argument 3
   * @param a argument 0
   * @param b argument 1
   * @param c argument 2
   * @param d argument 3
   * @param refused cannot be given
   * @return never
   * @throws IllegalArgumentException always
   */
  @SafeVarargs
  @SuppressWarnings({"exports", "unused"})
  public final <A, B, C, D> R copy(
      A a, B b, C c, D d, Refusals.For4.NoCopyTakes<A, B, C, D>... refused) {
    throw Refusals.noCopy();
  }

  /**
   * Refuses five arguments that no copy takes, when the program is compiled.
   *
   * @hidden
   * @param <A> type of argument 0
   * @param <B> type of argument 1
   * @param <C> type of argument 2
   * @param <D> type of argument 3
   * @param <E> type of argument 4
   * @param a argument 0
   * @param b argument 1
   * @param c argument 2
   * @param d argument 3
   * @param e argument 4
   * @param refused cannot be given
   * @return never
   * @throws IllegalArgumentException always
   */
  @SafeVarargs
  @SuppressWarnings({"exports", "unused"})
  public final <A, B, C, D, E> R copy(
      A a, B b, C c, D d, E e, Refusals.For5.NoCopyTakes<A, B, C, D, E>... refused) {
    throw Refusals.noCopy();
  }

  /**
   * Refuses six arguments that no copy takes, when the program is compiled.
   *
   * @hidden
   * @param <A> type of argument 0
   * @param <B> type of argument 1
   * @param <C> type of argument 2
   * @param <D> type of argument 3
   * @param <E> type of argument 4
   * @param <F> type of argument 5
   * @param a argument 0
   * @param b argument 1
   * @param c argument 2
   * @param d argument 3
   * @param e argument 4
   * @param f argument 5
   * @param refused cannot be given
   * @return never
   * @throws IllegalArgumentException always
   */
  @SafeVarargs
  @SuppressWarnings({"exports", "unused"})
  public final <A, B, C, D, E, F> R copy(
      A a, B b, C c, D d, E e, F f, Refusals.For6.NoCopyTakes<A, B, C, D, E, F>... refused) {
    throw Refusals.noCopy();
  }
}
