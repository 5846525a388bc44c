/** How often a Gateway reports changes, and every process checks its timers. */
export const tick_ms = 50

/** The maximum time between two messages of a Gateway. */
export const heartbeat_ms = 2000

/** A Gateway and its accounts are forgotten after this much silence: three heartbeats and a late one. */
export const silence_ms_max = 7000

/** A snapshot waits this long for further requests, and comes at least this long after the previous one. */
export const askers_ms = 100
export const betweenSnapshots_ms = 1000

/** How long to wait for an answer before asking again. */
export const unanswered_ms = 1000

/**
 * How long a starting process waits: for any Gateway's first message; for all Gateways to be heard; for a snapshot in progress.
 */
export const nobodyThere_ms = 1500
export const firstWords_ms = 400
export const firstSnapshots_ms_max = 5000

/** How long a recent change at a Gateway may be unknown elsewhere: its tick, the transport, and the listener's tick. */
export const lag_ms = 500

/** A signal of this many facts, each of at most this many bytes, stays below `signalBytes_max`. A session counts as two facts. */
export const factsPerSignal_max = 400
export const bytesPerFact = 38
export const factsPerSession = 2
/** The sessions of an account that each Gateway reports: all that a user may have. For a bot with more, the oldest. */
export const sessionsPerAccount_max = 100
/** The most signals that are sent at each tick, some 5 MB per second. Further ones wait for the next tick. */
export const signalsPerTick_max = 16

/**
 * The bounds of a listener's memory: about 100 bytes for each account or guild and, if it lists sessions, for each session. Twice
 * the sockets that a Gateway accepts, and all their guilds.
 */
export const gateways_max = 256
export const accountsPerGateway_max = 200_000
export const guildsPerGateway_max = 1_000_000
