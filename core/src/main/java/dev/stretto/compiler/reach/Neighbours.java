package dev.stretto.compiler.reach;

import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * How far apart threads that follow each other in x access memory at a place.
 *
 * @param argument the number of the array or tensor map among the arguments
 * @param kind what they do
 * @param bytes how many bytes one accesses at a time; empty if unknown
 * @param distance from the first byte of one to that of the next; empty if unknown
 */
public record Neighbours(int argument, AccessKind kind, OptionalLong bytes, OptionalLong distance) {
  /** {@return those of a place; null if no thread comes there} */
  static @Nullable Neighbours of(Touch touch, List<Node> nodes, Numbers numbers) {
    if (touch.offset() < 0) {
      return unknown(touch);
    }
    Circumstances known = new Circumstances(nodes, numbers);
    try {
      for (Guard guard : touch.guards()) {
        known.add(guard);
        if (known.mayWrap()) {
          return unknown(touch);
        }
        if (known.isImpossible()) {
          return null;
        }
      }
      Form bytes = known.of(touch.bytes());
      Form at = known.of(touch.offset());
      return new Neighbours(
          touch.argument(),
          touch.kind(),
          bytes.isConstant() ? OptionalLong.of(bytes.constant()) : OptionalLong.empty(),
          known.mayWrap() || numbers.blockSize(0) == 1
              ? OptionalLong.empty()
              : distance(at, nodes));
    } catch (ArithmeticException _) {
      return unknown(touch);
    }
  }

  private static Neighbours unknown(Touch touch) {
    return new Neighbours(
        touch.argument(), touch.kind(), OptionalLong.empty(), OptionalLong.empty());
  }

  /** In the same round of all loops, threads of a row differ in nothing but their index in x. */
  private static OptionalLong distance(Form at, List<Node> nodes) {
    long distance = 0;
    for (int i = 0; i < at.size(); i++) {
      int variable = at.variables()[i];
      if (variable >= nodes.size()) {
        continue; // the round of a loop
      }
      Node node = nodes.get(variable);
      switch (node.code()) {
        case THREAD_INDEX -> {
          if (node.number() == 0) {
            distance = Math.addExact(distance, at.factors()[i]);
          }
        }
        case BLOCK_INDEX -> {}
        default -> {
          return OptionalLong.empty();
        }
      }
    }
    return OptionalLong.of(distance);
  }
}
