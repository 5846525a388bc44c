/** How often a Gateway tells what changed, and everybody looks at the time. */
export const tick_ms = 50

/** A Gateway is heard of at least so often. */
export const heartbeat_ms = 2000

/** A Gateway is forgotten, and its accounts with it, once nothing was heard of it for so long: three heartbeats, and one late. */
export const silence_ms_max = 7000

/** Who asks together is answered together: a snapshot waits so long for others who ask, and follows no other one sooner. */
export const askers_ms = 100
export const betweenSnapshots_ms = 1000

/** Who is not answered asks again. */
export const unanswered_ms = 1000

/** How long who just started waits: for anybody to say a word; for everybody to be heard; for a snapshot that is being sent. */
export const nobodyThere_ms = 1500
export const firstWords_ms = 400
export const firstSnapshots_ms_max = 5000

/** What was done at a Gateway just now may not be known elsewhere for so long: its tick, the way, and the listener's. */
export const lag_ms = 500

/** One signal with so many facts, at most so long each, stays below `signalBytes_max`. A session has the space of two. */
export const factsPerSignal_max = 400
export const bytesPerFact = 38
export const factsPerSession = 2
/** So many sessions of an account are told of by each Gateway: all that a user may have. Of a bot with more, the oldest. */
export const sessionsPerAccount_max = 100
/** Some 5 MB a second; what is more waits for the next tick. */
export const signalsPerTick_max = 16

/**
 * What a listener keeps: about 100 bytes an account or guild, and where it lists sessions, as many a session. Twice the sockets
 * that a Gateway takes, and any guilds of theirs.
 */
export const gateways_max = 256
export const accountsPerGateway_max = 200_000
export const guildsPerGateway_max = 1_000_000
