import { describe, expect, it } from 'vitest'
import { archiveIdleThreads } from '../../../../application/conversations/threads/archive-idle-threads.ts'
import { beforeAll as storeBeginning } from '../../../../domain/kernel/position.ts'
import { concernsThreads, tendThreads } from '../../../../application/conversations/threads/tend-threads.ts'
import { channelId, guildId } from '../../../../domain/ids/ids.ts'
import { snowflake } from '../../../../domain/ids/snowflake.ts'
import { secondsAfter, timestamp } from '../../../../domain/kernel/timestamp.ts'
import { testContext } from '../../../support/test-context.ts'
import { bodyOf, expectRefusal, listOf } from '../../support/answers.ts'
import { placeOf } from '../../support/members.ts'
import { sent } from '../../support/messages.ts'
import { openThreads } from '../../support/threads.ts'

const { guildhall, ada, brian, home, threads } = await openThreads()

const newChannel = async (body: object = {}): Promise<string> =>
  String(bodyOf(await home.send(ada, 'POST', '/channels', { name: 'talk', type: 0, ...body }))['id'])
describe('Modify channel of a thread', () => {
  it('makes the changes that its owner may make, and announces a new name in the thread', async () => {
    const thread = await threads.started(brian, home.channel)
    const body = bodyOf(await threads.change(brian, thread, { name: 'Plans', auto_archive_duration: 60 }))
    expect(body).toMatchObject({ name: 'Plans', thread_metadata: { auto_archive_duration: 60 } })
    expect(listOf(await threads.read(brian, thread))).toMatchObject([{ type: 4, content: 'Plans' }])
  })

  it('refuses others, and leaves slow mode and locking to moderators', async () => {
    const thread = await threads.started(brian, home.channel)
    const other = await home.member()
    expectRefusal(await threads.change(other, thread, { name: 'Mine' }), 403, 'MISSING_PERMISSIONS')
    for (const changes of [{ locked: true }, { rate_limit_per_user: 5 }])
      expectRefusal(await threads.change(brian, thread, changes), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await threads.change(ada, thread, { invitable: false }), 400, 'INVALID_CHANNEL_TYPE')
    const moderator = await home.member()
    await threads.empower(ada, home.id, moderator.id, 'MANAGE_THREADS')
    expect(bodyOf(await threads.change(moderator, thread, { locked: true }))).toMatchObject({
      thread_metadata: { locked: true },
    })
    expectRefusal(await threads.change(brian, thread, { name: 'Plans' }), 400, 'THREAD_LOCKED')
  })

  it('of an archived one accepts only what unarchives it', async () => {
    const thread = await threads.started(brian, home.channel)
    expect(bodyOf(await threads.change(brian, thread, { archived: true }))).toMatchObject({
      thread_metadata: { archived: true },
    })
    expectRefusal(await threads.change(brian, thread, { name: 'Plans' }), 400, 'THREAD_ARCHIVED')
    expectRefusal(await threads.join(ada, thread), 400, 'THREAD_ARCHIVED')
    expect((await threads.change(brian, thread, { archived: false })).status).toBe(200)
  })

  it('needs an authenticator if the guild requires one of moderators', async () => {
    const place = await placeOf(guildhall, ada)
    const moderator = await place.member()
    await threads.empower(ada, place.id, moderator.id, 'MANAGE_THREADS')
    const thread = await threads.started(ada, place.channel)
    const { aggregates, readModels } = guildhall.ports
    const context = testContext()
    const settings = { mfaLevel: 1 }
    await aggregates.guild.execute(guildId(snowflake(place.id)), { type: 'ChangeSettings', settings }, context)
    await readModels.reached(context.written)
    expectRefusal(await threads.change(moderator, thread, { locked: true }), 400, 'TWO_FACTOR_REQUIRED')
    expectRefusal(await threads.remove(moderator, thread), 400, 'TWO_FACTOR_REQUIRED')
    const friend = await place.member()
    const secret = await threads.started(ada, place.channel, { type: 12, invitable: false })
    expectRefusal(await threads.join(moderator, secret, friend.id), 400, 'TWO_FACTOR_REQUIRED')
    expect((await threads.join(moderator, secret)).status).toBe(204)
    expect((await threads.join(moderator, thread, friend.id)).status).toBe(204)
    expect((await threads.change(ada, thread, { locked: true })).status).toBe(200)
    expectRefusal(await threads.join(moderator, thread), 400, 'TWO_FACTOR_REQUIRED')
    expectRefusal(await threads.join(friend, thread), 400, 'THREAD_LOCKED')
    expect((await threads.join(ada, thread)).status).toBe(204)
  })
})

describe('Delete channel of a thread', () => {
  it('removes it with its messages, and clears the mark on its message', async () => {
    const message = await sent(guildhall, brian, home.channel, 'A thought')
    await threads.startFrom(brian, home.channel, message)
    const said = String(bodyOf(await threads.write(brian, message))['id'])
    expectRefusal(await threads.remove(brian, message), 403, 'MISSING_PERMISSIONS')
    expect((await threads.remove(ada, message)).status).toBe(204)
    expectRefusal(await threads.read(brian, message), 404, 'UNKNOWN_CHANNEL')
    const path = `/v1/channels/${home.channel}/messages/${message}`
    expect(bodyOf(await threads.send(brian, 'GET', path))).toMatchObject({ flags: 0 })
    expect(await guildhall.ports.messages.page(channelId(snowflake(message)), { limit: 10 })).toStrictEqual([])
    expect(said).toMatch(/^\d+$/)
  })

  it('also happens with the deletion of its channel', async () => {
    const channel = await newChannel()
    const thread = await threads.started(brian, channel)
    await threads.write(brian, thread)
    expect((await threads.send(ada, 'DELETE', `/v1/channels/${channel}`)).status).toBe(204)
    expectRefusal(await threads.read(brian, thread), 404, 'UNKNOWN_CHANNEL')
    const id = channelId(snowflake(thread))
    const there = async () => [
      await guildhall.ports.queries.threads.find(id),
      (await guildhall.ports.messages.page(id, { limit: 1 })).length,
    ]
    await expect.poll(there).toStrictEqual([undefined, 0])
  })
})

describe('the effects of events on threads', () => {
  it('are the same however often they are applied', async () => {
    const message = await sent(guildhall, brian, home.channel, 'A thought')
    const member = await home.member()
    await threads.startFrom(brian, home.channel, message)
    await threads.join(member, message)
    await guildhall.request('DELETE', `/v1/users/@me/guilds/${home.id}`, { token: member.token })
    const { ports, store } = guildhall
    const tend = tendThreads(ports)
    for (let round = 0; round < 2; round += 1)
      for await (const page of store.events.readAll(storeBeginning))
        for (const event of page) if (concernsThreads(event)) await tend(event)
    const thread = await ports.queries.threads.find(channelId(snowflake(message)))
    expect(thread).toMatchObject({ memberCount: 1 })
    const path = `/v1/channels/${home.channel}/messages/${message}`
    expect(bodyOf(await threads.send(brian, 'GET', path))).toMatchObject({ flags: 32 })
  })
})

describe('The guild’s audit log', () => {
  it('records created, changed and deleted threads, with the thread’s keys', async () => {
    const place = await placeOf(guildhall, ada)
    const thread = await threads.started(ada, place.channel, { type: 12 })
    await threads.change(ada, thread, { name: 'Plans', archived: true })
    await threads.change(ada, thread, { archived: true })
    await threads.remove(ada, thread)
    const log = bodyOf(await threads.send(ada, 'GET', `/v1/guilds/${place.id}/audit-logs`))
    const entries = (log['audit_log_entries'] as readonly { readonly action_type: number }[]).filter(
      ({ action_type }) => action_type >= 110,
    )
    const values = { name: 'Chatter', type: 12, auto_archive_duration: 4320, rate_limit_per_user: 0, flags: 0 }
    const changes = (key: 'new_value' | 'old_value', of: object) =>
      expect.arrayContaining(Object.entries(of).map(([name, value]) => ({ key: name, [key]: value })))
    const entry = { target_id: thread, user_id: ada.id }
    expect(entries).toMatchObject([
      { ...entry, action_type: 112, changes: changes('old_value', { ...values, name: 'Plans', archived: true }) },
      {
        ...entry,
        action_type: 111,
        changes: [
          { key: 'archived', old_value: false, new_value: true },
          { key: 'name', old_value: 'Chatter', new_value: 'Plans' },
        ],
      },
      { ...entry, action_type: 110, changes: changes('new_value', { ...values, invitable: true }) },
    ])
    const plain = await guildhall.request('GET', `/v1/guilds/${place.id}/audit-logs`, { token: ada.token })
    const shown = bodyOf(plain)['audit_log_entries'] as readonly { readonly action_type: number }[]
    expect(shown.filter(({ action_type }) => action_type >= 110)).toStrictEqual([])
  })
})

describe('Auto-archiving', () => {
  it('archives a thread when nobody has written for the time that it sets', async () => {
    const quiet = await threads.started(brian, home.channel, { auto_archive_duration: 60 })
    const loud = await threads.started(brian, home.channel, { auto_archive_duration: 1440 })
    const state = async (thread: string) => bodyOf(await threads.send(brian, 'GET', `/v1/channels/${thread}`))
    const anHourOn = timestamp(Date.now() + 3_600_000)
    expect(await archiveIdleThreads(guildhall.ports)(anHourOn)).toBeGreaterThan(0)
    const archived = { thread_metadata: { archived: true, archive_timestamp: anHourOn } }
    await expect.poll(() => state(quiet)).toMatchObject(archived)
    expect(await state(loud)).toMatchObject({ thread_metadata: { archived: false } })
  })

  it('does not archive a thread with a newer message', async () => {
    const start = { auto_archive_duration: 60 }
    const [busy, quiet] = [
      await threads.started(brian, home.channel, start),
      await threads.started(brian, home.channel, start),
    ]
    await threads.write(brian, busy)
    const { thread } = guildhall.ports.aggregates
    const asked: string[] = []
    const execute: typeof thread.execute = (id, command, context) => {
      asked.push(id)
      return thread.execute(id, command, context)
    }
    const aggregates = { ...guildhall.ports.aggregates, thread: { ...thread, execute } }
    const { createdAt } = (await guildhall.ports.queries.threads.find(channelId(snowflake(quiet)))) ?? {}
    await archiveIdleThreads({ ...guildhall.ports, aggregates })(secondsAfter(createdAt ?? timestamp(0), 3600))
    expect(asked).toContain(quiet)
    expect(asked).not.toContain(busy)
  })
})
