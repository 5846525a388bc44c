import { describe, expect, it } from 'vitest'
import { cachedExpressions } from '../../../application/caches/cached-expressions.ts'
import type { Heard } from '../../../application/caches/heard-events.ts'
import type { ExpressionQueries } from '../../../application/ports/queries/expression-queries.ts'
import { noExpressions } from '../../../domain/guild-expressions/state.ts'
import { away, home } from '../../../domain/testing/people.ts'

/** A cache over queries that count how often they are asked. */
function opened() {
  const asked: string[] = []
  const at = { hearsAll: true, meanwhile: () => undefined as void }
  const queries: ExpressionQueries = {
    ofGuild: async (guild) => {
      asked.push(guild)
      at.meanwhile()
      return noExpressions
    },
    emojis: async () => [],
    stickers: async () => [],
    imageOf: async () => undefined,
  }
  const cache = cachedExpressions(queries, () => at.hearsAll)
  return { asked, at, cache, ask: (guild = home) => cache.queries.ofGuild(guild) }
}

const heard = (stream: string, type: string) => ({ stream, type }) as Heard

describe('the emojis and stickers of a guild', () => {
  it('are read once, until an event changes them or ends the guild', async () => {
    const { asked, cache, ask } = opened()
    for (let times = 0; times < 2; times += 1) await ask()
    expect(asked).toHaveLength(1)
    cache.forget(heard(`guild_expressions-${away}`, 'EmojisCreated'))
    cache.forget(heard(`guild-${home}`, 'RoleCreated'))
    await ask()
    expect(asked).toHaveLength(1)
    cache.forget(heard(`guild_expressions-${home}`, 'EmojiRenamed'))
    await ask()
    cache.forget(heard(`guild-${home}`, 'GuildDeleted'))
    await ask()
    expect(asked).toHaveLength(3)
  })

  it('are not kept where an event came while they were read', async () => {
    const { asked, at, cache, ask } = opened()
    at.meanwhile = () => cache.forget(heard(`guild_expressions-${home}`, 'EmojiRenamed'))
    await ask()
    at.meanwhile = () => undefined
    await ask()
    expect(asked).toHaveLength(2)
  })

  it('are read each time while not every event is heard', async () => {
    const { asked, at, ask } = opened()
    at.hearsAll = false
    for (let times = 0; times < 2; times += 1) await ask()
    expect(asked).toHaveLength(2)
  })
})
