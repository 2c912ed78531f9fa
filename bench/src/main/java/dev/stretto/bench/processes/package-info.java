/** Work that processes hand over to each other on one device. */
package dev.stretto.bench.processes;
