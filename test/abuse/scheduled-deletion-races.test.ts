import { describe, expect, it } from 'vitest'
import type { AccountState } from '../../domain/account/state.ts'
import { accountId } from '../../domain/ids/ids.ts'
import { snowflake } from '../../domain/ids/snowflake.ts'
import { administrator, auditEntries } from '../support/administrators.ts'
import type { TestAccount, TestAnswer } from '../support/test-guildhall.ts'
import { deletionsBy } from '../operations/administration/users/support.ts'
import { bodyOf, crowd } from '../operations/support/answers.ts'
import { deletionIsDue, erase } from '../operations/support/erasure.ts'
import { openServer } from '../operations/support/scene.ts'

/** Administrators who schedule and cancel a deletion, its erasure, and sign-ins, all at the same moment. */

const guildhall = await openServer()
const root = await administrator(guildhall, '*')
const { schedule, cancelAt } = deletionsBy(guildhall, root)
const quiet = { reason_code: 1, notify_user: false }

const statusOf = ({ status }: TestAnswer): number => status
const dueIn = (answer: TestAnswer) =>
  (bodyOf(answer)['user'] as { readonly pending_deletion_at: string }).pending_deletion_at
const login = ({ email, password }: TestAccount) =>
  guildhall.request('POST', '/v1/auth/login', { body: { email, password } })
const stateOf = async ({ id }: TestAccount): Promise<AccountState> =>
  (await guildhall.ports.aggregates.account.load(accountId(snowflake(id)))).state
const count = (answers: readonly TestAnswer[], status: number) =>
  answers.filter((answer) => answer.status === status).length

describe('one pending deletion', () => {
  it('is made by one of several schedules, and named to none of the others', async () => {
    for (const person of await crowd(guildhall, 4)) {
      // All alike: none of them may take another one's for its own.
      const answers = await Promise.all([1, 2, 3, 4, 5].map(() => schedule(person, quiet)))
      expect([count(answers, 200), count(answers, 409)]).toEqual([1, 4])
    }
  })

  it('is cancelled once, however many cancel it', async () => {
    for (const person of await crowd(guildhall, 4)) {
      const dueAt = dueIn(await schedule(person, quiet))
      const answers = await Promise.all([1, 2, 3, 4].map(() => cancelAt(person, dueAt)))
      expect([count(answers, 200), count(answers, 400)]).toEqual([1, 3])
      const entries = (await auditEntries(guildhall)).filter(({ targetId }) => targetId === person.id)
      expect(entries.map(({ action }) => action)).toEqual(['schedule_deletion', 'cancel_deletion'])
    }
  })

  it('is either replaced or cancelled where both name it', async () => {
    for (const person of await crowd(guildhall, 8)) {
      const dueAt = dueIn(await schedule(person, quiet))
      const replacing = { ...quiet, days: 90, expected_pending_deletion_at: dueAt }
      const [replaced, cancelled] = await Promise.all([schedule(person, replacing), cancelAt(person, dueAt)])
      const state = await stateOf(person)
      const isPending = state.status === 'registered' && state.deletion !== null
      expect([statusOf(replaced), statusOf(cancelled)]).toEqual(isPending ? [200, 409] : [409, 200])
    }
  })

  it('is either cancelled or erased, and never both', async () => {
    for (const person of await crowd(guildhall, 6)) {
      await deletionIsDue(guildhall, person)
      const state = await stateOf(person)
      const dueAt = state.status === 'registered' ? state.deletion?.dueAt : undefined
      const [cancelled] = await Promise.all([cancelAt(person, dueAt), erase(guildhall, person)])
      const after = await stateOf(person)
      expect([after.status, statusOf(cancelled)]).toEqual(
        after.status === 'erased' ? ['erased', 409] : ['registered', 200],
      )
    }
  })

  it('leaves no live session to the account, whoever signs in meanwhile', async () => {
    for (const person of await crowd(guildhall, 3)) {
      const logins = Array.from({ length: 6 }, () => login(person))
      const [scheduled, ...signedIn] = await Promise.all([schedule(person, quiet), ...logins])
      expect(statusOf(scheduled)).toBe(200)
      expect(await stateOf(person)).toMatchObject({ sessions: [] })
      for (const { status, body } of signedIn) {
        if (status !== 200) continue
        const { token } = body as { readonly token: string }
        expect(statusOf(await guildhall.request('GET', '/v1/users/@me', { token }))).toBe(401)
      }
      expect(statusOf(await login(person))).toBe(403)
    }
  })
})
