/** How fast schedules of seeded devices run, and how soon they find what is wrong. */
@NullMarked
package dev.stretto.bench.schedule;

import org.jspecify.annotations.NullMarked;
