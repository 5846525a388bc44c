import { describe, expect, it } from 'vitest'
import { freshPolicy } from '../../../domain/instance/fresh-policy.ts'
import { limitsInForce, limitsAge_ms_max } from '../../../application/caches/limits-in-force.ts'
import type { Limits } from '../../../application/ports/limits.ts'
import type { LimitRule } from '../../../domain/limits/limit-config.ts'
import { secondsAfter } from '../../../domain/kernel/timestamp.ts'
import { noPremiumFields, type PremiumFields } from '../../../domain/premium/premium.ts'
import { ada, grace } from '../../../domain/testing/people.ts'
import { world, type World } from '../support/world.ts'

const account = { id: ada, bot: false, traits: [], premiumFlags: 0, premium: noPremiumFields }
const rule = (limits: LimitRule['limits']) => ({ id: 'mine', filters: { traits: [], guildFeatures: [] }, limits })
const change = (on: World, limits: LimitRule['limits'], by: Limits = on.ports.limits) =>
  by.change({ traitDefinitions: [], rules: [rule(limits)] }, on.requester().context)

/** Counts how often streams are read. */
function counting(on: World): { readonly reads: () => number; readonly limits: Limits; pass(ms: number): void } {
  let reads = 0
  let now_ms = 0
  const { instance } = on.ports.aggregates
  const load: typeof instance.load = (id, freshness) => {
    if (freshness !== 'cached') reads += 1
    return instance.load(id, freshness)
  }
  const counted = { ...instance, load }
  const limits = limitsInForce({
    aggregates: { instance: counted },
    premium: freshPolicy.premium,
    hosted: false,
    now_ms: () => now_ms,
    clock: () => on.now,
  })
  return { reads: () => reads, limits, pass: (ms) => void (now_ms += ms) }
}

describe('the limits in force', () => {
  it('are the default ones if no operator has changed them', async () => {
    const on = world()
    expect(await on.ports.limits.ofAccount(account)).toMatchObject({ max_guilds: 100, max_bio_length: 160 })
    expect(await on.ports.limits.ofGuild({ features: ['VERY_LARGE_GUILD'] })).toMatchObject({
      max_guild_members: 10_000_000,
    })
  })

  it('follow what this process changes at once', async () => {
    const on = world()
    await on.ports.limits.ofAccount(account)
    await change(on, { max_guilds: 3, max_guild_invites: 4 })
    expect((await on.ports.limits.ofAccount(account)).max_guilds).toBe(3)
    expect((await on.ports.limits.ofGuild({ features: [] })).max_guild_invites).toBe(4)
    expect(await on.ports.limits.config()).toMatchObject({ rules: [{ id: 'mine' }] })
  })

  it('follow what another process changes within a second', async () => {
    const on = world()
    const { limits: other } = on.ports
    await other.ofAccount(account)
    on.restart()
    await change(on, { max_guilds: 3 })
    on.wait(limitsAge_ms_max)
    expect((await other.ofAccount(account)).max_guilds).toBe(3)
  })

  it('are used many times with one read a second', async () => {
    const on = world()
    const { limits, reads, pass } = counting(on)
    for (let time = 0; time < 50; time += 1) await limits.ofAccount(account)
    expect(reads()).toBe(1)
    pass(limitsAge_ms_max)
    await Promise.all(Array.from({ length: 50 }, () => limits.ofGuild({ features: [] })))
    expect(reads()).toBe(2)
  })

  it('are evaluated once for each kind of account and guild, until the rules change', async () => {
    const on = world()
    const { limits } = on.ports
    const large = { features: ['VERY_LARGE_GUILD'] as const }
    const before = await limits.ofAccount(account)
    expect(await limits.ofAccount({ ...account, id: grace })).toBe(before)
    expect(await limits.cached(account)).toBe(before)
    expect(await limits.ofGuild({ features: [] })).not.toBe(await limits.ofGuild(large))
    expect(await limits.ofGuild(large)).toBe(await limits.ofGuild(large))
    await change(on, { max_guilds: 3 })
    expect((await limits.ofAccount(account)).max_guilds).toBe(3)
    expect((await limits.cached(account)).max_guilds).toBe(3)
  })
  it('apply to a bot and to a person separately, whichever comes first', async () => {
    const on = world()
    const { limits } = on.ports
    expect((await limits.ofAccount({ ...account, id: grace, bot: true })).max_guilds).toBe(200)
    expect((await limits.ofAccount({ ...account, id: grace })).max_guilds).toBe(100)
    expect((await limits.ofAccount({ ...account, id: grace, bot: true })).max_guilds).toBe(200)
  })

  it('are those of premium as long as it counts, whether or not its end is recorded', async () => {
    const on = world()
    const until = (minutes: number): PremiumFields => {
      const at = secondsAfter(on.now, minutes * 60)
      return { ...noPremiumFields, type: 1, until: at, graceEndsAt: at }
    }
    const guilds = async (premium: PremiumFields) =>
      (await on.ports.limits.ofAccount({ ...account, premium })).max_guilds
    const ending = until(1)
    expect([await guilds(ending), await guilds(until(-1))]).toEqual([200, 100])
    on.wait(60_001)
    expect(await guilds(ending)).toBe(100)
    expect(await guilds({ ...noPremiumFields, type: 2 })).toBe(200)
  })

  it('give everybody the premium limits if the instance treats everybody as premium', async () => {
    const on = world()
    await on.ports.instancePolicies.change({ premium: { mode: 'everyone' } }, on.requester().context)
    expect(await on.ports.limits.ofAccount(account)).toMatchObject({ max_guilds: 200, feature_early_access: 1 })
    const hosted = world({ instance: { hosted: true }, policy: { premium: { mode: 'everyone' } } })
    expect((await hosted.ports.limits.ofAccount(account)).max_guilds).toBe(100)
  })
})
