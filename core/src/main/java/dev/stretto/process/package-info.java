/**
 * Talks to other processes of the machine that use memory and events of this one's devices: who may
 * open what, who still uses it, and who is still there. A socket in the file system joins two
 * processes; it closes when either ends, however that happens.
 */
package dev.stretto.process;
