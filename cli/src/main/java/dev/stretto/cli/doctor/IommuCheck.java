package dev.stretto.cli.doctor;

import java.util.List;

/** The unit that translates the addresses of the GPUs' copies. */
final class IommuCheck implements Check {
  @Override
  public List<Finding> examine(Machine machine) {
    return machine.pciGpus().stream()
        .filter(gpu -> gpu.file("iommu_group/type").startsWith("DMA"))
        .map(
            gpu ->
                Finding.warn(
                    "iommu",
                    gpu.address() + " copies through the IOMMU, slower, or not to peers",
                    "start Linux with iommu=pt, or switch the IOMMU off in the firmware"))
        .toList();
  }
}
