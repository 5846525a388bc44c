/** The limits and buffer sizes of the Gateway. */
export interface GatewayLimits {
  /** Sockets in all; one more is refused before its upgrade. */
  readonly connections_max: number
  /** Sockets whose payloads are compressed: each takes up to half a megabyte. */
  readonly compressed_max: number
  readonly connectionsPerIp_max: number
  readonly payloadsPerMinute: { readonly connection: number; readonly session: number; readonly ip: number }
  readonly identifiesPerIpAndMinute: number
  readonly presenceUpdatesPer20s: number
  /** Requests of one session in progress at once, and the time limit of each. */
  readonly requestsAtWork_max: number
  readonly requestDeadline_ms: number
  /** How long a bot must wait between two full member lists of one guild. */
  readonly fullMemberListPeriod_ms: number
  /**
   * Sessions of one user account, including those that wait to be resumed; at other Gateways, those that are not offline. Bots
   * have no bound.
   */
  readonly sessionsPerAccount_max: number
  readonly guildsPerBotShard_max: number
  /** Starts in progress at once; further ones wait. */
  readonly sessionStarts_max: number
  readonly replayEntries_max: number
  readonly replay_bytes_max: number
  /** What all sessions keep for replays, where a dispatch to many counts once. */
  readonly replays_bytes_max: number
  /** A larger dispatch is delivered but not kept. */
  readonly replayEntry_bytes_max: number
  /**
   * How much may wait for a client, including the frame being sent. More than a whole replay, or a resume could never succeed.
   */
  readonly backlog_bytes_max: number
  /** READY contains guilds up to this estimated total size; otherwise each follows as a GUILD_CREATE. */
  readonly readyGuilds_bytes_max: number
  /**
   * The size of separately sent guilds that are encoded but not yet accepted by sockets: for all clients, and for those of one
   * address.
   */
  readonly encoded_bytes_max: number
  readonly encodedPerIp_bytes_max: number
  /** Events that wait to be dispatched. Beyond this, all sessions are ended, since they would miss some. */
  readonly queuedEvents_max: number
  /** Events remembered for sessions whose snapshot was taken while they were dispatched. */
  readonly recentEvents_max: number
  readonly cachedAccounts_max: number
  /** Guilds in which one session looks at a list of members. One more is refused. */
  readonly memberListsPerSession_max: number
  /** Members of all guilds with such lists. A guild that would exceed it has none. */
  readonly rosterMembers_max: number
  /** Rows of these lists that are kept as they are sent; others are looked up again. */
  readonly memberListRows_max: number
  /** How soon after some changes the next changes of a list are sent. */
  readonly memberListPeriod_ms: number
  /** How much of all lists is sent, to all sessions together. */
  readonly memberListBytesPerSecond: number
  /** Channels whose newest message is cached; others are looked up again. */
  readonly newestMessages_max: number
}

const MiB = 1024 * 1024

export const gatewayLimits: GatewayLimits = {
  connections_max: 100_000,
  compressed_max: 500,
  connectionsPerIp_max: 256,
  payloadsPerMinute: { connection: 600, session: 600, ip: 6000 },
  identifiesPerIpAndMinute: 300,
  presenceUpdatesPer20s: 5,
  requestsAtWork_max: 4,
  requestDeadline_ms: 10_000,
  fullMemberListPeriod_ms: 30_000,
  sessionsPerAccount_max: 100,
  guildsPerBotShard_max: 2500,
  sessionStarts_max: 512,
  replayEntries_max: 4096,
  replay_bytes_max: 16 * MiB,
  replays_bytes_max: 256 * MiB,
  replayEntry_bytes_max: 2 * MiB,
  backlog_bytes_max: 24 * MiB,
  readyGuilds_bytes_max: 2 * MiB,
  encoded_bytes_max: 256 * MiB,
  encodedPerIp_bytes_max: 8 * MiB,
  queuedEvents_max: 50_000,
  recentEvents_max: 4096,
  cachedAccounts_max: 10_000,
  memberListsPerSession_max: 25,
  rosterMembers_max: 2_000_000,
  memberListRows_max: 20_000,
  memberListPeriod_ms: 1000,
  memberListBytesPerSecond: 32 * MiB,
  newestMessages_max: 200_000,
}

/** The limits while the instance switch RATE_LIMITS is off: without the limits per minute and per address. */
export function withoutRateLimits(limits: GatewayLimits): GatewayLimits {
  const unlimited = Number.POSITIVE_INFINITY
  return {
    ...limits,
    connectionsPerIp_max: unlimited,
    payloadsPerMinute: { connection: unlimited, session: unlimited, ip: unlimited },
    identifiesPerIpAndMinute: unlimited,
    presenceUpdatesPer20s: unlimited,
    fullMemberListPeriod_ms: 0,
  }
}

/** The size of a client's frame in bytes. */
export const inboundFrame_bytes_max = 4096

/** Heartbeats, in milliseconds. */
export const heartbeat = { interval_ms: 41_250, inspection_ms: 13_750, ask_ms: 37_125, timeout_ms: 45_000 } as const

/** How long a session is kept after its transport has ended, and when it counts as offline. */
export const retention_ms = 60_000
export const presenceGrace_ms = 5000

/** After Invalid Session, how long a socket may stay without an Identify. */
export const identifyAfterInvalidSession_ms = 5000

/** How long a drain waits for clients to finish the close handshake. */
export const drain_ms_max = 5000

export const minute_ms = 60_000
