package dev.stretto.spark;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.TaskFailedReason;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.resource.ResourceInformation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The devices of this executor, and which of its tasks uses which. */
final class ExecutorDevices implements ExecutorPlugin {
  private static final Logger LOG = LoggerFactory.getLogger(StrettoPlugin.class);

  /** The executor of local mode is the driver, which must not end. */
  private static final String DRIVER = "driver";

  private static final AtomicReference<@Nullable ExecutorDevices> CURRENT = new AtomicReference<>();

  private final Map<Long, List<TaskDevice>> tasks = new ConcurrentHashMap<>();
  private @Nullable PluginContext plugin;
  private @Nullable SparkSettings settings;
  private @Nullable LiveDevices devices;
  private boolean isLocal;
  private boolean exits;

  /** {@return those of this process, if the plugin runs} */
  static @Nullable ExecutorDevices current() {
    return CURRENT.get();
  }

  @Override
  public void init(PluginContext context, Map<String, String> ofDriver) {
    SparkSettings read = SparkSettings.of(context.conf());
    LoadedCopy.claim();
    try {
      ResourceInformation gpus = context.resources().get(SparkSettings.RESOURCE);
      isLocal = context.executorID().equals(DRIVER) && gpus == null;
      List<OpenedDevice> opened = withPinned(open(read, gpus), read.pinnedBytes());
      plugin = context;
      settings = read;
      exits = read.onLost() == OnLost.EXIT && !context.executorID().equals(DRIVER);
      devices = new LiveDevices(opened, this::gaveUp, exits);
      DeviceGauges.register(context.metricRegistry(), opened);
      CURRENT.set(this);
      LOG.info("Stretto opened {}", opened);
    } catch (RuntimeException | Error e) {
      LoadedCopy.release();
      throw e;
    }
  }

  private List<OpenedDevice> open(SparkSettings read, @Nullable ResourceInformation gpus) {
    if (isLocal) {
      return AddressedDevices.openAll(read.devices());
    }
    return AddressedDevices.open(
        read.devices(), gpus == null ? List.of() : List.of(gpus.addresses()));
  }

  private static List<OpenedDevice> withPinned(List<OpenedDevice> opened, long bytes) {
    return bytes == 0
        ? opened
        : opened.stream().map(each -> each.withPinned(bytes / opened.size())).toList();
  }

  @Override
  public void onTaskFailed(TaskFailedReason reason) {
    live().giveUpLost();
  }

  @Override
  public void shutdown() {
    if (CURRENT.compareAndSet(this, null)) {
      tasks.values().forEach(each -> each.forEach(TaskDevice::end));
      live().close();
      LoadedCopy.release();
    }
  }

  // --- tasks
  // ----------------------------------------------------------------------------------------------------------------

  /** {@return the devices of a task, the same whenever it asks} */
  List<TaskDevice> of(TaskContext context) {
    long task = context.taskAttemptId();
    List<TaskDevice> known = tasks.get(task);
    if (known != null) {
      return known;
    }
    double amount = amount(context);
    HostMemory memory =
        settings().offHeap()
            ? HostMemory.of(context.taskMemoryManager())
            : HostMemory.WITHOUT_ACCOUNT;
    List<OpenedDevice> assigned = addresses(context).stream().map(live()::at).toList();
    Duration wait = settings().memoryWait();
    List<TaskDevice> made =
        assigned.stream()
            .map(device -> new TaskDevice(device, "task " + task, amount, memory, wait))
            .toList();
    tasks.put(task, made);
    TaskContext _ = context.addTaskCompletionListener((TaskContext ended) -> end(ended));
    return made;
  }

  private List<String> addresses(TaskContext context) {
    ResourceInformation gpus = context.resourcesJMap().get(SparkSettings.RESOURCE);
    if (gpus != null) {
      return List.of(gpus.addresses());
    }
    if (isLocal) {
      return live().addressFor(context.taskAttemptId());
    }
    throw new NoTaskDeviceException(
        "Spark has assigned no GPU to this task: set "
            + SparkSettings.SPARK_AMOUNT
            + ", or let the stage have a ResourceProfile whose tasks request the resource gpu");
  }

  private double amount(TaskContext context) {
    String own = context.getLocalProperty(SparkSettings.TASK_AMOUNT);
    return own == null ? settings().amount() : SparkSettings.amount(SparkSettings.TASK_AMOUNT, own);
  }

  /** Ends what a task has on its devices; a failure that nobody has noticed fails the task. */
  private void end(TaskContext context) {
    List<TaskDevice> ended = tasks.remove(context.taskAttemptId());
    if (ended == null) {
      return;
    }
    RuntimeException failure = null;
    for (TaskDevice device : ended) {
      RuntimeException own = device.end();
      failure = failure == null ? own : failure;
    }
    live().giveUpLost();
    if (failure != null && !context.isFailed() && !context.isInterrupted()) {
      throw failure;
    }
  }

  // --- lost devices
  // ----------------------------------------------------------------------------------------------------------------

  private void gaveUp(OpenedDevice device, int left) {
    PluginContext context = Objects.requireNonNull(plugin, "plugin");
    String message =
        "executor %s on %s has lost %s and given it up; it has %d %s left"
            .formatted(
                context.executorID(),
                SparkEnv.get().blockManager().blockManagerId().host(),
                device,
                left,
                left == 1 ? "device" : "devices");
    LOG.warn(message);
    try {
      context.send(message);
    } catch (IOException | RuntimeException e) {
      LOG.warn("the driver could not be told of the loss", e);
    }
    if (left == 0 && exits) {
      ExecutorExit.begin(tasks);
    }
  }

  private SparkSettings settings() {
    return Objects.requireNonNull(settings, "settings");
  }

  private LiveDevices live() {
    return Objects.requireNonNull(devices, "devices");
  }
}
