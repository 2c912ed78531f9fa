package dev.stretto.driver.virtual;

import dev.stretto.driver.DriverDevice;
import dev.stretto.driver.PoolAttribute;
import dev.stretto.process.Descriptors;
import dev.stretto.process.SharedFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The calls that allocate and free in stream order, and those about the pool. */
final class PoolCalls {
  private final PrimaryContext context;
  private final Platform platform;
  private final Submission submission;

  /** The pools of this opening by their handles; guarded by the platform's lock. */
  private final Map<Long, Pool> pools = new HashMap<>();

  private long lastPool = DriverDevice.DEFAULT_POOL;

  PoolCalls(PrimaryContext context, Submission submission, Pool pool) {
    this.context = context;
    this.platform = context.platform();
    this.submission = submission;
    this.pools.put(DriverDevice.DEFAULT_POOL, pool);
  }

  long create(long maxBytes) {
    String call = "cuMemPoolCreate";
    if (maxBytes < 1) {
      throw CudaResult.INVALID_VALUE.of(
          call, "a pool of at most %d bytes; at least 1 is needed".formatted(maxBytes));
    }
    return put(call, new Pool(maxBytes));
  }

  private long put(String call, Pool pool) {
    platform.lock().lock();
    try {
      context.checkAlive(call);
      pools.put(++lastPool, pool);
      context.countPool(1);
      return lastPool;
    } finally {
      platform.lock().unlock();
    }
  }

  /** Creates a pool whose memory other processes can map. */
  long createShared(long maxBytes) {
    String call = "cuMemPoolCreate";
    if (maxBytes < 1) {
      throw CudaResult.INVALID_VALUE.of(
          call, "a pool of at most %d bytes; at least 1 is needed".formatted(maxBytes));
    }
    SharedFile names;
    try {
      names = SharedFile.create(1);
    } catch (IOException e) {
      throw CudaResult.NOT_SUPPORTED.of(call, "no file can name the pool: " + e);
    }
    boolean complete = false;
    try {
      long pool = put(call, Pool.shared(maxBytes, names));
      complete = true;
      return pool;
    } finally {
      if (!complete) {
        names.close();
      }
    }
  }

  /** {@return a descriptor of the file that names a pool; none where none can be passed on} */
  int export(long handle) {
    String call = "cuMemPoolExportToShareableHandle";
    SharedFile names = get(call, handle).shared();
    if (names == null) {
      throw CudaResult.INVALID_VALUE.of(call, "other processes cannot open this pool");
    }
    if (!Descriptors.canPass()) {
      return DriverDevice.NO_DESCRIPTOR;
    }
    try {
      return Descriptors.ofFile(names.path());
    } catch (IOException e) {
      throw CudaResult.NOT_SUPPORTED.of(call, e.toString());
    }
  }

  /** Opens a pool of another process. */
  long open(int descriptor) {
    String call = "cuMemPoolImportFromShareableHandle";
    if (descriptor != DriverDevice.NO_DESCRIPTOR) {
      Path names;
      try {
        names = Descriptors.fileOf(descriptor);
      } catch (IOException e) {
        throw CudaResult.INVALID_VALUE.of(call, "no file descriptor: " + descriptor);
      }
      if (!SharedFile.isOne(names)) {
        throw CudaResult.INVALID_VALUE.of(call, names + " is no pool of a virtual device");
      }
    }
    return put(call, Pool.ofOtherProcess());
  }

  /** Maps memory of another process's pool. */
  long openPooled(long handle, byte[] opens) {
    String call = "cuMemPoolImportPointer";
    Pool pool = get(call, handle);
    if (!pool.isOfOtherProcess()) {
      throw CudaResult.INVALID_VALUE.of(call, "this process has made the pool");
    }
    return context.memory().openPooled(opens, pool);
  }

  void destroy(long handle) {
    platform.lock().lock();
    try {
      Pool pool = get("cuMemPoolDestroy", handle);
      if (handle == DriverDevice.DEFAULT_POOL || pool.get(PoolAttribute.USED) != 0) {
        throw CudaResult.INVALID_VALUE.of(
            "cuMemPoolDestroy",
            "%d bytes of the pool are still allocated".formatted(pool.get(PoolAttribute.USED)));
      }
      pools.remove(handle);
      pool.close();
      context.countPool(-1);
    } finally {
      platform.lock().unlock();
    }
  }

  Pool get(String call, long handle) {
    platform.lock().lock();
    try {
      Pool pool = pools.get(handle);
      if (pool == null) {
        throw CudaResult.INVALID_VALUE.of(call, handle + " is not a pool of this device");
      }
      return pool;
    } finally {
      platform.lock().unlock();
    }
  }

  long allocate(long bytes, long from) {
    Pool pool = get("cuMemAllocFromPoolAsync", from);
    pool.requireOwn("cuMemAllocFromPoolAsync");
    return context.memory().allocateFrom(pool, bytes);
  }

  long allocate(long bytes, long from, long handle) {
    String call = "cuMemAllocFromPoolAsync";
    platform.lock().lock();
    try {
      context.checkAlive(call);
      Pool pool = get(call, from);
      pool.requireOwn(call);
      OpQueue stream = context.streams().get(call, handle);
      Map<FreeOp, Long> claims = claims(stream, context.memory().shortage(bytes, pool), pool);
      long covered = claims.values().stream().mapToLong(Long::longValue).sum();
      long address = context.memory().allocateInOrder(call, bytes, pool, stream.name(), covered);
      claims.forEach(FreeOp::claim); // not earlier: an allocation that fails claims nothing
      AllocateOp _ =
          submission.submit(
              call,
              handle,
              queue -> {
                AllocateOp op = new AllocateOp(queue, address, bytes);
                if (pool.get(PoolAttribute.INTERNAL_DEPENDENCIES) != 0) {
                  claims.keySet().stream().filter(free -> !free.done).forEach(op.after()::add);
                }
                return op;
              });
      return address;
    } finally {
      platform.lock().unlock();
    }
  }

  void free(long address, long handle) {
    String call = "cuMemFreeAsync";
    platform.lock().lock();
    try {
      context.checkAlive(call);
      OpQueue stream = context.streams().get(call, handle);
      Allocation freed = context.memory().beginFree(call, address, stream.name());
      FreeOp _ = submission.submit(call, handle, queue -> new FreeOp(queue, freed));
    } finally {
      platform.lock().unlock();
    }
  }

  /**
   * {@return how many bytes an allocation claims from each free of its pool that comes before the
   * next operation of a stream} Together they cover the shortage; the map is empty if they cannot.
   */
  private Map<FreeOp, Long> claims(OpQueue stream, long shortage, Pool pool) {
    if (shortage <= 0) {
      return Map.of();
    }
    List<FreeOp> usable = new ArrayList<>();
    if (pool.get(PoolAttribute.INTERNAL_DEPENDENCIES) != 0) {
      context.busy().forEach(any -> collect(any, Long.MAX_VALUE, pool, usable, new HashMap<>()));
    } else {
      collect(stream, Long.MAX_VALUE, pool, usable, new HashMap<>());
    }
    Map<FreeOp, Long> claims = new LinkedHashMap<>();
    long missing = shortage;
    for (FreeOp free : usable) {
      long part = Math.min(missing, free.unclaimed());
      if (part > 0) {
        claims.put(free, part);
        missing -= part;
      }
    }
    return missing == 0 ? claims : Map.of();
  }

  /** Finds the frees that come before a place of a stream, including those on awaited streams. */
  private void collect(
      OpQueue stream, long before, Pool pool, List<FreeOp> found, Map<OpQueue, Long> seen) {
    long last = seen.merge(stream, before, Math::max) == before ? before : 0;
    for (StreamOp op : stream.pending()) {
      if (op.sequence >= last) {
        return;
      }
      if (op instanceof FreeOp free && free.pool().equals(pool) && !found.contains(free)) {
        found.add(free);
      }
      if (pool.get(PoolAttribute.FOLLOW_EVENTS) != 0) {
        for (StreamOp earlier : op.after()) {
          if (!earlier.done && seen.getOrDefault(earlier.stream(), 0L) <= earlier.sequence) {
            collect(earlier.stream(), earlier.sequence + 1, pool, found, seen);
          }
        }
      }
    }
  }
}
