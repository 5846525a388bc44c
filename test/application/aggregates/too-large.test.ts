import { describe, expect, it } from 'vitest'
import { aggregateOf } from '../../../application/aggregates/aggregates.ts'
import { beforeAll as beforeAllEvents } from '../../../domain/kernel/position.ts'
import { appendBytes_max } from '../../../application/failures/append-too-large.ts'
import type { CreateGuild } from '../../../domain/guild/commands.ts'
import { guild } from '../../../domain/guild/guild.ts'
import { ada, home, homeLayout, start } from '../../../domain/testing/people.ts'
import { context, fixture } from './fixture.ts'

describe('a command', () => {
  it('is refused before the append if its events are too large for a store, and the next one finds the state unchanged', async () => {
    const { store, snapshots, reads } = fixture()
    const guilds = aggregateOf(guild, { store, snapshots })
    const layout = (name: string) => ({ ...homeLayout, channels: homeLayout.channels.map((one) => ({ ...one, name })) })
    const founding = (name: string): CreateGuild => {
      return { type: 'CreateGuild', guildId: home, name, ownerId: ada, features: [], layout: layout(name), now: start }
    }
    const given = context()
    const refused = guilds.execute(home, founding('x'.repeat(appendBytes_max / 4)), given)
    await expect(refused).rejects.toMatchObject({
      refusal: { code: 'INVALID_FORM_BODY', fields: [{ path: 'root', code: 'TOO_LARGE' }] },
    })
    expect(given.written).toBe(beforeAllEvents)
    expect(await store.end()).toBe(beforeAllEvents)
    const readsBefore = reads.length
    expect(await guilds.execute(home, founding('Home'), context())).toMatchObject({ changed: true })
    // There is no state to keep of a stream that does not exist.
    expect(reads).toHaveLength(readsBefore + 1)
  })
})
