package dev.stretto.driver.virtual;

import dev.stretto.driver.PeerProperties.Link;

/**
 * How devices of one kind reach each other.
 *
 * @param link the link between two of them; HOST if they have no access to each other
 * @param alone bytes per second of one copy in one direction
 * @param bothWays the sum of two copies in opposite directions
 * @param nanos time for which a copy occupies the link in addition to moving its bytes
 * @param staged bytes per second of the driver's own copies through the host
 * @param stagedBothWays the sum of two such copies in opposite directions
 */
record PeerModel(
    Link link, double alone, double bothWays, long nanos, double staged, double stagedBothWays) {}
