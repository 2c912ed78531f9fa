package dev.stretto.compiler;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.compiler.KernelTree.Kernel;
import dev.stretto.driver.KernelTwin;
import dev.stretto.driver.LaunchShape;
import dev.stretto.kernel.DeviceKernel;
import dev.stretto.kernel.KernelImage;
import dev.stretto.kernel.KernelThreads;
import dev.stretto.kernel.Parameter;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalArray;
import dev.stretto.memory.GlobalBfloats;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalDoubles;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalHalfs;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;
import dev.stretto.memory.GlobalShorts;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Random kernels on a GPU: what each leaves in its arrays has to be what the Java virtual machine
 * leaves there. {@code GpuFuzz [KERNELS [SEED [SECONDS]]]}, with {@code
 * -Dstretto.fuzz.device=cuda:0}; begins no kernel after that many seconds, and ends with 1 if any
 * kernel differs, after the seeds of those that do and what a few of them shrink to.
 *
 * <p>{@code ptxas} assembles them, many processes at once: a driver assembles one after the other.
 */
public final class GpuFuzz {
  private static final int BATCH = 48;
  private static final int ROOM = 512 << 10;
  private static final int SHOWN = 4;
  private static final int SHRINKING = 2_000;
  private static final int SHRINKING_SECONDS = 90;
  private static final MethodType TYPE =
      MethodType.methodType(
          void.class,
          ThreadBlock.class,
          GlobalBytes.class,
          GlobalShorts.class,
          GlobalInts.class,
          GlobalLongs.class,
          GlobalFloats.class,
          GlobalDoubles.class,
          GlobalHalfs.class,
          GlobalBfloats.class,
          GlobalInts.class,
          int.class,
          long.class,
          float.class,
          double.class);

  private final Device device;
  private final Path folder;
  private final long deadline;
  private final long last;
  private final AtomicLong next;
  private final Queue<Long> differing = new ConcurrentLinkedQueue<>();
  private final AtomicInteger failures = new AtomicInteger();
  private final AtomicInteger shrunk = new AtomicInteger();
  private final AtomicInteger done = new AtomicInteger();

  private GpuFuzz(Device device, Path folder, long first, long count, long seconds) {
    this.device = device;
    this.folder = folder;
    this.deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    this.next = new AtomicLong(first);
    this.last = first + count;
  }

  /**
   * Runs.
   *
   * @param arguments as above
   */
  public static void main(String[] arguments) throws InterruptedException, IOException {
    long count = arguments.length > 0 ? Long.parseLong(arguments[0]) : 1_000;
    long first = arguments.length > 1 ? Long.parseLong(arguments[1]) : 1;
    long seconds = arguments.length > 2 ? Long.parseLong(arguments[2]) : TimeUnit.DAYS.toSeconds(1);
    Path folder = Files.createTempDirectory("stretto-fuzz");
    int mistakes;
    try (Device device = Device.open(System.getProperty("stretto.fuzz.device", "cuda:0"))) {
      GpuFuzz fuzz = new GpuFuzz(device, folder, first, count, seconds);
      fuzz.run();
      mistakes = fuzz.differing.size() + fuzz.failures.get();
      System.out.printf("%d kernels, %d differ%n", fuzz.done.get(), mistakes);
      fuzz.differing.stream().sorted().limit(SHOWN).parallel().forEach(fuzz::shrink);
    }
    Files.delete(folder);
    System.exit(mistakes == 0 ? 0 : 1);
  }

  private void run() throws InterruptedException {
    List<Thread> workers = new ArrayList<>();
    for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
      workers.add(Thread.ofPlatform().start(this::work));
    }
    for (Thread worker : workers) {
      worker.join();
    }
  }

  private void work() {
    try (Stream stream = device.stream();
        PinnedArena pinned = device.pinnedArena();
        GlobalBytes memory = device.allocateBytes((long) BATCH * ROOM)) {
      MemorySegment host = pinned.allocate((long) BATCH * ROOM, 256);
      while (true) {
        long from = next.getAndAdd(BATCH);
        if (from >= last || System.nanoTime() - deadline > 0) {
          return;
        }
        List<Job> jobs = new ArrayList<>();
        for (long seed = from; seed < Math.min(last, from + BATCH); seed++) {
          jobs.add(new Job(seed, KernelGenerator.generate(seed)));
        }
        batch(jobs, stream, host, memory);
        done.addAndGet(jobs.size());
      }
    } catch (Throwable e) {
      failures.incrementAndGet();
      e.printStackTrace();
    }
  }

  private void batch(List<Job> jobs, Stream stream, MemorySegment host, GlobalBytes memory)
      throws Throwable {
    StringBuilder text = new StringBuilder();
    for (Job job : jobs) {
      job.expect();
      String ptx = job.compile();
      text.append(text.isEmpty() ? ptx : ptx.substring(ptx.indexOf(".visible")));
    }
    KernelImage image = KernelImage.ofCubin(assembled(text.toString(), jobs.getFirst().seed));
    for (int i = 0; i < jobs.size(); i++) {
      jobs.get(i).place(host, (long) i * ROOM);
    }
    stream.copy(host, memory);
    for (Job job : jobs) {
      job.launch(stream, image, memory);
    }
    stream.copy(memory, host).await();
    for (Job job : jobs) {
      job.difference(host)
          .ifPresent(
              difference -> {
                differing.add(job.seed);
                System.out.printf("seed %d: %s%n", job.seed, difference);
              });
    }
  }

  /** What is left of a kernel when everything is left out without which it still differs. */
  private void shrink(long seed) {
    try (Stream stream = device.stream();
        PinnedArena pinned = device.pinnedArena();
        GlobalBytes memory = device.allocateBytes(ROOM)) {
      MemorySegment host = pinned.allocate(ROOM, 256);
      Kernel small =
          KernelShrinker.shrink(
              KernelGenerator.generate(seed),
              kernel -> difference(seed, kernel, stream, host, memory).isPresent(),
              SHRINKING);
      System.out.printf(
          "seed %d: %s%n%s%n%s%n",
          seed,
          difference(seed, small, stream, host, memory).orElse("no longer"),
          KernelText.of(small),
          new Job(seed, small).compile());
    }
  }

  private Optional<String> difference(
      long seed, Kernel kernel, Stream stream, MemorySegment host, GlobalBytes memory) {
    if (System.nanoTime() - deadline > TimeUnit.SECONDS.toNanos(SHRINKING_SECONDS)) {
      return Optional.empty();
    }
    try {
      Job job = new Job(seed, kernel);
      job.expect();
      KernelImage image =
          KernelImage.ofCubin(
              assembled(job.compile(), seed * SHRINKING + shrunk.incrementAndGet()));
      job.place(host, 0);
      stream.copy(host, memory);
      job.launch(stream, image, memory);
      stream.copy(memory, host).await();
      return job.difference(host);
    } catch (Throwable _) {
      return Optional.empty(); // what cannot be run shows nothing
    }
  }

  private byte[] assembled(String ptx, long name) throws IOException, InterruptedException {
    Path source = folder.resolve(name + ".ptx");
    Path cubin = folder.resolve(name + ".cubin");
    Files.writeString(source, ptx);
    Process process =
        new ProcessBuilder("ptxas", "--gpu-name=sm_90", "-o", cubin.toString(), source.toString())
            .inheritIO()
            .start();
    if (process.waitFor() != 0) {
      throw new IllegalStateException("the assembler refused the kernels from seed " + name);
    }
    byte[] bytes = Files.readAllBytes(cubin);
    Files.delete(source);
    Files.delete(cubin);
    return bytes;
  }

  /** One kernel. */
  private static final class Job {
    private final long seed;
    private final Kernel kernel;
    private final boolean checked;
    private final KernelArrays arrays;
    private final Object[] numbers;
    private final List<Long> offsets = new ArrayList<>();
    private String entry = "";
    private boolean reports;

    Job(long seed, Kernel kernel) {
      this.seed = seed;
      this.kernel = kernel;
      this.checked = seed % 2 == 1;
      this.arrays = new KernelArrays(kernel.threads(), seed);
      SplittableRandom random = new SplittableRandom(~seed);
      this.numbers =
          new Object[] {
            KernelGenerator.Numbers.any(random, KernelTree.Kind.INT),
            KernelGenerator.Numbers.any(random, KernelTree.Kind.LONG),
            KernelGenerator.Numbers.any(random, KernelTree.Kind.FLOAT),
            KernelGenerator.Numbers.any(random, KernelTree.Kind.DOUBLE)
          };
    }

    private int[] three(int[] two) {
      return new int[] {two[0], two[1], 1};
    }

    void expect() throws Throwable {
      GeneratedClasses loader = new GeneratedClasses(KernelClassFile.write(kernel));
      MethodHandle method =
          MethodHandles.publicLookup()
              .findStatic(loader.loadClass(kernel.name()), KernelClassFile.method(kernel), TYPE);
      Object[] all = new Object[13];
      System.arraycopy(arrays.forJava(), 0, all, 0, 9);
      System.arraycopy(numbers, 0, all, 9, 4);
      MethodHandle bound = MethodHandles.insertArguments(method, 1, all);
      KernelThreads.Body body = bound::invokeExact;
      if (KernelGenerator.threadsMeet(kernel)) {
        KernelThreads.runTogether(
            kernel.name(), three(kernel.grid()), three(kernel.block()), seed, body);
      } else {
        KernelThreads.runPlain(three(kernel.grid()), three(kernel.block()), body);
      }
      arrays.expectThis();
      arrays.reset();
    }

    String compile() {
      KernelSource source =
          new KernelSource(
              new GeneratedClasses(KernelClassFile.write(kernel)),
              kernel.name(),
              KernelClassFile.method(kernel),
              KernelClassFile.TYPE.descriptorString(),
              Map.of(),
              checked);
      CompiledKernel compiled = KernelCompiler.compile(source, new KernelTarget(90));
      entry = compiled.ptx().entry();
      reports = !compiled.ptx().faults().isEmpty();
      return compiled.ptx().text();
    }

    void place(MemorySegment host, long from) {
      long at = from;
      for (MemorySegment segment : arrays.segments()) {
        offsets.add(at);
        host.asSlice(at, segment.byteSize()).copyFrom(segment);
        at = (at + segment.byteSize() + 255) / 256 * 256;
      }
      if (at > from + ROOM - 256) {
        throw new IllegalStateException("kernel " + seed + " has too large arrays");
      }
      offsets.add(at); // for what a failed check would report
    }

    void launch(Stream stream, KernelImage image, GlobalBytes memory) {
      List<Class<?>> types = new ArrayList<>();
      List<Object> values = new ArrayList<>();
      List<MemorySegment> segments = arrays.segments();
      for (int i = 0; i < segments.size(); i++) {
        GlobalArray array = typed(memory.slice(offsets.get(i), segments.get(i).byteSize()), i);
        types.add(array.getClass());
        values.add(array);
        types.add(long.class);
        values.add(array.length());
      }
      types.addAll(List.of(int.class, long.class, float.class, double.class));
      values.addAll(List.of(numbers));
      if (reports) {
        types.add(GlobalBytes.class);
        values.add(memory.slice(offsets.getLast(), 64));
      }
      DeviceKernel prepared = DeviceKernel.of(image, entry, Parameter.pack(types), NO_TWIN);
      int[] grid = three(kernel.grid());
      int[] block = three(kernel.block());
      stream.launch(
          new Grid(grid[0], grid[1], grid[2], block[0], block[1], block[2], 0),
          prepared,
          values.toArray());
    }

    private GlobalArray typed(GlobalBytes bytes, int index) {
      return switch (index) {
        case 0 -> bytes;
        case 1 -> bytes.asShorts();
        case 2, 8 -> bytes.asInts();
        case 3 -> bytes.asLongs();
        case 4 -> bytes.asFloats();
        case 5 -> bytes.asDoubles();
        case 6 -> bytes.asHalfs();
        default -> bytes.asBfloats();
      };
    }

    Optional<String> difference(MemorySegment host) {
      List<MemorySegment> segments = arrays.segments();
      for (int i = 0; i < segments.size(); i++) {
        segments.get(i).copyFrom(host.asSlice(offsets.get(i), segments.get(i).byteSize()));
      }
      return arrays.difference();
    }
  }

  private static final KernelTwin NO_TWIN =
      new KernelTwin() {
        @Override
        public void run(
            LaunchShape shape,
            long first,
            long last,
            MemorySegment parameters,
            DeviceMemory memory) {
          throw new UnsupportedOperationException("a GPU runs the image");
        }

        @Override
        public long nanos(LaunchShape shape, MemorySegment parameters, Machine machine) {
          return 0;
        }
      };
}
