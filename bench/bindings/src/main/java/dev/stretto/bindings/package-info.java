/**
 * The same jobs with Stretto and with the libraries that a Java program would use instead: JCuda,
 * JavaCPP's CUDA presets and LWJGL. Nothing else in the project depends on them.
 */
@NullMarked
package dev.stretto.bindings;

import org.jspecify.annotations.NullMarked;
