package dev.stretto.route;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stretto.driver.DriverDevice;
import dev.stretto.driver.DriverException;
import dev.stretto.driver.LaunchShape;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * The kernels by which a device converts elements that host threads have moved as they are. They
 * are used only while no kernel of the program is known to run: behind one that occupies all
 * multiprocessors, a copy would wait which otherwise runs beside it. To load them then would even
 * make other calls of the driver wait. Otherwise host threads convert.
 */
final class Conversions {
  /** Where the parameters lie, and behind them their addresses. */
  private static final long[] OFFSETS = {0, 8, 16, 20, 24, 32};

  private static final long PARAMETER_BYTES = 36;

  private static final long ADDRESSES = 64;
  private static final long ADDRESS_BYTES = OFFSETS.length * ADDRESS.byteSize();

  private record Loaded(long one, long group) {}

  private static final long NEVER = -1;

  /** How long it takes at least from one look at the streams to the next. */
  private static final long LOOK_NANOS = 1_000_000;

  private final DeviceState device;
  private final Supplier<List<StreamQueue>> streams;
  private final ReentrantLock loading = new ReentrantLock();
  private final Map<String, Long> modules = new HashMap<>();

  /** By the name of the kernel of one element. Replaced as a whole. */
  private volatile Map<String, Loaded> functions = Map.of();

  /** How many launches there had been when no kernel ran. */
  private volatile long quietAfter = NEVER;

  private volatile long lookedNanos;
  private volatile boolean isRefused;

  Conversions(DeviceState device, Supplier<List<StreamQueue>> streams) {
    this.device = device;
    this.streams = streams;
  }

  /**
   * Looks whether kernels run, for a copy of which nothing was handed over yet. Called with the
   * driver's lock held.
   */
  void look() {
    lookedNanos = System.nanoTime();
    long launches = device.launches();
    quietAfter = areIdle() ? launches : NEVER;
  }

  private boolean isQuiet() {
    if (quietAfter != device.launches() && System.nanoTime() - lookedNanos > LOOK_NANOS) {
      synchronized (device.lock) {
        look();
      }
    }
    return quietAfter == device.launches();
  }

  private boolean areIdle() {
    try {
      for (StreamQueue stream : streams.get()) {
        if (mayRunKernel(stream)) {
          return false;
        }
      }
      return true;
    } catch (DriverException e) {
      return false; // the copy itself will tell
    }
  }

  /** Streams of other code are not asked: they may be captured. */
  private boolean mayRunKernel(StreamQueue stream) {
    long completed = stream.completion.completed();
    boolean isAnyLaunched =
        stream.launches.isMoreThanKept(completed) || !stream.launches.after(completed).isEmpty();
    return isAnyLaunched && !(stream.isDeferrable() && device.driver().isIdle(stream.handle));
  }

  private boolean isLoaded(DeviceForm form) {
    return functions.containsKey(form.entry(1));
  }

  /**
   * {@return whether the kernels of a form are there, and no other kernels run} If they are not
   * there, one caller loads them, and the others need not wait. Called without the driver's lock.
   */
  boolean isReady(DeviceForm form) {
    if (isRefused || !isQuiet()) {
      return false;
    }
    if (isLoaded(form)) {
      return true;
    }
    if (!loading.tryLock()) {
      return false;
    }
    try {
      return isLoaded(form) || load(form);
    } finally {
      loading.unlock();
    }
  }

  private boolean load(DeviceForm form) {
    DriverDevice driver = device.driver();
    try {
      Long module = modules.get(form.image());
      if (module == null) {
        module = driver.loadModule(form.image().getBytes(UTF_8));
        modules.put(form.image(), module);
      }
      Map<String, Loaded> all = new HashMap<>(functions);
      all.put(form.entry(1), new Loaded(function(module, form, 1), grouped(module, form)));
      functions = Map.copyOf(all);
      return true;
    } catch (DriverException e) {
      isRefused = true;
      device.report("the kernels that convert rows could not be loaded: host threads do it", e);
      return false;
    }
  }

  private long grouped(long module, DeviceForm form) {
    return function(module, form, DeviceForm.GROUP);
  }

  private long function(long module, DeviceForm form, int group) {
    return device.driver().function(module, form.entry(group), form.twin(group));
  }

  /**
   * Has the device convert a piece.
   *
   * @param address where the whole copy begins on the device
   * @param buffer the address of the piece's elements as they are on the host
   */
  void handOver(
      StreamQueue queue, Layout layout, long piece, long address, long buffer, DeviceForm form) {
    Loaded loaded = functions.get(form.entry(1));
    if (loaded == null) {
      throw new IllegalStateException(form.entry(1) + " was not loaded");
    }
    long dst = address + layout.deviceOffset(piece, 0);
    long pitch = layout.rowsOf(piece) == 1 ? 0 : layout.device().row();
    long width = layout.widthOf(piece) / form.deviceBytes();
    boolean isGrouped =
        width % DeviceForm.GROUP == 0
            && (dst | pitch) % ((long) DeviceForm.GROUP * form.deviceBytes()) == 0;
    long groups = isGrouped ? width / DeviceForm.GROUP : width;
    long all = groups * layout.rowsOf(piece);
    int blocks = Math.toIntExact((all + DeviceForm.THREADS - 1) / DeviceForm.THREADS);
    MemorySegment memory = ParameterMemory.take(ADDRESSES + ADDRESS_BYTES);
    memory.set(JAVA_LONG, OFFSETS[0], dst);
    memory.set(JAVA_LONG, OFFSETS[1], buffer);
    memory.set(JAVA_INT, OFFSETS[2], Math.toIntExact(groups));
    memory.set(JAVA_INT, OFFSETS[3], Math.toIntExact(all));
    memory.set(JAVA_LONG, OFFSETS[4], pitch);
    memory.set(JAVA_FLOAT, OFFSETS[5], form.scale());
    MemorySegment addresses = memory.asSlice(ADDRESSES, ADDRESS_BYTES);
    for (int i = 0; i < OFFSETS.length; i++) {
      addresses.setAtIndex(JAVA_LONG, i, memory.address() + OFFSETS[i]);
    }
    try {
      queue.driver.launch(
          isGrouped ? loaded.group : loaded.one,
          LaunchShape.of(blocks, 1, 1, DeviceForm.THREADS, 1, 1, 0),
          queue.handle,
          memory.asSlice(0, PARAMETER_BYTES),
          addresses);
    } finally {
      ParameterMemory.giveBack(memory);
    }
  }

  /** Unloads the kernels when the device is closed and nothing is staged any more. */
  void release() {
    loading.lock();
    try {
      for (long module : modules.values()) {
        device.driver().unloadModule(module);
      }
    } catch (DriverException e) {
      device.report("the kernels that convert rows could not be unloaded", e);
    } finally {
      modules.clear();
      functions = Map.of();
      isRefused = true;
      loading.unlock();
    }
  }
}
