package dev.stretto.cli.doctor;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A GPU on the PCI bus.
 *
 * @param address such as {@code 0000:1b:00.0}
 * @param folder that describes it
 */
record PciGpu(Machine machine, String address, String folder) {
  private static final Pattern NUMBER = Pattern.compile("^[0-9]+(\\.[0-9]+)?");

  /** The content of a file in its folder, or an empty text. */
  String file(String name) {
    return machine.text(folder + "/" + name).orElse("");
  }

  /** The number at the beginning of a file, such as the 32 of 32.0 GT/s. */
  Optional<Double> number(String name) {
    Matcher matcher = NUMBER.matcher(file(name));
    return matcher.find() ? Optional.of(Double.parseDouble(matcher.group())) : Optional.empty();
  }

  /** The kernel's driver that has it, or nothing. */
  Optional<String> driver() {
    return machine.target(folder + "/driver");
  }
}
