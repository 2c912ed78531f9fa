package dev.stretto;

import dev.stretto.driver.FunctionProperties;
import dev.stretto.kernel.DeviceKernel;
import dev.stretto.route.Module;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A kernel that is loaded on a device.
 *
 * @param kernel the kernel
 * @param module the image that holds it
 * @param function the driver's handle
 * @param properties the driver's properties of the kernel
 * @param faultRecord the address at which the kernel reports a failed check; 0 if it has none
 * @param idle launches that are enqueued again and again with other arguments
 * @param prepared whether the program may hold a prepared launch or a graph that uses the kernel
 */
record LoadedKernel(
    DeviceKernel kernel,
    Module module,
    long function,
    FunctionProperties properties,
    long faultRecord,
    IdleLaunches idle,
    AtomicBoolean prepared) {
  LoadedKernel(
      DeviceKernel kernel,
      Module module,
      long function,
      FunctionProperties properties,
      long faultRecord,
      IdleLaunches idle) {
    this(kernel, module, function, properties, faultRecord, idle, new AtomicBoolean());
  }
}
