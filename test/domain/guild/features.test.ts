import { describe, it } from 'vitest'
import type { GuildEvent } from '../../../domain/guild/events.ts'
import type { GuildFeature } from '../../../domain/guild/features.ts'
import { guild } from '../../../domain/guild/guild.ts'
import { given } from '../../../domain/testing/given-when-then.ts'
import { ada, home, start } from '../../../domain/testing/people.ts'

const founded: readonly GuildEvent[] = [
  { type: 'GuildCreated', data: { guildId: home, name: 'Home', ownerId: ada, features: [], createdAt: start } },
]
const featured = (...features: readonly GuildFeature[]): GuildEvent => ({
  type: 'GuildFeaturesChanged',
  data: { guildId: home, features },
})

describe('the features of a guild', () => {
  it('are added and removed one by one, whatever the others are', () => {
    const toggle = (add: readonly GuildFeature[], remove: readonly GuildFeature[]) =>
      ({ type: 'SetFeatures', add, remove }) as const
    const having = [...founded, featured('INVITES_DISABLED', 'VERIFIED')]
    given(guild, having)
      .when(toggle(['DISCOVERABLE', 'VERIFIED'], ['INVITES_DISABLED', 'BANNER']))
      .then(featured('VERIFIED', 'DISCOVERABLE'))
    given(guild, having)
      .when(toggle(['VERIFIED'], ['DISCOVERABLE']))
      .changesNothing()
    given(guild, having)
      .when(toggle(['DISCOVERABLE'], ['DISCOVERABLE']))
      .changesNothing()
    given(guild, [])
      .when(toggle(['DISCOVERABLE'], []))
      .refuses('UNKNOWN_GUILD')
  })
})
