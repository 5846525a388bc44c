import { describe, expect, it } from 'vitest'
import { account } from '../../../domain/account/account.ts'
import { authorizedNetworks_max } from '../../../domain/account/decisions/authorized-networks.ts'
import type { AccountEvent } from '../../../domain/account/events.ts'
import { fold } from '../../../domain/kernel/decider.ts'
import { secondsAfter } from '../../../domain/kernel/timestamp.ts'
import { given } from '../../../domain/testing/given-when-then.ts'
import { histories } from '../../../domain/testing/histories.ts'
import { property } from '../../support/property.ts'
import { accountCommands } from '../../../domain/testing/commands/account-arbitraries.ts'
import { ada, start } from '../../../domain/testing/people.ts'
import { delegationsEnded, registered, signedIn, signedOut } from './account-story.ts'

const later = secondsAfter(start, 60)
const home = '203.0.113.7/32'
const authorized = (network: string | null, authorizedAt = start): AccountEvent => ({
  type: 'IpAddressAuthorized',
  data: { accountId: ada, network, authorizedAt },
})
const forgotten: AccountEvent = { type: 'IpAddressesForgotten', data: { accountId: ada } }
const signIn = (tokenHash: string, authorizes?: string) =>
  ({
    type: 'StartSession',
    tokenHash,
    ip: '::1',
    userAgent: null,
    ...(authorizes === undefined ? {} : { authorizes }),
    now: start,
  }) as const

const networksAfter = (...events: readonly AccountEvent[]): unknown => fold(account, [registered, ...events])

const givenBack = [
  {
    type: 'EmailAddressChanged',
    data: { accountId: ada, email: 'ada@example.org', verified: true, changedAt: later, takesBack: start },
  },
  { type: 'PasswordChanged', data: { accountId: ada, passwordHash: '$new', changedAt: later } },
  forgotten,
  signedOut('h1'),
  delegationsEnded(1, later),
] as const

describe('the networks that an account signs in from without a mail', () => {
  it('are those of sessions that say so, each once', () => {
    given(account, [registered]).when(signIn('h1', home)).then(authorized(home), signedIn('h1'))
    given(account, [registered, authorized(home), signedIn('h1')])
      .when(signIn('h2', home))
      .then(signedIn('h2'))
    given(account, [registered]).when(signIn('h1')).then(signedIn('h1'))
  })

  it('stay as they are where the session is there already', () => {
    given(account, [registered, signedIn('h1')])
      .when(signIn('h1', home))
      .changesNothing()
  })

  it('are forgotten all at once, and nothing more', () => {
    given(account, [registered, authorized(home), authorized('2001:db8:0:0::/64'), signedIn('h1')])
      .when({ type: 'ForgetIpAddresses' })
      .then(forgotten)
    given(account, [registered, authorized(home), forgotten])
      .when({ type: 'ForgetIpAddresses' })
      .changesNothing()
    expect(networksAfter(authorized(home), forgotten)).toMatchObject({ authorizedNetworks: [] })
  })

  it('are forgotten where the account is given back to the holder of its earlier address', () => {
    const revert = {
      type: 'RevertEmailAddress',
      email: 'ada@example.org',
      changedAt: start,
      passwordHash: '$new',
      now: later,
    } as const
    const data = { accountId: ada, email: 'thief@example.org', verified: true, changedAt: start }
    given(account, [registered, { type: 'EmailAddressChanged', data }, authorized(home), signedIn('h1')])
      .when(revert)
      .then(...givenBack)
  })

  it('are the newest 100, and none of them is known once the account is erased', () => {
    const many = Array.from({ length: authorizedNetworks_max + 1 }, (_, index) => authorized(`198.51.100.${index}/32`))
    expect(networksAfter(...many)).toMatchObject({
      authorizedNetworks: expect.objectContaining({ length: authorizedNetworks_max, 0: '198.51.100.1/32' }),
    })
    expect(networksAfter(authorized(null))).toMatchObject({ authorizedNetworks: [] })
  })

  property('are never more than the bound, nor twice the same', histories(account, accountCommands), ({ state }) => {
    const networks = state.status === 'registered' ? state.authorizedNetworks : []
    expect(networks.length).toBeLessThanOrEqual(authorizedNetworks_max)
    expect(new Set(networks).size).toBe(networks.length)
  })
})
