/**
 * What a kernel is and what it may say. Today a kernel is an image (PTX or a cubin) with a Java
 * method beside it that does the same on a virtual device, thread by thread.
 */
@NullMarked
package dev.stretto.kernel;

import org.jspecify.annotations.NullMarked;
