import { beforeEach, describe, expect, it } from 'vitest'
import { field } from '../../../../domain/kernel/refusal.ts'
import { administrator, auditEntries } from '../../../support/administrators.ts'
import type { TestAccount } from '../../../support/test-guildhall.ts'
import { bodyOf, expectFields, expectRefusal, type TestGuild } from '../../support/answers.ts'
import { writeEverywhere } from '../../support/every-kind-of-channel.ts'
import { shredsOn, writtenBy } from '../../support/message-shreds.ts'
import { messagesPath, sent } from '../../support/messages.ts'
import { foundWith, openServer } from '../../support/scene.ts'

const guildhall = await openServer()
const root = await administrator(guildhall, '*')
const { shred, job, ended } = shredsOn(guildhall, root)
let ada: TestAccount
let brian: TestAccount
let home: TestGuild

beforeEach(async () => {
  ;[ada, brian] = [await guildhall.register(), await guildhall.register()]
  home = await foundWith(guildhall, ada, brian)
})

const entry = (id: string, channel = home.channel) => ({ channel_id: channel, message_id: id })

describe('Shred user messages', () => {
  it('deletes the named messages, and skips what is gone, somebody else’s, elsewhere or named twice', async () => {
    const [first, second, gone, kept] = [
      await sent(guildhall, ada, home.channel, '1'),
      await sent(guildhall, ada, home.channel, '2'),
      await sent(guildhall, ada, home.channel, '3'),
      await sent(guildhall, ada, home.channel, '4'),
    ]
    const his = await sent(guildhall, brian, home.channel, 'his')
    await guildhall.request('DELETE', messagesPath(home.channel, gone), { token: ada.token })
    const entries = [second, first, second, gone, his].map((id) => entry(id))
    const begun = bodyOf(await shred(ada, [...entries, entry(kept, '1'), entry('7', '8')]))
    expect(begun).toStrictEqual({ success: true, job_id: expect.any(String), requested: 7 })
    expect(await ended(begun['job_id'])).toMatchObject({
      status: 'completed',
      requested: 7,
      total: 2,
      processed: 2,
      skipped: 5,
    })
    expect((await writtenBy(guildhall, ada)).map(({ id }) => id)).toStrictEqual([kept])
    expect((await writtenBy(guildhall, brian)).map(({ id }) => id)).toContain(his)
  })

  it('deletes named messages in every kind of channel', async () => {
    await writeEverywhere(guildhall, ada, { friend: brian, home })
    const entries = await writtenBy(guildhall, ada)
    const kept = await writtenBy(guildhall, brian)
    const named = entries.map(({ channel_id: channel, id }) => entry(id, channel))
    const { job_id: begun } = bodyOf(await shred(ada, named))
    expect(await ended(begun)).toMatchObject({ requested: entries.length, processed: entries.length, skipped: 0 })
    expect(await writtenBy(guildhall, ada)).toStrictEqual([])
    expect(await writtenBy(guildhall, brian)).toStrictEqual(kept)
  })

  it('takes 1000 entries, and ids as numbers', async () => {
    const id = await sent(guildhall, ada, home.channel, '1')
    const others = Array.from({ length: 999 }, (_, index) => ({ channel_id: index, message_id: index }))
    const { job_id: begun } = bodyOf(await shred(ada, [...others, entry(id)]))
    expect(await ended(begun)).toMatchObject({ requested: 1000, processed: 1, skipped: 999 })
  })

  it('is recorded with the job', async () => {
    const { job_id: id } = bodyOf(await shred({ id: '1' }, [entry('7')]))
    const own = (await auditEntries(guildhall)).filter(
      ({ adminId, metadata }) => adminId === root.id && metadata['job_id'] === id,
    )
    expect(own).toMatchObject([
      {
        action: 'queue_message_shred',
        targetType: 'message_shred',
        targetId: '1',
        metadata: { user_id: '1', job_id: id, requested_entries: '1' },
      },
    ])
  })

  it('refuses no entries, 1001, and ids that are none, and begins nothing', async () => {
    const before = (await guildhall.store.database.pool.query('select from background_jobs.jobs')).rowCount
    const many = Array.from({ length: 1001 }, () => entry('7'))
    for (const entries of [[], many]) expectFields(await shred(ada, entries), field('entries', 'INVALID_FORMAT'))
    expectRefusal(await shred(ada, undefined), 400, 'INVALID_FORM_BODY')
    expectRefusal(await shred(ada, [entry('7'), { channel_id: home.channel }]), 400, 'INVALID_FORM_BODY')
    expectFields(
      await shred(ada, [entry('7'), entry('text')]),
      field('entries.1.message_id', 'INVALID_SNOWFLAKE_FORMAT'),
    )
    expect((await guildhall.store.database.pool.query('select from background_jobs.jobs')).rowCount).toBe(before)
    expect((await auditEntries(guildhall)).filter(({ targetId }) => targetId === ada.id)).toStrictEqual([])
  })

  it('needs the ACL message:shred', async () => {
    const other = shredsOn(guildhall, await administrator(guildhall, 'admin:authenticate', 'message:delete_all'))
    expectRefusal(await other.shred(ada, [entry('7')]), 403, 'MISSING_ACL')
    expectRefusal(await other.job('7'), 403, 'MISSING_ACL')
  })
})

describe('Get message shred job', () => {
  it('answers 200 with not_found for a job that does not exist', async () => {
    expect(bodyOf(await job('7'))).toStrictEqual({ status: 'not_found' })
    expectFields(await job('text'), field('job_id', 'INVALID_SNOWFLAKE_FORMAT'))
  })

  it('keeps the progress for an hour after the end', async () => {
    const { job_id: id } = bodyOf(await shred(ada, [entry('7')]))
    await ended(id)
    const end = (minutes: number) =>
      guildhall.store.database.pool.query(
        'update background_jobs.jobs set completed_at = now() - make_interval(mins => $2) where job_id = $1',
        [id, minutes],
      )
    await end(59)
    expect(bodyOf(await job(id))).toMatchObject({ status: 'completed' })
    await end(61)
    expect(bodyOf(await job(id))).toStrictEqual({ status: 'not_found' })
  })

  it('is recorded with the job and its status', async () => {
    await job('77')
    const own = (await auditEntries(guildhall)).filter(({ adminId }) => adminId === root.id)
    expect(own.filter(({ metadata }) => metadata['job_id'] === '77')).toMatchObject([
      {
        action: 'get_message_shred_status',
        targetType: 'message_shred',
        targetId: '0',
        metadata: { job_id: '77', status: 'not_found' },
      },
    ])
  })
})
