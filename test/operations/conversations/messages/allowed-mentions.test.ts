import { afterAll, describe, expect, it } from 'vitest'
import { field } from '../../../../domain/kernel/refusal.ts'
import { bodyOf, expectFields } from '../../support/answers.ts'
import { connections } from '../../support/connected.ts'
import { messagesPath, send, sent, settle } from '../../support/messages.ts'
import { befriend } from '../../support/relationships.ts'
import { openScene } from '../../support/scene.ts'
import { openDirect, openGroup } from '../private-channels/support.ts'

/** Ada owns the guild and may mention everything; Brian may not mention everyone. */
const { guildhall, ada, brian, carol, home } = await openScene()
const { connect, end } = connections()
afterAll(end)

const roleOf = async (mentionable: boolean): Promise<string> => {
  const path = `/v1/guilds/${home.id}/roles`
  const { id } = bodyOf(await guildhall.request('POST', path, { token: ada.token, body: { name: 'Crew' } }))
  const body = { mentionable }
  bodyOf(await guildhall.request('PATCH', `${path}/${String(id)}`, { token: ada.token, body }))
  return String(id)
}
const [open, closed] = [await roleOf(true), await roleOf(false)]
const text = `<@${brian.id}> <@!${carol.id}> <@&${open}> <@&${closed}> @everyone`

/** Whom a message of an account mentions. */
async function named(author: { readonly token: string }, body: object, channel = home.channel) {
  const message = bodyOf(await send(guildhall, author, channel, { content: text, ...body }))
  return {
    users: (message['mentions'] as readonly { readonly id: string }[]).map(({ id }) => id),
    roles: message['mention_roles'],
    everyone: message['mention_everyone'],
  }
}

const users = [brian.id, carol.id]
const nobody = { users: [], roles: [], everyone: false }

describe('allowed_mentions', () => {
  it.each([
    ['absent', {}, { users, roles: [open, closed], everyone: true }],
    ['null', { allowed_mentions: null }, { users, roles: [open, closed], everyone: true }],
    ['empty', { allowed_mentions: {} }, nobody],
    ['with null members', { allowed_mentions: { parse: null, users: null, roles: null } }, nobody],
    ['with an empty parse', { allowed_mentions: { parse: [] } }, nobody],
    ['with all users', { allowed_mentions: { parse: ['users'] } }, { ...nobody, users }],
    ['with all roles', { allowed_mentions: { parse: ['roles'], users: [] } }, { ...nobody, roles: [open, closed] }],
    ['with everyone', { allowed_mentions: { parse: ['everyone'] } }, { ...nobody, everyone: true }],
    [
      'with some users and no parse',
      { allowed_mentions: { users: [carol.id, ada.id] } },
      { ...nobody, users: [carol.id] },
    ],
    [
      'with some roles and no parse',
      { allowed_mentions: { roles: [closed, home.id] } },
      { ...nobody, roles: [closed] },
    ],
    [
      'with users and roles beside an empty parse',
      { allowed_mentions: { parse: [], users: [brian.id], roles: [open] } },
      { users: [brian.id], roles: [open], everyone: false },
    ],
  ])('%s, mentions what it allows of what the text names', async (_, body, expected) => {
    expect(await named(ada, body)).toStrictEqual(expected)
  })

  it('gives no author more than it may do without', async () => {
    const all = { allowed_mentions: { parse: ['users', 'roles', 'everyone'] } }
    expect(await named(brian, all)).toStrictEqual({ users, roles: [open], everyone: false })
    expect(await named(brian, { allowed_mentions: { roles: [open, closed] } })).toMatchObject({ roles: [open] })
    await settle(guildhall, home, { disabledOperations: 1 << 1 })
    expect(await named(ada, all)).toMatchObject({ everyone: false })
    await settle(guildhall, home, { disabledOperations: 0 })
  })

  it.each([{ users: [brian.id] }, { roles: [open] }])('takes no list beside a parse: %j', async (list) => {
    const both = { content: text, allowed_mentions: { parse: ['everyone'], ...list } }
    const refused = field('allowed_mentions', 'PARSE_AND_USERS_OR_ROLES_CANNOT_BE_USED_TOGETHER')
    expectFields(await send(guildhall, ada, home.channel, both), refused)
    const id = await sent(guildhall, ada, home.channel, 'text')
    expectFields(
      await guildhall.request('PATCH', messagesPath(home.channel, id), { token: ada.token, body: both }),
      refused,
    )
  })

  it('takes a hundred users and a hundred roles, and no more', async () => {
    const hundred = Array.from({ length: 100 }, (_, index) => String(index + 1))
    expect(await named(ada, { allowed_mentions: { users: hundred, roles: hundred } })).toStrictEqual(nobody)
    for (const kind of ['users', 'roles']) {
      const body = { content: text, allowed_mentions: { [kind]: [...hundred, '101'] } }
      expectFields(await send(guildhall, ada, home.channel, body), field('message_data', 'INVALID_MESSAGE_DATA'))
    }
  })

  it('counts nothing in code', async () => {
    expect(await named(ada, { content: `\`${text}\`` })).toStrictEqual(nobody)
    expect(await named(ada, { content: `\`\`\`\n${text}\n\`\`\`` })).toStrictEqual(nobody)
  })

  it('tells of @here apart from everyone, in the dispatch alone', async () => {
    const { client } = await connect(guildhall, brian)
    const told = async (more: object): Promise<unknown> => {
      const message = bodyOf(await send(guildhall, ada, home.channel, { content: 'hello @here', ...more }))
      expect(message).not.toHaveProperty('mention_here')
      const heard = await client.until(({ t, d }) => t === 'MESSAGE_CREATE' && d['id'] === message['id'], 'the message')
      return { everyone: heard.at(-1)?.d['mention_everyone'], here: heard.at(-1)?.d['mention_here'] }
    }
    expect(await told({})).toStrictEqual({ everyone: true, here: true })
    expect(await told({ allowed_mentions: {} })).toStrictEqual({ everyone: false, here: undefined })
  })
})

describe('the mention of whom a reply answers', () => {
  const replies = async (message: string, more: object = {}, author = brian, channel = home.channel) =>
    (await named(author, { content: 'indeed', message_reference: { message_id: message }, ...more }, channel)).users

  it('is there by default, survives an empty parse, and goes with replied_user alone', async () => {
    const question = await sent(guildhall, ada, home.channel, 'is it so?')
    expect(await replies(question)).toStrictEqual([ada.id])
    expect(await replies(question, { allowed_mentions: {} })).toStrictEqual([ada.id])
    expect(await replies(question, { allowed_mentions: { parse: [], replied_user: true } })).toStrictEqual([ada.id])
    expect(await replies(question, { allowed_mentions: { replied_user: false } })).toStrictEqual([])
    const both = { content: `<@${ada.id}>`, allowed_mentions: { users: [ada.id], replied_user: false } }
    expect(await replies(question, both)).toStrictEqual([ada.id])
  })

  it('is not there for an own message, in a direct message and in notes, but in a group', async () => {
    expect(await replies(await sent(guildhall, brian, home.channel, 'so'))).toStrictEqual([])
    await befriend(guildhall, ada, brian)
    await befriend(guildhall, ada, carol)
    const direct = await openDirect(guildhall, ada, brian)
    const question = await sent(guildhall, ada, direct, 'is it so?')
    expect(await replies(question, {}, brian, direct)).toStrictEqual([])
    expect(await replies(question, { content: `<@${ada.id}>` }, brian, direct)).toStrictEqual([ada.id])
    expect(await replies(await sent(guildhall, brian, brian.id, 'note'), {}, brian, brian.id)).toStrictEqual([])
    const group = await openGroup(guildhall, ada, brian, carol)
    expect(await replies(await sent(guildhall, ada, group, 'is it so?'), {}, brian, group)).toStrictEqual([ada.id])
    // Only recipients can be mentioned in a private channel.
    expect((await named(ada, { content: `<@${carol.id}>` }, direct)).users).toStrictEqual([])
  })

  it('looks for the message in its own channel, whatever channel the reference names', async () => {
    const question = await sent(guildhall, ada, home.channel, 'is it so?')
    const elsewhere = { message_reference: { message_id: question, channel_id: brian.id } }
    expect(await replies(question, elsewhere)).toStrictEqual([ada.id])
  })
})

describe('an edit with allowed_mentions', () => {
  const edit = async (id: string, body: object) => {
    const path = messagesPath(home.channel, id)
    const message = bodyOf(await guildhall.request('PATCH', path, { token: ada.token, body }))
    return {
      users: (message['mentions'] as readonly { readonly id: string }[]).map((user) => user.id),
      everyone: message['mention_everyone'],
      edited: message['edited_timestamp'],
    }
  }

  it('computes the mentions of the same text anew, and does not move the time of the edit', async () => {
    const id = await sent(guildhall, ada, home.channel, text)
    expect(await edit(id, { flags: 0, allowed_mentions: {} })).toStrictEqual({
      users: [],
      everyone: false,
      edited: null,
    })
    const again = await edit(id, { content: text, allowed_mentions: { parse: ['users'] } })
    expect(again).toStrictEqual({ users, everyone: false, edited: null })
    expect(await edit(id, { flags: 0 })).toStrictEqual(again)
  })

  it('decides anew whether a reply mentions whom it answers, and keeps it without', async () => {
    const first = await sent(guildhall, brian, home.channel, 'first')
    const reply = { content: 'reply', message_reference: { message_id: first } }
    const id = await sent(guildhall, ada, home.channel, reply)
    expect(await edit(id, { content: 'changed' })).toMatchObject({ users: [brian.id] })
    expect(await edit(id, { flags: 0, allowed_mentions: { replied_user: false } })).toMatchObject({ users: [] })
    expect(await edit(id, { content: 'changed again' })).toMatchObject({ users: [] })
    expect(await edit(id, { flags: 0, allowed_mentions: {} })).toMatchObject({ users: [brian.id] })
  })
})
