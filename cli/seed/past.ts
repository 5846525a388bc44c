import { commandContext, type CommandContext } from '../../application/commands/command-context.ts'
import { uuid7 } from '../../application/commands/derive-id.ts'
import type { Actor } from '../../application/ports/event-store.ts'
import { composeSnowflake, type Snowflake } from '../../domain/ids/snowflake.ts'
import { timestamp } from '../../domain/kernel/timestamp.ts'
import type { Chance } from './chance.ts'

/** The made-up past: ordered instants, ids of their time, and the contexts of commands that were never sent. */
export interface Past {
  readonly from_ms: number
  readonly until_ms: number
  /** The instant after this share of the time, from 0 to 1, in milliseconds since the Unix epoch. */
  at(share: number): number
  /** An id of that time. Its lower bits are random: its stream shows whether it is free. */
  idAt(ms: number): Snowflake
  contextAt(ms: number, actor: Actor): CommandContext
}

const uuidRandom_bytes = 10

export function pastOf(chance: Chance, { from_ms, until_ms }: Pick<Past, 'from_ms' | 'until_ms'>): Past {
  const idAt = (ms: number): Snowflake => composeSnowflake(ms, chance.below(2 ** 22))
  return {
    from_ms,
    until_ms,
    at: (share) => Math.floor(from_ms + share * (until_ms - from_ms)),
    idAt,
    contextAt(ms, actor) {
      const commandId = uuid7(ms, chance.bytes(uuidRandom_bytes))
      return commandContext({
        commandId,
        correlationId: commandId,
        causationId: commandId,
        actor,
        reason: undefined,
        now: timestamp(ms),
        mayRepeat: false,
        isKeyed: false,
        newId: () => idAt(ms),
        randomBytes: (count) => chance.bytes(count),
      })
    },
  }
}
