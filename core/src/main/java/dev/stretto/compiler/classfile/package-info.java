/**
 * From class files to the graph: reads methods, inlines what they call, refuses what no kernel can
 * do.
 */
@NullMarked
package dev.stretto.compiler.classfile;

import org.jspecify.annotations.NullMarked;
