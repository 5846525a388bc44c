import { expect } from 'vitest'
import { bodyOf, expectRefusal } from '../../operations/support/answers.ts'
import { sent } from '../../operations/support/messages.ts'
import { reportIn, reportsOn } from '../../operations/support/reports.ts'
import type { TestGuildhall } from '../../support/test-guildhall.ts'
import { authenticatorTypes, type ModelAccount } from './account.ts'
import type { Ears } from './ears.ts'
import { expectAfter } from './play.ts'
import type { HolderStep } from './step.ts'
import type { AdminWorld } from './world.ts'

/** What holders do in a run: they meet what administrators decided. */

interface Stage {
  readonly guildhall: TestGuildhall
  readonly ears: Ears
  readonly refusals: Set<string>
}

export async function playHolder(stage: Stage, world: AdminWorld, account: ModelAccount, { op }: HolderStep) {
  if (op === 'sign in') return signIn(stage, account)
  if (op === 'be reported' || op === 'be reported to be too young') return report(stage, account, op)
  const live = account.sessions.find(({ ended }) => !ended)
  if (!live || account.bot) return undefined
  if (op === 'say') {
    account.messages.set(await sent(stage.guildhall, live, world.home.channel, 'Hello'), world.home.channel)
    return undefined
  }
  return scheduleMessages(stage, account, live.token)
}

/** Somebody new reports the account: each reporter has a few reports an hour. */
async function report({ guildhall }: Stage, account: ModelAccount, op: HolderStep['op']): Promise<void> {
  const isProtected = op === 'be reported to be too young'
  const category = isProtected ? 'underage_user' : 'harassment'
  reportIn(await reportsOn(guildhall).reportUser(await guildhall.register(), account, { category }))
  const { open, protected: left } = account.reports
  account.reports = { open: open + 1, protected: left + (isProtected ? 1 : 0) }
}

/** A ban and a scheduled deletion bar whoever signs in. */
async function signIn({ guildhall, ears, refusals }: Stage, account: ModelAccount): Promise<void> {
  const { email, password, bannedUntil, deletion, bot, sessions, id } = account
  if (email === null) return
  const answer = await guildhall.request('POST', '/v1/auth/login', { body: { email, password } })
  const bars = [
    ...(bot ? ['BOT_USER_AUTH_ENDPOINT_ACCESS_DENIED'] : []),
    ...(bannedUntil === null ? [] : ['ACCOUNT_SUSPENDED_TEMPORARILY']),
    ...(deletion ? ['ACCOUNT_SUSPENDED_PERMANENTLY'] : []),
  ]
  if (bars.length > 0) {
    const { code } = answer.body as { readonly code: string }
    expect(bars).toContain(code)
    expectRefusal(answer, 403, code)
    refusals.add(code)
    return
  }
  const { mfa, token } = bodyOf(answer)
  expect(mfa === true).toBe(authenticatorTypes(account).length > 0)
  if (mfa === true) return
  sessions.push({ token: String(token), ended: false })
  await ears.open(id, String(token))
}

/** Deletes the account's messages in 24 hours. */
async function scheduleMessages({ guildhall, ears }: Stage, account: ModelAccount, token: string): Promise<void> {
  if (authenticatorTypes(account).length > 0) return
  const from_ms = Date.now()
  const body = { password: account.password }
  expect((await guildhall.request('POST', '/v1/users/@me/messages/delete', { token, body })).status).toBe(204)
  const { pending_bulk_message_deletion: pending } = bodyOf(await guildhall.request('GET', '/v1/users/@me', { token }))
  const due = (pending as { readonly scheduled_at: unknown } | null)?.scheduled_at
  account.bulkDeletionAt = expectAfter(due, { from_ms, to_ms: Date.now() }, 86_400_000)
  await ears.expect([{ to: account.id, t: 'USER_UPDATE', d: { id: account.id } }], undefined)
}
