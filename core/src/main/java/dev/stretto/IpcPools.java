package dev.stretto;

import dev.stretto.process.Descriptors;
import dev.stretto.process.Endpoint;
import dev.stretto.process.Peer;
import dev.stretto.process.ShareHandle;
import dev.stretto.route.DeviceBlock;
import dev.stretto.route.DeviceRuntime;
import dev.stretto.route.OwnPool;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The pools of an arena: those whose arrays others open, and those of others as long as an array of
 * theirs is open here. What goes over the connection for an array names its pool, so that nobody
 * has to hand over pools.
 */
final class IpcPools {
  private final DeviceRuntime engine;

  /** The pools of this process; guarded by the map itself. */
  private final Map<OwnPool, ShareHandle> own = new HashMap<>();

  /** Those of others by their places and numbers; guarded by {@link #opening}. */
  private final Map<String, Opened> opened = new HashMap<>();

  private final ReentrantLock opening = new ReentrantLock();

  /** A pool of another process. */
  private static final class Opened {
    final OwnPool pool;

    /** How many arrays of it are open here. */
    int arrays;

    Opened(OwnPool pool) {
      this.pool = pool;
    }
  }

  IpcPools(DeviceRuntime engine) {
    this.engine = engine;
  }

  /** {@return a new pool whose arrays other processes can open} */
  OwnPool create(long maxBytes, String device) {
    Endpoint endpoint = Endpoint.ofProcess();
    OwnPool pool = OwnPool.createShared(engine, maxBytes);
    IpcUses uses = IpcUses.of(engine, pool);
    ShareHandle handle = endpoint.share(uses, ShareHandle.Kind.POOL, maxBytes, device);
    synchronized (own) {
      own.put(pool, handle);
    }
    pool.afterRelease(
        () -> {
          endpoint.end(handle);
          synchronized (own) {
            own.remove(pool);
          }
        });
    return pool;
  }

  /**
   * {@return the handle of memory that comes out of a pool of this arena, or null if it does not}
   */
  @Nullable ShareHandle share(DeviceBlock block, String device) {
    OwnPool pool = block.pool();
    ShareHandle known;
    synchronized (own) {
      known = pool == null ? null : own.get(pool);
    }
    if (known == null || !block.hold()) {
      return null;
    }
    try {
      byte[] opens =
          engine.call(
              () -> OwnPool.shared(engine, () -> engine.driver().exportPooled(block.address())));
      byte[] all =
          ByteBuffer.allocate(2 * Long.BYTES + Long.BYTES + opens.length)
              .putLong(known.number())
              .putLong(known.secret())
              .putLong(known.bytes())
              .put(opens)
              .array();
      Endpoint endpoint = Endpoint.ofProcess();
      ShareHandle handle =
          endpoint.share(
              new IpcUses(engine, block, all), ShareHandle.Kind.POOLED, block.byteSize(), device);
      block.afterRelease(() -> endpoint.end(handle));
      return handle;
    } finally {
      block.letGo();
    }
  }

  /**
   * {@return memory of another process's pool, whose use ends with it}
   *
   * @param memory what opening its handle has brought
   */
  DeviceBlock open(Peer.Opened memory, ShareHandle known) {
    ByteBuffer in = ByteBuffer.wrap(memory.opens());
    long number = in.getLong();
    long secret = in.getLong();
    long maxBytes = in.getLong();
    byte[] opens = new byte[in.remaining()];
    in.get(opens);
    ShareHandle handle =
        new ShareHandle(
            ShareHandle.Kind.POOL,
            known.process(),
            number,
            secret,
            maxBytes,
            known.device(),
            known.socket());
    String name = known.socket() + " " + number;
    opening.lock();
    try {
      Opened pool = opened.get(name);
      if (pool == null || !pool.pool.isOpen()) {
        pool = new Opened(open(handle));
        opened.put(name, pool);
      }
      Opened from = pool;
      from.arrays++;
      boolean complete = false;
      try {
        DeviceBlock block =
            DeviceBlock.openPooled(
                from.pool,
                opens,
                known.bytes(),
                () -> {
                  memory.peer().close(known);
                  leave(name, from);
                });
        complete = true;
        return block;
      } finally {
        if (!complete) {
          leave(name, from);
        }
      }
    } finally {
      opening.unlock();
    }
  }

  private OwnPool open(ShareHandle handle) {
    Peer.Opened over = Peer.open(handle);
    int descriptor = Descriptors.NONE;
    OwnPool pool;
    try {
      descriptor = over.peer().descriptor(handle);
      pool = OwnPool.open(engine, descriptor, handle.bytes());
    } catch (RuntimeException e) {
      over.peer().close(handle);
      throw e;
    } finally {
      Descriptors.close(descriptor);
    }
    pool.afterRelease(() -> over.peer().close(handle));
    return pool;
  }

  /** Ends the use of a pool with its last array. */
  private void leave(String name, Opened from) {
    opening.lock();
    try {
      from.arrays--;
      if (from.arrays == 0) {
        opened.remove(name, from);
        boolean _ = from.pool.closeAfterLastUse();
      }
    } finally {
      opening.unlock();
    }
    engine.finishIfClosed();
  }
}
