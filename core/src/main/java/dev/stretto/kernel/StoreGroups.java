package dev.stretto.kernel;

import dev.stretto.compiler.Instruction;
import dev.stretto.kernel.machine.DeviceThread;
import dev.stretto.memory.GlobalArray;

/**
 * The groups of {@code memcpyAsync} copies to global memory. Each such copy is a group, like each
 * copy to shared memory, and each copy is one in both queues, so that {@code waitPrior} counts them
 * together. The compiler removes what a kernel does not need: from a kernel without bulk stores
 * everything here, and from one without {@code cp.async} its groups. At the end of a kernel with
 * bulk stores, it makes threads wait until those have read their shared memory.
 */
final class StoreGroups {
  private StoreGroups() {}

  /** Begins the bulk copy of a {@code memcpyAsync} to global memory. Places are in bytes. */
  @Instruction(value = "cp.async.bulk.global.shared::cta.bulk_group [$0[1]], [$2[3]], $4;", sm = 90)
  static void store(GlobalArray to, long toByte, SharedArray from, int fromByte, int bytes) {
    DeviceThread.current("memcpyAsync")
        .bulkStores()
        .beginBulk(to, toByte, from.span(), fromByte, bytes);
  }

  /** Ends the group of a copy in either direction. */
  static void commit(int capability) {
    if (capability >= 90) {
      commitStores();
    } else {
      CopyNotes.commitsStores();
    }
  }

  /** Ends the group of a copy to global memory among the groups of {@code cp.async}. */
  @Instruction(value = "cp.async.commit_group;", sm = 80, on75 = "")
  static void commitLoads() {
    PtxCopies.cpAsyncCommitGroup();
  }

  /** Waits for all groups but the newest ones. */
  static void await(int capability, @Const int pending) {
    if (capability >= 90) {
      awaitStores(pending);
    } else {
      CopyNotes.awaitsStores(pending);
    }
  }

  /** Waits for all groups but the newest ones, of which it may wait for some. */
  static void awaitAllBut(int capability, int pending) {
    switch (pending) {
      case 0 -> await(capability, 0);
      case 1 -> await(capability, 1);
      case 2 -> await(capability, 2);
      case 3 -> await(capability, 3);
      default -> await(capability, 4);
    }
  }

  @Instruction(value = "cp.async.bulk.commit_group;", sm = 90)
  static void commitStores() {
    DeviceThread.current("memcpyAsync").bulkStores().commitMemcpy();
  }

  @Instruction(value = "cp.async.bulk.wait_group $0;", sm = 90)
  static void awaitStores(@Const @InRange int pending) {
    DeviceThread.current("waitPrior").bulkStores().awaitMemcpy(pending);
  }
}
