package dev.stretto.compiler.lint;

import dev.stretto.compiler.ir.SharedVariable;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;

/**
 * The bytes that an operation may touch, over all threads that perform it.
 *
 * @param base the array, or the base of the address
 * @param terms unknown terms of the address that are the same for all threads
 * @param least the first byte, without those terms
 * @param end the byte after the last one
 */
record Region(Object base, Map<Integer, Term> terms, long least, long end) {
  private static final int OLD = -1;

  /**
   * A term of a sum.
   *
   * @param factor its factor
   * @param within the interval in which its number lies
   */
  record Term(long factor, Interval within) {}

  static Region of(Object base, Map<Integer, Term> terms, Interval rest, long bytes) {
    long end = rest.most() > Long.MAX_VALUE - bytes ? Long.MAX_VALUE : rest.most() + bytes;
    return new Region(base, terms, rest.least(), end).inside();
  }

  /** All memory that a base may lead to. */
  static Region anywhere(Object base) {
    return new Region(base, Map.of(), Long.MIN_VALUE, Long.MAX_VALUE).inside();
  }

  /** The part within the array: nothing outside it is accessed. */
  private Region inside() {
    return terms.isEmpty() && base instanceof SharedVariable array
        ? new Region(base, terms, Math.max(0, least), Math.min(array.bytes(), end))
        : this;
  }

  /** The same region after some of its terms are computed again and may have changed. */
  Region renewed(IntPredicate isOther) {
    if (terms.keySet().stream().noneMatch(term -> term >= 0 && isOther.test(term))) {
      return this;
    }
    Map<Integer, Term> kept = new HashMap<>();
    terms.forEach(
        (expression, term) ->
            kept.put(
                expression >= 0 && isOther.test(expression) ? OLD - expression : expression, term));
    return new Region(base, kept, least, end);
  }

  /** Whether the whole region lies in the other one, whatever the numbers are. */
  boolean isSurelyIn(Region other) {
    if (!base.equals(other.base) || !common(other).containsAll(other.terms.keySet())) {
      return false;
    }
    Region rest = without(other.terms.keySet());
    return rest.least >= other.least && rest.end <= other.end;
  }

  /** Whether the region's first byte, which some thread touches, lies in the other one. */
  boolean surelyMeets(Region other) {
    if (isSurelyIn(other)) {
      return true;
    }
    return base.equals(other.base)
        && terms.size() == other.terms.size()
        && common(other).size() == terms.size()
        && least >= other.least
        && least < other.end;
  }

  /** Whether the regions have no byte in common, whatever the numbers are. */
  boolean isSurelyApartFrom(Region other) {
    if (!base.equals(other.base)) {
      return true;
    }
    Set<Integer> common = common(other);
    Region mine = without(common);
    Region others = other.without(common);
    return mine.end <= others.least || others.end <= mine.least;
  }

  /** The terms that both regions have with the same value. */
  private Set<Integer> common(Region other) {
    Set<Integer> common = new HashSet<>();
    terms.forEach(
        (expression, term) -> {
          Term theirs = other.terms.get(expression);
          if (expression >= 0 && theirs != null && theirs.factor == term.factor) {
            common.add(expression);
          }
        });
    return common;
  }

  /** The bytes relative to some terms, with the other terms folded in. */
  private Region without(Set<Integer> common) {
    Interval rest = new Interval(least, end);
    for (Map.Entry<Integer, Term> entry : terms.entrySet()) {
      if (!common.contains(entry.getKey())) {
        rest = rest.plus(entry.getValue().within.times(entry.getValue().factor));
      }
    }
    return new Region(base, Map.of(), rest.least(), rest.most()).inside();
  }
}
