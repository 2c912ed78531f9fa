/** What may be wrong with a machine, and what to do about it: each check is a class of its own. */
@NullMarked
package dev.stretto.cli.doctor;

import org.jspecify.annotations.NullMarked;
