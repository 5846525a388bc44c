import { describe, expect, it } from 'vitest'
import { accountLimits, guildLimits, maxMembersOf } from '../../../domain/limits/limits.js'

describe('the stock limits', () => {
  it('give a guild 1,000,000 members, and 10,000,000 with VERY_LARGE_GUILD', () => {
    expect(maxMembersOf({ features: ['BANNER', 'LARGE_GUILD_OVERRIDE'] })).toBe(1_000_000)
    expect(maxMembersOf({ features: ['VERY_LARGE_GUILD'] })).toBe(10_000_000)
  })

  it('give a guild 1000 invites, and an account 100 guilds', () => {
    expect(guildLimits.maxInvites).toBe(1000)
    expect(accountLimits.maxGuilds).toBe(100)
  })
})
