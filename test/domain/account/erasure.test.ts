import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { account } from '../../../domain/account/account.ts'
import type { AccountEvent } from '../../../domain/account/events.ts'
import { fold } from '../../../domain/kernel/decider.ts'
import { secondsAfter } from '../../../domain/kernel/timestamp.ts'
import { given } from '../../../domain/testing/given-when-then.ts'
import { play } from '../../../domain/testing/histories.ts'
import { property } from '../../support/property.ts'
import { accountCommands } from '../../../domain/testing/commands/account-arbitraries.ts'
import { ada, start } from '../../../domain/testing/people.ts'
import { identity, registered, signedIn, signedOut } from './account-story.ts'

const accountId = ada
const dueAt = secondsAfter(start, 60)
const email = 'ada@example.org'
const erase = { type: 'StartErasure', email, addressHash: 'hash of address', now: dueAt } as const
const finish = { type: 'FinishErasure', now: dueAt } as const
const scheduled: AccountEvent = { type: 'SelfDeletionScheduled', data: { accountId, dueAt } }
const cancelled: AccountEvent = { type: 'SelfDeletionCancelled', data: { accountId } }
const startedBy = (members: object = {}): AccountEvent => ({
  type: 'AccountErasureStarted',
  data: {
    accountId,
    username: 'Ada',
    addressHash: 'hash of address',
    identityHashes: [],
    startedAt: dueAt,
    ...members,
  },
})
const started = startedBy()
const note = { type: 'NoteMessagesAnonymised', now: dueAt } as const
const anonymised: AccountEvent = { type: 'MessagesAnonymised', data: { accountId, anonymisedAt: dueAt } }
const erased: AccountEvent = { type: 'AccountErased', data: { accountId, erasedAt: dueAt } }

describe('erasing an account', () => {
  it('begins once its deletion is due, with what is to be released', () => {
    given(account, [registered, scheduled]).when(erase).then(started)
    const linked: AccountEvent = {
      type: 'SingleSignOnLinked',
      data: { accountId, issuer: 'https://id.example.org', identityHash: 'hash of identity', linkedAt: start },
    }
    given(account, [registered, linked, scheduled])
      .when(erase)
      .then(startedBy({ identityHashes: ['hash of identity'] }))
  })
  it('ends the sessions that there are', () => {
    given(account, [registered, scheduled, signedIn('h1')])
      .when(erase)
      .then(signedOut('h1'), started)
  })
  it('does not begin before that, nor for an account that nobody wants to delete any more', () => {
    const early = { ...erase, now: secondsAfter(start, 59) }
    given(account, [registered, scheduled]).when(early).changesNothing()
    given(account, [registered]).when(erase).changesNothing()
    given(account, [registered, scheduled, cancelled]).when(erase).changesNothing()
    given(account, []).when(erase).refuses('UNKNOWN_USER')
  })
  it('is refused if the address differs from the one to be released', () => {
    given(account, [registered, scheduled])
      .when({ ...erase, email: 'old@example.org' })
      .refuses('CONFLICT')
  })
  it('begins once and is over once, in this order', () => {
    given(account, [registered, scheduled, started]).when(erase).changesNothing()
    given(account, [registered, scheduled, started]).when(finish).then(erased)
    given(account, [registered, scheduled, started, erased]).when(finish).changesNothing()
    given(account, [registered, scheduled]).when(finish).refuses('CONFLICT')
  })
  it('leaves an account that cannot sign in, come back, or be registered again', () => {
    const signIn = { type: 'StartSession', tokenHash: 'h9', ip: '::1', userAgent: null, now: dueAt } as const
    for (const history of [
      [registered, scheduled, started],
      [registered, scheduled, started, erased],
    ]) {
      given(account, history).when(signIn).refuses('UNKNOWN_USER')
      given(account, history).when({ type: 'ReturnToAccount', now: start }).refuses('UNKNOWN_USER')
      given(account, history)
        .when({ type: 'RegisterAccount', ...identity, now: start })
        .refuses('CONFLICT')
      given(account, history).when({ type: 'EndSession', tokenHash: 'h1' }).changesNothing()
      given(account, history)
        .when({ type: 'EndSessions', tokenHashes: ['h1'] })
        .changesNothing()
    }
  })
  it('leaves nothing of its holder in the state', () => {
    const state = fold(account, [registered, signedIn('h1'), scheduled, started])
    expect(state).toStrictEqual({ status: 'erasing', id: accountId })
    const gone = fold(account, [erased], state)
    expect(gone).toStrictEqual({ status: 'erased', id: accountId, messagesAnonymised: false })
    expect(fold(account, [anonymised], gone)).toStrictEqual({ ...gone, messagesAnonymised: true })
  })

  const begun = [
    { type: 'RegisterAccount', ...identity, now: start },
    { type: 'ScheduleSelfDeletion', dueAt },
    erase,
  ] as const
  const afterwards = fc
    .array(accountCommands, { maxLength: 20 })
    .map((commands) => play(account, [...begun, ...commands]))
  property('nothing happens to an account any more, but that it is erased, once', afterwards, ({ events }) => {
    const types = events.map(({ type }) => type)
    expect(types.slice(0, 3)).toStrictEqual(['AccountRegistered', 'SelfDeletionScheduled', 'AccountErasureStarted'])
    expect(['', 'AccountErased', 'AccountErased,MessagesAnonymised']).toContain(types.slice(3).join())
  })
})

describe('the messages of an erased account', () => {
  const gone = [registered, scheduled, started, erased]
  it('have another author once, who is not named', () => {
    given(account, gone).when(note).then(anonymised)
    given(account, [...gone, anonymised])
      .when(note)
      .changesNothing()
  })
  it('stay those of an account that is not erased yet', () => {
    given(account, []).when(note).refuses('UNKNOWN_USER')
    given(account, [registered, scheduled]).when(note).refuses('CONFLICT')
    given(account, [registered, scheduled, started]).when(note).refuses('CONFLICT')
  })
})

describe('an anonymous account', () => {
  const create = { type: 'CreateAnonymousAccount', accountId, now: start } as const
  const created: AccountEvent = { type: 'AnonymousAccountCreated', data: { accountId, createdAt: start } }
  it('is created once', () => {
    given(account, []).when(create).then(created)
    given(account, [created]).when(create).changesNothing()
  })
  it('is no account that anybody holds or held', () => {
    given(account, [registered]).when(create).refuses('CONFLICT')
    given(account, [registered, scheduled, started]).when(create).refuses('CONFLICT')
    given(account, [registered, scheduled, started, erased]).when(create).refuses('CONFLICT')
  })
  const tried = fc.array(accountCommands, { maxLength: 20 }).map((commands) => play(account, [create, ...commands]))
  property('is never held and never erased', tried, ({ events }) => {
    expect(events.map(({ type }) => type)).toStrictEqual(['AnonymousAccountCreated'])
  })
})

describe('an e-mail address that bounces', () => {
  const bounce = { type: 'MarkEmailAddressBounced', email, now: dueAt } as const
  const bounced: AccountEvent = { type: 'EmailAddressBounced', data: { accountId, bouncedAt: dueAt } }
  const verified: AccountEvent = { type: 'EmailAddressVerified', data: { accountId } }

  it('is marked once, if the account still has it', () => {
    given(account, [registered]).when(bounce).then(bounced)
    given(account, [registered, bounced]).when(bounce).changesNothing()
    given(account, [registered])
      .when({ ...bounce, email: 'old@example.org' })
      .changesNothing()
  })
  it('is no longer marked once it is verified again, or replaced', () => {
    given(account, [registered, bounced]).when({ type: 'VerifyEmailAddress' }).then(verified)
    given(account, [registered, bounced, verified]).when({ type: 'VerifyEmailAddress' }).changesNothing()
    const moved: AccountEvent = {
      type: 'EmailAddressChanged',
      data: { accountId, email: 'new@example.org', verified: true, changedAt: dueAt },
    }
    for (const mended of [verified, moved])
      expect(fold(account, [registered, bounced, mended])).toMatchObject({ emailBounced: false })
  })
})
