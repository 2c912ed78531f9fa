package dev.stretto.compiler.reach;

import dev.stretto.compiler.ir.Cond;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What a kernel does with the arrays that it is given.
 *
 * @param nodes the formulas
 * @param touches the places that access global memory
 */
public record Reach(List<Node> nodes, List<Touch> touches) {
  /** The most parts of one array; more of them become one. */
  private static final int MOST_PARTS = 8;

  /** {@return whether a kernel ever does something with an argument} */
  public boolean does(int argument, AccessKind kind) {
    return touches.stream().anyMatch(it -> it.argument() == argument && it.kind() == kind);
  }

  /**
   * {@return the bytes that a launch may access} Every byte that it does access is one of them.
   * Further ones are among them where indices depend on what is in memory.
   */
  public List<Reached> at(Numbers numbers) {
    List<Reached> all = new ArrayList<>();
    for (Touch touch : touches) {
      Reached reached = Spread.of(touch, nodes, numbers);
      if (reached != null && !all.contains(reached)) {
        all.add(reached);
      }
    }
    return fewer(all);
  }

  /** {@return how threads next to each other access memory, place by place} */
  public List<Neighbours> neighbours(Numbers numbers) {
    Set<Neighbours> all = new LinkedHashSet<>();
    for (Touch touch : touches) {
      Neighbours neighbours = Neighbours.of(touch, nodes, numbers);
      if (neighbours != null) {
        all.add(neighbours);
      }
    }
    return List.copyOf(all);
  }

  /**
   * {@return how many bytes a kernel accesses of an argument at a time, ascending; without places
   * where that is not known before it runs}
   */
  public SortedSet<Long> bytesPerAccess(int argument, AccessKind kind) {
    SortedSet<Long> all = new TreeSet<>();
    for (Touch touch : touches) {
      if (touch.argument() == argument && touch.kind() == kind && touch.bytes() >= 0) {
        Node bytes = nodes.get(touch.bytes());
        if (bytes.code() == Node.Code.CONSTANT) {
          all.add(bytes.number());
        }
      }
    }
    return all;
  }

  private static List<Reached> fewer(List<Reached> all) {
    List<Reached> sorted = new ArrayList<>(all);
    sorted.sort(
        Comparator.comparingInt(Reached::argument)
            .thenComparing(Reached::kind)
            .thenComparingLong(Reached::offset)
            .thenComparing(Comparator.comparingLong(Reached::end).reversed()));
    List<Reached> joined = new ArrayList<>();
    for (Reached one : sorted) {
      if (!joinsOne(joined, one)) {
        joined.add(one);
      }
    }
    return few(joined);
  }

  private static boolean joinsOne(List<Reached> joined, Reached one) {
    for (int i = joined.size() - 1; i >= 0; i--) {
      Reached both = joined.get(i).with(one);
      if (both != null) {
        joined.set(i, both);
        return true;
      }
    }
    return false;
  }

  /** Where there are too many parts of an array, all that is between them counts as well. */
  private static List<Reached> few(List<Reached> all) {
    List<Reached> result = new ArrayList<>();
    int from = 0;
    while (from < all.size()) {
      int to = from;
      while (to < all.size() && isOfSame(all.get(from), all.get(to))) {
        to++;
      }
      List<Reached> parts = all.subList(from, to);
      if (parts.size() > MOST_PARTS) {
        result.add(parts.stream().reduce(Reached::hull).orElseThrow());
      } else {
        result.addAll(parts);
      }
      from = to;
    }
    return List.copyOf(result);
  }

  private static boolean isOfSame(Reached one, Reached other) {
    return one.argument() == other.argument() && one.kind() == other.kind();
  }

  /** Writes it. */
  public void write(DataOutput out) throws IOException {
    out.writeInt(nodes.size());
    for (Node node : nodes) {
      out.writeByte(node.code().ordinal());
      out.writeInt(node.a());
      out.writeInt(node.b());
      out.writeLong(node.number());
    }
    out.writeInt(touches.size());
    for (Touch touch : touches) {
      out.writeInt(touch.argument());
      out.writeByte(touch.kind().ordinal());
      out.writeInt(touch.offset());
      out.writeInt(touch.bytes());
      out.writeInt(touch.guards().size());
      for (Guard guard : touch.guards()) {
        out.writeByte(guard.cond().ordinal());
        out.writeInt(guard.left());
        out.writeInt(guard.right());
      }
    }
  }

  /**
   * {@return what was written}
   *
   * @throws IllegalArgumentException if it was something else
   */
  public static Reach read(DataInput in) throws IOException {
    List<Node> nodes = new ArrayList<>();
    for (int count = count(in); count > 0; count--) {
      Node.Code code = one(Node.Code.values(), in.readByte());
      int a = node(in, nodes.size()); // of earlier ones only
      nodes.add(new Node(code, a, node(in, nodes.size()), in.readLong()));
    }
    List<Touch> touches = new ArrayList<>();
    for (int count = count(in); count > 0; count--) {
      int argument = in.readInt();
      AccessKind kind = one(AccessKind.values(), in.readByte());
      int offset = node(in, nodes.size());
      int bytes = node(in, nodes.size());
      List<Guard> guards = new ArrayList<>();
      for (int more = count(in); more > 0; more--) {
        Cond cond = one(Cond.values(), in.readByte());
        int left = node(in, nodes.size());
        guards.add(new Guard(cond, left, node(in, nodes.size())));
      }
      touches.add(new Touch(argument, kind, offset, bytes, List.copyOf(guards)));
    }
    return new Reach(List.copyOf(nodes), List.copyOf(touches));
  }

  private static int count(DataInput in) throws IOException {
    int count = in.readInt();
    if (count < 0) {
      throw new IllegalArgumentException("a count of " + count);
    }
    return count; // if it is too large, the input ends before
  }

  private static int node(DataInput in, int known) throws IOException {
    int node = in.readInt();
    if (node < -1 || node >= known) {
      throw new IllegalArgumentException("node " + node + " of " + known);
    }
    return node;
  }

  private static <E> E one(E[] all, int number) {
    if (number < 0 || number >= all.length) {
      throw new IllegalArgumentException("number " + number + " of " + all.length);
    }
    return all[number];
  }
}
