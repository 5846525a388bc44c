import { beforeEach, describe, expect, it } from 'vitest'
import { accountFlags } from '../../../domain/account/flags.ts'
import { administrator, auditEntries, giveAcls } from '../../support/administrators.ts'
import type { TestAccount, TestAnswer } from '../../support/test-guildhall.ts'
import { bodyOf, expectRefusal } from '../support/answers.ts'
import { bulkJobsOn } from '../support/bulk-jobs.ts'
import { openServer } from '../support/scene.ts'

/** Somebody always holds `*` and can use it. The server is the file's own: the rule counts holders of the whole instance. */

const guildhall = await openServer({})
let last: TestAccount
let junior: TestAccount
let holders: TestAccount[] = []

beforeEach(async () => {
  for (const holder of holders) await giveAcls(guildhall, holder, [])
  last = await administrator(guildhall, '*')
  holders = [last]
  junior = await administrator(guildhall, 'admin:authenticate', 'user:delete', 'bulk:delete:users', 'jobs:view')
})

async function anotherHolder(): Promise<TestAccount> {
  const holder = await administrator(guildhall, '*')
  holders.push(holder)
  return holder
}

const onUser =
  (method: string, below: string, body?: object) =>
  ({ token }: TestAccount, { id }: TestAccount): Promise<TestAnswer> =>
    guildhall.request(method, `/v1/admin/users/${id}/${below}`, { token, ...(body && { body }) })
const scheduleDeletion = onUser('PUT', 'deletion', { reason_code: 2, days: 60 })
const acts = {
  'Ban user': onUser('PUT', 'ban', { duration_hours: 0 }),
  'Set user ACLs': onUser('PUT', 'acls', { acls: [] }),
  'Update user flags': onUser('PATCH', 'flags', { add_flags: [accountFlags.DELETED.toString()] }),
  'Schedule user deletion': scheduleDeletion,
} as const
const deleteOwn = ({ token, password }: TestAccount): Promise<TestAnswer> =>
  guildhall.request('POST', '/v1/users/@me/delete', { token, body: { password } })
const canUseAllAcls = async ({ token }: TestAccount): Promise<boolean> => {
  const { status, body } = await guildhall.request('GET', '/v1/admin/users/@me', { token })
  return status === 200 && (body as { readonly user: { readonly acls: readonly string[] } }).user.acls.includes('*')
}
const eventsOf = async ({ id }: TestAccount): Promise<number> => {
  let count = 0
  for await (const page of guildhall.store.events.readStream(`account-${id}`, -1)) count += page.length
  return count
}

describe('the last account that can use `*`', () => {
  it('is deleted neither by an administrator, nor by its own, nor by a bulk job, and nothing is left of the try', async () => {
    const before = [await eventsOf(last), (await auditEntries(guildhall)).length]
    expectRefusal(await scheduleDeletion(junior, last), 403, 'ACCESS_DENIED')
    expectRefusal(await scheduleDeletion(last, last), 403, 'ACCESS_DENIED')
    expectRefusal(await deleteOwn(last), 403, 'ACCESS_DENIED')
    expect([await eventsOf(last), (await auditEntries(guildhall)).length]).toStrictEqual(before)
    const body = { task: 'schedule_user_deletion', user_ids: [last.id], reason_code: 2, days: 60 }
    for (const dry_run of [true, false])
      expect(await bulkJobsOn(guildhall, junior).done({ ...body, dry_run })).toMatchObject({
        result: { items: [{ id: last.id, outcome: 'failed', code: 'ACCESS_DENIED' }] },
      })
    expect(await eventsOf(last)).toBe(before[0])
    expect(await canUseAllAcls(last)).toBe(true)
  })

  it('is deleted once another account holds `*`', async () => {
    await anotherHolder()
    expect((await scheduleDeletion(junior, last)).status).toBe(200)
    const third = await anotherHolder()
    expect((await deleteOwn(third)).status).toBe(204)
  })

  it.each(['was banned', 'is to be deleted', 'disabled itself', 'lost it'] as const)(
    'is not joined by an account with `*` that %s',
    async (how) => {
      const closed = await anotherHolder()
      if (how === 'was banned') bodyOf(await acts['Ban user'](last, closed))
      if (how === 'is to be deleted') bodyOf(await scheduleDeletion(last, closed))
      if (how === 'disabled itself') {
        const { token, password } = closed
        const disabled = await guildhall.request('POST', '/v1/users/@me/disable', { token, body: { password } })
        expect(disabled.status).toBe(204)
      }
      if (how === 'lost it') await giveAcls(guildhall, closed, [])
      expectRefusal(await deleteOwn(last), 403, 'ACCESS_DENIED')
    },
  )

  it('lets accounts without `*` go', async () => {
    expect((await deleteOwn(junior)).status).toBe(204)
    expect((await deleteOwn(await guildhall.register())).status).toBe(204)
  })
})

describe('two administrators with `*` who act on each other at once', () => {
  it.each(Object.entries(acts))('leave one that can use it: %s', async (_name, act) => {
    for (let round = 0; round < 5; round += 1) {
      const [one, other] = [await anotherHolder(), await anotherHolder()]
      for (const holder of holders) if (holder !== one && holder !== other) await giveAcls(guildhall, holder, [])
      holders = [one, other]
      const answers = await Promise.all([act(one, other), act(other, one)])
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      for (const { status } of answers) expect([200, 401, 403]).toContain(status)
      expect((await canUseAllAcls(one)) !== (await canUseAllAcls(other))).toBe(true)
    }
  })

  it('leave one when both delete their own account', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [one, other] = [await anotherHolder(), await anotherHolder()]
      for (const holder of holders) if (holder !== one && holder !== other) await giveAcls(guildhall, holder, [])
      holders = [one, other]
      const answers = await Promise.all([deleteOwn(one), deleteOwn(other)])
      expect(new Set(answers.map(({ status }) => status))).toStrictEqual(new Set([204, 403]))
    }
  })
})
