import { describe, expect, it } from 'vitest'
import { account } from '../../../domain/account/account.ts'
import type { AccountCommand } from '../../../domain/account/commands.ts'
import { endedSessions } from '../../../domain/account/ended-sessions.ts'
import type { AccountEvent } from '../../../domain/account/events.ts'
import { fold } from '../../../domain/kernel/decider.ts'
import { ada, grace, start } from '../../../domain/testing/people.ts'
import { registered, signedIn } from './account-story.ts'

const hashes = Array.from({ length: 2500 }, (_, index) => `h${index}`)
const history: readonly AccountEvent[] = [registered, ...hashes.map((hash) => signedIn(hash))]
const state = fold(account, history)
const now = start

const ending: readonly AccountCommand[] = [
  { type: 'EndAllSessions' },
  { type: 'SignOutEverywhere', bySession: 'h0', now },
  { type: 'EndSessions', tokenHashes: hashes },
  { type: 'BanAccount', duration_hours: 1, now },
  { type: 'DisableAccount' },
  { type: 'ScheduleSelfDeletion', dueAt: now },
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
  { type: 'SetBotStatus', bot: true },
  { type: 'ChangePassword', passwordHash: '$new', except: null, now },
]

describe('an account with more sessions than an append takes events', () => {
  it.each(ending)('ends each of them once, in few events: $type', (command) => {
    const decision = account.decide(state, command)
    if (decision.outcome === 'refused') throw new Error(decision.refusal.code)
    expect(decision.events.length).toBeLessThan(10)
    expect(decision.events.flatMap(endedSessions)).toStrictEqual(hashes)
    expect(fold(account, decision.events, state)).toMatchObject({ sessions: [] })
  })

  it('keeps the session that is to stay', () => {
    const terminated = account.decide(state, { type: 'EndAllSessions' })
    expect(terminated).toMatchObject({
      events: [1000, 1000, 500].map((length) => ({
        type: 'SessionsEnded',
        data: { tokenHashes: { length } },
      })),
    })
    const decision = account.decide(state, { type: 'ChangePassword', passwordHash: '$new', except: 'h7', now })
    if (decision.outcome === 'refused') throw new Error(decision.refusal.code)
    expect(fold(account, decision.events, state)).toMatchObject({ sessions: ['h7'] })
  })

  it('has one event for each of up to a hundred', () => {
    const hundred = fold(account, history.slice(0, 101))
    const decision = account.decide(hundred, { type: 'EndAllSessions' })
    const expected = hashes.slice(0, 100).map((tokenHash) => ({
      type: 'SessionEnded',
      data: { accountId: ada, tokenHash },
    }))
    expect(decision).toMatchObject({ outcome: 'accepted', events: expected })
  })
})
