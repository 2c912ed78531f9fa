package dev.stretto.observe;

import dev.stretto.route.DeviceRuntime;

/** What a device can be observed by that needs no two marks for each operation. */
public interface Recording {
  /** {@return what listens to a device} */
  Listener listener(DeviceRuntime engine);
}
