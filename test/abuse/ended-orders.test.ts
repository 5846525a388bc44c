import { describe, expect, it } from 'vitest'
import { addFileHashes, removeFileHashes } from '../../application/administration/blocklists/many-file-hashes.ts'
import { queueBulkJob } from '../../application/administration/bulk/queue-bulk-job.ts'
import { deleteAllMessages } from '../../application/administration/messages/delete-all-messages.ts'
import { shredMessages } from '../../application/administration/messages/shred-messages.ts'
import type { Caller } from '../../application/caller.ts'
import type { EntryDetails } from '../../domain/blocklist-entry/events.ts'
import { channelId, guildId, messageId, type AccountId } from '../../domain/ids/ids.ts'
import { snowflake } from '../../domain/ids/snowflake.ts'
import { idOf } from '../operations/administration/users/support.ts'
import { found } from '../operations/support/answers.ts'
import { bulkJobsOn } from '../operations/support/bulk-jobs.ts'
import { sent } from '../operations/support/messages.ts'
import { openServer } from '../operations/support/scene.ts'
import { adminKeyOf, administrator, giveAcls } from '../support/administrators.ts'
import { callerOf } from '../support/caller-of.ts'

/** A job goes on only for as long as whoever ordered it could order it. */

const guildhall = await openServer()
const { request, ports } = guildhall
const root = await administrator(guildhall, '*')
const jobs = bulkJobsOn(guildhall, root)
const victim = await guildhall.register()
const home = await found(guildhall, victim)
const message = await sent(guildhall, victim, home.channel, 'Still here')

const author: AccountId = idOf(victim)
const entry = { channelId: channelId(snowflake(home.channel)), messageId: messageId(snowflake(message)) }
const details: EntryDetails = {
  category: 'manual',
  severity: 2,
  matchSubdomains: true,
  sourceUrl: null,
  notes: null,
  contentType: null,
  reason: null,
}

/** Each order of an administrator that a job carries out, as the request that gives it does. */
const orders: readonly (readonly [string, (by: Caller) => Promise<{ readonly job_id?: string }>])[] = [
  ['ban_file_sha', (by) => addFileHashes(ports)(by, [{ value: 'a'.repeat(64), key: 'a'.repeat(64) }], details)],
  ['unban_file_sha', (by) => removeFileHashes(ports)(by, [{ value: 'a'.repeat(64), key: 'a'.repeat(64) }])],
  ['shred_messages', (by) => shredMessages(ports)(by, author, [entry])],
  ['delete_user_messages', (by) => deleteAllMessages(ports)(by, author, false)],
  [
    'update_user_flags',
    (by) =>
      queueBulkJob(ports)(by, {
        task: 'update_user_flags',
        dryRun: false,
        ids: [author],
        act: { add: ['SPAMMER'], remove: [] },
      }),
  ],
  [
    'schedule_user_deletion',
    (by) =>
      queueBulkJob(ports)(by, {
        task: 'schedule_user_deletion',
        dryRun: false,
        ids: [author],
        act: { reasonCode: 1, days: 60, publicReason: null, notifiesHolder: false },
      }),
  ],
  [
    'update_guild_features',
    (by) =>
      queueBulkJob(ports)(by, {
        task: 'update_guild_features',
        dryRun: false,
        ids: [guildId(snowflake(home.id))],
        act: { add: ['VERIFIED'], remove: [] },
      }),
  ],
]

/** What the orders would change. */
async function victimsThings(): Promise<unknown> {
  const of = async (path: string): Promise<unknown> => (await request('GET', path, { token: root.token })).body
  const own = await request('GET', `/v1/channels/${home.channel}/messages`, { token: victim.token })
  return [await of(`/v1/admin/users/${victim.id}`), await of(`/v1/admin/guilds/${home.id}`), own.body]
}

async function expectCancelled(order: (by: Caller) => Promise<{ readonly job_id?: string }>, by: Caller) {
  const before = await victimsThings()
  const { job_id: id } = await order(by)
  if (id === undefined) throw new Error('There was nothing to do')
  expect(await jobs.ended(id)).toMatchObject({ status: 'cancelled' })
  expect(await victimsThings()).toEqual(before)
}

describe.each(orders)('the job %s', (_, order) => {
  it('is cancelled where all that speaks for the account has ended since it was ordered', async () => {
    const holder = await administrator(guildhall, '*')
    const late = await callerOf(guildhall, holder)
    const { token, password } = holder
    const left = await request('POST', '/v1/auth/sessions/logout-all', { token, body: { password } })
    expect(left.status).toBe(204)
    await expectCancelled(order, late)
  })

  it('is cancelled where the Admin key that ordered it has ended', async () => {
    const holder = await administrator(guildhall, '*')
    const key = await adminKeyOf(guildhall, holder, '*')
    const keyId = key.split('_')[1] ?? ''
    const late: Caller = {
      ...(await callerOf(guildhall, holder)),
      credential: { kind: 'admin_key', keyId, acls: ['*'] },
    }
    const ended = await request('DELETE', `/v1/admin/api-keys/${keyId}`, { token: holder.token })
    expect(ended.status).toBeLessThan(300)
    await expectCancelled(order, late)
  })

  it('is cancelled where the administrator has lost its ACL', async () => {
    const holder = await administrator(guildhall, '*')
    const late = await callerOf(guildhall, holder)
    await giveAcls(guildhall, holder, ['admin:authenticate', 'user:lookup'])
    await expectCancelled(order, late)
  })
})
