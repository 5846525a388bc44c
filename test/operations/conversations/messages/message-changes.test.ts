import { beforeEach, describe, expect, it } from 'vitest'
import type { GuildFeature } from '../../../../domain/guild/features.ts'
import { guildId } from '../../../../domain/ids/ids.ts'
import { snowflake } from '../../../../domain/ids/snowflake.ts'
import { field } from '../../../../domain/kernel/refusal.ts'
import { timestamp } from '../../../../domain/kernel/timestamp.ts'
import type { PermissionName } from '../../../../domain/permissions/permission-bits.ts'
import { testContext } from '../../../support/test-context.ts'
import type { TestAccount, TestAnswer } from '../../../support/test-guildhall.ts'
import { accept, bodyOf, expectFields, expectRefusal, found, invite, listOf } from '../../support/answers.ts'
import { letEveryone, messagesPath, send, sent, settle } from '../../support/messages.ts'
import { openScene } from '../../support/scene.ts'

const { guildhall, ada, brian, carol, home } = await openScene()
beforeEach(() => letEveryone(guildhall, ada, home, home.channel, {}))

const nowhere = '1'
const write = (account: TestAccount, text: string | object = 'text', channel = home.channel) =>
  sent(guildhall, account, channel, text)
const list = (account: TestAccount, query = '', channel = home.channel) =>
  guildhall.request('GET', `${messagesPath(channel)}${query}`, { token: account.token })
const get = (account: TestAccount, id: string) =>
  guildhall.request('GET', messagesPath(home.channel, id), { token: account.token })
const edit = (account: TestAccount, id: string, body: object) =>
  guildhall.request('PATCH', messagesPath(home.channel, id), { token: account.token, body })
const remove = (account: TestAccount, id: string, channel = home.channel) =>
  guildhall.request('DELETE', messagesPath(channel, id), { token: account.token })
const bulk = (account: TestAccount, body: object) =>
  guildhall.request('POST', `/v1/channels/${home.channel}/messages/bulk-delete`, { token: account.token, body })
const idsOf = (answer: TestAnswer) => listOf(answer).map(({ id }) => id)
const deny = (...names: readonly PermissionName[]) => letEveryone(guildhall, ada, home, home.channel, { deny: names })
const allow = (...names: readonly PermissionName[]) => letEveryone(guildhall, ada, home, home.channel, { allow: names })
const auditOf = async (action: number) => {
  const path = `/v1/guilds/${home.id}/audit-logs?action_type=${action}&limit=100`
  return bodyOf(await guildhall.request('GET', path, { token: ada.token }))['audit_log_entries'] as readonly object[]
}

describe('List messages', () => {
  it('returns the newest first, 50 by default, and pages before, after and around an id', async () => {
    const guild = await found(guildhall, ada, 'Pages')
    const ids: string[] = []
    for (let number = 0; number < 53; number += 1) ids.push(await write(ada, `number ${number}`, guild.channel))
    const page = async (query: string) => idsOf(await list(ada, query, guild.channel))
    const newestFirst = ids.toReversed()
    expect(await page('')).toStrictEqual(newestFirst.slice(0, 50))
    expect(await page('?limit=100')).toStrictEqual(newestFirst)
    expect(await page(`?before=${ids[10]}&limit=3`)).toStrictEqual([ids[9], ids[8], ids[7]])
    expect(await page(`?after=${ids[10]}&limit=3`)).toStrictEqual([ids[13], ids[12], ids[11]])
    expect(await page(`?around=${ids[10]}&limit=3`)).toStrictEqual([ids[11], ids[10], ids[9]])
    expect(await page('?before=1')).toStrictEqual([])
  })

  it('is empty without READ_MESSAGE_HISTORY, or begins at the cutoff of the guild', async () => {
    const before = await write(ada, 'before')
    const newer = bodyOf(await send(guildhall, ada, home.channel, 'after'))
    const [after, cutoff] = [String(newer['id']), timestamp(Date.parse(String(newer['timestamp'])))]
    await deny('READ_MESSAGE_HISTORY')
    expect(idsOf(await list(brian))).toStrictEqual([])
    expectRefusal(await get(brian, after), 403, 'MISSING_PERMISSIONS')
    await settle(guildhall, home, { messageHistoryCutoff: cutoff })
    expect(idsOf(await list(brian))).toStrictEqual([after])
    expect((await get(brian, after)).status).toBe(200)
    expectRefusal(await get(brian, before), 404, 'UNKNOWN_MESSAGE')
    expect(idsOf(await list(ada))).toContain(before)
    const reply = (to: string) =>
      send(guildhall, brian, home.channel, { content: 'so', message_reference: { message_id: to } })
    expect(bodyOf(await reply(after))).toMatchObject({ type: 19, referenced_message: { id: after } })
    expectRefusal(await reply(before), 404, 'UNKNOWN_MESSAGE')
    await settle(guildhall, home, { messageHistoryCutoff: null })
  })

  it('and Get message are refused to accounts that cannot see the channel', async () => {
    expectRefusal(await list(carol), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await list(brian, '', nowhere), 404, 'UNKNOWN_CHANNEL')
    const id = await write(ada)
    await deny('VIEW_CHANNEL')
    expectRefusal(await list(brian), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await get(brian, id), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await get(ada, nowhere), 404, 'UNKNOWN_MESSAGE')
  })
})

describe('Modify message', () => {
  it('lets authors change their text, and updates the mentions', async () => {
    const id = await write(ada, `hello <@${brian.id}>`)
    const edited = bodyOf(await edit(ada, id, { content: `bye <@${ada.id}>` }))
    expect(edited).toMatchObject({ id, content: `bye <@${ada.id}>`, mentions: [{ id: ada.id }] })
    expect(edited['edited_timestamp']).toMatch(/Z$/)
    expect(bodyOf(await get(brian, id))).toMatchObject({ content: `bye <@${ada.id}>` })
  })

  it('changes nothing if nothing differs, and hiding embeds does not change the time of the edit', async () => {
    const id = await write(brian)
    expect(bodyOf(await edit(brian, id, { content: 'text' }))['edited_timestamp']).toBeNull()
    expect(bodyOf(await edit(brian, id, { flags: 4 | 32 }))).toMatchObject({ flags: 4, edited_timestamp: null })
    expect(bodyOf(await edit(ada, id, { flags: 0 }))).toMatchObject({ flags: 0, edited_timestamp: null })
  })

  it('lets authors set what a sender may set, and moderators nothing but whether embeds are shown', async () => {
    const id = await write(brian)
    expect(bodyOf(await edit(brian, id, { flags: 4 | 4096 | 256 }))['flags']).toBe(4 | 4096)
    expect(bodyOf(await edit(ada, id, { flags: 0 }))['flags']).toBe(4096)
    expect(bodyOf(await edit(brian, id, { flags: 0 }))['flags']).toBe(0)
    expect(bodyOf(await edit(ada, id, { flags: 4 | 4096 }))['flags']).toBe(4)
    for (const body of [{ allowed_mentions: {} }, { flags: 4, allowed_mentions: { parse: ['users'] } }])
      expectRefusal(await edit(ada, id, body), 403, 'CANNOT_EDIT_OTHER_USER_MESSAGE')
    expect((await edit(ada, id, { flags: 4, allowed_mentions: null })).status).toBe(200)
  })

  it('mentions anew whom the text names if its embeds change', async () => {
    const body = { content: `hello <@${ada.id}>`, allowed_mentions: {} }
    const id = String(bodyOf(await send(guildhall, brian, home.channel, body))['id'])
    expect(bodyOf(await get(brian, id))['mentions']).toStrictEqual([])
    expect(bodyOf(await edit(brian, id, { flags: 4096 }))['mentions']).toStrictEqual([])
    const changed = bodyOf(await edit(brian, id, { embeds: [{ title: 'x' }] }))
    expect(changed).toMatchObject({ mentions: [{ id: ada.id }], edited_timestamp: null })
  })

  it('is refused to all who name snapshots', async () => {
    const id = await write(brian)
    for (const snapshots of [[], [{ message: { content: 'x' } }]])
      expectRefusal(await edit(brian, id, { message_snapshots: snapshots }), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await edit(ada, id, { flags: 4, message_snapshots: [] }), 403, 'MISSING_PERMISSIONS')
    expect((await edit(brian, id, { content: 'x', message_snapshots: null })).status).toBe(200)
  })

  it('is refused for messages of others, and for system messages', async () => {
    const id = await write(ada)
    expectRefusal(await edit(brian, id, { content: 'mine' }), 403, 'CANNOT_EDIT_OTHER_USER_MESSAGE')
    expectRefusal(await edit(brian, id, { flags: 4 }), 403, 'CANNOT_EDIT_OTHER_USER_MESSAGE')
    const other = await write(brian)
    expectRefusal(await edit(ada, other, { content: 'mine' }), 403, 'CANNOT_EDIT_OTHER_USER_MESSAGE')
    await expect.poll(async () => welcome()).toBeDefined()
    for (const editor of [ada, brian])
      expectRefusal(await edit(editor, String(await welcome()), { flags: 4 }), 400, 'CANNOT_MODIFY_SYSTEM_WEBHOOK')
    expectRefusal(await edit(ada, nowhere, { content: 'x' }), 404, 'UNKNOWN_MESSAGE')
  })

  it('is refused to a moderator without an authenticator where the guild demands one', async () => {
    const id = await write(ada)
    await allow('MANAGE_MESSAGES')
    await settle(guildhall, home, { mfaLevel: 1 })
    expectRefusal(await edit(brian, id, { flags: 4 }), 400, 'TWO_FACTOR_REQUIRED')
    expectRefusal(await remove(brian, id), 400, 'TWO_FACTOR_REQUIRED')
    expectRefusal(await bulk(brian, { message_ids: [id] }), 400, 'TWO_FACTOR_REQUIRED')
    await settle(guildhall, home, { mfaLevel: 0 })
    expect((await edit(brian, id, { flags: 4 })).status).toBe(200)
  })

  it('refuses the texts that Create message refuses', async () => {
    const id = await write(brian)
    expectRefusal(await edit(brian, id, { content: ' ' }), 400, 'CANNOT_SEND_EMPTY_MESSAGE')
    expectFields(await edit(brian, id, { content: 'x'.repeat(2001) }), field('content', 'CONTENT_EXCEEDS_MAX_LENGTH'))
    expectFields(await edit(brian, id, { content: 5 }), field('message_data', 'INVALID_MESSAGE_DATA'))
  })
})

/** The system message about Brian's join. */
async function welcome(): Promise<unknown> {
  return listOf(await list(ada, '?limit=100')).find(({ type }) => type === 7)?.['id']
}

describe('Delete message', () => {
  it('deletes one permanently, and records every deletion in the audit log', async () => {
    const [mine, theirs] = [await write(brian), await write(brian)]
    expect((await remove(brian, mine)).status).toBe(204)
    expect((await remove(ada, theirs)).status).toBe(204)
    expectRefusal(await get(ada, mine), 404, 'UNKNOWN_MESSAGE')
    expectRefusal(await remove(brian, mine), 404, 'UNKNOWN_MESSAGE')
    expect(await auditOf(72)).toMatchObject([
      { target_id: theirs, user_id: ada.id, options: { channel_id: home.channel } },
      { target_id: mine, user_id: brian.id, options: { channel_id: home.channel } },
    ])
  })

  it('of others needs SEND_MESSAGES and MANAGE_MESSAGES', async () => {
    const id = await write(ada)
    expectRefusal(await remove(brian, id), 403, 'MISSING_PERMISSIONS')
    await letEveryone(guildhall, ada, home, home.channel, { allow: ['MANAGE_MESSAGES'], deny: ['SEND_MESSAGES'] })
    expectRefusal(await remove(brian, id), 403, 'MISSING_PERMISSIONS')
    await allow('MANAGE_MESSAGES')
    expect((await remove(brian, id)).status).toBe(204)
  })

  it('is refused while SEND_MESSAGE is a disabled operation', async () => {
    const id = await write(brian)
    await settle(guildhall, home, { disabledOperations: 1 << 4 })
    expectRefusal(await remove(brian, id), 403, 'FEATURE_TEMPORARILY_DISABLED')
    expectRefusal(await bulk(ada, { message_ids: [id] }), 403, 'FEATURE_TEMPORARILY_DISABLED')
    await settle(guildhall, home, { disabledOperations: 0 })
  })

  it("of one's own works in an unavailable guild too, and nothing else does", async () => {
    const [mine, theirs] = [await write(brian), await write(ada)]
    const unavailable = async (...features: readonly GuildFeature[]) => {
      const context = testContext()
      const command = { type: 'SetFeatures', features } as const
      await guildhall.ports.aggregates.guild.execute(guildId(snowflake(home.id)), command, context)
      await guildhall.ports.readModels.reached(context.written)
    }
    await unavailable('UNAVAILABLE_FOR_EVERYONE')
    expect((await remove(brian, mine)).status).toBe(204)
    expectRefusal(await remove(brian, theirs), 403, 'MISSING_ACCESS')
    expectRefusal(await remove(brian, nowhere), 403, 'MISSING_ACCESS')
    expectRefusal(await list(brian), 403, 'MISSING_ACCESS')
    expectRefusal(await send(guildhall, ada, home.channel, 'x'), 403, 'MISSING_ACCESS')
    await unavailable()
    expect((await remove(ada, theirs)).status).toBe(204)
  })

  it('happens once if several do it at the same time', async () => {
    const id = await write(brian)
    const before = (await auditOf(72)).length
    const answers = await Promise.all([remove(brian, id), remove(ada, id), remove(ada, id)])
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toStrictEqual([204, 404, 404])
    expect(await auditOf(72)).toHaveLength(before + 1)
  })

  it('of a join message is for the new member, and for moderators', async () => {
    await expect.poll(async () => welcome()).toBeDefined()
    expect((await remove(brian, String(await welcome()))).status).toBe(204)
  })
})

describe('Bulk delete messages', () => {
  it('deletes the existing ones, and is one entry of the audit log', async () => {
    const ids = [await write(ada), await write(brian), nowhere]
    expect((await bulk(ada, { messages: ids })).status).toBe(204)
    expect(idsOf(await list(ada))).not.toEqual(expect.arrayContaining([ids[0]]))
    expect(await auditOf(73)).toMatchObject([
      { target_id: null, user_id: ada.id, options: { channel_id: home.channel, count: 3 } },
    ])
  })

  it('does not delete messages in another channel', async () => {
    const guild = await found(guildhall, ada, 'Elsewhere')
    const there = await write(ada, 'there', guild.channel)
    expect((await bulk(ada, { message_ids: [there] })).status).toBe(204)
    expect(idsOf(await list(ada, '', guild.channel))).toContain(there)
  })

  const tooMany = Array.from({ length: 101 }, (_, index) => String(index + 1))
  it.each([
    [{}, field('message_ids', 'MESSAGE_IDS_CANNOT_BE_EMPTY')],
    [{ message_ids: [] }, field('message_ids', 'MESSAGE_IDS_CANNOT_BE_EMPTY')],
    [{ message_ids: tooMany }, field('message_ids', 'CANNOT_DELETE_MORE_THAN_100_MESSAGES')],
    [{ message_ids: ['x'] }, field('message_ids.0', 'INVALID_SNOWFLAKE_FORMAT')],
  ])('is refused for %j', async (body, expected) => {
    expectFields(await bulk(ada, body), expected)
  })

  it('is refused without MANAGE_MESSAGES, and in private channels', async () => {
    expectRefusal(await bulk(brian, { message_ids: [nowhere] }), 403, 'MISSING_PERMISSIONS')
    const notes = `/v1/channels/${brian.id}/messages/bulk-delete`
    const answer = await guildhall.request('POST', notes, { token: brian.token, body: { message_ids: [nowhere] } })
    expectRefusal(answer, 400, 'CANNOT_EXECUTE_ON_DM')
  })
})

describe("Bulk delete current user's guild messages", () => {
  const clear = (account: TestAccount, guild: string, body: object = { password: account.password }) =>
    guildhall.request('POST', `/v1/users/@me/guilds/${guild}/messages/bulk-delete-mine`, { token: account.token, body })

  it('deletes every message of the caller there, and keeps the membership', async () => {
    const theirs = await write(ada, 'stays')
    const mine = [await write(brian), await write(brian)]
    const answer = await clear(brian, home.id)
    expect([answer.status, answer.body]).toStrictEqual([202, undefined])
    const left = idsOf(await list(ada, '?limit=100'))
    expect(left).toContain(theirs)
    for (const id of mine) expect(left).not.toContain(id)
    expect((await send(guildhall, brian, home.channel, 'still here')).status).toBe(200)
  })

  it('is refused without proof, to a non-member, and if there is no guild', async () => {
    expectRefusal(await clear(brian, home.id, {}), 403, 'SUDO_MODE_REQUIRED')
    expectRefusal(await clear(carol, home.id), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await clear(carol, nowhere), 404, 'UNKNOWN_GUILD')
  })
})

describe('Leave guild with delete_messages', () => {
  const leave = (account: TestAccount, guild: string) =>
    guildhall.request('DELETE', `/v1/users/@me/guilds/${guild}?delete_messages=true`, {
      token: account.token,
      body: { password: account.password },
    })

  it('deletes the member’s messages, and nothing if the owner cannot leave', async () => {
    await accept(guildhall, carol, await invite(guildhall, ada, home.channel))
    const [mine, theirs] = [await write(carol), await write(ada)]
    expectFields(await leave(ada, home.id), field('guild_id', 'CANNOT_LEAVE_GUILD_AS_OWNER'))
    expect(idsOf(await list(ada))).toContain(theirs)
    expect((await leave(carol, home.id)).status).toBe(204)
    expect(idsOf(await list(ada))).not.toContain(mine)
    expectRefusal(await list(carol), 403, 'MISSING_PERMISSIONS')
  })
})
