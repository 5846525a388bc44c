import { describe, expect, it } from 'vitest'
import { account } from '../../../domain/account/account.js'
import type { LinkSingleSignOn } from '../../../domain/account/commands.js'
import type { AccountEvent } from '../../../domain/account/events.js'
import { field } from '../../../domain/kernel/refusal.js'
import { given, histories, property } from '../../support/given-when-then.js'
import { accountCommands } from '../account-arbitraries.js'
import { ada, start } from '../people.js'
import { delegationsEnded, identity, registered, signedIn, signedOut } from './account-story.js'

const issuer = 'https://id.example.org'
const link: LinkSingleSignOn = {
  type: 'LinkSingleSignOn',
  issuer,
  identityHash: 'hash-1',
  email: 'ada@example.org',
  now: start,
}
const linked = (identityHash = 'hash-1', by = issuer): AccountEvent => ({
  type: 'SingleSignOnLinked',
  data: { accountId: ada, issuer: by, identityHash, linkedAt: start },
})
const unverified: AccountEvent = {
  type: 'AccountRegistered',
  data: { ...identity, emailVerified: false, registeredAt: start },
}

describe('linking an account to an identity at a provider', () => {
  it('leaves the account of a verified address as it is', () => {
    given(account, [registered, signedIn('hash')])
      .when(link)
      .then(linked())
  })

  it('changes nothing where it is linked already', () => {
    given(account, [registered, linked()]).when(link).changesNothing()
  })

  it('is refused where another identity of the same provider is linked', () => {
    given(account, [registered, linked('hash-2')])
      .when(link)
      .refuses('INVALID_FORM_BODY', field('code', 'SSO_IDENTITY_MISMATCH'))
  })

  it('goes beside an identity of another provider', () => {
    given(account, [registered, linked('hash-2', 'https://earlier.example')])
      .when(link)
      .then(linked())
  })

  it('is refused if the account has another address by now', () => {
    given(account, [registered])
      .when({ ...link, email: 'countess@example.org' })
      .refuses('CONFLICT')
  })

  it('is refused if no session may begin', () => {
    const waiting: AccountEvent = {
      type: 'AccountRegistered',
      data: { ...identity, awaitsApproval: true, registeredAt: start },
    }
    given(account, [waiting]).when(link).refuses('REGISTRATION_PENDING_APPROVAL')
  })

  it('takes an account with an unverified address from the person that registered it', () => {
    const totp: AccountEvent = { type: 'TotpEnabled', data: { accountId: ada, secret: 'JBSW', enabledAt: start } }
    given(account, [unverified, signedIn('hash'), totp])
      .when(link)
      .then(
        ...([
          { type: 'EmailAddressVerified', data: { accountId: ada } },
          { type: 'PasswordChanged', data: { accountId: ada, passwordHash: null, changedAt: start } },
          { type: 'TotpDisabled', data: { accountId: ada } },
          { type: 'IpAddressesForgotten', data: { accountId: ada } },
          signedOut('hash'),
          delegationsEnded(1),
          linked(),
        ] as const),
      )
  })
})

describe('registering for an identity at a provider', () => {
  it('links the account in the same breath', () => {
    const singleSignOn = { issuer, identityHash: 'hash-1' }
    given(account, [])
      .when({ type: 'RegisterAccount', ...identity, passwordHash: null, singleSignOn, now: start })
      .then({ type: 'AccountRegistered', data: { ...identity, passwordHash: null, registeredAt: start } }, linked())
  })
})

describe('in whatever happens to an account', () => {
  property('it has at most one identity a provider', histories(account, accountCommands), ({ state }) => {
    const issuers = state.status === 'registered' ? state.singleSignOn.map((held) => held.issuer) : []
    expect(new Set(issuers).size).toBe(issuers.length)
  })
})
