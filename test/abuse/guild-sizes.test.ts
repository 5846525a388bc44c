import { afterAll, describe, expect, it } from 'vitest'
import { storedBytes } from '../../adapters/event-store/codec.ts'
import { encodeMetadata } from '../../adapters/event-store/stored-metadata.ts'
import type { RecordedEvent } from '../../application/ports/event-store.ts'
import { noStream } from '../../domain/kernel/position.ts'
import { appendBytes_max } from '../../application/failures/append-too-large.ts'
import { channelOverwrites_max, guildOverwrites_max } from '../../domain/guild/overwrite-bounds.ts'
import { templateChannels_max, templateRoles_max } from '../../domain/guild/template/template.ts'
import { guildId } from '../../domain/ids/ids.ts'
import { snowflake } from '../../domain/ids/snowflake.ts'
import { field } from '../../domain/kernel/refusal.ts'
import { streamName } from '../../domain/streams.ts'
import { definedPermissions } from '../../domain/permissions/permission-bits.ts'
import { collect } from '../contract/sample-events.ts'
import { bodyOf, expectFields, expectRefusal, found, listOf } from '../operations/support/answers.ts'
import { openServer } from '../operations/support/scene.ts'
import { startEventStoreDouble } from '../support/eventstoredb-double/double.ts'
import type { TestAnswer, TestGuildhall } from '../support/test-guildhall.ts'

/** Guilds within the count limits, but with too many bytes. */

const list = <Item>(count: number, item: (index: number) => Item): readonly Item[] =>
  Array.from({ length: count }, (_, index) => item(index))
const mask = definedPermissions.toString()
const overwrites = (count: number, masks: object = { allow: '1024', deny: '2048' }) =>
  list(count, (index) => ({ id: index, type: 0, ...masks }))
const roles = (more: object = {}) =>
  list(templateRoles_max, (index) => ({ id: index + 1, name: `Role ${index}`, ...more }))
const channels = (more: object = {}) =>
  list(templateChannels_max, (index) => ({
    id: index + 1,
    type: 0,
    name: `channel-${index}`,
    position: index,
    ...more,
  }))
/** The longest reason: 2 KiB, byte by byte as in a header. */
const longReason = { 'x-audit-log-reason': Buffer.from('😀'.repeat(512)).toString('latin1') }
const perChannel = guildOverwrites_max / templateChannels_max

async function opened(guildhall: TestGuildhall) {
  const ada = await guildhall.register()
  const send = (method: string, path: string, body?: unknown, headers = {}): Promise<TestAnswer> =>
    guildhall.request(method, path, { token: ada.token, headers, ...(body === undefined ? {} : { body }) })
  const create = (template: object, headers = {}) =>
    send('POST', '/v1/guilds', { name: 'Home', template: { name: 'x', roles: [], channels: [], ...template } }, headers)
  const eventsOf = async (id: string): Promise<readonly RecordedEvent[]> =>
    collect(guildhall.store.events.readStream(streamName('guild', guildId(snowflake(id))), noStream))
  return { guildhall, ada, send, create, eventsOf }
}

/** The bytes that the events of one append count towards its bound. */
const appendBytes = (events: readonly RecordedEvent[]): number =>
  events.reduce(
    (sum, { type, data, metadata }) =>
      sum + storedBytes({ eventId: '', type, data: JSON.stringify(data), metadata: encodeMetadata(metadata, 1) }),
    0,
  )

/** Checks `errors` and the members beside the code. */
const expectTooLarge = (answer: TestAnswer, path: string, details: object = {}): void => {
  expectRefusal(answer, 400, 'GUILD_TEMPLATE_INVALID')
  expect(answer.body).toMatchObject({ errors: [{ path, code: 'TOO_LARGE' }], ...details })
}

describe.each(['Postgres', 'EventStoreDB'])('a template, on %s,', async (name) => {
  const double = name === 'EventStoreDB' ? await startEventStoreDouble() : undefined
  // Runs after the server that is opened next has closed.
  afterAll(() => double?.close())
  const { send, create, eventsOf } = await opened(await openServer(double && { eventStoreUrl: double.url }))

  it('of 250 roles and 500 channels with all the overwrites that a guild may have is accepted at once', async () => {
    const full = {
      roles: roles({ name: 'r'.repeat(100), permissions: mask, unicode_emoji: null }),
      channels: channels({
        name: 'c'.repeat(100),
        permission_overwrites: overwrites(perChannel, { allow: mask, deny: mask }),
      }),
    }
    // The reason is discarded, and takes no room.
    const { id } = bodyOf(await create(full, longReason))
    const made = bodyOf(await send('GET', `/v1/guilds/${String(id)}`))
    const { roles: madeRoles, channels: madeChannels } = made as Record<'roles' | 'channels', readonly object[]>
    expect([madeRoles.length, madeChannels.length]).toEqual([251, 500])
    expect(madeChannels.flatMap((channel) => Reflect.get(channel, 'permission_overwrites') as unknown[])).toHaveLength(
      guildOverwrites_max,
    )
    const founding = (await eventsOf(String(id))).slice(0, 1 + 251 + 500 + 1)
    expect(appendBytes(founding)).toBeLessThanOrEqual(appendBytes_max)
    expect(founding.some(({ metadata }) => metadata.reason !== undefined)).toBe(false)
  })

  it('is refused before anything is written if its texts are larger than one append may be', async () => {
    const before = listOf(await send('GET', '/v1/users/@me/guilds')).length
    const wordy = { roles: roles(), channels: channels({ topic: '語'.repeat(1000) }) }
    expectTooLarge(await create(wordy), 'template')
    expect(listOf(await send('GET', '/v1/users/@me/guilds'))).toHaveLength(before)
  })

  it('passes with texts just below the bound, and is refused just above it', async () => {
    // The bytes of all topics together decide. The bound is found by bisection.
    let [fits, exceeds] = [0, 500 * 1024]
    const withTopics = (letters: number) => ({
      roles: roles(),
      channels: channels().map((channel, index) => ({
        ...channel,
        topic: 'x'.repeat(Math.max(0, Math.min(1024, letters - index * 1024))),
        permission_overwrites: overwrites(perChannel),
      })),
    })
    for (let tries = 0; tries < 6; tries += 1) {
      const middle = Math.floor((fits + exceeds) / 2)
      const answer = await create(withTopics(middle))
      if (answer.status === 200) fits = middle
      else {
        expectTooLarge(answer, 'template')
        exceeds = middle
      }
    }
    expect(fits).toBeGreaterThan(50_000)
  })

  it('of two megabytes in its overwrites is refused at the channel that has too many', async () => {
    const crowded = { roles: roles(), channels: channels({ permission_overwrites: overwrites(90) }) }
    const first = Math.floor(guildOverwrites_max / 90)
    const path = `template.channels.${first}.permission_overwrites`
    expectTooLarge(await create(crowded), path, { max_guild_overwrites: guildOverwrites_max })
  })

  it('has all of its channels moved by one request, also with a long reason', async () => {
    const { id } = bodyOf(await create({ channels: channels() }))
    const path = `/v1/guilds/${String(id)}/channels`
    const before = listOf(await send('GET', path))
    const turned = before.map((channel) => ({ id: channel['id'], preceding_sibling_id: null }))
    expect((await send('PATCH', path, turned, longReason)).status).toBe(204)
    const after = listOf(await send('GET', path))
    expect(after).toHaveLength(before.length)
    expect(after).not.toEqual(before)
  })
})

describe('a template', async () => {
  const { create } = await opened(await openServer())

  it('with more overwrites in a channel than it may have is refused at that channel', async () => {
    const [first, second] = channels()
    const crowded = [first, { ...second, permission_overwrites: overwrites(channelOverwrites_max + 1) }]
    const path = 'template.channels.1.permission_overwrites'
    const bound = { max_channel_overwrites: channelOverwrites_max }
    expectTooLarge(await create({ roles: roles(), channels: crowded }), path, bound)
  })

  it('counts only the overwrites that are created', async () => {
    const skipped = [
      // For members, for roles that the template does not have, and for one role again and again.
      ...list(200, (index) => ({ id: index, type: 'member', allow: '0', deny: '0' })),
      ...list(200, (index) => ({ id: 1000 + index, type: 0, allow: '0', deny: '0' })),
      ...list(200, () => ({ id: 1, type: 0, allow: '0', deny: '0' })),
      ...overwrites(channelOverwrites_max),
    ]
    const [first] = channels()
    const made = await create({ roles: roles(), channels: [{ ...first, permission_overwrites: skipped }] })
    expect(made.status).toBe(200)
  })

  it('names its roles or its channels if there are too many of them', async () => {
    expectTooLarge(await create({ roles: [...roles(), { id: 999 }] }), 'template.roles')
    const oneMore = { id: 999, type: 0, name: 'more', position: 999 }
    expectTooLarge(await create({ channels: [...channels(), oneMore] }), 'template.channels')
  })

  it('that exceeds no single bound but is too large in all is refused as a body, with the place that has most of it', async () => {
    const crowded = channels({ permission_overwrites: overwrites(130) })
    expectFields(await create({ roles: roles(), channels: crowded }), field('template.channels', 'TOO_LARGE'))
    const [first] = channels()
    const one = [{ ...first, permission_overwrites: overwrites(65_000) }]
    const path = 'template.channels.0.permission_overwrites'
    expectFields(await create({ channels: one }), field(path, 'TOO_LARGE'))
  })
})

describe('overwrites', async () => {
  const { ada, send, guildhall } = await opened(await openServer())

  it('of one channel, set by many requests at the same moment, reach the bound and do not exceed it', async () => {
    const home = await found(guildhall, ada)
    const set = (member: number) =>
      send('PUT', `/v1/channels/${home.channel}/permissions/${1000 + member}`, { type: 1, deny: '1024' })
    const all = list(channelOverwrites_max - 3, (member) => ({ id: `${1000 + member}`, type: 1, deny: '1024' }))
    expect((await send('PATCH', `/v1/channels/${home.channel}`, { permission_overwrites: all })).status).toBe(200)
    const answers = await Promise.all(list(12, (index) => set(5000 + index)))
    const refused = answers.filter(({ status }) => status !== 204)
    expect(refused).toHaveLength(9)
    for (const answer of refused) {
      expectFields(answer, field('permission_overwrites', 'TOO_LARGE'))
      expect(answer.body).toMatchObject({ max_channel_overwrites: channelOverwrites_max })
    }
    const channel = bodyOf(await send('GET', `/v1/channels/${home.channel}`))
    expect(channel['permission_overwrites']).toHaveLength(channelOverwrites_max)
  })

  it('of one guild, set by many requests at the same moment in many channels, reach the bound and do not exceed it', async () => {
    const home = await found(guildhall, ada)
    const many = list(channelOverwrites_max, (member) => ({ id: `${1000 + member}`, type: 1, deny: '1024' }))
    const make = (name: string) =>
      send('POST', `/v1/guilds/${home.id}/channels`, { type: 0, name, permission_overwrites: many })
    const answers = await Promise.all(list(guildOverwrites_max / 100 + 5, (index) => make(`c${index}`)))
    const refused = answers.filter(({ status }) => status !== 200)
    expect(refused).toHaveLength(5)
    for (const answer of refused) {
      expectFields(answer, field('permission_overwrites', 'TOO_LARGE'))
      expect(answer.body).toMatchObject({ max_guild_overwrites: guildOverwrites_max })
    }
  })
})
