package dev.stretto;

import dev.stretto.driver.FunctionProperties;
import dev.stretto.kernel.DeviceKernel;
import dev.stretto.route.Module;

/**
 * A kernel on a device.
 *
 * @param kernel what was loaded
 * @param module the image that holds it
 * @param function the driver's handle
 * @param properties what the driver knows of it
 * @param faultRecord the address at which it reports a failed check; 0 where it has none
 */
record LoadedKernel(
    DeviceKernel kernel,
    Module module,
    long function,
    FunctionProperties properties,
    long faultRecord) {}
