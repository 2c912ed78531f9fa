package dev.stretto.driver.virtual;

import dev.stretto.driver.PeerProperties.Link;

/**
 * How devices of a kind reach each other.
 *
 * @param link what joins two of them; HOST if they do not reach each other
 * @param alone bytes per second of one copy in one direction
 * @param bothWays the sum of two copies in opposite directions
 * @param nanos for which the link is busy with a copy beside moving its bytes
 * @param staged bytes per second of the driver's own way through the host
 * @param stagedBothWays the sum of two of those in opposite directions
 */
record PeerModel(
    Link link, double alone, double bothWays, long nanos, double staged, double stagedBothWays) {}
