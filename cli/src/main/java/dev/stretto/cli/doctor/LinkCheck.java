package dev.stretto.cli.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The PCIe link, which is what bounds copies between host and device. */
final class LinkCheck implements Check {
  private static final String NAME = "pcie";

  /** What the kernel says where it does not know. */
  private static final double MOST_LANES = 32;

  @Override
  public List<Finding> examine(Machine machine) {
    List<Finding> findings = new ArrayList<>();
    for (PciGpu gpu : machine.pciGpus()) {
      Optional<Double> lanes = lanes(gpu, "current_link_width");
      Optional<Double> mostLanes = lanes(gpu, "max_link_width");
      Optional<Double> speed = gpu.number("current_link_speed");
      Optional<Double> mostSpeed = gpu.number("max_link_speed");
      boolean narrow = isLess(lanes, mostLanes);
      boolean slow = isLess(speed, mostSpeed);
      if (narrow) {
        findings.add(
            Finding.warn(
                NAME,
                "%s has %.0f of %.0f lanes"
                    .formatted(gpu.address(), lanes.orElseThrow(), mostLanes.orElseThrow()),
                "seat it in another slot, and look at the slot's setting in the firmware"));
      }
      if (slow) {
        findings.add(
            Finding.warn(
                NAME,
                String.format(
                    Locale.ROOT,
                    "%s runs at %.1f of %.1f GT/s",
                    gpu.address(),
                    speed.orElseThrow(),
                    mostSpeed.orElseThrow()),
                "an idle GPU slows down: look again during stretto bandwidth; then at the slot"));
      }
      if (!narrow && !slow && lanes.isPresent() && speed.isPresent()) {
        findings.add(
            Finding.ok(
                NAME,
                String.format(
                    Locale.ROOT,
                    "%s: %.0f lanes, %.1f GT/s",
                    gpu.address(),
                    lanes.get(),
                    speed.get())));
      }
    }
    return findings;
  }

  private static Optional<Double> lanes(PciGpu gpu, String file) {
    return gpu.number(file).filter(lanes -> lanes >= 1 && lanes <= MOST_LANES);
  }

  private static boolean isLess(Optional<Double> now, Optional<Double> most) {
    return now.isPresent() && most.isPresent() && now.get() < most.get();
  }
}
