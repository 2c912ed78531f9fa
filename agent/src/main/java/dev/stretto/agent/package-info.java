/**
 * An agent that lets Stretto's order engine see what a program's own classes do with host memory:
 * {@code -javaagent:stretto-agent.jar}. It knows Stretto by the name of one class only, so it finds
 * the copy of Stretto that each class uses, and changes no class that uses none.
 */
@NullMarked
package dev.stretto.agent;

import org.jspecify.annotations.NullMarked;
