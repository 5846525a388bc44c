import { describe, expect, it } from 'vitest'
import { account } from '../../../domain/account/account.ts'
import type { BySession } from '../../../domain/account/by-session.ts'
import type { AccountCommand } from '../../../domain/account/commands.ts'
import { endedSessions } from '../../../domain/account/ended-sessions.ts'
import type { AccountEvent } from '../../../domain/account/events.ts'
import { accountFlags } from '../../../domain/account/flags.ts'
import { fold } from '../../../domain/kernel/decider.ts'
import { given } from '../../../domain/testing/given-when-then.ts'
import { histories } from '../../../domain/testing/histories.ts'
import { property } from '../../support/property.ts'
import { accountCommands } from '../../../domain/testing/commands/account-arbitraries.ts'
import { ada, grace, start } from '../../../domain/testing/people.ts'
import { delegationsEnded, identity, signedIn } from './account-story.ts'

const now = start
const unproved: AccountEvent = {
  type: 'AccountRegistered',
  data: { ...identity, emailVerified: false, registeredAt: start },
}
const unprovedStill: AccountEvent = {
  type: 'EmailAddressChanged',
  data: { accountId: ada, email: 'ada@example.org', verified: false, changedAt: now },
}
const history = [unproved, unprovedStill, signedIn('phone'), signedIn('laptop')]

const everything: readonly AccountCommand[] = [
  { type: 'SignOutEverywhere', bySession: 'phone', now },
  { type: 'RevertEmailAddress', email: 'ada@example.org', changedAt: now, passwordHash: '$new', now },
  { type: 'LinkSingleSignOn', issuer: 'https://id.example.org', identityHash: 'hash', email: 'ada@example.org', now },
]

const allSessions: readonly AccountCommand[] = [
  { type: 'EndAllSessions' },
  { type: 'ChangePassword', passwordHash: '$new', except: null, now },
  { type: 'DisableAccount' },
  { type: 'ScheduleSelfDeletion', dueAt: now },
  { type: 'BanAccount', duration_hours: 1, now },
  { type: 'UpdateFlags', add: [accountFlags.DISABLED.toString()], remove: [] },
  { type: 'SetBotStatus', bot: true },
  {
    type: 'ScheduleDeletion',
    reasonCode: 3,
    delay_days: 60,
    publicReason: null,
    auditLogReason: null,
    scheduledBy: grace,
    replaces: null,
    now,
  },
]

function eventsOf(command: AccountCommand): readonly AccountEvent[] {
  const decision = account.decide(fold(account, history), command)
  if (decision.outcome === 'refused') throw new Error(decision.refusal.code)
  return decision.events
}
const endsDelegations = ({ type }: AccountEvent): boolean => type === 'DelegationsEnded'

/** A command that names the session that asks, or none. */
type ByWhomever = Exclude<Extract<AccountCommand, BySession>, Required<BySession>>

describe('what speaks for an account', () => {
  it.each(everything)('ends altogether, in the events of the act itself: $type', (command) => {
    const events = eventsOf(command)
    expect(events.flatMap(endedSessions)).toStrictEqual(['phone', 'laptop'])
    expect(events.filter(endsDelegations)).toStrictEqual([delegationsEnded(1)])
    expect(fold(account, [...history, ...events])).toMatchObject({ sessions: [], delegationVersion: 1 })
  })

  it.each(allSessions)('keeps its delegations where only sessions end: $type', (command) => {
    const events = eventsOf(command)
    expect(events.flatMap(endedSessions)).toStrictEqual(['phone', 'laptop'])
    expect(events.filter(endsDelegations)).toStrictEqual([])
  })

  it.each<AccountCommand>([
    { type: 'EndSession', tokenHash: 'phone' },
    { type: 'EndSessions', tokenHashes: ['phone', 'unknown'] },
  ])('keeps all but the session that is named: $type', (command) => {
    expect(eventsOf(command)).toStrictEqual([{ type: 'SessionEnded', data: { accountId: ada, tokenHash: 'phone' } }])
  })

  it('is ended everywhere once: a repeated request ends nothing that was given since', () => {
    const command = { type: 'SignOutEverywhere', bySession: 'phone', now } as const
    given(account, [...history, ...eventsOf(command)])
      .when(command)
      .refuses('UNAUTHORIZED')
  })

  const ways: readonly ByWhomever[] = [
    { type: 'ChangePassword', passwordHash: '$new', except: null, now },
    { type: 'ChangeEmailAddress', email: 'thief@example.org', from: 'ada@example.org', verified: true, now },
    { type: 'EnableTotp', secret: 'JBSW', step: 1, backupCodes: ['a'], now },
    { type: 'IssueBackupCodes', codes: ['a'] },
    { type: 'DisableTotp', proof: { by: 'totp', step: 1 } },
    {
      type: 'RegisterWebAuthnCredential',
      credentialId: 'key',
      publicKey: 'p',
      counter: 0,
      transports: [],
      name: 'K',
      now,
    },
    { type: 'CreateRecoveryKit', keyHash: 'k', now },
    { type: 'DisableAccount' },
    { type: 'ScheduleSelfDeletion', dueAt: now },
  ]

  it.each(ways)('gets no way in or out by a request whose session has ended since: $type', (command) => {
    const decided = account.decide(fold(account, history), command)
    expect(account.decide(fold(account, history), { ...command, bySession: 'phone' })).toStrictEqual(decided)
    given(account, history)
      .when({ ...command, bySession: 'gone' })
      .refuses('UNAUTHORIZED')
  })

  it.each<AccountCommand>([
    { type: 'StartSession', tokenHash: 'new', ip: null, userAgent: null, now },
    { type: 'ReturnToAccount', now },
    { type: 'ChangePassword', passwordHash: '$new', except: null, now },
  ])('gets no session and no password by a proof of earlier credentials: $type', (command) => {
    const decided = account.decide(fold(account, history), command)
    expect(account.decide(fold(account, history), { ...command, provedUnder: 0 } as AccountCommand)).toStrictEqual(
      decided,
    )
    const changed: AccountEvent = {
      type: 'PasswordChanged',
      data: { accountId: ada, passwordHash: '$2', changedAt: now },
    }
    given(account, [...history, changed])
      .when({ ...command, provedUnder: 0 } as AccountCommand)
      .refuses('UNAUTHORIZED')
  })

  property(
    'has a number of delegations that each ending makes one higher',
    histories(account, accountCommands),
    (life) => {
      const versions = life.events.flatMap((event) => (event.type === 'DelegationsEnded' ? [event.data.version] : []))
      expect(versions).toStrictEqual(versions.map((_, index) => index + 1))
    },
  )
})
