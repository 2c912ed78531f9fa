/** Counts findings by their place in the program. Knows nothing of devices. Not exported. */
@NullMarked
package dev.stretto.diagnosis.tally;

import org.jspecify.annotations.NullMarked;
