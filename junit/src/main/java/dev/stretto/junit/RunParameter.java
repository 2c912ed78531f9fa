package dev.stretto.junit;

import dev.stretto.Device;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.timeline.Timeline;
import java.lang.foreign.Arena;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;

/**
 * A parameter of a test.
 *
 * @param context where it stands
 * @param run of the test
 */
record RunParameter(ParameterContext context, Run run) {
  private static final Set<Class<?>> TYPES =
      Set.of(Device.class, Stream.class, PinnedArena.class, Timeline.class, Arena.class);

  static boolean isSupported(ParameterContext context) {
    if (!(context.getDeclaringExecutable() instanceof Method)) {
      return false;
    }
    Parameter parameter = context.getParameter();
    return TYPES.contains(parameter.getType())
        || isListOfDevices(parameter)
        || context.isAnnotated(Seed.class);
  }

  private static boolean isListOfDevices(Parameter parameter) {
    return parameter.getType() == List.class
        && parameter.getParameterizedType() instanceof ParameterizedType list
        && list.getActualTypeArguments()[0] == Device.class;
  }

  /** {@return what the test gets for it} */
  Object of(RunDevices devices) {
    Parameter parameter = context.getParameter();
    Class<?> type = parameter.getType();
    if (context.isAnnotated(Seed.class)) {
      if (type != long.class) {
        throw new ParameterResolutionException(
            "@Seed is for parameters of type long, and not of " + type.getSimpleName());
      }
      return run.seed().orElse(0);
    }
    if (type == List.class) {
      return devices.all();
    }
    if (type == Arena.class) {
      return devices.lend(Arena.ofShared());
    }
    Device device = device(devices.all());
    if (type == Stream.class) {
      return devices.lend(
          parameter.isNamePresent() ? device.stream(parameter.getName()) : device.stream());
    } else if (type == PinnedArena.class) {
      return devices.lend(device.pinnedArena());
    } else if (type == Timeline.class) {
      return devices.lend(Timeline.record(device));
    }
    return device;
  }

  /** The device that the parameter is, or belongs to. */
  private Device device(List<Device> devices) {
    Parameter[] all = context.getDeclaringExecutable().getParameters();
    int number = -1;
    for (int i = 0; i <= context.getIndex(); i++) {
      number += all[i].getType() == Device.class ? 1 : 0;
    }
    if (number >= devices.size()) {
      throw new ParameterResolutionException(
          "%s takes a device number %d, and %s is %d: write devices = \"h200x%d\""
              .formatted(
                  context.getDeclaringExecutable().getName(),
                  number,
                  run,
                  devices.size(),
                  number + 1));
    }
    return devices.get(Math.max(number, 0));
  }
}
