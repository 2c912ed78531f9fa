package dev.stretto.compiler.ir;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Computes dominators, the blocks that every path to another block passes: Cooper, Harvey and
 * Kennedy's simple iteration over the reverse postorder.
 */
public final class Dominators {
  private final List<Block> order;
  private final Table<Block, Integer> number = new Table<>();
  private final int[] immediate;
  private final int[] enter;
  private final int[] leave;
  private final List<List<Block>> children = new ArrayList<>();

  /** Computes the dominators of the reachable blocks. */
  public Dominators(Function function) {
    order = function.blocks();
    for (Block block : order) {
      number.put(block, number.size());
      children.add(new ArrayList<>());
    }
    immediate = new int[order.size()];
    Arrays.fill(immediate, -1);
    immediate[0] = 0;
    iterate(predecessors());
    for (int i = 1; i < immediate.length; i++) {
      children.get(immediate[i]).add(order.get(i));
    }
    enter = new int[order.size()];
    leave = new int[order.size()];
    walk();
  }

  private List<List<Integer>> predecessors() {
    List<List<Integer>> result = new ArrayList<>();
    order.forEach(block -> result.add(new ArrayList<>()));
    for (int i = 0; i < order.size(); i++) {
      for (Target target : order.get(i).targets()) {
        result.get(number.get(target.block())).add(i);
      }
    }
    return result;
  }

  private void iterate(List<List<Integer>> predecessors) {
    boolean changed = true;
    while (changed) {
      changed = false;
      for (int i = 1; i < immediate.length; i++) {
        int best = -1;
        for (int from : predecessors.get(i)) {
          if (immediate[from] >= 0) {
            best = best < 0 ? from : common(best, from);
          }
        }
        changed |= immediate[i] != best;
        immediate[i] = best;
      }
    }
  }

  private int common(int first, int second) {
    int a = first;
    int b = second;
    while (a != b) {
      if (a > b) {
        a = immediate[a];
      } else {
        b = immediate[b];
      }
    }
    return a;
  }

  /** Numbers the tree, without recursion: unrolled kernels make it deep. */
  private void walk() {
    int[] next = new int[order.size()];
    int[] path = new int[order.size()];
    int depth = 0;
    int clock = 0;
    path[0] = 0;
    enter[0] = clock++;
    while (depth >= 0) {
      int at = path[depth];
      if (next[at] < children.get(at).size()) {
        int child = number.get(children.get(at).get(next[at]++));
        enter[child] = clock++;
        path[++depth] = child;
      } else {
        leave[at] = clock++;
        depth--;
      }
    }
  }

  /** {@return whether every path to {@code inner} passes {@code outer}} */
  public boolean dominates(Block outer, Block inner) {
    Integer out = number.find(outer);
    Integer in = number.find(inner);
    return out != null && in != null && enter[out] <= enter[in] && leave[in] <= leave[out];
  }

  /** {@return the last block that every path to either of two blocks passes} */
  public Block common(Block a, Block b) {
    return order.get(common(number.get(a), number.get(b)));
  }

  /** {@return the last block that every path to a block passes before it; of the first, itself} */
  public Block immediate(Block block) {
    return order.get(immediate[number.get(block)]);
  }

  /** {@return the blocks in reverse postorder} */
  public List<Block> order() {
    return order;
  }

  /** {@return the blocks that this one dominates immediately} */
  public List<Block> children(Block block) {
    return children.get(number.get(block));
  }

  /** {@return the position of a block in the order} */
  public int number(Block block) {
    return number.get(block);
  }
}
