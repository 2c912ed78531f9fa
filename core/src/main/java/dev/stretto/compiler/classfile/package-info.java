/**
 * Builds the graph from class files: reads methods, inlines the methods that they call, and refuses
 * what no kernel can do.
 */
@NullMarked
package dev.stretto.compiler.classfile;

import org.jspecify.annotations.NullMarked;
