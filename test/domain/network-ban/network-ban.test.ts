import { describe, expect, it } from 'vitest'
import type { NetworkBanned, NetworkBanEvent } from '../../../domain/network-ban/events.ts'
import { networkBan } from '../../../domain/network-ban/network-ban.ts'
import { holds } from '../../../domain/network-ban/state.ts'
import { secondsAfter } from '../../../domain/kernel/timestamp.ts'
import { given } from '../../../domain/testing/given-when-then.ts'
import { histories } from '../../../domain/testing/histories.ts'
import { property } from '../../support/property.ts'
import { networkBanCommands } from '../../../domain/testing/commands/arbitraries.ts'
import { start } from '../../../domain/testing/people.ts'
import { laws } from '../../support/laws.ts'

laws('networkBan', networkBanCommands)

const network = '203.0.113.7/32'
const tomorrow = secondsAfter(start, 24 * 3600)
const dayAfter = secondsAfter(start, 48 * 3600)

const facts: NetworkBanned = { network, cause: 'operator', reason: 'spam', bannedAt: start, expiresAt: null }
const banned = (changes: Partial<NetworkBanned> = {}): NetworkBanEvent => ({
  type: 'NetworkBanned',
  data: { ...facts, ...changes },
})
const lifted = (liftedAt = tomorrow): NetworkBanEvent => ({ type: 'NetworkBanLifted', data: { network, liftedAt } })

const ban = (changes: Partial<NetworkBanned> = {}) => {
  const { bannedAt: now, ...wishes } = { ...facts, ...changes }
  return { type: 'BanNetwork', ...wishes, now } as const
}
const forFailures = { cause: 'failures', reason: null, expiresAt: tomorrow } as const
const lift = { type: 'LiftNetworkBan', now: tomorrow } as const

describe('a ban by hand', () => {
  it('stands until it is lifted, or until its end', () => {
    given(networkBan, []).when(ban()).then(banned())
    given(networkBan, [])
      .when(ban({ expiresAt: tomorrow }))
      .then(banned({ expiresAt: tomorrow }))
    expect(holds(facts, dayAfter)).toBe(true)
    expect(holds({ expiresAt: tomorrow }, start)).toBe(true)
    expect(holds({ expiresAt: tomorrow }, tomorrow)).toBe(false)
  })

  it('takes the place of any ban before it, a longer one too', () => {
    given(networkBan, [banned()])
      .when(ban({ expiresAt: tomorrow }))
      .then(banned({ expiresAt: tomorrow }))
    given(networkBan, [banned(forFailures)])
      .when(ban())
      .then(banned())
  })

  it('changes nothing where the same one stands', () => {
    given(networkBan, [banned()])
      .when(ban({ bannedAt: tomorrow }))
      .changesNothing()
  })
})

describe('a ban for failures', () => {
  it('leaves every ban as it is that holds', () => {
    given(networkBan, [banned()]).when(ban(forFailures)).changesNothing()
    given(networkBan, [banned(forFailures)])
      .when(ban({ ...forFailures, bannedAt: secondsAfter(start, 60), expiresAt: dayAfter }))
      .changesNothing()
  })

  it('begins anew once the last one has ended', () => {
    const again = { ...forFailures, bannedAt: tomorrow, expiresAt: dayAfter }
    given(networkBan, [banned(forFailures)])
      .when(ban(again))
      .then(banned(again))
  })
})

describe('lifting a ban', () => {
  it('lets the network in again, also before the end of the ban', () => {
    given(networkBan, [banned()]).when(lift).then(lifted())
    given(networkBan, [banned(), lifted()])
      .when(ban({ bannedAt: dayAfter }))
      .then(banned({ bannedAt: dayAfter }))
  })

  it('changes nothing where there is none', () => {
    given(networkBan, []).when(lift).changesNothing()
    given(networkBan, [banned({ expiresAt: tomorrow })])
      .when(lift)
      .changesNothing()
    given(networkBan, [banned(), lifted()]).when(lift).changesNothing()
  })
})

property(
  'a ban without an end is never shortened by failures',
  histories(networkBan, networkBanCommands),
  ({ steps }) => {
    for (const { before, command, after } of steps) {
      if (command.type !== 'BanNetwork' || command.cause !== 'failures') continue
      if (before.status === 'banned' && before.expiresAt === null) expect(after).toStrictEqual(before)
    }
  },
)
