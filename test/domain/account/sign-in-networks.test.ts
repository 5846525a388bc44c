import { describe, expect, it } from 'vitest'
import { account } from '../../../domain/account/account.ts'
import { authorizedNetworks_max } from '../../../domain/account/decisions/authorized-networks.ts'
import type { AccountEvent } from '../../../domain/account/events.ts'
import { fold } from '../../../domain/kernel/decider.ts'
import { given } from '../../../domain/testing/given-when-then.ts'
import { histories } from '../../../domain/testing/histories.ts'
import { property } from '../../support/property.ts'
import { accountCommands } from '../../../domain/testing/commands/account-arbitraries.ts'
import { ada, start } from '../../../domain/testing/people.ts'
import { registered, signedIn } from './account-story.ts'

const startedFrom = (tokenHash: string, ip: string | null, more: object = {}): AccountEvent => ({
  type: 'SessionStarted',
  data: { accountId: ada, tokenHash, startedAt: start, ip, userAgent: null, ...more },
})
const unknown = { fromUnknownNetwork: true }
const signInFrom = (tokenHash: string, ip: string, more: object = {}) =>
  ({ type: 'StartSession', tokenHash, ip, userAgent: null, now: start, ...more }) as const
const forgotten: AccountEvent = { type: 'IpAddressesForgotten', data: { accountId: ada } }
const authorized: AccountEvent = {
  type: 'IpAddressAuthorized',
  data: { accountId: ada, network: '203.0.113.7/32', authorizedAt: start },
}
const ended = (tokenHash: string): AccountEvent => ({ type: 'SessionEnded', data: { accountId: ada, tokenHash } })

describe('a session of an account', () => {
  it('is from a known network where it is the first, as after a registration', () => {
    given(account, [registered]).when(signInFrom('h1', '203.0.113.7')).then(startedFrom('h1', '203.0.113.7'))
  })

  it('is from an unknown network where none has begun there, and none was authorised', () => {
    const home = startedFrom('h1', '198.51.100.1')
    given(account, [registered, home])
      .when(signInFrom('h2', '203.0.113.7'))
      .then(startedFrom('h2', '203.0.113.7', unknown))
    given(account, [registered, home, startedFrom('h2', '203.0.113.7', unknown)])
      .when(signInFrom('h3', '203.0.113.7'))
      .then(startedFrom('h3', '203.0.113.7'))
    given(account, [registered, home, authorized])
      .when(signInFrom('h2', '203.0.113.7'))
      .then(startedFrom('h2', '203.0.113.7'))
  })

  it('is from one network with every address of its /64, and from another in the next', () => {
    const home = startedFrom('h1', '2001:db8:0:1::5')
    given(account, [registered, home])
      .when(signInFrom('h2', '2001:db8:0:1:ffff::9'))
      .then(startedFrom('h2', '2001:db8:0:1:ffff::9'))
    given(account, [registered, home])
      .when(signInFrom('h2', '2001:db8:0:2::5'))
      .then(startedFrom('h2', '2001:db8:0:2::5', unknown))
  })

  it('is from an unknown network again once the account has forgotten its own, authorised or not', () => {
    const home = startedFrom('h1', '203.0.113.7')
    given(account, [registered, home]).when({ type: 'ForgetIpAddresses' }).then(forgotten)
    given(account, [registered, home, forgotten]).when({ type: 'ForgetIpAddresses' }).changesNothing()
    given(account, [registered, home, forgotten])
      .when(signInFrom('h2', '203.0.113.7'))
      .then(startedFrom('h2', '203.0.113.7', unknown))
  })

  it('is refused where the session that vouches for it has ended', () => {
    const vouched = signInFrom('h2', '::1', { vouchedBy: 'h1' })
    given(account, [registered, signedIn('h1')])
      .when(vouched)
      .then(signedIn('h2'))
    given(account, [registered, signedIn('h1'), ended('h1')])
      .when(vouched)
      .refuses('INVALID_TOKEN')
  })

  property('is remembered by its network, of at most 100', histories(account, accountCommands), ({ state }) => {
    const networks = state.status === 'registered' ? (state.signInNetworks ?? []) : []
    expect(networks.length).toBeLessThanOrEqual(authorizedNetworks_max)
    expect(new Set(networks).size).toBe(networks.length)
  })

  it('leaves no network where its address is forgotten with its account', () => {
    expect(fold(account, [registered, startedFrom('h1', null)])).toMatchObject({ signInNetworks: [] })
  })
})
