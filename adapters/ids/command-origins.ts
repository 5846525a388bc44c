import { randomBytes } from 'node:crypto'
import { uuid7 } from '../../application/commands/derive-id.ts'
import type { CommandOrigins, OriginRecipe } from '../../application/ports/command-origins.ts'
import { keyOf, keyStream } from '../../application/secrets/keys.ts'
import { nextSnowflake, type Snowflake } from '../../domain/ids/snowflake.ts'
import { timestamp, type Timestamp } from '../../domain/kernel/timestamp.ts'
import type { SnowflakeGenerator } from './snowflake-generator.ts'

/** How many ids a repeatable command may make. A bulk job of 1000 deletions needs the most: two entries for each. */
export const repeatableIds_max = 2048

export interface CommandOriginsSettings {
  readonly snowflakes: SnowflakeGenerator
  /** Milliseconds since the Unix epoch. */
  readonly now?: () => number
}

const uuidRandom_bytes = 10
const seed_bytes = 32
/** How many random bytes are drawn at once: each drawing costs as much as the rest of a command id. */
const drawn_bytes = 4096

/** Makes the origins of this process's commands. */
export function commandOrigins({ snowflakes, now = Date.now }: CommandOriginsSettings): CommandOrigins {
  const chance = drawnBytes()
  const newCommandId = (nowMs: number): string => uuid7(nowMs, chance(uuidRandom_bytes))
  const newId = (): Snowflake => snowflakes.next()
  let latest = { ms: Number.NaN, text: timestamp(0) }
  // Under load many commands share an instant, and writing it costs more than the rest of an origin.
  const textOf = (ms: number): Timestamp => {
    if (latest.ms !== ms) latest = { ms, text: timestamp(ms) }
    return latest.text
  }
  return {
    fresh() {
      const nowMs = now()
      const made = { commandId: newCommandId(nowMs), now: textOf(nowMs), mayRepeat: false, isKeyed: false }
      return { ...made, newId, randomBytes: chance }
    },
    newRecipe() {
      const nowMs = now()
      return {
        commandId: newCommandId(nowMs),
        now: timestamp(nowMs),
        seed: randomBytes(seed_bytes).toString('base64'),
        workerId: snowflakes.workerId,
        ids: snowflakes.setAside(repeatableIds_max),
      }
    },
    follow: (recipe, mayRepeat) => ({
      commandId: recipe.commandId,
      now: recipe.now,
      mayRepeat,
      isKeyed: true,
      newId: idsFrom(recipe),
      randomBytes: keyStream(keyOf(Buffer.from(recipe.seed, 'base64'))),
    }),
  }
}

/** Random bytes out of a larger drawing. No byte is given twice. */
function drawnBytes(): (count: number) => Uint8Array {
  let drawn = randomBytes(drawn_bytes)
  return (count) => {
    if (count > drawn_bytes) return randomBytes(count)
    if (drawn.length < count) drawn = randomBytes(drawn_bytes)
    const given = drawn.subarray(0, count)
    drawn = drawn.subarray(count)
    return given
  }
}

function idsFrom({ ids, workerId }: OriginRecipe): () => Snowflake {
  let clock = ids
  let given = 0
  return () => {
    if (given === repeatableIds_max) throw new Error(`a repeatable command makes at most ${repeatableIds_max} ids`)
    given += 1
    const made = nextSnowflake(clock, clock.ms, workerId)
    clock = made.clock
    return made.id
  }
}
