package dev.stretto.route;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** That the memory of a process is that of its container. */
class HostMemoryTest {
  private static final long GIB = 1L << 30;
  private static final String OF_V2 =
      "31 23 0:28 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup rw,nsdelegate";
  private static final String OF_V1 =
      "35 31 0:32 %s /sys/fs/cgroup/memory rw,relatime shared:9 master:1 - cgroup cgroup rw,memory";

  @TempDir Path root;

  @BeforeEach
  void aMachineOf64Gibibytes() throws IOException {
    write("proc/meminfo", "MemTotal:       67108864 kB\nMemFree:        1024 kB\n");
  }

  private void write(String file, String text) throws IOException {
    Path path = root.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }

  private void isIn(String groups, String mounts) throws IOException {
    write("proc/self/cgroup", groups + "\n");
    write("proc/self/mountinfo", "23 1 8:1 / / rw - ext4 /dev/sda1 rw\n" + mounts + "\n");
  }

  @Test
  void withoutGroupsItIsTheMachines() throws IOException {
    assertThat(HostMemory.bytes(root)).isEqualTo(64 * GIB);
    isIn("0::/", "23 1 8:1 / /boot rw - ext4 /dev/sda2 rw");
    assertThat(HostMemory.bytes(root)).isEqualTo(64 * GIB);
  }

  @Test
  void whereNobodySaysThereIsNoLimit() {
    assertThat(HostMemory.bytes(root.resolve("elsewhere"))).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void aLimitOfTheSecondVersionCounts() throws IOException {
    isIn("0::/system.slice/app", OF_V2);
    write("sys/fs/cgroup/system.slice/app/memory.max", "2147483648\n");
    assertThat(HostMemory.bytes(root)).isEqualTo(2 * GIB);
    write("sys/fs/cgroup/system.slice/app/memory.max", "max\n");
    assertThat(HostMemory.bytes(root)).isEqualTo(64 * GIB);
    write("sys/fs/cgroup/system.slice/app/memory.high", "1073741824\n");
    assertThat(HostMemory.bytes(root)).as("beyond which it is slowed down").isEqualTo(GIB);
  }

  @Test
  void theLeastLimitOfNestedGroupsCounts() throws IOException {
    isIn("0::/a/b/c", OF_V2);
    write("sys/fs/cgroup/a/b/c/memory.max", "max\n");
    write("sys/fs/cgroup/a/b/memory.max", "3221225472\n");
    write("sys/fs/cgroup/a/memory.max", "1073741824\n");
    assertThat(HostMemory.bytes(root)).isEqualTo(GIB);
  }

  @Test
  void aContainerThatSeesItsOwnGroupAsTheTopIsLimited() throws IOException {
    isIn("0::/", OF_V2);
    write("sys/fs/cgroup/memory.max", "536870912\n");
    assertThat(HostMemory.bytes(root)).isEqualTo(GIB / 2);
  }

  @Test
  void aPathFromOutsideOfTheContainerMeansItsTop() throws IOException {
    write("sys/fs/cgroup/memory.max", "536870912\n");
    for (String path : new String[] {"/../../other", "/docker/0123", "/../sys"}) {
      isIn("0::" + path, OF_V2);
      assertThat(HostMemory.bytes(root)).as(path).isEqualTo(GIB / 2);
    }
  }

  @Test
  void aLimitOfTheFirstVersionCountsWithThoseAboveIt() throws IOException {
    isIn("9:cpu:/x\n4:hugetlb,memory:/jobs/7\n0::/", OF_V1.formatted("/"));
    write("sys/fs/cgroup/memory/jobs/7/memory.limit_in_bytes", "9223372036854771712\n");
    assertThat(HostMemory.bytes(root)).isEqualTo(64 * GIB);
    write("sys/fs/cgroup/memory/jobs/memory.limit_in_bytes", "4294967296\n");
    assertThat(HostMemory.bytes(root)).isEqualTo(4 * GIB);
    write(
        "sys/fs/cgroup/memory/jobs/7/memory.stat",
        "cache 0\nhierarchical_memory_limit 1073741824\nhierarchical_memsw_limit 5\n");
    assertThat(HostMemory.bytes(root)).isEqualTo(GIB);
  }

  @Test
  void aContainerOfTheFirstVersionSeesAPartOfTheHierarchy() throws IOException {
    isIn("4:memory:/docker/0123/inner", OF_V1.formatted("/docker/0123"));
    write("sys/fs/cgroup/memory/memory.limit_in_bytes", "2147483648\n");
    write("sys/fs/cgroup/memory/inner/memory.limit_in_bytes", "1073741824\n");
    assertThat(HostMemory.bytes(root)).isEqualTo(GIB);
    isIn("4:memory:/docker/0123", OF_V1.formatted("/docker/0123"));
    assertThat(HostMemory.bytes(root)).isEqualTo(2 * GIB);
  }

  @Test
  void filesThatSayNothingSensibleLimitNothing() throws IOException {
    isIn("0::/a\n\nnonsense\n7:memory", OF_V2 + "\n1 2 3\n- - -\n" + OF_V1.formatted("/"));
    write("sys/fs/cgroup/a/memory.max", "");
    write("sys/fs/cgroup/memory.max", "lots\n");
    assertThat(HostMemory.bytes(root)).isEqualTo(64 * GIB);
  }

  @Test
  void theProcessHasMemory() {
    assertThat(HostMemory.bytes()).isGreaterThan(Runtime.getRuntime().maxMemory() / 2);
  }
}
