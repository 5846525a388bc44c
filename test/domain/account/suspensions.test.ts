import { describe, expect, it } from 'vitest'
import { account } from '../../../domain/account/account.ts'
import type { AccountEvent } from '../../../domain/account/events.ts'
import { accountFlags } from '../../../domain/account/flags.ts'
import { fold } from '../../../domain/kernel/decider.ts'
import { secondsAfter, timestamp } from '../../../domain/kernel/timestamp.ts'
import { given } from '../../../domain/testing/given-when-then.ts'
import { ada, grace, start } from '../../../domain/testing/people.ts'
import { registered, signedIn } from './account-story.ts'

const accountId = ada
const hour_s = 3600
const day_s = 24 * hour_s
const until = secondsAfter(start, 2 * hour_s)
const banned: AccountEvent = { type: 'AccountBanned', data: { accountId, until, bannedAt: start } }
const lifted: AccountEvent = { type: 'AccountBanLifted', data: { accountId } }
const disabled: AccountEvent = { type: 'AccountDisabled', data: { accountId } }
const selfScheduled: AccountEvent = { type: 'SelfDeletionScheduled', data: { accountId, dueAt: until } }
const ended = (tokenHash: string): AccountEvent => ({ type: 'SessionEnded', data: { accountId, tokenHash } })
const flagsCleared: AccountEvent = { type: 'FlagsChanged', data: { accountId, flags: '0' } }
const after = (...events: readonly AccountEvent[]) => fold(account, [registered, ...events])
const signIn = { type: 'StartSession', tokenHash: 'h1', ip: '::1', userAgent: null, now: start } as const
const back = { type: 'ReturnToAccount', now: start } as const
const ban = { type: 'BanAccount', duration_hours: 2, now: start } as const
const lift = { type: 'LiftAccountBan' } as const
const expire = { type: 'EndExpiredBan', now: until } as const

describe('a ban', () => {
  it('disables the account and ends every session', () => {
    given(account, [registered, signedIn('h1'), signedIn('h2')])
      .when(ban)
      .then(banned, ...['h1', 'h2'].map(ended))
    given(account, [registered, banned]).when(ban).changesNothing()
    expect(after(banned)).toMatchObject({ bannedUntil: until, flags: accountFlags.DISABLED.toString() })
  })

  it('is for a hundred years if it is permanent', () => {
    const permanent = timestamp(Date.UTC(2126, 4, 1, 12))
    given(account, [registered])
      .when({ ...ban, duration_hours: 0 })
      .then({ type: 'AccountBanned', data: { accountId, until: permanent, bannedAt: start } })
  })

  it('is replaced by a later one', () => {
    const longer = secondsAfter(start, 3 * hour_s)
    given(account, [registered, banned])
      .when({ ...ban, duration_hours: 3 })
      .then({ type: 'AccountBanned', data: { accountId, until: longer, bannedAt: start } })
  })

  it('bars every session until it is over, even if the flag was cleared by hand', () => {
    for (const history of [
      [registered, banned],
      [registered, banned, flagsCleared],
    ]) {
      given(account, history).when(signIn).refuses('ACCOUNT_SUSPENDED_TEMPORARILY')
      given(account, history).when(back).refuses('ACCOUNT_SUSPENDED_TEMPORARILY')
    }
  })

  it('that is over ends with the request that finds it so', () => {
    given(account, [registered, banned])
      .when({ ...back, now: until })
      .then(lifted)
    given(account, [registered, banned])
      .when({ ...signIn, now: until })
      .then(lifted, {
        type: 'SessionStarted',
        data: { accountId, tokenHash: 'h1', startedAt: until, ip: '::1', userAgent: null },
      })
    given(account, [registered, banned]).when(expire).then(lifted)
    given(account, [registered, banned])
      .when({ ...expire, now: secondsAfter(start, 1) })
      .changesNothing()
    given(account, [registered, disabled]).when(expire).changesNothing()
    expect(after(banned, lifted)).toMatchObject({ bannedUntil: null, flags: '0' })
  })

  it('is lifted with DISABLED, even where the holder has set that, and to no effect where there is neither', () => {
    given(account, [registered, banned]).when(lift).then(lifted)
    given(account, [registered, banned, flagsCleared]).when(lift).then(lifted)
    given(account, [registered, disabled]).when(lift).then(lifted)
    given(account, [registered, banned, lifted]).when(lift).changesNothing()
  })

  it('lets no session begin by a change of the password that it overtook', () => {
    const change = {
      type: 'ChangePassword',
      passwordHash: '$new',
      except: null,
      successor: { tokenHash: 'h2', ip: null, userAgent: null },
      now: start,
    } as const
    const changed: AccountEvent = {
      type: 'PasswordChanged',
      data: { accountId, passwordHash: '$new', changedAt: start },
    }
    given(account, [registered, banned]).when(change).then(changed)
  })
})

describe('a deletion that an administrator schedules', () => {
  const schedule = {
    type: 'ScheduleDeletion',
    reasonCode: 3,
    delay_days: 61,
    publicReason: 'Spam',
    auditLogReason: 'reported',
    scheduledBy: grace,
    replaces: null,
    now: start,
  } as const
  const reasons = { reasonCode: 3, publicReason: 'Spam', auditLogReason: 'reported' }
  const dueAt = secondsAfter(start, 61 * day_s)
  const scheduledWith = (members: object = {}): AccountEvent => ({
    type: 'AccountDeletionScheduled',
    data: { accountId, dueAt, ...reasons, scheduledBy: grace, scheduledAt: start, ...members },
  })
  const scheduled = scheduledWith()
  const cancelled: AccountEvent = { type: 'AccountDeletionCancelled', data: { accountId } }
  const cancel = { type: 'CancelDeletion', dueAt } as const

  it('ends every session and sets DELETED', () => {
    given(account, [registered, signedIn('h1')])
      .when(schedule)
      .then(ended('h1'), scheduled)
    expect(after(scheduled)).toMatchObject({
      flags: accountFlags.DELETED.toString(),
      deletion: { dueAt, ...reasons, scheduledBy: grace, scheduledAt: start },
    })
  })

  it('is due after the minimum of its reason at the earliest', () => {
    const sixty = { dueAt: secondsAfter(start, 60 * day_s) }
    given(account, [registered])
      .when({ ...schedule, delay_days: 1 })
      .then(scheduledWith(sixty))
    given(account, [registered])
      .when({ ...schedule, reasonCode: 1, delay_days: 1 })
      .then(scheduledWith({ reasonCode: 1, dueAt: secondsAfter(start, 14 * day_s) }))
  })

  it('names the deletion that it replaces, the holder’s too, as an instant', () => {
    const other = { ...schedule, publicReason: null }
    given(account, [registered, scheduled]).when(other).refuses('CONFLICT')
    given(account, [registered, scheduled]).when(schedule).refuses('CONFLICT')
    given(account, [registered, selfScheduled]).when(schedule).refuses('CONFLICT')
    given(account, [registered])
      .when({ ...schedule, replaces: until })
      .refuses('CONFLICT')
    given(account, [registered, scheduled])
      .when({ ...other, replaces: dueAt })
      .then(scheduledWith({ publicReason: null }))
    given(account, [registered, selfScheduled])
      .when({ ...schedule, replaces: until })
      .then(scheduled)
  })

  it('bars every session, which cancels nothing, even if the flag was cleared by hand', () => {
    for (const history of [
      [registered, scheduled],
      [registered, scheduled, flagsCleared],
    ]) {
      given(account, history).when(signIn).refuses('ACCOUNT_SUSPENDED_PERMANENTLY')
      given(account, history).when(back).refuses('ACCOUNT_SUSPENDED_PERMANENTLY')
    }
    given(account, [registered, { type: 'FlagsChanged', data: { accountId, flags: accountFlags.DELETED.toString() } }])
      .when(signIn)
      .refuses('ACCOUNT_SUSPENDED_PERMANENTLY')
  })

  it('is cancelled by whoever names it, with both flags, and the holder’s as well', () => {
    given(account, [registered, scheduled]).when(cancel).then(cancelled)
    expect(after(selfScheduled, scheduled, cancelled)).toMatchObject({ deletion: null, flags: '0' })
    given(account, [registered, selfScheduled])
      .when({ ...cancel, dueAt: until })
      .then(cancelled)
    given(account, [registered, scheduled])
      .when({ ...cancel, dueAt: until })
      .refuses('CONFLICT')
    given(account, [registered]).when(cancel).refuses('NO_PENDING_DELETION')
    given(account, [registered, scheduled, cancelled]).when(cancel).refuses('NO_PENDING_DELETION')
  })

  it('loses against the erasure that has begun', () => {
    const erase = { type: 'StartErasure', email: 'ada@example.org', addressHash: 'hash', now: dueAt } as const
    const erasing: AccountEvent = {
      type: 'AccountErasureStarted',
      data: { accountId, username: 'Ada', addressHash: 'hash', identityHashes: [], startedAt: dueAt },
    }
    given(account, [registered, scheduled]).when(erase).then(erasing)
    given(account, [registered, scheduled, cancelled]).when(erase).changesNothing()
    given(account, [registered, scheduled, erasing]).when(cancel).refuses('CONFLICT')
    given(account, [registered, scheduled, erasing]).when(schedule).refuses('CONFLICT')
  })
})
