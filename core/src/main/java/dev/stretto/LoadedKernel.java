package dev.stretto;

import dev.stretto.driver.FunctionProperties;
import dev.stretto.kernel.DeviceKernel;
import dev.stretto.route.Module;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A kernel on a device.
 *
 * @param kernel what was loaded
 * @param module the image that holds it
 * @param function the driver's handle
 * @param properties what the driver knows of it
 * @param faultRecord the address at which it reports a failed check; 0 where it has none
 * @param prepared whether the program may have something that was made of it: a prepared launch, or
 *     a graph
 */
record LoadedKernel(
    DeviceKernel kernel,
    Module module,
    long function,
    FunctionProperties properties,
    long faultRecord,
    AtomicBoolean prepared) {
  LoadedKernel(
      DeviceKernel kernel,
      Module module,
      long function,
      FunctionProperties properties,
      long faultRecord) {
    this(kernel, module, function, properties, faultRecord, new AtomicBoolean());
  }
}
