import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { timestamp } from '../../../../domain/kernel/timestamp.ts'
import { field } from '../../../../domain/kernel/refusal.ts'
import type { TestAccount, TestAnswer } from '../../../support/test-guildhall.ts'
import { bodyOf, expectFields, expectRefusal, found, listOf, type TestGuild } from '../../support/answers.ts'
import { connections } from '../../support/connected.ts'
import { file, payload, sendForm } from '../../support/forms.ts'
import { letEveryone, messagesPath, sent, settle } from '../../support/messages.ts'
import { befriend } from '../../support/relationships.ts'
import { foundWith, openScene } from '../../support/scene.ts'
import { openDirect } from '../private-channels/support.ts'

const dataDir = await mkdtemp(path.join(tmpdir(), 'gh-forwards-'))
const { connect, end } = connections()
const { guildhall, ada, brian, carol } = await openScene({ dataDir, looks_ms: 200 })
afterAll(async () => {
  end()
  await rm(dataDir, { recursive: true, force: true, maxRetries: 10 })
})

/** Ada's guild with Brian, where messages come from, and Brian's with Ada, where they go. */
let source: TestGuild
let target: TestGuild
beforeEach(async () => {
  source = await foundWith(guildhall, ada, brian)
  target = await foundWith(guildhall, brian, ada)
})

type Members = Readonly<Record<string, unknown>>
interface Snapshot {
  readonly embeds: readonly { readonly image?: { readonly url: string } }[]
  readonly attachments: readonly { readonly id: string; readonly filename: string; readonly url: string }[]
  readonly [member: string]: unknown
}

const forward = (by: TestAccount, message: string, more: Members = {}, channel = target.channel, body: Members = {}) =>
  guildhall.request('POST', messagesPath(channel), {
    token: by.token,
    body: { ...body, message_reference: { type: 1, channel_id: source.channel, message_id: message, ...more } },
  })
const snapshotIn = (answer: TestAnswer): Snapshot => {
  const [snapshot, ...others] = bodyOf(answer)['message_snapshots'] as readonly Snapshot[]
  expect(others).toStrictEqual([])
  return snapshot ?? { embeds: [], attachments: [] }
}
const read = (channel: string, id: unknown) =>
  guildhall.request('GET', messagesPath(channel, String(id)), { token: brian.token })
const remove = (by: TestAccount, channel: string, id: unknown) =>
  guildhall.request('DELETE', messagesPath(channel, String(id)), { token: by.token })

/** Two files, one of them in an embed, and another embed. */
async function withFiles(): Promise<string> {
  const embeds = [{ title: 'first' }, { title: 'second', image: { url: 'attachment://b.png' } }]
  const answer = await sendForm(guildhall, brian, source.channel, [
    payload({ content: 'files', embeds }),
    file('files[0]', 'a.txt', 'content of a'),
    file('files[1]', 'b.png', 'content of b'),
  ])
  return String(bodyOf(answer)['id'])
}

describe('a forward', () => {
  it('shows the message as it was, without its author and place, and mentions nobody; all hear of it so', async () => {
    const id = await sent(guildhall, brian, source.channel, `hello <@${carol.id}>`)
    const { client } = await connect(guildhall, brian)
    const answer = bodyOf(await forward(ada, id))
    const original = bodyOf(await read(source.channel, id))
    expect(answer).toMatchObject({
      type: 0,
      content: '',
      mentions: [],
      embeds: [],
      attachments: [],
      users: [{ id: carol.id }],
      message_reference: { channel_id: source.channel, message_id: id, guild_id: source.id, type: 1 },
    })
    expect(answer).not.toHaveProperty('referenced_message')
    const snapshots = [
      {
        type: 0,
        flags: 0,
        content: `hello <@${carol.id}>`,
        timestamp: original['timestamp'],
        edited_timestamp: null,
        mentions: [carol.id],
        mention_roles: [],
        embeds: [],
        attachments: [],
        stickers: [],
      },
    ]
    expect(answer['message_snapshots']).toStrictEqual(snapshots)
    const isForward = ({ t, d }: { readonly t?: string | null; readonly d: Members }) =>
      t === 'MESSAGE_CREATE' && d['id'] === answer['id']
    const told = await client.until(isForward, 'the forward')
    expect(told.at(-1)?.d).toMatchObject({ message_snapshots: snapshots, users: [{ id: carol.id }] })
    await guildhall.request('PATCH', messagesPath(source.channel, id), { token: brian.token, body: { content: 'new' } })
    await remove(brian, source.channel, id)
    expect(bodyOf(await read(target.channel, answer['id']))['message_snapshots']).toStrictEqual(snapshots)
  })

  it('has copies of the files, also of those in embeds, which stay when the message goes, and go with the forward', async () => {
    const id = await withFiles()
    const answer = await forward(ada, id)
    const { attachments, embeds } = snapshotIn(answer)
    const urls = [attachments[0]?.url ?? '', embeds[1]?.image?.url ?? '']
    expect(urls.every((url) => url.includes(`/attachments/${target.channel}/`))).toBe(true)
    await remove(brian, source.channel, id)
    const original = bodyOf(await forward(ada, String(bodyOf(answer)['id']), { channel_id: target.channel }))
    for (const [index, url] of urls.entries())
      expect(await (await fetch(url)).text()).toBe(`content of ${index === 0 ? 'a' : 'b'}`)
    await remove(ada, target.channel, bodyOf(answer)['id'])
    for (const url of urls) await expect.poll(async () => (await fetch(url)).status).toBe(404)
    expect(original).toMatchObject({ message_snapshots: [{ content: 'files', attachments: [{ filename: 'a.txt' }] }] })
    expect(original).toMatchObject({ message_reference: { message_id: bodyOf(answer)['id'], type: 1 } })
  })

  it('takes the files and embeds alone that it names', async () => {
    const id = await withFiles()
    const [a] = snapshotIn(await forward(ada, id)).attachments
    expect(a?.filename).toBe('a.txt')
    const { attachments } = bodyOf(await read(source.channel, id)) as unknown as Snapshot
    const one = snapshotIn(await forward(ada, id, { attachment_ids: [attachments[0]?.id] }))
    expect(one).toMatchObject({ content: '', embeds: [], attachments: [{ filename: 'a.txt' }] })
    const other = snapshotIn(await forward(ada, id, { embed_indices: [1, 1] }))
    expect(other).toMatchObject({ content: '', embeds: [{ title: 'second' }], attachments: [] })
    expect(snapshotIn(await forward(ada, id, { embed_indices: [], attachment_ids: null }))['content']).toBe('files')
    const at = (member: string) => `message_reference.${member}`
    expectFields(
      await forward(ada, id, { attachment_ids: ['1'] }),
      field(at('attachment_ids'), 'ATTACHMENT_ID_NOT_FOUND_IN_MESSAGE'),
    )
    expectFields(
      await forward(ada, id, { embed_indices: [2] }),
      field(at('embed_indices'), 'EMBED_INDEX_OUT_OF_BOUNDS'),
    )
  })

  it('takes no embeds that the message hides, and keeps of its flags what a sender may set', async () => {
    const body = { embeds: [{ title: 'x' }], content: 'text', flags: 4 | 4096 }
    const id = String(
      bodyOf(await guildhall.request('POST', messagesPath(source.channel), { token: brian.token, body }))['id'],
    )
    expect(snapshotIn(await forward(ada, id))).toMatchObject({ embeds: [], content: 'text', flags: 4 | 4096 })
  })

  it('goes to and comes from private channels', async () => {
    const [one, other] = [await guildhall.register(), await guildhall.register()]
    await befriend(guildhall, one, other)
    const direct = await openDirect(guildhall, one, other)
    const id = await sent(guildhall, other, direct, 'secret')
    const note = bodyOf(await forward(one, id, { channel_id: direct }, one.id))
    expect(note).toMatchObject({ message_snapshots: [{ content: 'secret' }] })
    expect(note['message_reference']).toStrictEqual({ channel_id: direct, message_id: id, type: 1 })
    expectRefusal(await forward(ada, id, { channel_id: direct }), 404, 'UNKNOWN_CHANNEL')
  })

  it('is pinned, answered and deleted as any message, and edited by nobody but to hide embeds', async () => {
    const id = await sent(guildhall, brian, source.channel, { embeds: [{ title: 'x' }], content: 'text' })
    const made = String(bodyOf(await forward(ada, id))['id'])
    const edit = (by: TestAccount, body: Members) =>
      guildhall.request('PATCH', messagesPath(target.channel, made), { token: by.token, body })
    for (const body of [{ content: 'mine' }, { flags: 4 }, { message_snapshots: [] }])
      expectFields(await edit(ada, body), field('message_snapshots', 'MESSAGES_WITH_SNAPSHOTS_CANNOT_BE_EDITED'))
    expect(bodyOf(await edit(brian, { flags: 4 }))).toMatchObject({ flags: 4, message_snapshots: [{}] })
    const answer = { content: 'indeed', message_reference: { message_id: made } }
    const reply = await sent(guildhall, brian, target.channel, answer)
    expect(bodyOf(await read(target.channel, reply))).toMatchObject({
      referenced_message: { id: made, message_snapshots: [{ content: 'text' }] },
    })
  })
})

describe('a forward is refused', () => {
  it('with anything of its own, and without its channel', async () => {
    const id = await sent(guildhall, brian, source.channel, 'text')
    const own = [{ content: 'mine' }, { embeds: [{ title: 'x' }] }, { attachments: [{ id: 0, filename: 'a.txt' }] }]
    for (const body of own)
      expectFields(
        await forward(ada, id, {}, target.channel, body),
        field('message_reference', 'FORWARD_MESSAGES_CANNOT_CONTAIN_CONTENT'),
      )
    for (const more of [{ channel_id: null }, { type: 2 }, { embed_indices: [-1] }, { attachment_ids: 'x' }])
      expectFields(await forward(ada, id, more), field('message_data', 'INVALID_MESSAGE_DATA'))
    const form = [payload({ message_reference: { type: 1, message_id: id } })]
    expectFields(
      await sendForm(guildhall, ada, target.channel, form),
      field('message_reference', 'FORWARD_REFERENCE_REQUIRES_CHANNEL_AND_MESSAGE'),
    )
  })

  it('of what the caller does not see, of another guild, and of a message of the server', async () => {
    const id = await sent(guildhall, brian, source.channel, 'text')
    expectRefusal(await forward(ada, '1'), 404, 'UNKNOWN_MESSAGE')
    expectFields(
      await forward(ada, id, { guild_id: target.id }),
      field('message_reference.guild_id', 'GUILD_ID_MUST_MATCH_REFERENCED_MESSAGE'),
    )
    expect((await forward(ada, id, { guild_id: source.id })).status).toBe(200)
    const welcome = async () =>
      listOf(await guildhall.request('GET', messagesPath(source.channel), { token: ada.token })).find(
        ({ type }) => type === 7,
      )?.['id']
    await expect.poll(welcome).toBeDefined()
    expectFields(
      await forward(ada, String(await welcome())),
      field('message_reference', 'CANNOT_REPLY_TO_SYSTEM_MESSAGE'),
    )
    await letEveryone(guildhall, ada, source, source.channel, { deny: ['READ_MESSAGE_HISTORY'] })
    // Get message asks for the history, a forward does not: neither whether there is any, nor for its cutoff.
    const read = () => guildhall.request('GET', messagesPath(source.channel, id), { token: brian.token })
    expectRefusal(await read(), 403, 'MISSING_PERMISSIONS')
    expect(bodyOf(await forward(brian, id))).toMatchObject({ message_snapshots: [{ content: expect.any(String) }] })
    await settle(guildhall, source, { messageHistoryCutoff: timestamp(Date.now() + 60_000) })
    expectRefusal(await read(), 404, 'UNKNOWN_MESSAGE')
    expect((await forward(brian, id)).status).toBe(200)
    await settle(guildhall, source, { messageHistoryCutoff: null })
    await letEveryone(guildhall, ada, source, source.channel, { deny: ['VIEW_CHANNEL'] })
    expectRefusal(await forward(brian, id), 403, 'MISSING_PERMISSIONS')
    const stranger = await found(guildhall, carol)
    expectRefusal(await forward(carol, id, {}, stranger.channel), 403, 'MISSING_PERMISSIONS')
  })

  it('without EMBED_LINKS for embeds, and without ATTACH_FILES for files, where it goes', async () => {
    const boxes = await sent(guildhall, brian, source.channel, { embeds: [{ title: 'x' }], content: 'text' })
    const files = await withFiles()
    await letEveryone(guildhall, brian, target, target.channel, { deny: ['EMBED_LINKS'] })
    expectRefusal(await forward(ada, boxes), 403, 'MISSING_PERMISSIONS')
    await letEveryone(guildhall, brian, target, target.channel, { deny: ['ATTACH_FILES'] })
    expect((await forward(ada, boxes)).status).toBe(200)
    expectRefusal(await forward(ada, files), 403, 'MISSING_PERMISSIONS')
    expect((await forward(ada, files, { embed_indices: [0] })).status).toBe(200)
  })
})
