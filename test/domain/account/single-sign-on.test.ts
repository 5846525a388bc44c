import { describe, expect, it } from 'vitest'
import { fold } from '../../../domain/kernel/decider.ts'
import { secondsAfter } from '../../../domain/kernel/timestamp.ts'
import { account } from '../../../domain/account/account.ts'
import type { AccountCommand, LinkSingleSignOn } from '../../../domain/account/commands.ts'
import type { AccountEvent } from '../../../domain/account/events.ts'
import { field } from '../../../domain/kernel/refusal.ts'
import { given } from '../../../domain/testing/given-when-then.ts'
import { histories } from '../../../domain/testing/histories.ts'
import { property } from '../../support/property.ts'
import { accountCommands } from '../../../domain/testing/commands/account-arbitraries.ts'
import { ada, start } from '../../../domain/testing/people.ts'
import { delegationsEnded, identity, registered, signedIn, signedOut } from './account-story.ts'

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
          { type: 'EmailAddressVerified', data: { accountId: ada, adopts: true } },
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

describe('an account that single sign-on adopts', () => {
  it('gives no session to its registrant any more, whether or not it had a password', () => {
    const bare: AccountEvent = {
      type: 'AccountRegistered',
      data: { ...identity, passwordHash: null, emailVerified: false, registeredAt: start },
    }
    const late = {
      type: 'StartSession',
      tokenHash: 'h',
      ip: '::1',
      userAgent: null,
      provedUnder: 0,
      now: start,
    } as const
    for (const history of [[unverified], [bare]]) {
      const adopted = [...history, ...eventsOf(history, link)]
      given(account, adopted).when(late).refuses('UNAUTHORIZED')
    }
  })

  it('is not given back by what was mailed to an earlier address of whoever had it', () => {
    const moved: AccountEvent = {
      type: 'EmailAddressChanged',
      data: { accountId: ada, email: 'thief@example.org', verified: true, changedAt: start },
    }
    const corrected: AccountEvent = {
      type: 'EmailAddressChanged',
      data: {
        accountId: ada,
        email: link.email,
        verified: false,
        changedAt: secondsAfter(start, 1),
        keepsBounce: true,
      },
    }
    const history = [unverified, moved, corrected]
    const revert = {
      type: 'RevertEmailAddress',
      email: 'thief@example.org',
      changedAt: secondsAfter(start, 1),
      passwordHash: '$1',
      now: secondsAfter(start, 2),
    } as const
    expect(account.decide(fold(account, history), revert).outcome).toBe('accepted')
    const adopted = [...history, ...eventsOf(history, link)]
    expect(adopted.length).toBeGreaterThan(history.length)
    for (const changedAt of [start, revert.changedAt])
      expect(account.decide(fold(account, adopted), { ...revert, changedAt }).outcome).toBe('refused')
  })

  it('loses the deletion of all messages that its registrant scheduled', () => {
    const dueAt = secondsAfter(start, 3600)
    const scheduled: AccountEvent = {
      type: 'MessageDeletionScheduled',
      data: { accountId: ada, dueAt, channelCount: 1, messageCount: 2 },
    }
    const history = [unverified, scheduled]
    expect(fold(account, [...history, ...eventsOf(history, link)])).toMatchObject({ messageDeletion: null })
  })
})

function eventsOf(history: readonly AccountEvent[], command: AccountCommand): readonly AccountEvent[] {
  const decision = account.decide(fold(account, history), command)
  return decision.outcome === 'refused' ? [] : decision.events
}

describe('a provider that is asked after another one', () => {
  const earlier = linked('hash-2', 'https://earlier.example')
  const unlinked = (identityHash: string, by: string): AccountEvent => ({
    type: 'SingleSignOnUnlinked',
    data: { accountId: ada, issuer: by, identityHash, unlinkedAt: start, othersStay: false },
  })

  it('takes an account with an unverified address from identities at the earlier one, too', () => {
    given(account, [unverified, earlier])
      .when(link)
      .then(
        ...([
          { type: 'EmailAddressVerified', data: { accountId: ada, adopts: true } },
          { type: 'PasswordChanged', data: { accountId: ada, passwordHash: null, changedAt: start } },
          unlinked('hash-2', 'https://earlier.example'),
          delegationsEnded(1),
          linked(),
        ] as const),
      )
  })
})

describe('taking an address back', () => {
  const [changedAt, now] = [secondsAfter(start, 60), secondsAfter(start, 120)]
  const thiefs: AccountEvent = {
    type: 'EmailAddressChanged',
    data: { accountId: ada, email: 'thief@example.org', verified: true, changedAt },
  }
  const revert = { type: 'RevertEmailAddress', email: 'ada@example.org', changedAt, passwordHash: '$new', now } as const
  const identitiesAfter = (history: readonly AccountEvent[], command: AccountCommand = revert): readonly string[] => {
    const decision = account.decide(fold(account, history), command)
    if (decision.outcome === 'refused') throw new Error(decision.refusal.code)
    const state = fold(account, [...history, ...decision.events])
    return state.status === 'registered' ? state.singleSignOn.map(({ identityHash }) => identityHash) : []
  }

  it('unlinks the identities that were linked after the change, and keeps those from before', () => {
    const history = [registered, linked('own', 'https://earlier.example'), thiefs, linked('thiefs')]
    given(account, history)
      .when(revert)
      .then(
        ...([
          {
            type: 'EmailAddressChanged',
            data: { accountId: ada, email: revert.email, verified: true, changedAt: now, takesBack: changedAt },
          },
          { type: 'PasswordChanged', data: { accountId: ada, passwordHash: '$new', changedAt: now } },
          {
            type: 'SingleSignOnUnlinked',
            data: { accountId: ada, issuer, identityHash: 'thiefs', unlinkedAt: now, othersStay: true },
          },
          delegationsEnded(1, now),
        ] as const),
      )
    expect(identitiesAfter(history)).toStrictEqual(['own'])
  })

  it('goes by the order of events, also where the clock of a process is behind', () => {
    // `linked` says that it was before the change.
    expect(identitiesAfter([registered, thiefs, linked('thiefs')])).toStrictEqual([])
  })

  it('unlinks an identity that a later holder kept by taking back an address of their own', () => {
    const second = secondsAfter(start, 90)
    const moved: AccountEvent = {
      type: 'EmailAddressChanged',
      data: { accountId: ada, email: 'two@example.org', verified: true, changedAt: second },
    }
    const back: AccountEvent = {
      type: 'EmailAddressChanged',
      data: {
        accountId: ada,
        email: 'thief@example.org',
        verified: true,
        changedAt: secondsAfter(start, 95),
        takesBack: second,
      },
    }
    const history = [registered, thiefs, linked('thiefs'), moved]
    const theirs = { ...revert, email: 'thief@example.org', changedAt: second }
    expect(identitiesAfter(history, theirs)).toStrictEqual(['thiefs'])
    expect(identitiesAfter([...history, back])).toStrictEqual([])
  })

  it('revokes a recovery kit', () => {
    const kit: AccountEvent = {
      type: 'RecoveryKitCreated',
      data: { accountId: ada, keyHash: 'k', createdAt: changedAt },
    }
    const decision = account.decide(fold(account, [registered, thiefs, kit]), revert)
    expect(decision).toMatchObject({
      events: expect.arrayContaining([{ type: 'RecoveryKitRevoked', data: { accountId: ada } }]),
    })
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
