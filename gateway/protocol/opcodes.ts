/** The kinds of payloads (reference gateway 1.5). The others up to 28 are reserved or belong to parts that are not built. */
export const opcodes = {
  dispatch: 0,
  heartbeat: 1,
  identify: 2,
  presenceUpdate: 3,
  voiceStateUpdate: 4,
  resume: 6,
  reconnect: 7,
  requestGuildMembers: 8,
  invalidSession: 9,
  hello: 10,
  heartbeatAck: 11,
  lazyRequest: 14,
  requestGuildCounts: 15,
  requestChannelMemberCounts: 16,
} as const
