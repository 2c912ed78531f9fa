package dev.stretto.compiler.ir;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/** A kernel. The first block's parameters are the kernel's parameters. */
public final class Function {
  private final String name;
  private final Block entry;
  private final List<LoweredCopy> copies = new ArrayList<>();
  private final List<ConstantArray> constants = new ArrayList<>();
  private int marks;
  private int walks;

  /** Creates a kernel that begins with a block. */
  public Function(String name, Block entry) {
    this.name = name;
    this.entry = entry;
  }

  /** {@return its name} */
  public String name() {
    return name;
  }

  /** {@return the first block; nothing jumps to it} */
  public Block entry() {
    return entry;
  }

  /**
   * {@return the instructions that its copies became, once they are known; the list may be added
   * to}
   */
  public List<LoweredCopy> copies() {
    return copies;
  }

  /** {@return the arrays whose content is compiled in; the list may be added to} */
  public List<ConstantArray> constants() {
    return constants;
  }

  /** {@return the reachable blocks, each before those that it leads to, except for loops} */
  public List<Block> blocks() {
    List<Block> postorder = new ArrayList<>();
    walks++;
    ArrayDeque<Map.Entry<Block, Iterator<Target>>> path = new ArrayDeque<>();
    entry.walk = walks;
    path.push(Map.entry(entry, entry.targets().iterator()));
    while (!path.isEmpty()) {
      Map.Entry<Block, Iterator<Target>> top = path.peek();
      if (!top.getValue().hasNext()) {
        postorder.add(top.getKey());
        path.pop();
        continue;
      }
      Block next = top.getValue().next().block();
      if (next.walk != walks) {
        next.walk = walks;
        // The last target first, so that the first one directly follows in the reversed order.
        path.push(Map.entry(next, next.targets().reversed().iterator()));
      }
    }
    Collections.reverse(postorder);
    return postorder;
  }

  int nextMark() {
    return ++marks;
  }

  boolean isNewestMark(int mark) {
    return mark == marks;
  }

  /** {@return the jumps to each reachable block} */
  public Table<Block, List<Edge>> predecessors() {
    return predecessors(blocks());
  }

  /**
   * {@return the jumps to each reachable block, if those blocks are already known}
   *
   * @param blocks the result of {@link #blocks()}
   */
  public static Table<Block, List<Edge>> predecessors(List<Block> blocks) {
    Table<Block, List<Edge>> result = new Table<>(blocks.size());
    for (Block block : blocks) {
      result.put(block, new ArrayList<>());
    }
    for (Block block : blocks) {
      for (Target target : block.targets()) {
        result.get(target.block()).add(new Edge(block, target));
      }
    }
    return result;
  }

  /**
   * A jump from one block to another.
   *
   * @param from the block that it ends
   * @param target its target
   */
  public record Edge(Block from, Target target) {}
}
