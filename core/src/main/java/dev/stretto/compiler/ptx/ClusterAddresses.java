package dev.stretto.compiler.ptx;

import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.Function;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.Target;
import dev.stretto.compiler.ir.Type;
import dev.stretto.compiler.ir.Value;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * Which addresses of shared memory may lie in another block of the cluster. PTX has other
 * instructions for those: an address of the block's own memory is right for them as well, but not
 * the other way round. PTX ISA, "State Spaces: Shared State Space".
 */
public final class ClusterAddresses {
  private final Set<Value> addresses = Collections.newSetFromMap(new IdentityHashMap<>());

  /** Finds them. */
  public ClusterAddresses(Function function) {
    boolean grows = true;
    while (grows) {
      grows = false;
      for (Block block : function.blocks()) {
        for (Op op : block.ops()) {
          grows |= isOne(op) && addresses.add(op);
        }
        for (Target target : block.targets()) {
          grows |= arrives(target);
        }
      }
    }
  }

  private boolean isOne(Op op) {
    return switch (op.code()) {
      case CLUSTER_ADDRESS -> true;
      case ELEMENT, OFFSET -> addresses.contains(op.operand(0));
      case SELECT -> op.type() == Type.SHARED && areAny(op.operands());
      default -> false;
    };
  }

  private boolean areAny(List<Value> values) {
    return values.stream().anyMatch(addresses::contains);
  }

  private boolean arrives(Target target) {
    boolean grows = false;
    List<Value> arguments = target.arguments();
    for (int i = 0; i < arguments.size(); i++) {
      if (addresses.contains(arguments.get(i))) {
        grows |= addresses.add(target.block().params().get(i));
      }
    }
    return grows;
  }

  /** {@return whether an address may lie in another block} */
  public boolean isOne(Value address) {
    return addresses.contains(address);
  }

  /** The state space of loads and stores. */
  String space(Value address) {
    return isOne(address) ? "shared::cluster" : "shared";
  }

  /**
   * The scope and the space of atomic operations. Where threads of other blocks reach a kernel's
   * shared memory, those of the block are atomic among them all.
   */
  String scopeAndSpace(Value address) {
    return (addresses.isEmpty() ? "cta." : "cluster.") + space(address);
  }
}
