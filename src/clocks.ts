/**
 * The tolerated difference between the clocks of nodes, in milliseconds. A moment further ahead comes from a clock that
 * was ahead, and is ignored.
 */
export const clocksDifferMs = 5_000
