import fc from 'fast-check'
import { describe, expect } from 'vitest'
import { account } from '../../../domain/account/account.ts'
import type { AccountCommand } from '../../../domain/account/commands.ts'
import { hasFlag } from '../../../domain/account/flags.ts'
import type { AccountState } from '../../../domain/account/state.ts'
import { fold } from '../../../domain/kernel/decider.ts'
import { msOf, secondsAfter, type Timestamp } from '../../../domain/kernel/timestamp.ts'
import { property } from '../../support/property.ts'
import { oneOf, record } from '../../../domain/testing/drawing.ts'
import { grace, start } from '../../../domain/testing/people.ts'
import { registered, signedIn } from './account-story.ts'

const day_s = 24 * 3600
const minimum_days = 14

/** What people do. `named`: whether a command names the deletion that is pending, or another instant. */
interface Step {
  readonly what: 'schedule' | 'cancel' | 'erase' | 'sign in' | 'leave'
  readonly named: boolean
  readonly after_days: number
}

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  record<Step>({
    what: oneOf('schedule', 'schedule', 'cancel', 'erase', 'sign in', 'leave'),
    named: fc.boolean(),
    after_days: oneOf(0, 1, minimum_days, 60),
  }),
  { maxLength: 20 },
)

/** The whole rule in a second form. */
type Model =
  | { readonly status: 'open' | 'erased' }
  | { readonly status: 'pending'; readonly dueAt: Timestamp; readonly byAdmin: boolean }

function commandOf({ what, named }: Step, model: Model, now: Timestamp, number: number): AccountCommand {
  const pending = model.status === 'pending' ? model.dueAt : null
  // Written in another way, it is the same instant.
  const other = pending === null ? now : secondsAfter(pending, 1)
  const sameInstant = pending === null ? null : (pending.replace('Z', '+00:00') as Timestamp)
  switch (what) {
    case 'schedule':
      return {
        type: 'ScheduleDeletion',
        reasonCode: 1,
        delay_days: 1,
        publicReason: `try ${number}`,
        auditLogReason: null,
        scheduledBy: grace,
        replaces: named ? sameInstant : other,
        now,
      }
    case 'cancel':
      return { type: 'CancelDeletion', dueAt: named ? (sameInstant ?? now) : other }
    case 'erase':
      return { type: 'StartErasure', email: 'ada@example.org', addressHash: 'hash', now }
    case 'sign in':
      return { type: 'StartSession', tokenHash: `h${number}`, ip: '::1', userAgent: null, now }
    case 'leave':
      return { type: 'ScheduleSelfDeletion', dueAt: secondsAfter(now, minimum_days * day_s) }
  }
}

/** What has to become of it, and the code of the refusal. */
function expected({ what, named }: Step, model: Model, now: Timestamp): readonly [Model, string?] {
  if (model.status === 'erased') {
    if (what === 'schedule' || what === 'cancel') return [model, 'CONFLICT']
    return what === 'erase' ? [model] : [model, 'UNKNOWN_USER']
  }
  const dueAt = secondsAfter(now, minimum_days * day_s)
  switch (what) {
    case 'schedule':
      return named ? [{ status: 'pending', dueAt, byAdmin: true }] : [model, 'CONFLICT']
    case 'cancel':
      if (model.status === 'open') return [model, 'NO_PENDING_DELETION']
      return named ? [{ status: 'open' }] : [model, 'CONFLICT']
    case 'erase':
      return model.status === 'pending' && msOf(model.dueAt) <= msOf(now) ? [{ status: 'erased' }] : [model]
    case 'sign in':
      if (model.status === 'pending' && model.byAdmin) return [model, 'ACCOUNT_SUSPENDED_PERMANENTLY']
      return [{ status: 'open' }]
    case 'leave':
      return model.status === 'pending' ? [model] : [{ status: 'pending', dueAt, byAdmin: false }]
  }
}

function modelOf(state: AccountState): Model {
  if (state.status !== 'registered') return { status: 'erased' }
  if (state.deletion === null) return { status: 'open' }
  return { status: 'pending', dueAt: state.deletion.dueAt, byAdmin: state.deletion.scheduledBy !== null }
}

describe('schedules, cancellations and erasures in any order', () => {
  property('have one winner each, and leave no session to an account that is to be deleted', steps, (drawn) => {
    let state = fold(account, [registered, signedIn('h')])
    let now = start
    for (const [number, step] of drawn.entries()) {
      now = secondsAfter(now, step.after_days * day_s)
      const before = modelOf(state)
      const [after, code] = expected(step, before, now)
      const decision = account.decide(state, commandOf(step, before, now, number))
      expect(decision.outcome === 'refused' ? decision.refusal.code : undefined).toBe(code)
      if (decision.outcome === 'accepted') state = fold(account, decision.events, state)
      expect(modelOf(state)).toStrictEqual(after)
      if (state.status !== 'registered') continue
      const { deletion, sessions } = state
      if (deletion !== null) expect(sessions).toStrictEqual([])
      expect([hasFlag(state, 'DELETED'), hasFlag(state, 'SELF_DELETED')]).toStrictEqual(
        deletion === null ? [false, false] : [deletion.scheduledBy !== null, expect.any(Boolean)],
      )
    }
  })
})
