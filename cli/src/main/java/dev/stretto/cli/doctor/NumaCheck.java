package dev.stretto.cli.doctor;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** Whether this process runs near its GPUs. */
final class NumaCheck implements Check {
  private static final String NAME = "numa";
  private static final int MOST_CORES = 1 << 16;

  @Override
  public List<Finding> examine(Machine machine) {
    long nodes =
        machine.names("/sys/devices/system/node").stream()
            .filter(name -> name.matches("node\\d+"))
            .count();
    if (nodes < 2) {
      return List.of();
    }
    BitSet allowed = new BitSet();
    for (String line : machine.lines("/proc/self/status")) {
      if (line.startsWith("Cpus_allowed_list:")) {
        allowed = cores(line.substring(line.indexOf(':') + 1));
      }
    }
    List<Finding> findings = new ArrayList<>();
    for (PciGpu gpu : machine.pciGpus()) {
      findings.add(judge(gpu, allowed));
    }
    return findings;
  }

  private static Finding judge(PciGpu gpu, BitSet allowed) {
    String node = gpu.file("numa_node");
    if (!node.matches("\\d+")) {
      return Finding.warn(
          NAME,
          "the node of " + gpu.address() + " is not known",
          "nvidia-smi topo -m may know it; the firmware or the hypervisor hides it");
    }
    BitSet near = cores(gpu.file("local_cpulist"));
    if (!near.isEmpty() && !allowed.isEmpty() && !near.intersects(allowed)) {
      return Finding.warn(
          NAME,
          "%s is on node %s, and this process on another".formatted(gpu.address(), node),
          "numactl --cpunodebind=%s --membind=%s java …".formatted(node, node));
    }
    return Finding.ok(NAME, gpu.address() + " is on node " + node);
  }

  /** The cores of a list such as 0-3,8. */
  private static BitSet cores(String list) {
    BitSet cores = new BitSet();
    for (String part : list.strip().split(",", -1)) {
      if (part.matches("\\d{1,5}(-\\d{1,5})?")) {
        String[] ends = part.split("-", -1);
        int first = Integer.parseInt(ends[0]);
        int last = Integer.parseInt(ends[ends.length - 1]);
        if (first <= last && last < MOST_CORES) {
          cores.set(first, last + 1);
        }
      }
    }
    return cores;
  }
}
