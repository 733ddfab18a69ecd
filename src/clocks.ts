/** How far the clocks of nodes may be apart, in milliseconds. A moment further ahead than that was told by a clock that was ahead, and counts for nothing. */
export const clocksDifferMs = 5_000
