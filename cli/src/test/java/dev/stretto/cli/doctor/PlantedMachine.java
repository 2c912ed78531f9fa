package dev.stretto.cli.doctor;

import dev.stretto.driver.cuda.DriverProbe;
import dev.stretto.driver.cuda.DriverProbe.End;
import dev.stretto.driver.cuda.DriverProbe.Gpu;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A machine of files below a folder. It begins as one with two GPUs on which all is well. */
public final class PlantedMachine {
  private static final String PCI = "/sys/bus/pci/devices/";
  static final String FIRST = "0000:1b:00.0";
  static final String SECOND = "0000:43:00.0";

  private final Path root;
  private final Map<String, String> environment = new HashMap<>();
  private final Set<Path> forbidden = new HashSet<>();
  private Jvm jvm = new Jvm(25, "linux", "amd64", true, 1L << 30);
  private DriverProbe driver =
      new DriverProbe(
          End.STARTED,
          "",
          13_000,
          0,
          List.of(
              new Gpu("NVIDIA H200", "0000:1B:00.0", 9, 0, 0, true),
              new Gpu("NVIDIA H200", "0000:43:00.0", 9, 0, 0, true)));
  private List<SmiRow> smi =
      SmiRow.parse(
          """
          00000000:1B:00.0, Enabled, Enabled, 0, Disabled
          00000000:43:00.0, Enabled, Enabled, 0, Disabled
          """);

  public PlantedMachine(Path root) {
    this.root = root;
    file(
        "/proc/driver/nvidia/version",
        "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.159.03  Release Build");
    file("/proc/driver/nvidia/gpus/" + FIRST + "/information", "Model: NVIDIA H200");
    file("/proc/driver/nvidia/gpus/" + SECOND + "/information", "Model: NVIDIA H200");
    file("/proc/sys/kernel/osrelease", "6.8.0-60-generic");
    file("/proc/1/cgroup", "0::/init.scope");
    file("/proc/meminfo", "MemTotal:       131072000 kB");
    file("/proc/self/cgroup", "0::/user.slice");
    file(
        "/proc/self/mountinfo",
        "30 23 0:27 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw");
    file("/sys/fs/cgroup/user.slice/memory.max", "max");
    file(
        "/proc/self/limits",
        "Max locked memory         8388608              8388608              bytes");
    file("/proc/self/mounts", "tmpfs /dev/shm tmpfs rw,nosuid,nodev,inode64 0 0");
    file("/proc/self/status", "Cpus_allowed_list:\t0-63");
    file("/proc/self/maps", map("/usr/lib/x86_64-linux-gnu/libcuda.so.580.159.03"));
    file("/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never");
    file("/sys/devices/system/node/node0/cpulist", "0-31");
    file("/sys/devices/system/node/node1/cpulist", "32-63");
    gpu(FIRST, 0);
    gpu(SECOND, 1);
    for (String name : List.of("nvidia0", "nvidia1", "nvidiactl", "nvidia-uvm")) {
      file("/dev/" + name, "");
    }
  }

  static String map(String library) {
    return "7f0000000000-7f0000001000 r-xp 00000000 08:01 1234 " + library;
  }

  private void gpu(String address, int node) {
    pci(address, "vendor", "0x10de");
    pci(address, "class", "0x030200");
    pci(address, "current_link_width", "16");
    pci(address, "max_link_width", "16");
    pci(address, "current_link_speed", "32.0 GT/s PCIe");
    pci(address, "max_link_speed", "32.0 GT/s PCIe");
    pci(address, "numa_node", Integer.toString(node));
    pci(address, "local_cpulist", node == 0 ? "0-31" : "32-63");
    pci(address, "iommu_group/type", "identity");
    boundTo(address, "nvidia");
  }

  PlantedMachine pci(String address, String name, String content) {
    return file(PCI + address + "/" + name, content);
  }

  PlantedMachine boundTo(String address, String module) {
    return link(PCI + address + "/driver", "../../drivers/" + module);
  }

  PlantedMachine file(String path, String content) {
    Path file = root.resolve(path.substring(1));
    try {
      Files.createDirectories(file.getParent());
      Files.writeString(file, content + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return this;
  }

  PlantedMachine link(String path, String target) {
    Path link = root.resolve(path.substring(1));
    try {
      Files.createDirectories(link.getParent());
      boolean _ = Files.deleteIfExists(link);
      Files.createSymbolicLink(link, Path.of(target));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return this;
  }

  PlantedMachine without(String... paths) {
    for (String path : paths) {
      Path from = root.resolve(path.substring(1));
      try (var files = Files.walk(from)) {
        for (Path file : new ArrayList<>(files.toList()).reversed()) {
          Files.delete(file);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return this;
  }

  PlantedMachine variable(String name, String value) {
    environment.put(name, value);
    return this;
  }

  PlantedMachine forbid(String path) {
    forbidden.add(root.resolve(path.substring(1)));
    return this;
  }

  PlantedMachine jvm(Jvm changed) {
    jvm = changed;
    return this;
  }

  public PlantedMachine driver(End end, int version, int result, Gpu... gpus) {
    driver =
        new DriverProbe(
            end, result == 0 ? "" : "CUDA error " + result, version, result, List.of(gpus));
    return this;
  }

  PlantedMachine smi(String output) {
    smi = SmiRow.parse(output);
    return this;
  }

  public Machine machine() {
    return new Machine(root, environment, jvm, driver, smi, file -> !forbidden.contains(file));
  }
}
