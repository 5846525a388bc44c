/** The kinds of payloads. Op 5 is reserved, and op 12 belongs to voice. */
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
  voiceSignal: 13,
  lazyRequest: 14,
  requestGuildCounts: 15,
  requestChannelMemberCounts: 16,
  requestForumUnreads: 28,
} as const

const names: ReadonlyMap<unknown, string> = new Map(Object.entries(opcodes).map(([name, op]) => [op, name]))

/** The name of the work on a payload, whatever opcode the client sent. */
export function workNameOf(op: unknown): string {
  return `gateway ${names.get(op) ?? 'unknown opcode'}`
}
