package dev.stretto.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.cli.doctor.Finding.Level;
import dev.stretto.driver.cuda.DriverProbe.End;
import dev.stretto.driver.cuda.DriverProbe.Gpu;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each fault is planted into a machine on which all is well, and has to be all that is found. */
class DoctorTest {
  @TempDir private Path root;

  /**
   * A machine with a fault.
   *
   * @param name of the case
   * @param fault what is planted
   * @param found what has to be found, and nothing else that is not ok: {@code level check: part}
   */
  record Case(String name, Consumer<PlantedMachine> fault, List<String> found) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static Case of(String name, Consumer<PlantedMachine> fault, String... found) {
    return new Case(name, fault, List.of(found));
  }

  static Stream<Case> cases() {
    return Stream.of(javaAndSystem(), drivers(), starts(), containers(), variables(), speeds())
        .flatMap(List::stream);
  }

  private static Jvm jvm(int feature, String system, String architecture, boolean nativeAccess) {
    return new Jvm(feature, system, architecture, nativeAccess, 1 << 30);
  }

  private static List<Case> javaAndSystem() {
    return List.of(
        of("an old JDK", m -> m.jvm(jvm(21, "linux", "amd64", true)), "bad java: Java 21"),
        of("a newer JDK", m -> m.jvm(jvm(27, "linux", "amd64", true))),
        of(
            "no flag",
            m -> m.jvm(jvm(25, "linux", "amd64", false)),
            "warn native-access: --enable-native-access is missing"),
        of(
            "denied",
            m -> m.driver(End.NOT_ALLOWED, 0, 0),
            "bad native-access: native calls are denied"),
        of("arm", m -> m.jvm(jvm(25, "linux", "aarch64", true)), "warn system: linux on aarch64"),
        of("riscv", m -> m.jvm(jvm(25, "linux", "riscv64", true)), "bad system: linux on riscv64"),
        of("mac", m -> m.jvm(jvm(25, "mac os x", "aarch64", true)), "bad system: mac os x"),
        of(
            "WSL 2",
            m ->
                m.file("/proc/sys/kernel/osrelease", "5.15.90.1-microsoft-standard-WSL2")
                    .file("/dev/dxg", "")
                    .without("/sys/bus/pci", "/proc/driver", "/dev/nvidia0", "/dev/nvidia1")
                    .without("/dev/nvidiactl", "/dev/nvidia-uvm"),
            "warn wsl: WSL2"),
        of(
            "WSL 1",
            m -> m.file("/proc/version", "Linux version 4.4.0-19041-Microsoft"),
            "bad wsl: WSL without /dev/dxg"));
  }

  private static List<Case> drivers() {
    return List.of(
        of(
            "no GPU",
            m ->
                m.without("/sys/bus/pci", "/proc/driver", "/proc/self/maps", "/dev")
                    .smi("")
                    .driver(End.NOT_FOUND, 0, 0),
            "bad gpu: there is no NVIDIA GPU",
            "bad libcuda: the library of NVIDIA's driver cannot be opened"),
        of(
            "another vendor's card",
            m ->
                m.without("/sys/bus/pci", "/proc/driver", "/proc/self/maps", "/dev")
                    .pci("0000:00:02.0", "vendor", "0x8086")
                    .pci("0000:00:02.0", "class", "0x030000")
                    .driver(End.NOT_FOUND, 0, 0),
            "bad gpu: there is no NVIDIA GPU",
            "bad libcuda: "),
        of(
            "a sound device of a card",
            m ->
                m.pci("0000:1b:00.1", "vendor", "0x10de")
                    .pci("0000:1b:00.1", "class", "0x040300")
                    .boundTo("0000:1b:00.1", "snd_hda_intel")),
        of(
            "the module is not loaded",
            m ->
                m.without("/proc/driver", "/proc/self/maps", "/dev")
                    .without("/sys/bus/pci/devices/" + PlantedMachine.FIRST + "/driver")
                    .without("/sys/bus/pci/devices/" + PlantedMachine.SECOND + "/driver")
                    .driver(End.NOT_FOUND, 0, 0),
            "bad kernel-module: the kernel module nvidia is not loaded",
            "bad libcuda: "),
        of(
            "nouveau",
            m ->
                m.without("/proc/driver", "/dev")
                    .boundTo(PlantedMachine.FIRST, "nouveau")
                    .boundTo(PlantedMachine.SECOND, "nouveau"),
            "bad kernel-module: 0000:1b:00.0 belongs to nouveau",
            "bad kernel-module: 0000:43:00.0 belongs to nouveau"),
        of(
            "vfio",
            m -> m.boundTo(PlantedMachine.SECOND, "vfio-pci"),
            "bad kernel-module: 0000:43:00.0 is reserved for a virtual machine"),
        of(
            "another version",
            m -> m.file("/proc/self/maps", PlantedMachine.map("/usr/lib64/libcuda.so.570.86.15")),
            "bad versions: kernel module 580.159.03, libcuda 570.86.15"),
        of(
            "another version, by its link",
            m ->
                m.without("/proc/self/maps")
                    .link("/usr/lib64/libcuda.so.1", "libcuda.so.570.86.15"),
            "bad versions: kernel module 580.159.03, libcuda 570.86.15"),
        of(
            "an older kind of module's version",
            m ->
                m.file(
                        "/proc/driver/nvidia/version",
                        "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.54.03  Tue Jun 6")
                    .file("/proc/self/maps", PlantedMachine.map("/usr/lib/libcuda.so.535.54.03"))),
        of(
            "a compatibility package",
            m ->
                m.file(
                    "/proc/self/maps",
                    PlantedMachine.map("/usr/local/cuda-13/compat/libcuda.so.590.1.2"))),
        of(
            "a stub was loaded",
            m ->
                m.file(
                        "/proc/self/maps",
                        PlantedMachine.map("/usr/local/cuda/lib64/stubs/libcuda.so"))
                    .driver(End.NOT_STARTED, 13_000, 34),
            "bad libcuda: a stub without a driver: /usr/local/cuda/lib64/stubs/libcuda.so"),
        of(
            "a stub says so itself",
            m -> m.driver(End.NOT_STARTED, 13_000, 34),
            "bad libcuda: a stub without a driver"),
        of(
            "a stub comes first",
            m ->
                m.variable("LD_LIBRARY_PATH", "/opt/lib:/usr/local/cuda/lib64/stubs/")
                    .file("/usr/local/cuda/lib64/stubs/libcuda.so.1", ""),
            "bad libcuda: a stub without a driver: /usr/local/cuda/lib64/stubs/libcuda.so.1"),
        of("not CUDA", m -> m.driver(End.NOT_CUDA, 0, 0), "bad libcuda: the library is not"),
        of(
            "too old",
            m -> m.driver(End.TOO_OLD, 11_040, 0),
            "bad libcuda: it supports CUDA 11.4; 12.0 is needed"));
  }

  private static List<Case> starts() {
    List<Case> cases = new ArrayList<>();
    for (int code : new int[] {46, 100, 304, 802, 803, 804, 805, 999, 777}) {
      cases.add(
          of(
              "cuInit " + code,
              m -> m.driver(End.NOT_STARTED, 13_000, code),
              "bad driver: cuInit fails with " + code + ": "));
    }
    cases.add(of("no device", m -> m.driver(End.STARTED, 13_000, 0), "bad driver: the driver sta"));
    for (int mode : new int[] {1, 3}) {
      cases.add(
          of(
              "compute mode " + mode,
              m ->
                  m.driver(
                      End.STARTED, 13_000, 0, new Gpu("H200", "0000:1B:00.0", 9, 0, mode, true)),
              "warn compute-mode: 0000:1B:00.0 lets in one process"));
    }
    cases.add(
        of(
            "prohibited",
            m -> m.driver(End.STARTED, 13_000, 0, new Gpu("H200", "0000:1B:00.0", 9, 0, 2, true)),
            "bad compute-mode: 0000:1B:00.0 lets in no process"));
    cases.add(
        of(
            "an old product",
            m -> m.driver(End.STARTED, 13_000, 0, new Gpu("T4", "0000:1B:00.0", 7, 5, 0, true)),
            "warn product: T4, compute capability 7.5"));
    cases.add(
        of(
            "MIG",
            m -> m.smi("00000000:1B:00.0, Enabled, Enabled, 0, Enabled"),
            "warn mig: MIG is on for 00000000:1B:00.0"));
    cases.add(
        of(
            "MIG without nvidia-smi",
            m ->
                m.smi("")
                    .file("/proc/driver/nvidia/capabilities/gpu1/mig/gi3/access", "DeviceFile: 1"),
            "warn mig: MIG is on for gpu1"));
    cases.add(
        of(
            "errors",
            m -> m.smi("00000000:1B:00.0, Enabled, Enabled, 12, Disabled"),
            "bad ecc: 00000000:1B:00.0 has 12 errors"));
    cases.add(of("no ecc", m -> m.smi("00000000:1B:00.0, Enabled, [N/A], [N/A], [N/A]")));
    cases.add(
        of(
            "no persistence",
            m -> m.smi("00000000:1B:00.0, Disabled, Enabled, 0, Disabled"),
            "warn persistence: 00000000:1B:00.0 sleeps"));
    return cases;
  }

  private static List<Case> containers() {
    return List.of(
        of("a container", m -> m.file("/.dockerenv", "")),
        of(
            "a container without a GPU",
            m ->
                m.file("/.dockerenv", "")
                    .variable("NVIDIA_VISIBLE_DEVICES", "void")
                    .without("/dev", "/proc/self/maps")
                    .driver(End.NOT_FOUND, 0, 0),
            "bad container: this container was started without a GPU (NVIDIA_VISIBLE_DEVICES=void)",
            "bad libcuda: "),
        of(
            "a pod without a GPU",
            m ->
                m.file("/proc/1/cgroup", "0::/kubepods.slice/kubepods-burstable.slice/pod1")
                    .without("/dev", "/proc/self/maps")
                    .driver(End.NOT_FOUND, 0, 0),
            "bad container: this container was started without a GPU",
            "bad libcuda: "),
        of(
            "utility alone",
            m ->
                m.file("/run/.containerenv", "")
                    .variable("NVIDIA_DRIVER_CAPABILITIES", "utility,video")
                    .driver(End.NOT_FOUND, 0, 0),
            "bad container: NVIDIA_DRIVER_CAPABILITIES=utility,video",
            "bad libcuda: "),
        of("all", m -> m.file("/.dockerenv", "").variable("NVIDIA_DRIVER_CAPABILITIES", "all")),
        of(
            "no device files",
            m -> m.without("/dev"),
            "bad device-files: /dev/nvidia0 is missing",
            "bad device-files: /dev/nvidiactl is missing",
            "bad device-files: /dev/nvidia-uvm is missing"),
        of(
            "no unified memory",
            m -> m.without("/dev/nvidia-uvm"),
            "bad device-files: /dev/nvidia-uvm is missing"),
        of(
            "no permission",
            m -> m.forbid("/dev/nvidia1"),
            "bad device-files: /dev/nvidia1 may not be read and written"),
        of(
            "little memory",
            m -> m.file("/sys/fs/cgroup/user.slice/memory.max", "268435456"),
            "warn memory: 256 MiB; a device may pin 64 MiB"),
        of(
            "hardly any memory",
            m -> m.file("/sys/fs/cgroup/user.slice/memory.max", "8388608"),
            "bad memory: 8 MiB; a device may pin 2 MiB"),
        of(
            "a large heap",
            m ->
                m.file("/sys/fs/cgroup/user.slice/memory.max", "4294967296")
                    .jvm(new Jvm(25, "linux", "amd64", true, 4L << 30)),
            "warn memory: 4,096 MiB; a device may pin 1,024 MiB, beside a heap of 4,096 MiB"),
        of(
            "little locked memory",
            m -> m.file("/proc/self/limits", "Max locked memory   65536   65536   bytes"),
            "warn locked-memory: ulimit -l is 64 KiB"),
        of(
            "any locked memory",
            m -> m.file("/proc/self/limits", "Max locked memory   unlimited  unlimited  bytes")),
        of(
            "Docker's shared memory",
            m -> m.file("/proc/self/mounts", "shm /dev/shm tmpfs rw,nosuid,size=65536k 0 0"),
            "warn shared-memory: /dev/shm has 64 MiB"),
        of(
            "enough shared memory",
            m -> m.file("/proc/self/mounts", "shm /dev/shm tmpfs rw,size=1g 0 0")));
  }

  private static List<Case> variables() {
    return List.of(
        of("some", m -> m.variable("CUDA_VISIBLE_DEVICES", "1, 0")),
        of("by name", m -> m.variable("CUDA_VISIBLE_DEVICES", "GPU-8932f937-d72c-4106")),
        of("empty", m -> m.variable("CUDA_VISIBLE_DEVICES", ""), "bad visible-devices: CUDA_VIS"),
        of("none", m -> m.variable("CUDA_VISIBLE_DEVICES", "-1"), "bad visible-devices: CUDA_V"),
        of(
            "word",
            m -> m.variable("CUDA_VISIBLE_DEVICES", "NoDevFiles"),
            "bad visible-devices: CUDA_VISIBLE_DEVICES=NoDevFiles hides all"),
        of(
            "too many",
            m -> m.variable("CUDA_VISIBLE_DEVICES", "0,2,1"),
            "warn visible-devices: CUDA_VISIBLE_DEVICES=0,2,1 hides all GPUs from '2' on"),
        of("range", m -> m.variable("CUDA_VISIBLE_DEVICES", "0-1"), "warn visible-devices: CUDA"),
        of("twice", m -> m.variable("CUDA_VISIBLE_DEVICES", "1,1"), "warn visible-devices: CUDA"),
        of(
            "blocking",
            m -> m.variable("CUDA_LAUNCH_BLOCKING", "1"),
            "warn launch-blocking: CUDA_LAUNCH_BLOCKING=1"),
        of("not blocking", m -> m.variable("CUDA_LAUNCH_BLOCKING", "0")),
        of(
            "one connection",
            m -> m.variable("CUDA_DEVICE_MAX_CONNECTIONS", "1"),
            "warn launch-blocking: CUDA_DEVICE_MAX_CONNECTIONS=1"),
        of(
            "MPS",
            m ->
                m.file("/tmp/nvidia-mps/control", "")
                    .variable("CUDA_MPS_ACTIVE_THREAD_PERCENTAGE", "50"),
            "warn mps: MPS runs: a fault of one process ends all that share the GPU; 50 %"),
        of(
            "MPS is gone",
            m -> m.variable("CUDA_MPS_PIPE_DIRECTORY", "/run/mps"),
            "warn mps: CUDA_MPS_PIPE_DIRECTORY is set, but no MPS runs in /run/mps"));
  }

  private static List<Case> speeds() {
    return List.of(
        of(
            "a narrow link",
            m -> m.pci(PlantedMachine.SECOND, "current_link_width", "8"),
            "warn pcie: 0000:43:00.0 has 8 of 16 lanes"),
        of(
            "a slow link",
            m -> m.pci(PlantedMachine.FIRST, "current_link_speed", "2.5 GT/s PCIe"),
            "warn pcie: 0000:1b:00.0 runs at 2.5 of 32.0 GT/s"),
        of(
            "a narrow and slow link",
            m ->
                m.pci(PlantedMachine.FIRST, "current_link_width", "4")
                    .pci(PlantedMachine.FIRST, "current_link_speed", "16.0 GT/s PCIe"),
            "warn pcie: 0000:1b:00.0 has 4 of 16 lanes",
            "warn pcie: 0000:1b:00.0 runs at 16.0 of 32.0 GT/s"),
        of(
            "a link of which nothing is known",
            m ->
                m.pci(PlantedMachine.FIRST, "current_link_width", "63")
                    .pci(PlantedMachine.FIRST, "max_link_width", "255")
                    .pci(PlantedMachine.FIRST, "current_link_speed", "Unknown")),
        of(
            "translated",
            m -> m.pci(PlantedMachine.FIRST, "iommu_group/type", "DMA-FQ"),
            "warn iommu: 0000:1b:00.0"),
        of(
            "on the other node",
            m -> m.file("/proc/self/status", "Name:\tjava\nCpus_allowed_list:\t32-35,40"),
            "warn numa: 0000:1b:00.0 is on node 0, and this process on another"),
        of(
            "an unknown node",
            m -> m.pci(PlantedMachine.FIRST, "numa_node", "-1"),
            "warn numa: the node of 0000:1b:00.0 is not known"),
        of(
            "one node",
            m ->
                m.without("/sys/devices/system/node/node1")
                    .pci(PlantedMachine.FIRST, "numa_node", "-1")),
        of(
            "no huge pages",
            m -> m.file("/sys/kernel/mm/transparent_hugepage/enabled", "always madvise [never]"),
            "warn huge-pages: transparent huge pages are off"));
  }

  private static List<Finding> examine(Machine machine) {
    List<Finding> findings = new ArrayList<>();
    Doctor.examine(machine, findings::add);
    return findings;
  }

  @ParameterizedTest
  @MethodSource("cases")
  void aPlantedFaultIsFoundAndNothingElse(Case planted) {
    PlantedMachine machine = new PlantedMachine(root);
    planted.fault.accept(machine);
    List<Finding> wrong =
        examine(machine.machine()).stream().filter(it -> it.level() != Level.OK).toList();
    assertThat(wrong).hasSameSizeAs(planted.found);
    for (int i = 0; i < wrong.size(); i++) {
      Finding found = wrong.get(i);
      assertThat(found.level().word() + " " + found.check() + ": " + found.what())
          .startsWith(planted.found.get(i));
      assertThat(found.remedy()).isNotBlank();
    }
  }

  @Test
  void aMachineOnWhichAllIsWellIsOk() {
    List<Finding> findings = examine(new PlantedMachine(root).machine());
    assertThat(findings).allMatch(finding -> finding.level() == Level.OK);
    assertThat(findings)
        .extracting(Finding::check)
        .contains("java", "gpu", "kernel-module", "libcuda", "versions", "driver", "pcie", "numa");
  }

  /** Files that are folders, empty, or full of zeros, must not end the examination. */
  @Test
  void damagedFilesAreNoFault() {
    for (String content : List.of("", "\0\0\0", "x".repeat(5000), "-", "99999999999999999999")) {
      PlantedMachine machine = new PlantedMachine(root);
      for (String file :
          List.of(
              "/proc/driver/nvidia/version",
              "/proc/meminfo",
              "/proc/self/limits",
              "/proc/self/mounts",
              "/proc/self/maps",
              "/proc/self/status",
              "/sys/kernel/mm/transparent_hugepage/enabled")) {
        machine.file(file, content);
      }
      for (String name :
          List.of("numa_node", "local_cpulist", "current_link_width", "max_link_speed")) {
        machine.pci(PlantedMachine.FIRST, name, content);
      }
      assertThat(examine(machine.machine())).isNotEmpty();
    }
  }

  @Test
  void thisMachineCanBeExamined() {
    assertThat(examine(Machine.thisOne())).extracting(Finding::check).contains("system", "java");
  }

  @Test
  void rowsOfNvidiaSmiAreReadAndOthersLeftOut() {
    assertThat(
            SmiRow.parse(
                """
                NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.
                00000000:1B:00.0, Enabled, [N/A], 3, [Not Supported]
                """))
        .containsExactly(new SmiRow("00000000:1B:00.0", "Enabled", "", "3", ""));
  }
}
