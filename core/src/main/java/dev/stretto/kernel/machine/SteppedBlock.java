package dev.stretto.kernel.machine;

import dev.stretto.memory.GlobalArray;
import dev.stretto.memory.GlobalBfloats;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalDoubles;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalHalfs;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;
import dev.stretto.memory.GlobalShorts;
import dev.stretto.memory.TensorMap;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A block as the code of a kernel sees it that goes in steps: what its threads keep from one step
 * to the next, and where they are. Written code reads and sets the fields.
 */
@SuppressWarnings("checkstyle") // fields, since a call for each number would be the larger part
public final class SteppedBlock {
  /** The rank of its first thread among those of its cluster. */
  public final int first;

  /** At which point each thread of the cluster is. */
  public final int[] points;

  /** What threads keep: an array for each place, with a number for each thread of the cluster. */
  public final int[][] ints;

  public final long[][] longs;
  public final float[][] floats;
  public final double[][] doubles;
  public final @Nullable Object[][] objects;

  /** The kernel's parameters, as bits; an array is its address and its length. */
  public final long[] parameters;

  /** The memory of each parameter that is an address. */
  public final MemorySegment[] segments;

  /** For which of them threads may race. */
  public final boolean[] isRacing;

  /** The block's shared memory: static arrays, then what the launch has added. */
  public final MemorySegment shared;

  /** The same as it is kept. */
  public final int[] words;

  public final int dynamicBase;
  public final int dynamicBytes;
  public final int[] threadIndexX;
  public final int[] threadIndexY;
  public final int[] threadIndexZ;
  public final int blockSizeX;
  public final int blockSizeY;
  public final int blockSizeZ;
  public final int gridSizeX;
  public final int gridSizeY;
  public final int gridSizeZ;
  public int blockIndexX;
  public int blockIndexY;
  public int blockIndexZ;

  /** Whether accesses to shared memory are watched once copies have begun. */
  public boolean watchable;

  /** The rank of the thread that runs. */
  public int at;

  private final SteppedPlan plan;
  private final SteppedThreads threads;
  private final HappensBefore order;
  private final int number;
  private final SharedStorage[] storages;

  /** Where the shared arrays begin, each behind the one before. */
  private final int[] begins;

  private final List<GlobalArray> arrays = new ArrayList<>();
  private final Map<Long, TensorMap> tensors = new HashMap<>();
  private Coroutine.Seat seat = Coroutine.seat();
  private final CallPath[] stacks;
  private final LightCopies light;
  private final KnownBarriers barriers;
  private @Nullable GlobalArray lastHolder;
  private boolean hasOtherCopies;

  /** Whether threads have begun copies to global memory. */
  private boolean hasStores;

  private final AddressedMemory addressed = this::bytesAt;
  private int site;
  private @Nullable GlobalArray madeLast;
  private long madeAddress;
  private String madeType = "";

  /**
   * Creates a block.
   *
   * @param beside the first block of its cluster, with which it shares what the cluster's threads
   *     keep; null if it is that one
   * @param number its number in the cluster
   */
  SteppedBlock(
      SteppedPlan plan,
      SteppedThreads threads,
      LaunchExtents extents,
      Object[] arguments,
      @Nullable SteppedBlock beside,
      int number) {
    this.plan = plan;
    this.threads = threads;
    this.order = threads.order();
    this.number = number;
    int each = extents.threadsPerBlock();
    int count = each * extents.blocksPerCluster();
    this.first = number * each;
    SteppedPlan.Frame frame = plan.frame();
    this.points = beside == null ? new int[count] : beside.points;
    this.ints = beside == null ? new int[frame.ints()][count] : beside.ints;
    this.longs = beside == null ? new long[frame.longs()][count] : beside.longs;
    this.floats = beside == null ? new float[frame.floats()][count] : beside.floats;
    this.doubles = beside == null ? new double[frame.doubles()][count] : beside.doubles;
    this.objects = beside == null ? new Object[frame.objects()][count] : beside.objects;
    this.parameters = new long[plan.addresses().length];
    this.segments = new MemorySegment[plan.addresses().length];
    set(arguments);
    this.isRacing =
        threads.watchesGlobal() ? plan.racing(extents, arguments) : new boolean[parameters.length];
    this.dynamicBase = plan.sharedBytes();
    this.dynamicBytes = extents.shape().sharedBytes();
    this.words = new int[(dynamicBase + dynamicBytes + 7) / 8 * 2];
    this.shared = MemorySegment.ofArray(words);
    this.stacks =
        plan.sites().stream().map(site -> CallPath.of(site.stack())).toArray(CallPath[]::new);
    this.light = new LightCopies(words, plan.copies() ? count : 0);
    this.barriers = new KnownBarriers(this, shared.byteSize());
    int arrays = plan.shared().size();
    this.storages = new SharedStorage[arrays + (dynamicBytes > 0 ? 1 : 0)];
    this.begins = new int[storages.length];
    for (int i = 0; i < arrays; i++) {
      SteppedPlan.Extent extent = plan.shared().get(i);
      begins[i] = extent.begin();
      storages[i] = new SharedStorage(shared.asSlice(begins[i], extent.bytes()));
    }
    if (dynamicBytes > 0) {
      begins[arrays] = dynamicBase;
      storages[arrays] = new SharedStorage(shared.asSlice(dynamicBase, dynamicBytes));
    }
    this.blockSizeX = extents.blockX();
    this.blockSizeY = extents.blockY();
    this.blockSizeZ = extents.blockZ();
    this.gridSizeX = extents.gridX();
    this.gridSizeY = extents.gridY();
    this.gridSizeZ = extents.gridZ();
    this.threadIndexX = beside == null ? new int[count] : beside.threadIndexX;
    this.threadIndexY = beside == null ? new int[count] : beside.threadIndexY;
    this.threadIndexZ = beside == null ? new int[count] : beside.threadIndexZ;
    for (int rank = 0; rank < each; rank++) {
      threadIndexX[first + rank] = rank % blockSizeX;
      threadIndexY[first + rank] = rank / blockSizeX % blockSizeY;
      threadIndexZ[first + rank] = rank / blockSizeX / blockSizeY;
    }
  }

  private void set(Object[] arguments) {
    int at = 0;
    for (Object argument : arguments) {
      switch (argument) {
        case GlobalArray array -> {
          Resident memory = (Resident) array.allocation();
          arrays.add(array);
          segments[at] = memory.memory();
          parameters[at++] = memory.address();
          parameters[at++] = array.length();
        }
        case TensorMap map -> {
          tensors.put((long) at, map);
          parameters[at] = at;
          at++;
        }
        case Float number -> parameters[at++] = Float.floatToRawIntBits(number);
        case Double number -> parameters[at++] = Double.doubleToRawLongBits(number);
        case Number number -> parameters[at++] = number.longValue();
        default -> throw new IllegalArgumentException("a parameter " + argument);
      }
    }
  }

  /** Says which thread of the JVM runs the block's threads from now on. */
  void sits(Coroutine.Seat now) {
    seat = now;
  }

  /** The places of the kernel, by their numbers. */
  CallPath[] stacks() {
    return stacks;
  }

  List<SharedStorage> storages() {
    return List.of(storages);
  }

  int site() {
    return site;
  }

  // --- what written code calls
  // ----------------------------------------------------------------------

  /**
   * Notes that a thread is at another point than those before it in the same step.
   *
   * @param order the threads' ranks; null if they go on by rank
   * @param first the first of the step
   * @param now which of them arrives
   * @param common the point of all before, {@link SteppedKernel#MIXED}, or anything if it is the
   *     first
   * @return the point of all so far, or {@link SteppedKernel#MIXED}
   */
  public int arrive(int @Nullable [] order, int first, int now, int common, int point) {
    if (now == first) {
      return point;
    }
    if (common != SteppedKernel.MIXED) {
      for (int i = first; i < now; i++) {
        points[order == null ? i : order[i]] = common;
      }
    }
    points[order == null ? now : order[now]] = point;
    return SteppedKernel.MIXED;
  }

  /**
   * Notes that some threads of a step had a turn, and the others are at another point without one.
   *
   * @param begin the first thread of the step
   * @param from the first that had a turn
   * @param to one behind the last that had one
   * @param end one behind the last of the step
   * @param common the point of those with a turn, or {@link SteppedKernel#MIXED}
   * @param idle the point of the others
   * @return {@link SteppedKernel#MIXED}
   */
  public int join(int begin, int from, int to, int end, int common, int idle) {
    Arrays.fill(points, begin, from, idle);
    Arrays.fill(points, to, end, idle);
    if (common != SteppedKernel.MIXED) {
      Arrays.fill(points, from, to, common);
    }
    return SteppedKernel.MIXED;
  }

  /**
   * Makes the thread that runs the one that the library's methods find.
   *
   * @param place where it calls one
   */
  public void enter(int place) {
    site = place;
    DeviceThread thread = threads.threads[at];
    thread.isAt(stacks[place]);
    seat.taken = thread;
  }

  /** Notes where a thread is. */
  void isAt(DeviceThread thread, int place) {
    thread.isAt(stacks[place]);
  }

  /**
   * Notes where the thread that runs calls a method that only looks at numbers.
   *
   * @param place where
   */
  public void passes(int place) {
    site = place;
  }

  /** {@return the thread that runs, as kernels know it} */
  public Object thread() {
    return threads.threadBlock(at);
  }

  /** {@return the tensor map that stands for an address} */
  public TensorMap tensor(long address) {
    return Objects.requireNonNull(tensors.get(address), "a tensor map");
  }

  /** {@return the shared array that holds an address} */
  public SharedStorage storageAt(int address) {
    return storages[number(address)];
  }

  /** {@return how far from the begin of its shared array an address is} */
  public int firstByte(int address) {
    return address - begins[number(address)];
  }

  private int number(int address) {
    int number = begins.length - 1;
    while (begins[number] > address) {
      number--;
    }
    return number;
  }

  private GlobalArray holder(long address) {
    for (GlobalArray array : arrays) {
      Resident memory = (Resident) array.allocation();
      long offset = address - memory.address();
      if (offset >= 0 && offset < memory.byteSize()) {
        return array;
      }
    }
    for (GlobalArray array : arrays) {
      Resident memory = (Resident) array.allocation();
      if (address - memory.address() == memory.byteSize()) {
        return array;
      }
    }
    throw new IllegalStateException(
        "address 0x" + Long.toHexString(address) + " lies in no array that the kernel was given");
  }

  /** {@return the memory of the array that holds an address} */
  public MemorySegment memoryAt(long address) {
    return ((Resident) holder(address).allocation()).memory();
  }

  /** {@return how far from the begin of its array an address is} */
  public long offsetOf(long address) {
    return address - ((Resident) holder(address).allocation()).address();
  }

  /** {@return a part of an array that the kernel was given} */
  public GlobalArray global(long address, long length, int width, String type) {
    GlobalArray again = madeLast;
    if (again != null
        && address == madeAddress
        && length == again.length()
        && type.equals(madeType)) {
      return again;
    }
    madeLast = makeGlobal(address, length, width, type);
    madeAddress = address;
    madeType = type;
    return madeLast;
  }

  private GlobalArray makeGlobal(long address, long length, int width, String type) {
    GlobalArray given = holder(address);
    Resident memory = (Resident) given.allocation();
    long offset = address - memory.address();
    if (offset == 0 && length == given.length() && given.getClass().getSimpleName().equals(type)) {
      return given;
    }
    Resident part = offset % width == 0 ? memory : memory.from(offset);
    GlobalArray whole =
        switch (type) {
          case "GlobalBytes" -> GlobalBytes.of(part);
          case "GlobalShorts" -> GlobalShorts.of(part);
          case "GlobalInts" -> GlobalInts.of(part);
          case "GlobalLongs" -> GlobalLongs.of(part);
          case "GlobalFloats" -> GlobalFloats.of(part);
          case "GlobalDoubles" -> GlobalDoubles.of(part);
          case "GlobalHalfs" -> GlobalHalfs.of(part);
          default -> GlobalBfloats.of(part);
        };
    return whole.slice(part == memory ? offset / width : 0, length);
  }

  /** {@return whether accesses to shared memory are watched} */
  public boolean isWatched() {
    return order.isActive();
  }

  /** Notes that the thread that runs reads shared memory. */
  public void reads(int address, int bytes, int place) {
    int number = number(address);
    SharedStorage storage = storages[number];
    PackedAccesses plain = storage.packed();
    int from = address - begins[number];
    if (plain == null
        || order.isDoubtful()
        || (order.isCopying() && threads.threads[at].copies().rounds() != 0)
        || !plain.reads(from, bytes, at, order, place)) {
      enter(place);
      threads.races().read(storage, from, bytes);
    }
  }

  /** Notes that the thread that runs writes shared memory. */
  public void writes(int address, int bytes, int place) {
    int number = number(address);
    SharedStorage storage = storages[number];
    PackedAccesses plain = storage.packed();
    int from = address - begins[number];
    if (plain == null || order.isDoubtful() || !plain.writes(from, bytes, at, order, place)) {
      enter(place);
      threads.races().write(storage, from, bytes, place);
    }
  }

  /** Notes that the thread that runs reads shared memory that it compares and exchanges then. */
  public void guesses(int address, int bytes, int place) {
    enter(place);
    SharedStorage storage = storageAt(address);
    if (storage.watch() != null) {
      threads.races().atomic(storage, firstByte(address), bytes).loads();
    }
  }

  /** Notes that the thread that runs reads global memory that it compares and exchanges then. */
  public void guessesGlobal(long address, int bytes, int place) {
    global(ThreadAccess.LOAD, address, bytes, place);
  }

  /** Notes that the thread that runs uses a register that a product may own. */
  public void usesRegister(Object array, int index, boolean writes, int place) {
    if (isWatched()) {
      DeviceThread thread = threads.threads[at];
      if (thread.products().areAny()) {
        enter(place);
        thread.products().requireFree(array, index, writes);
      }
    }
  }

  /** {@return whether accesses to global memory are watched} */
  public boolean isGlobalWatched() {
    return threads.globalWatch() != null;
  }

  /** Notes that the thread that runs reads global memory. */
  public void readsGlobal(long address, int bytes, int place) {
    global(ThreadAccess.READ, address, bytes, place);
  }

  /** Notes that the thread that runs writes global memory. */
  public void writesGlobal(long address, int bytes, int place) {
    global(ThreadAccess.WRITE, address, bytes, place);
  }

  private MemorySegment bytesAt(long address, long bytes) {
    return memoryAt(address).asSlice(offsetOf(address), bytes);
  }

  /** Called behind a store that is watched. */
  public void hasStored(int place) {
    if (order.isDoubtful()) {
      enter(place);
      order.settle();
    }
  }

  private void global(ThreadAccess kind, long address, int bytes, int place) {
    GlobalWatch watch = threads.globalWatch();
    if (watch != null && !watch.plain(kind, at, address, bytes, place)) {
      site = place;
      DeviceThread thread = threads.threads[at];
      thread.isAt(stacks[place]);
      watch.access(kind, thread, addressed, address, bytes, true);
    }
  }

  /** Notes that the thread that runs stores in global memory. */
  public void stores(long address, int bytes, int place) {
    enter(place);
    DeviceThread.stored(address, bytes);
  }

  // --- barrier objects
  // ------------------------------------------------------------------------------------------------

  /** {@return the barrier object at an address, or null if there is none} */
  @Nullable Mbarrier barrierAt(int address) {
    return barriers.at(threads.blocks[number].mbarriers(), address);
  }

  /**
   * {@return the state of a barrier object at which the thread that runs has arrived; -1 if it has
   * not, since something speaks against it}
   */
  public long arrives(int base, int count, int index, int place) {
    if (index < 0 || index >= count) {
      return -1;
    }
    Mbarrier barrier = barrierAt(base + index * Long.BYTES);
    if (barrier == null) {
      return -1;
    }
    DeviceThread thread = threads.threads[at];
    if (isWatched()) {
      thread.isAt(stacks[place]);
    }
    return barrier.arrivesAlone(thread);
  }

  /**
   * {@return whether the thread that runs arrives at a barrier object when its copies are done; if
   * not, it is watched, or something speaks against it}
   */
  public boolean arrivesWhenCopied(int base, int count, int index, boolean one) {
    if (isWatched() || index < 0 || index >= count) {
      return false;
    }
    Mbarrier barrier = barrierAt(base + index * Long.BYTES);
    DeviceThread thread = threads.threads[at];
    return barrier != null
        && barrier.arrivesWhenCopied(
            thread, one, light, hasOtherCopies ? thread.copies().begun() : List.of());
  }

  // --- copies of blocks that nobody watches
  // ------------------------------------------------------------------------------------------------

  /**
   * Called when a block begins.
   *
   * @param watched whether races with copies are looked for
   */
  void begin(boolean watched) {
    watchable = watched;
    light.begin();
    hasOtherCopies = false;
    hasStores = false;
  }

  /** Notes that the thread that runs begins a copy in another way than by {@link #copies}. */
  public void copiesOtherwise() {
    hasOtherCopies = true;
  }

  /** Notes that the thread that runs copies as threads load and store, now or later. */
  public void copiesPlainly() {
    if (order.mayBeActive()) {
      hasOtherCopies = true;
      hasStores = true;
    }
  }

  /** Notes that the thread that runs begins a copy to global memory. */
  public void stores() {
    hasStores = true;
  }

  /** {@return whether a thread of the block may have copies to global memory under way} */
  public boolean hasStores() {
    return hasStores;
  }

  /**
   * Begins a copy of the thread that runs, if nobody watches it, and it is right.
   *
   * @return whether it has begun
   */
  public boolean copies(
      int to,
      int toLength,
      int toWidth,
      int toByte,
      long from,
      long fromLength,
      int fromWidth,
      long fromByte,
      int bytes) {
    if (isWatched()
        || toByte < 0
        || toByte > toLength * toWidth - bytes
        || fromByte < 0
        || fromByte > fromLength * fromWidth - bytes
        || (to + toByte) % bytes != 0
        || (from + fromByte) % bytes != 0) {
      hasOtherCopies = true;
      return false;
    }
    GlobalArray array = lastHolder;
    Resident memory = array == null ? null : (Resident) array.allocation();
    if (memory == null
        || from < memory.address()
        || from + fromByte + bytes > memory.address() + memory.byteSize()) {
      array = holder(from);
      memory = (Resident) array.allocation();
      lastHolder = array;
    }
    light.copy(at, to + toByte, memory.memory(), from + fromByte - memory.address(), bytes);
    return true;
  }

  /** {@return whether the thread that runs has ended its group, and all its copies are here} */
  public boolean commits() {
    light.commit(at);
    return !hasOtherCopies;
  }

  /**
   * {@return whether the thread that runs has waited for its groups, and all its copies are here}
   */
  public boolean waits(int pending) {
    if (pending >= 0) {
      light.await(at, pending);
    }
    return !hasOtherCopies && pending >= 0;
  }

  /** {@return whether the thread that runs has waited for all its copies} */
  public boolean waitsForAll() {
    light.awaitAll(at);
    return !hasOtherCopies;
  }

  // --- faults
  // ---------------------------------------------------------------------------------------

  /** {@return what the thread that runs fails with} */
  public RuntimeException fault(int place) {
    return fault(place, new long[0]);
  }

  /** {@return the same with a number} */
  public RuntimeException fault(int place, long a) {
    return fault(place, new long[] {a});
  }

  /** {@return the same with two numbers} */
  public RuntimeException fault(int place, long a, long b) {
    return fault(place, new long[] {a, b});
  }

  /** {@return the same with three numbers} */
  public RuntimeException fault(int place, long a, long b, long c) {
    return fault(place, new long[] {a, b, c});
  }

  /** {@return the same with five numbers} */
  public RuntimeException fault(int place, long a, long b, long c, long d, long e) {
    return fault(place, new long[] {a, b, c, d, e});
  }

  private RuntimeException fault(int place, long[] numbers) {
    site = place;
    SteppedPlan.Site known = plan.sites().get(place);
    switch (Objects.requireNonNull(known.mistake())) {
      case INDEX ->
          throw new IndexOutOfBoundsException(
              "Index %d out of bounds for length %d".formatted(numbers[0], numbers[1]));
      case BYTES ->
          throw new IndexOutOfBoundsException(
              "Byte %d out of bounds for length %d of an array in shared memory"
                  .formatted(numbers[0], numbers[1]));
      case SLICE -> {
        Objects.checkFromIndexSize(numbers[0], numbers[1], numbers[2]);
        throw new AssertionError("a range within its array");
      }
      case DIVISION -> throw new ArithmeticException("/ by zero");
      case ASSERTION ->
          throw known.message().isEmpty()
              ? new AssertionError()
              : new AssertionError(known.message());
      case WHOLE ->
          throw new IllegalArgumentException(
              describe(numbers[2], numbers[3], (int) numbers[4], "shared")
                  + " does not begin and end at whole elements of "
                  + numbers[0]
                  + " bytes");
      case ALIGNMENT ->
          throw new IllegalArgumentException(
              "element "
                  + numbers[0]
                  + " of "
                  + describe(numbers[2], numbers[3], (int) numbers[4], known.message())
                  + ": "
                  + numbers[1]
                  + " elements can be moved at once only from a multiple of "
                  + numbers[1]
                  + ", and from an address that is a multiple of "
                  + numbers[1] * WIDTHS[(int) numbers[4]]);
      default -> throw new IllegalArgumentException(known.message());
    }
  }

  private static final String[] NAMES = {
    "Bytes", "Shorts", "Shorts", "Ints", "Longs", "Floats", "Doubles", "Halfs", "Bfloats"
  };
  private static final int[] WIDTHS = {1, 2, 2, 4, 8, 4, 8, 2, 2};

  private String describe(long base, long length, int element, String space) {
    return space.equals("shared")
        ? "Shared" + NAMES[element] + "[" + length + "] at byte " + firstByte((int) base)
        : global(base, length, WIDTHS[element], "Global" + NAMES[element]).toString();
  }
}
