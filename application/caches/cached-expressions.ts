import { LRUCache } from 'lru-cache'
import type { Expressions } from '../../domain/guild-expressions/state.ts'
import { guildId, type GuildId } from '../../domain/ids/ids.ts'
import { snowflake } from '../../domain/ids/snowflake.ts'
import { categoryOf, idOf } from '../../domain/streams.ts'
import type { ExpressionQueries } from '../ports/queries/expression-queries.ts'
import type { Cache } from './cache.ts'
import type { Heard } from './heard-events.ts'
import { readings } from './readings.ts'

/** How many emojis and stickers are cached, of all guilds together, each some hundred bytes; a guild counts one more. */
export const cachedExpressions_max = 200_000

/** Caches the emojis and stickers of guilds while `hearsAll`, until an event changes them. */
export function cachedExpressions(queries: ExpressionQueries, hearsAll: () => boolean): Cache<ExpressionQueries> {
  const kept = new LRUCache<GuildId, Expressions>({
    maxSize: cachedExpressions_max,
    sizeCalculation: ({ emojis, stickers }) => 1 + emojis.length + stickers.length,
  })
  const { begin, forget, forgetAll } = readings()

  return {
    queries: {
      ...queries,
      async ofGuild(guild) {
        const known = hearsAll() ? kept.get(guild) : undefined
        if (known) return known
        const wasCurrent = hearsAll()
        const reading = begin()
        try {
          const found = await queries.ofGuild(guild)
          if (wasCurrent && hearsAll() && reading.isFresh(guild)) kept.set(guild, found)
          return found
        } finally {
          reading.end()
        }
      },
    },
    forget({ stream, type }: Heard) {
      if (categoryOf(stream) !== 'guild_expressions' && type !== 'GuildDeleted') return
      const guild = guildId(snowflake(idOf(stream)))
      forget(guild)
      kept.delete(guild)
    },
    forgetAll() {
      forgetAll()
      kept.clear()
    },
  }
}
