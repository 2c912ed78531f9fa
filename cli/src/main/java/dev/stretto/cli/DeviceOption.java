package dev.stretto.cli;

import dev.stretto.fault.NoSuchDeviceException;
import java.util.function.Function;

/** The option {@code --device}. */
final class DeviceOption {
  private DeviceOption() {}

  /**
   * Opens the devices of a name.
   *
   * @throws CommandFailure if the name is invalid, or its devices cannot be opened
   */
  static <T> T open(String name, Function<String, T> opening) {
    return open("--device", name, opening);
  }

  /**
   * Opens the devices that an option names.
   *
   * @throws CommandFailure if the name is invalid, or its devices cannot be opened
   */
  static <T> T open(String option, String name, Function<String, T> opening) {
    try {
      return opening.apply(name);
    } catch (IllegalArgumentException e) {
      throw CommandFailure.wrongCommandLine(option + ": " + Faults.line(e));
    } catch (NoSuchDeviceException e) {
      throw new CommandFailure(option + " " + name + ": " + Faults.line(e), e);
    }
  }
}
