/** Why the Gateway closes a connection: a close code, and its exact reason. */
export interface Closing {
  readonly code: number
  readonly reason: string
}

export const closings = {
  startFailed: { code: 4000, reason: 'Failed to start session' },
  sessionUnavailable: { code: 4000, reason: 'Session unavailable' },
  drain: { code: 4000, reason: 'Session drain requested; reconnect to continue' },
  unknownOpcode: { code: 4001, reason: 'Unknown opcode' },
  payloadTooLarge: { code: 4002, reason: 'Payload too large' },
  compressionFailed: { code: 4002, reason: 'Compression failed: zstd-stream' },
  decompressionFailed: { code: 4002, reason: 'Decompression failed' },
  decodeFailed: { code: 4002, reason: 'Decode failed' },
  invalidPayload: { code: 4002, reason: 'Invalid payload' },
  invalidIdentify: { code: 4002, reason: 'Invalid identify payload' },
  invalidResume: { code: 4002, reason: 'Invalid resume payload' },
  invalidPresence: { code: 4002, reason: 'Invalid presence payload' },
  notAuthenticated: { code: 4003, reason: 'Not authenticated' },
  invalidToken: { code: 4004, reason: 'Invalid token' },
  alreadyAuthenticated: { code: 4005, reason: 'Already authenticated' },
  invalidSequence: { code: 4007, reason: 'Invalid sequence' },
  rateLimited: { code: 4008, reason: 'Rate limited' },
  tooManyConnections: { code: 4008, reason: 'Too many connections' },
  tooManySessions: { code: 4008, reason: 'Too many sessions' },
  heartbeatTimeout: { code: 4009, reason: 'Heartbeat timeout' },
  invalidShard: { code: 4010, reason: 'Invalid shard' },
  shardingRequired: { code: 4011, reason: 'Sharding required' },
  invalidVersion: { code: 4012, reason: 'Invalid API version' },
} as const satisfies Readonly<Record<string, Closing>>
