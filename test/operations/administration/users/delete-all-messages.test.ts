import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { administrator, auditEntries } from '../../../support/administrators.ts'
import type { TestAccount } from '../../../support/test-guildhall.ts'
import { openDirect } from '../../conversations/private-channels/support.ts'
import { bodyOf, expectRefusal, found, type TestGuild } from '../../support/answers.ts'
import { connections } from '../../support/connected.ts'
import { writeEverywhere } from '../../support/every-kind-of-channel.ts'
import { shredsOn, writtenBy } from '../../support/message-shreds.ts'
import { sent } from '../../support/messages.ts'
import { befriend } from '../../support/relationships.ts'
import { foundWith, openServer } from '../../support/scene.ts'
import { threadsOf } from '../../support/threads.ts'

const guildhall = await openServer()
const root = await administrator(guildhall, '*')
const { all, job, ended } = shredsOn(guildhall, root)
const threads = threadsOf(guildhall)
const { connect, end } = connections()
let ada: TestAccount
let brian: TestAccount
let home: TestGuild

beforeEach(async () => {
  ;[ada, brian] = [await guildhall.register(), await guildhall.register()]
  home = await foundWith(guildhall, ada, brian)
})
afterEach(end)

const run = (query = '?dry_run=false') => all(ada, query)
const entriesOf = async () => (await auditEntries(guildhall)).filter(({ targetId }) => targetId === ada.id)

const everywhere = () => writeEverywhere(guildhall, ada, { friend: brian, home })

describe('Delete all user messages', () => {
  it('counts on a dry run, and deletes nothing', async () => {
    const places = await everywhere()
    const written = await writtenBy(guildhall, ada)
    expect(new Set(written.map(({ channel_id: id }) => id))).toStrictEqual(new Set(places))
    const counts = { channel_count: places.length, message_count: written.length }
    for (const query of ['', '?dry_run=true', '?dry_run=no', '?dry_run=FALSE', '?dry_run=', '?dryrun=false'])
      expect(bodyOf(await run(query))).toStrictEqual({ success: true, dry_run: true, ...counts })
    expect(await writtenBy(guildhall, ada)).toStrictEqual(written)
  })

  it('deletes what the dry run before it has counted, in every kind of channel, and nothing of others', async () => {
    await everywhere()
    await sent(guildhall, brian, home.channel, 'his')
    const kept = await writtenBy(guildhall, brian)
    const { message_count: count } = bodyOf(await run(''))
    const begun = bodyOf(await run('?dry_run=%20False%20'))
    expect(begun).toMatchObject({ success: true, dry_run: false, message_count: count, job_id: expect.any(String) })
    expect(await ended(begun['job_id'])).toStrictEqual({
      status: 'completed',
      requested: count,
      total: count,
      processed: count,
      skipped: 0,
      started_at: expect.any(String),
      completed_at: expect.any(String),
    })
    expect(await writtenBy(guildhall, ada)).toStrictEqual([])
    expect(await writtenBy(guildhall, brian)).toStrictEqual(kept)
  })

  it('counts the channels of each page of 200 messages', async () => {
    const { channel } = await found(guildhall, ada, 'Another')
    for (let count = 0; count < 201; count += 1) await sent(guildhall, ada, home.channel, `${count}`)
    await sent(guildhall, ada, channel, 'elsewhere')
    expect(bodyOf(await run(''))).toMatchObject({ message_count: 202, channel_count: 3 })
  })

  it('tells viewers by a Message Delete Bulk of at most 100 ids a channel, and the recipients of private channels', async () => {
    await befriend(guildhall, ada, brian)
    const direct = await openDirect(guildhall, ada, brian)
    const ids: string[] = []
    for (let count = 0; count < 101; count += 1) ids.push(await sent(guildhall, ada, home.channel, `${count}`))
    const whisper = await sent(guildhall, ada, direct, 'to him')
    const { client } = await connect(guildhall, brian)
    bodyOf(await run())
    const told = [await client.dispatch('MESSAGE_DELETE_BULK'), await client.dispatch('MESSAGE_DELETE_BULK')]
    told.push(await client.dispatch('MESSAGE_DELETE_BULK'))
    const batches = told.map(({ d }) => d as { readonly ids: readonly string[]; readonly channel_id: string })
    const of = (id: string) => batches.filter(({ channel_id: at }) => at === id).map((batch) => batch.ids)
    expect(of(home.channel).map(({ length }) => length)).toStrictEqual([100, 1])
    expect(of(home.channel).flat()).toStrictEqual(ids)
    expect(of(direct)).toStrictEqual([[whisper]])
  })

  it('leaves messages that are sent after it was asked', async () => {
    for (let count = 0; count < 20; count += 1) await sent(guildhall, ada, home.channel, 'before')
    const { job_id: id } = bodyOf(await run())
    const later = await sent(guildhall, ada, home.channel, 'meanwhile')
    expect(await ended(id)).toMatchObject({ status: 'completed', processed: 20 })
    expect(await writtenBy(guildhall, ada)).toStrictEqual([{ channel_id: home.channel, id: later }])
  })

  it('is recorded once for a dry run, and by two entries for a deletion', async () => {
    await sent(guildhall, ada, home.channel, 'text')
    await sent(guildhall, ada, home.channel, 'text')
    bodyOf(await run(''))
    const { job_id: id } = bodyOf(await run())
    const counts = { user_id: ada.id, channel_count: '1', message_count: '2' }
    const entry = { adminId: root.id, targetType: 'message_deletion', targetId: ada.id }
    expect(await entriesOf()).toMatchObject([
      { ...entry, action: 'delete_all_user_messages_dry_run', metadata: { ...counts, dry_run: 'true' } },
      { ...entry, action: 'delete_all_user_messages', metadata: { ...counts, dry_run: 'false' } },
      {
        ...entry,
        action: 'queue_message_shred',
        targetType: 'message_shred',
        metadata: { user_id: ada.id, job_id: id, requested_entries: '2' },
      },
    ])
  })

  it('begins no job for an account without messages, also for one that does not exist', async () => {
    const nothing = { success: true, dry_run: false, channel_count: 0, message_count: 0 }
    for (const id of [ada.id, '1']) expect(bodyOf(await all({ id }, '?dry_run=0'))).toStrictEqual(nothing)
    expect((await entriesOf()).map(({ action }) => action)).toStrictEqual(['delete_all_user_messages'])
  })

  it('deletes each message once, however many ask at the same moment', async () => {
    for (let count = 0; count < 250; count += 1) await sent(guildhall, ada, home.channel, `${count}`)
    const begun = (await Promise.all([run(), run(), run()])).map(bodyOf)
    let deleted = 0
    for (const { job_id: id, message_count: count } of begun) {
      // Where the jobs of the others were faster, there is nothing left to begin one for.
      expect(id === undefined).toBe(count === 0)
      if (id === undefined) continue
      const { status, processed, skipped } = await ended(id)
      expect(status).toBe('completed')
      expect(Number(processed) + Number(skipped)).toBe(count)
      deleted += Number(processed)
    }
    expect(deleted).toBe(250)
    expect(await writtenBy(guildhall, ada)).toStrictEqual([])
  })

  it('counts the messages of a thread anew', async () => {
    const thread = await threads.started(brian, home.channel)
    for (const author of [ada, brian, ada]) await threads.write(author, thread)
    await ended(bodyOf(await run())['job_id'])
    expect(bodyOf(await threads.send(brian, 'GET', `/v1/channels/${thread}`))).toMatchObject({ message_count: 1 })
  })

  it('leaves no entry in the audit log of the guild', async () => {
    await sent(guildhall, ada, home.channel, 'text')
    await ended(bodyOf(await run())['job_id'])
    const log = bodyOf(await guildhall.request('GET', `/v1/guilds/${home.id}/audit-logs`, { token: ada.token }))
    const types = (log['audit_log_entries'] as readonly { readonly action_type: number }[]).map(
      (each) => each.action_type,
    )
    for (const type of [72, 73]) expect(types).not.toContain(type)
  })

  it('needs the ACL message:delete_all, and an id', async () => {
    const other = await administrator(guildhall, 'admin:authenticate', 'message:shred')
    expectRefusal(await shredsOn(guildhall, other).all(ada), 403, 'MISSING_ACL')
    expectRefusal(await all({ id: 'ada' }), 400, 'INVALID_FORM_BODY')
    expect(await entriesOf()).toStrictEqual([])
  })

  it('stops where the job is cancelled, and says so', async () => {
    await sent(guildhall, ada, home.channel, 'text')
    const { job_id: id } = bodyOf(await run())
    const path = `/v1/admin/jobs/${String(id)}/cancellation`
    const { cancelled } = bodyOf(await guildhall.request('PUT', path, { token: root.token }))
    const outcome = await ended(id)
    // The job may have ended before it was cancelled, or have begun.
    if (cancelled === true)
      expect(outcome).toMatchObject({ status: 'failed', error: 'Cancelled', failed_at: expect.any(String) })
    else expect(outcome).toMatchObject({ status: 'completed', processed: 1 })
    expect((await job(id)).status).toBe(200)
    expect((await writtenBy(guildhall, ada)).length).toBe(outcome['processed'] === 1 ? 0 : 1)
  })
})
