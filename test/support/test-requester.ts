import { randomBytes, randomInt } from 'node:crypto'
import type { Requester } from '../../application/caller.ts'
import { commandContext } from '../../application/commands/command-context.ts'
import { uuid7 } from '../../application/commands/derive-id.ts'
import { nextSnowflake, type SnowflakeClock } from '../../domain/ids/snowflake.ts'
import { timestamp } from '../../domain/kernel/timestamp.ts'

/** Ids of this process: servers get low worker ids first, and only a few run at a time. */
const worker = randomInt(512, 1024)
let clock: SnowflakeClock = { ms: 0, sequence: 0 }

/** A request without an account, from this machine, for tests that call a use case of a running server. */
export function testRequester(): Requester {
  const now_ms = Date.now()
  const commandId = uuid7(now_ms, randomBytes(10))
  const context = commandContext({
    commandId,
    correlationId: commandId,
    causationId: commandId,
    actor: { kind: 'system', name: 'anonymous' },
    reason: undefined,
    now: timestamp(now_ms),
    mayRepeat: false,
    isKeyed: false,
    newId: () => {
      const next = nextSnowflake(clock, now_ms, worker)
      clock = next.clock
      return next.id
    },
    randomBytes: (count) => randomBytes(count),
  })
  const capabilities = new Set<string>()
  return { context, ip: '127.0.0.1', userAgent: 'node', capabilities, locale: 'en-US', authorization: null }
}
