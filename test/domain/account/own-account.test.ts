import { describe, expect, it } from 'vitest'
import { account } from '../../../domain/account/account.ts'
import type { AccountCommand } from '../../../domain/account/commands.ts'
import type { AccountEvent } from '../../../domain/account/events.ts'
import { hasFlag } from '../../../domain/account/flags.ts'
import { fold } from '../../../domain/kernel/decider.ts'
import { field } from '../../../domain/kernel/refusal.ts'
import { secondsAfter, type Timestamp } from '../../../domain/kernel/timestamp.ts'
import { given } from '../../../domain/testing/given-when-then.ts'
import { historiesOf } from '../../../domain/testing/every-aggregate.ts'
import { property } from '../../support/property.ts'
import { ada, start } from '../../../domain/testing/people.ts'
import { delegationsEnded, identity, registered, signedIn, signedOut } from './account-story.ts'

const later = secondsAfter(start, 60)
const accountId = ada
const disabled: AccountEvent = { type: 'AccountDisabled', data: { accountId } }
const enabled: AccountEvent = { type: 'AccountEnabled', data: { accountId } }
const scheduled: AccountEvent = { type: 'SelfDeletionScheduled', data: { accountId, dueAt: later } }
const cancelled: AccountEvent = { type: 'SelfDeletionCancelled', data: { accountId } }
const passwordChanged: AccountEvent = {
  type: 'PasswordChanged',
  data: { accountId, passwordHash: '$new', changedAt: later },
}
const moved = (email: string, verified = true): AccountEvent => ({
  type: 'EmailAddressChanged',
  data: { accountId, email, verified, changedAt: later },
})
const movedBack = (takesBack: Timestamp): AccountEvent => ({
  type: 'EmailAddressChanged',
  data: { accountId, email: 'ada@example.org', verified: true, changedAt: later, takesBack },
})
const signIn = { type: 'StartSession', tokenHash: 'h9', ip: '::1', userAgent: null, now: start } as const

describe('a name', () => {
  it('changes to the one that was claimed', () => {
    const from = { username: 'Ada', discriminator: 1815 }
    const change = { type: 'ChangeTag', username: 'Countess', discriminator: 7, from } as const
    given(account, [registered])
      .when(change)
      .then({ type: 'TagChanged', data: { accountId, username: 'Countess', discriminator: 7 } })
    given(account, [registered])
      .when({ ...change, username: 'Ada', discriminator: 1815 })
      .changesNothing()
    const faster = { type: 'TagChanged', data: { accountId, username: 'Lovelace', discriminator: 7 } } as const
    given(account, [registered, faster]).when(change).refuses('CONFLICT')
  })
})

describe('a profile', () => {
  const change = (changes: object) => ({ type: 'ChangeProfile', changes }) as const

  it('changes in those members that are other than before', () => {
    given(account, [registered])
      .when(change({ bio: 'Notes', pronouns: null }))
      .then({ type: 'ProfileChanged', data: { accountId, changes: { bio: 'Notes' } } })
    for (const changes of [{ globalName: 'Countess' }, { avatar: 'a'.repeat(32), bio: null }])
      given(account, [registered, { type: 'ProfileChanged', data: { accountId, changes: { bio: 'Notes' } } }])
        .when(change(changes))
        .then({ type: 'ProfileChanged', data: { accountId, changes, shownInGuilds: true } })
    given(account, [registered])
      .when(change({ globalName: 'Ada L.' }))
      .changesNothing()
  })
})

describe('a password', () => {
  const change = (except: string | null) =>
    ({ type: 'ChangePassword', passwordHash: '$new', except, now: later }) as const
  const signedInTwice = [registered, signedIn('h1'), signedIn('h2')]

  it('ends every session with its change, but one that may go on', () => {
    given(account, signedInTwice)
      .when(change(null))
      .then(...([passwordChanged, signedOut('h1'), signedOut('h2')] as const))
    given(account, signedInTwice).when(change('h2')).then(passwordChanged, signedOut('h1'))
  })

  it('begins a session in place of all of them, once', () => {
    const successor = { tokenHash: 'h3', ip: '::1', userAgent: 'test' }
    const replace = { ...change(null), successor }
    const begun = { type: 'SessionStarted', data: { accountId, ...successor, startedAt: later } } as const
    given(account, signedInTwice)
      .when(replace)
      .then(...([passwordChanged, signedOut('h1'), signedOut('h2'), begun] as const))
    given(account, [registered, passwordChanged, begun]).when(replace).changesNothing()
  })

  it('names the session that it begins in the end of the one that asked, only if it does begin one', () => {
    const successor = { tokenHash: 'h3', ip: '::1', userAgent: 'test' }
    const asked = { ...change(null), bySession: 'h2', successor }
    const replaced = { type: 'SessionEnded', data: { accountId, tokenHash: 'h2', successor: 'h3' } } as const
    const begun = { type: 'SessionStarted', data: { accountId, ...successor, startedAt: later } } as const
    given(account, signedInTwice)
      .when(asked)
      .then(...([passwordChanged, replaced, signedOut('h1'), begun] as const))
    given(account, [...signedInTwice, disabled])
      .when(asked)
      .then(...([passwordChanged, signedOut('h1'), signedOut('h2')] as const))
  })
})

describe('the hash of a password', () => {
  const renew = { type: 'RenewPasswordHash', from: '$new', passwordHash: '$renewed' } as const
  const renewed = { type: 'PasswordHashRenewed', data: { accountId, passwordHash: '$renewed' } } as const
  const story = [registered, passwordChanged, signedIn('h1')]

  it('is renewed, which changes nothing else', () => {
    given(account, story).when(renew).then(renewed)
    expect(fold(account, [...story, renewed])).toStrictEqual({ ...fold(account, story), passwordHash: '$renewed' })
  })

  it('stays if the password changed since it was verified, or the account is gone', () => {
    given(account, [registered, signedIn('h1')])
      .when(renew)
      .changesNothing()
    const begun = { accountId, username: 'Ada', addressHash: null, identityHashes: [], startedAt: later }
    given(account, [...story, { type: 'AccountErasureStarted', data: begun }])
      .when(renew)
      .changesNothing()
  })
})

describe('an e-mail address', () => {
  it('changes to the one that was claimed, and is verified', () => {
    const next = { email: 'new@example.org', verified: false, now: later }
    const change = { type: 'ChangeEmailAddress', ...next, from: 'ada@example.org' } as const
    given(account, [registered]).when(change).then(moved('new@example.org', false))
    given(account, [registered, moved('another@example.org', true)])
      .when(change)
      .refuses('CONFLICT')
    const verify = { type: 'VerifyEmailAddress' } as const
    given(account, [registered, moved('new@example.org', false)])
      .when(verify)
      .then({ type: 'EmailAddressVerified', data: { accountId } })
    given(account, [registered]).when(verify).changesNothing()
  })

  it('is verified by a token only while it is the one that the token was mailed to', () => {
    const verify = { type: 'VerifyEmailAddress', email: 'new@example.org' } as const
    const mailed = [registered, moved('new@example.org', false)] as const
    given(account, mailed).when(verify).then({ type: 'EmailAddressVerified', data: { accountId } })
    given(account, [...mailed, moved('another@example.org', false)])
      .when(verify)
      .refuses('INVALID_FORM_BODY', field('token', 'INVALID_OR_EXPIRED_VERIFICATION_TOKEN'))
  })

  it('counts as verified without being there, if an administrator says so', () => {
    const data = { ...identity, email: null, emailVerified: false, registeredAt: start }
    given(account, [{ type: 'AccountRegistered', data }])
      .when({ type: 'VerifyEmailAddress' })
      .then({ type: 'EmailAddressVerified', data: { accountId } })
  })

  it('takes the account back with it: no second factor and no session stays', () => {
    const revert = {
      type: 'RevertEmailAddress',
      email: 'ada@example.org',
      changedAt: later,
      passwordHash: '$new',
      now: later,
    } as const
    const totp: AccountEvent = { type: 'TotpEnabled', data: { accountId, secret: 'JBSW', enabledAt: start } }
    const codes: AccountEvent = { type: 'BackupCodesIssued', data: { accountId, codes: ['a'] } }
    const passkey: AccountEvent = {
      type: 'WebAuthnCredentialRegistered',
      data: {
        accountId,
        credentialId: 'k',
        publicKey: 'cose',
        counter: 0,
        transports: [],
        name: 'K',
        registeredAt: start,
      },
    }
    given(account, [registered, moved('thief@example.org'), totp, codes, passkey, signedIn('h1')])
      .when(revert)
      .then(
        ...([
          movedBack(later),
          passwordChanged,
          { type: 'TotpDisabled', data: { accountId } },
          { type: 'BackupCodesRevoked', data: { accountId } },
          { type: 'WebAuthnCredentialRemoved', data: { accountId, credentialId: 'k' } },
          { type: 'IpAddressesForgotten', data: { accountId } },
          signedOut('h1'),
          delegationsEnded(1, later),
        ] as const),
      )
  })

  const changes = [10, 20, 30, 40].map((seconds) => secondsAfter(start, seconds))
  const [first = start, second = start, third = start, fourth = start] = changes
  const movedAt = (changedAt: Timestamp): AccountEvent => ({
    type: 'EmailAddressChanged',
    data: { accountId, email: 'thief@example.org', verified: true, changedAt },
  })
  const reverting = (changedAt: Timestamp) =>
    ({ type: 'RevertEmailAddress', email: 'ada@example.org', changedAt, passwordHash: '$1', now: later }) as const

  it('is taken back with every later change: no token of one takes anything back any more', () => {
    const history = [registered, movedAt(first), movedAt(second), movedAt(third), movedBack(second)]
    for (const changedAt of [second, third, fourth]) expect(decided(history, reverting(changedAt))).toBe('refused')
    expect(decided(history, reverting(first))).toBe('accepted')
    const refused = field('token', 'INVALID_OR_EXPIRED_REVERT_TOKEN')
    given(account, history).when(reverting(third)).refuses('INVALID_FORM_BODY', refused)
  })

  it('can be reverted for a day, however often a thief changes the address meanwhile', () => {
    const often = Array.from({ length: 500 }, (_, count) => movedAt(secondsAfter(first, (count + 1) * 100)))
    const history = [registered, movedAt(first), ...often]
    expect(decided(history, reverting(first))).toBe('accepted')
    const dayLater = movedAt(secondsAfter(first, 24 * 3600 + 1))
    expect(decided([...history, dayLater], reverting(first))).toBe('refused')
    expect(decided([...history, dayLater], reverting(secondsAfter(first, 100)))).toBe('accepted')
  })

  it('stays taken back when a later change is taken back, too', () => {
    const again = [movedAt(fourth), movedBack(fourth)]
    const history = [registered, movedAt(first), movedAt(second), movedBack(first), ...again]
    for (const changedAt of changes) expect(decided(history, reverting(changedAt))).toBe('refused')
  })

  it('is taken back by the order of changes, also where the clock of a process is behind', () => {
    const history = [registered, movedAt(third), movedAt(second), movedAt(first), movedBack(second)]
    expect(decided(history, reverting(first))).toBe('refused')
    expect(decided(history, reverting(third))).toBe('accepted')
  })

  it('has changes of different times, which name them, also where two came at one instant', () => {
    const change = { type: 'ChangeEmailAddress', email: 'c@example.org', from: 'thief@example.org' } as const
    const history = [registered, movedAt(first)]
    expect(eventsOf(history, { ...change, verified: true, now: first })).toMatchObject([
      { type: 'EmailAddressChanged', data: { changedAt: secondsAfter(first, 0.001) } },
    ])
  })

  it('begins the session of its holder with the revert, so that an earlier holder ends it with theirs', () => {
    const successor = (tokenHash: string) => ({ tokenHash, ip: '::1', userAgent: null, authorizes: '::/64' })
    const revertBy = (changedAt: Timestamp, tokenHash: string) => ({
      ...reverting(changedAt),
      successor: successor(tokenHash),
    })
    const history = [registered, signedIn('h1'), movedAt(first), movedAt(second)]
    const thiefs = [...history, ...eventsOf(history, revertBy(second, 'thief'))]
    expect(fold(account, thiefs)).toMatchObject({ sessions: ['thief'], authorizedNetworks: ['::/64'] })
    const holders = [...thiefs, ...eventsOf(thiefs, revertBy(first, 'holder'))]
    expect(fold(account, holders)).toMatchObject({ sessions: ['holder'] })
    expect(decided(holders, revertBy(second, 'thief'))).toBe('refused')
  })
})

function eventsOf(history: readonly AccountEvent[], command: AccountCommand): readonly AccountEvent[] {
  const decision = account.decide(fold(account, history), command)
  return decision.outcome === 'refused' ? [] : decision.events
}

function decided(history: readonly AccountEvent[], command: AccountCommand): string {
  return account.decide(fold(account, history), command).outcome
}

describe('an account that its holder leaves', () => {
  it('has no session, and is as it was once one begins', () => {
    given(account, [registered, signedIn('h1')])
      .when({ type: 'DisableAccount' })
      .then(disabled, signedOut('h1'))
    given(account, [registered, signedIn('h1')])
      .when({ type: 'ScheduleSelfDeletion', dueAt: later })
      .then(scheduled, signedOut('h1'))
    given(account, [registered, disabled]).when(signIn).then(enabled, signedIn('h9'))
    given(account, [registered, scheduled]).when(signIn).then(cancelled, signedIn('h9'))
    given(account, [registered, disabled, enabled]).when(signIn).then(signedIn('h9'))
  })

  it('is as it was once its holder is back', () => {
    const back = { type: 'ReturnToAccount', now: start } as const
    given(account, [registered, disabled, scheduled]).when(back).then(enabled, cancelled)
    given(account, [registered]).when(back).changesNothing()
  })

  it('keeps the date that was set first', () => {
    given(account, [registered, scheduled])
      .when({ type: 'ScheduleSelfDeletion', dueAt: secondsAfter(start, 1) })
      .changesNothing()
  })
})

describe('whatever happens to an account', () => {
  property('it has no session while its holder is away', historiesOf('account'), ({ steps }) => {
    for (const { after } of steps) {
      if (after.status !== 'registered') continue
      if (hasFlag(after, 'DISABLED') || after.deletion !== null) expect(after.sessions).toStrictEqual([])
    }
  })

  it('is ignored where there is none', () => {
    expect(fold(account, [disabled, passwordChanged, scheduled])).toStrictEqual({ status: 'absent' })
  })
})
