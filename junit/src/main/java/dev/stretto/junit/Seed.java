package dev.stretto.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The seed of the run: for a parameter of type {@code long} of a {@link DeviceTest}, or of a method
 * that runs before or after each of its runs. Data that the test makes from it differ from run to
 * run, and come again when the run is replayed. A run without a seed, on threads or on a GPU, has
 * seed 0.
 */
@Documented
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.RUNTIME)
public @interface Seed {}
