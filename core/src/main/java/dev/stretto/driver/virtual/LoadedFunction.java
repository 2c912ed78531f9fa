package dev.stretto.driver.virtual;

import dev.stretto.driver.FunctionProperties;
import dev.stretto.driver.KernelTwin;

/**
 * A kernel of a loaded module.
 *
 * @param module the module's handle
 * @param entry its name
 * @param properties its properties according to the image
 * @param twin the host code that runs in its place
 */
record LoadedFunction(long module, String entry, FunctionProperties properties, KernelTwin twin) {}
