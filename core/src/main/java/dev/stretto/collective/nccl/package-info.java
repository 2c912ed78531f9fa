/** NVIDIA's library NCCL, found and called by the JDK's foreign-function interface. */
@NullMarked
package dev.stretto.collective.nccl;

import org.jspecify.annotations.NullMarked;
