import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { account } from '../../../domain/account/account.ts'
import { accountEvents, type AccountEvent } from '../../../domain/account/events.ts'
import { accountFlags, changedFlags, hasClosingFlag } from '../../../domain/account/flags.ts'
import type { StandingCommand } from '../../../domain/account/standing-commands.ts'
import { fold } from '../../../domain/kernel/decider.ts'
import { field } from '../../../domain/kernel/refusal.ts'
import { given } from '../../../domain/testing/given-when-then.ts'
import { histories } from '../../../domain/testing/histories.ts'
import { property } from '../../support/property.ts'
import { accountCommands } from '../../../domain/testing/commands/account-arbitraries.ts'
import { botCommands } from '../../../domain/testing/commands/application-commands.ts'
import { ada, grace, start } from '../../../domain/testing/people.ts'
import { flagWords } from '../../../domain/testing/commands/standing-arbitraries.ts'
import { identity, registered, signedIn } from './account-story.ts'

const accountId = ada
const bit = (number: bigint) => (1n << number).toString()
const update = (add: readonly string[], remove: readonly string[] = []) =>
  ({ type: 'UpdateFlags', add, remove }) as const
const flagged = (flags: string, before = '0'): AccountEvent => ({
  type: 'FlagsChanged',
  data: { accountId, flags, before },
})
const bot: AccountEvent = {
  type: 'AccountRegistered',
  data: { ...identity, registeredAt: start, botOwnerId: grace },
}
const becameBot = (to: boolean): AccountEvent => ({ type: 'BotStatusSet', data: { accountId, bot: to } })
const system: AccountEvent = { type: 'SystemStatusSet', data: { accountId, system: true } }
const ended = (tokenHash: string): AccountEvent => ({ type: 'SessionEnded', data: { accountId, tokenHash } })
const after = (...events: readonly AccountEvent[]) => fold(account, [registered, ...events])

describe('the flags of an account', () => {
  it('are any of 64 bits, whether or not the registry names them', () => {
    given(account, [registered])
      .when(update([bit(63n), bit(1n)]))
      .then(flagged((2n ** 63n + 2n).toString()))
    given(account, [registered])
      .when(update([(2n ** 64n - 1n).toString()], [bit(0n), bit(34n), bit(36n), bit(38n)]))
      .then(flagged((2n ** 64n - 1n - (1n + 2n ** 34n + 2n ** 36n + 2n ** 38n)).toString()))
  })

  it('are added before they are removed: one in both ends cleared', () => {
    given(account, [registered, flagged('5')])
      .when(update(['2', '8'], ['9']))
      .then(flagged('6', '5'))
    given(account, [registered, flagged('6')])
      .when(update(['8'], ['8']))
      .changesNothing()
    given(account, [registered]).when(update([], [])).changesNothing()
  })

  it('end the sessions of an account that they close', () => {
    const { DISABLED } = accountFlags
    given(account, [registered, signedIn('h1')])
      .when(update([DISABLED.toString()]))
      .then(flagged(DISABLED.toString()), ended('h1'))
  })

  it('are set and cleared by the life cycle, each its own', () => {
    const hand = flagged((1n | accountFlags.SELF_DELETED).toString())
    expect(after(hand, { type: 'AccountDisabled', data: { accountId } })).toMatchObject({
      flags: (1n | accountFlags.SELF_DELETED | accountFlags.DISABLED).toString(),
    })
    expect(after(hand, { type: 'SelfDeletionCancelled', data: { accountId } })).toMatchObject({ flags: '1' })
  })

  it('include what the holder has dismissed', () => {
    const dismissed = accountFlags.HAS_DISMISSED_PREMIUM_ONBOARDING.toString()
    const changes = { hasDismissedPremiumOnboarding: true }
    const byHolder: AccountEvent = { type: 'ProfileChanged', data: { accountId, changes } }
    expect(after(byHolder)).toMatchObject({ flags: dismissed })
    expect(after(flagged(dismissed))).toMatchObject({ profile: changes })
    expect(after(byHolder, flagged('0'))).toMatchObject({ profile: { hasDismissedPremiumOnboarding: false } })
  })

  property(
    'equal the fold of additions and removals',
    fc.array(fc.record({ add: fc.array(flagWords), remove: fc.array(flagWords) }), { maxLength: 20 }),
    (updates) => {
      const events = updates.reduce<readonly AccountEvent[]>(
        (history, { add, remove }) => {
          const decision = account.decide(fold(account, history), update(add, remove))
          return decision.outcome === 'accepted' ? [...history, ...decision.events] : history
        },
        [registered],
      )
      const expected = updates.reduce((word, { add, remove }) => {
        const added = add.reduce((sum, flag) => sum | BigInt(flag), word)
        return remove.reduce((rest, flag) => rest & ~BigInt(flag), added)
      }, 0n)
      expect(fold(account, events)).toMatchObject({ flags: expected.toString() })
      expect(changedFlags('0', [expected.toString()], [])).toBe(expected.toString())
    },
  )
})

describe('the premium flags of an account', () => {
  const updatePremium = (add: readonly number[], remove: readonly number[] = []) =>
    ({ type: 'UpdatePremiumFlags', add, remove }) as const
  const premium = (flags: number): AccountEvent => ({ type: 'PremiumFlagsChanged', data: { accountId, flags } })

  it('are any of 32 bits, unsigned, added before they are removed', () => {
    given(account, [registered])
      .when(updatePremium([2 ** 31, 3], [1]))
      .then(premium(2 ** 31 + 2))
    given(account, [registered, premium(6)])
      .when(updatePremium([2, 8], [8]))
      .changesNothing()
  })

  it('have the badge options of the profile as bits', () => {
    const hidden = { premiumBadgeHidden: true, premiumBadgeSequenceHidden: true }
    const byHolder: AccountEvent = { type: 'ProfileChanged', data: { accountId, changes: hidden } }
    expect(after(premium(32), byHolder)).toMatchObject({ premiumFlags: 32 + 2 + 16 })
    expect(after(premium(18))).toMatchObject({ profile: hidden })
    expect(after(byHolder, premium(0))).toMatchObject({ profile: { premiumBadgeHidden: false } })
  })
})

describe('the traits of an account', () => {
  const setTraits = (...traits: readonly string[]) => ({ type: 'SetTraits', traits }) as const
  const traitsSet = (...traits: readonly string[]): AccountEvent => ({ type: 'TraitsSet', data: { accountId, traits } })

  it('are replaced, sorted, each once', () => {
    given(account, [registered])
      .when(setTraits('b', 'a', 'b'))
      .then(traitsSet('a', 'b'))
    given(account, [registered, traitsSet('a', 'b')])
      .when(setTraits('b', 'a'))
      .changesNothing()
    given(account, [registered, traitsSet('a')])
      .when(setTraits())
      .then(traitsSet())
  })
})

describe('the bot status of an account', () => {
  const setBot = (to: boolean) => ({ type: 'SetBotStatus', bot: to }) as const
  const setSystem = (to: boolean) => ({ type: 'SetSystemStatus', system: to }) as const

  it('is apart from whose application it belongs to', () => {
    expect(fold(account, [bot])).toMatchObject({ bot: true, botOwnerId: grace })
    given(account, [bot]).when(setBot(true)).changesNothing()
    given(account, [bot]).when(setBot(false)).then(becameBot(false))
    expect(fold(account, [bot, becameBot(false)])).toMatchObject({ bot: false, botOwnerId: grace })
  })

  it('ends the sessions of a new bot, which gets no other', () => {
    const signIn = { type: 'StartSession', tokenHash: 'h2', ip: null, userAgent: null, now: start } as const
    given(account, [registered, signedIn('h1')])
      .when(setBot(true))
      .then(becameBot(true), ended('h1'))
    given(account, [registered, becameBot(true)])
      .when(signIn)
      .refuses('BOT_USER_AUTH_SESSION_CREATION_DENIED')
  })

  it('is not for an account that holds an ACL, and a bot is given none', () => {
    const granted: AccountEvent = { type: 'AclsSet', data: { accountId, acls: ['user:lookup'] } }
    given(account, [registered, granted]).when(setBot(true)).refuses('ACCESS_DENIED')
    given(account, [registered, granted]).when(setBot(false)).changesNothing()
    given(account, [bot])
      .when({ type: 'SetAcls', acls: ['*'] })
      .refuses('ACCESS_DENIED')
    given(account, [bot])
      .when({ type: 'GrantAcls', accountId, acls: ['*'] })
      .refuses('ACCESS_DENIED')
    given(account, [bot]).when({ type: 'SetAcls', acls: [] }).changesNothing()
  })

  it('ends with the system status', () => {
    given(account, [registered])
      .when(setSystem(true))
      .refuses('INVALID_FORM_BODY', field('system', 'USER_MUST_BE_A_BOT_TO_BE_MARKED_AS_A_SYSTEM_USER'))
    given(account, [registered]).when(setSystem(false)).changesNothing()
    given(account, [bot]).when(setSystem(true)).then(system)
    given(account, [bot, system]).when(setBot(false)).then(becameBot(false))
    expect(fold(account, [bot, system, becameBot(false)])).toMatchObject({ bot: false, system: false })
  })
})

describe('the date of birth of an account', () => {
  it('is changed, and cannot be cleared', () => {
    const change = { type: 'ChangeDateOfBirth', dateOfBirth: '2000-02-29' } as const
    const changed: AccountEvent = { type: 'DateOfBirthChanged', data: { accountId, dateOfBirth: '2000-02-29' } }
    given(account, [registered]).when(change).then(changed)
    given(account, [registered, changed]).when(change).changesNothing()
  })
})

describe('the address of an account', () => {
  const email = 'countess@example.org'
  const bounced: AccountEvent = { type: 'EmailAddressBounced', data: { accountId, bouncedAt: start } }
  const change = { type: 'ChangeEmailAddress', email, from: identity.email, verified: false, now: start } as const
  const changed = { accountId, email, verified: false, changedAt: start }

  it('keeps its bounce marker where an administrator changes it', () => {
    const byAdministrator: AccountEvent = { type: 'EmailAddressChanged', data: { ...changed, keepsBounce: true } }
    given(account, [registered, bounced])
      .when({ ...change, keepsBounce: true })
      .then(byAdministrator)
    expect(after(bounced, byAdministrator)).toMatchObject({ email, emailVerified: false, emailBounced: true })
    expect(after(bounced, { type: 'EmailAddressChanged', data: changed })).toMatchObject({ emailBounced: false })
  })

  it('may be verified where there is none', () => {
    const unclaimed: AccountEvent = {
      type: 'AccountRegistered',
      data: { ...identity, email: null, emailVerified: false, registeredAt: start },
    }
    const verified: AccountEvent = { type: 'EmailAddressVerified', data: { accountId } }
    const verify = { type: 'VerifyEmailAddress' } as const
    const proved = { type: 'VerifyEmailAddress', email: 'ada@example.com' } as const
    given(account, [unclaimed])
      .when(proved)
      .refuses('INVALID_FORM_BODY', field('token', 'INVALID_OR_EXPIRED_VERIFICATION_TOKEN'))
    given(account, [unclaimed]).when(verify).then(verified)
    given(account, [unclaimed, verified]).when(verify).changesNothing()
  })
})

describe('the scheduled deletion of all messages', () => {
  const schedule = { type: 'ScheduleMessageDeletion', dueAt: start, channelCount: 2, messageCount: 9 } as const
  const scheduled: AccountEvent = {
    type: 'MessageDeletionScheduled',
    data: { accountId, dueAt: start, channelCount: 2, messageCount: 9 },
  }
  const cancelled: AccountEvent = { type: 'MessageDeletionCancelled', data: { accountId } }

  it('is set once, and cancelled however often', () => {
    given(account, [registered]).when(schedule).then(scheduled)
    given(account, [registered, scheduled]).when(schedule).changesNothing()
    given(account, [registered, scheduled]).when({ type: 'CancelMessageDeletion' }).then(cancelled)
    given(account, [registered, scheduled, cancelled]).when({ type: 'CancelMessageDeletion' }).changesNothing()
  })
})

describe('whatever administrators do to an account', () => {
  const all = histories(account, fc.oneof(accountCommands, botCommands))

  property('no closed account has a live session', all, ({ steps }) => {
    for (const { after: state } of steps) {
      if (state.status !== 'registered') continue
      const { bannedUntil, deletion } = state
      const isClosed = hasClosingFlag(state) || bannedUntil !== null || deletion !== null || state.bot
      if (isClosed) expect(state.sessions).toStrictEqual([])
    }
  })

  property('no bot holds an ACL, and only a bot is a system account', all, ({ steps }) => {
    for (const { after: state } of steps) {
      if (state.status !== 'registered') continue
      if (state.bot) expect(state.acls).toStrictEqual([])
      else expect(state.system).toBe(false)
    }
  })

  property('flags are those of 64 and of 32 bits', all, ({ steps }) => {
    for (const { after: state } of steps) {
      if (state.status !== 'registered') continue
      expect(BigInt.asUintN(64, BigInt(state.flags)).toString()).toBe(state.flags)
      expect(state.premiumFlags >>> 0).toBe(state.premiumFlags)
    }
  })

  it('is refused where nobody holds the account, and where there is none', () => {
    const erasing: AccountEvent = {
      type: 'AccountErasureStarted',
      data: { accountId, username: 'Ada', addressHash: null, identityHashes: [], startedAt: start },
    }
    const commands: readonly StandingCommand[] = [
      update(['1']),
      { type: 'SetTraits', traits: [] },
      { type: 'BanAccount', duration_hours: 0, now: start },
      { type: 'LiftAccountBan' },
    ]
    for (const command of commands) {
      given(account, []).when(command).refuses('UNKNOWN_USER')
      given(account, [registered, erasing]).when(command).refuses('UNKNOWN_USER')
    }
  })

  it('is personal where it speaks of the person', () => {
    expect(accountEvents.TraitsSet.personal).toStrictEqual(['traits'])
    expect(accountEvents.DateOfBirthChanged.personal).toStrictEqual(['dateOfBirth'])
    expect(accountEvents.AccountDeletionScheduled.personal).toStrictEqual([
      'reasonCode',
      'publicReason',
      'auditLogReason',
    ])
  })
})
