import { afterAll, describe, expect, it } from 'vitest'
import { field } from '../../../../domain/kernel/refusal.ts'
import { bodyOf, expectFields, expectRefusal, type TestGuild } from '../../support/answers.ts'
import { connections } from '../../support/connected.ts'
import { everyoneMay, expressionsOf, madeSticker } from '../../support/expressions.ts'
import { file, payload, sendForm } from '../../support/forms.ts'
import { nowhere } from '../../support/guilds.ts'
import { messagesPath, send } from '../../support/messages.ts'
import { foundWith, openScene } from '../../support/scene.ts'

const plain = await openScene()
const perked = await openScene({ limits: { feature_global_expressions: 1 } })
const { connect, end } = connections()
afterAll(end)

type Scene = typeof plain

/** A guild of Ada and Brian with a sticker, and another one. */
async function two({ guildhall, ada, brian }: Scene): Promise<{ home: TestGuild; sticker: string; away: TestGuild }> {
  const [home, away] = [await foundWith(guildhall, ada, brian), await foundWith(guildhall, ada, brian)]
  return { home, away, sticker: await madeSticker(guildhall, ada, home.id) }
}

const { guildhall, ada, brian } = plain
const read = async (channel: string, id: unknown) =>
  bodyOf(await guildhall.request('GET', messagesPath(channel, String(id)), { token: brian.token }))

describe('a message with a sticker', () => {
  it('needs no text, and shows it to everybody, also once it is deleted', async () => {
    const { home, sticker } = await two(plain)
    const { client } = await connect(guildhall, ada)
    const made = bodyOf(await send(guildhall, brian, home.channel, { sticker_ids: [sticker, sticker] }))
    const stickers = [{ id: sticker, name: 'Tower', animated: false, nsfw: false }]
    expect(made).toMatchObject({ content: '', stickers })
    expect((await client.dispatch('MESSAGE_CREATE')).d).toMatchObject({ id: made['id'], stickers })
    expect((await expressionsOf(guildhall, 'stickers').remove(ada, home.id, sticker)).status).toBe(204)
    expect(await read(home.channel, made['id'])).toMatchObject({ stickers })
    expectFields(
      await send(guildhall, brian, home.channel, { sticker_ids: [sticker] }),
      field('sticker', 'CUSTOM_STICKER_NOT_FOUND'),
    )
  })

  it('comes in a form too', async () => {
    const { home, sticker } = await two(plain)
    const answer = await sendForm(guildhall, brian, home.channel, [
      payload({ content: 'built' }),
      ['sticker_ids', sticker],
    ])
    expect(bodyOf(answer)).toMatchObject({ content: 'built', stickers: [{ id: sticker }] })
  })

  it('keeps it through an edit, and may lose its text', async () => {
    const { home, sticker } = await two(plain)
    const made = bodyOf(await send(guildhall, brian, home.channel, { content: 'hello', sticker_ids: [sticker] }))
    const path = messagesPath(home.channel, String(made['id']))
    const edited = await guildhall.request('PATCH', path, { token: brian.token, body: { content: '', flags: 0 } })
    expect(bodyOf(edited)).toMatchObject({ content: '', stickers: [{ id: sticker }] })
  })

  it('stays when its last file is removed', async () => {
    const { home, sticker } = await two(plain)
    const parts = [payload({ sticker_ids: [sticker] }), file('files[0]', 'a.txt', 'a')]
    const made = bodyOf(await sendForm(guildhall, brian, home.channel, parts))
    const [attachment] = made['attachments'] as readonly { readonly id: string }[]
    const path = `${messagesPath(home.channel, String(made['id']))}/attachments/${attachment?.id}`
    expect((await guildhall.request('DELETE', path, { token: brian.token })).status).toBe(204)
    expect(await read(home.channel, made['id'])).toMatchObject({ attachments: [], stickers: [{ id: sticker }] })
  })

  it('gives it to those who forward the message', async () => {
    const { home, away, sticker } = await two(plain)
    const made = bodyOf(await send(guildhall, brian, home.channel, { sticker_ids: [sticker] }))
    const message_reference = { type: 1, channel_id: home.channel, message_id: made['id'] }
    const forward = bodyOf(await send(guildhall, brian, away.channel, { message_reference }))
    expect(forward).toMatchObject({ stickers: [], message_snapshots: [{ stickers: [{ id: sticker }] }] })
    expectFields(
      await send(guildhall, brian, home.channel, { message_reference, sticker_ids: [sticker] }),
      field('message_reference', 'FORWARD_MESSAGES_CANNOT_CONTAIN_CONTENT'),
    )
  })

  it('is found by a search for stickers, and so is a forward that shows one', async () => {
    const { home, sticker } = await two(plain)
    const made = bodyOf(await send(guildhall, brian, home.channel, { sticker_ids: [sticker] }))
    const message_reference = { type: 1, channel_id: home.channel, message_id: made['id'] }
    const forward = bodyOf(await send(guildhall, brian, home.channel, { message_reference }))
    const other = bodyOf(await send(guildhall, brian, home.channel, 'without'))
    const found = async (body: object) => {
      const asked = { token: brian.token, body: { context_guild_id: home.id, author_id: [brian.id], ...body } }
      const { messages } = bodyOf(await guildhall.request('POST', '/v1/search/messages', asked))
      return (messages as readonly { readonly id: string }[]).map(({ id }) => id)
    }
    expect(await found({ has: ['sticker'] })).toStrictEqual([forward['id'], made['id']])
    expect(await found({ exclude_has: ['sticker'] })).toContain(other['id'])
    expect(await found({ exclude_has: ['sticker'] })).not.toContain(made['id'])
  })

  it('has three at most, which exist', async () => {
    const { home } = await two(plain)
    const tooMany = await send(guildhall, brian, home.channel, { content: 'x', sticker_ids: ['1', '2', '3', '4'] })
    expectFields(tooMany, field('message_data', 'INVALID_MESSAGE_DATA'))
    expectFields(
      await send(guildhall, brian, home.channel, { content: 'x', sticker_ids: [nowhere] }),
      field('sticker', 'CUSTOM_STICKER_NOT_FOUND'),
    )
    expectRefusal(await send(guildhall, brian, home.channel, { sticker_ids: [] }), 400, 'CANNOT_SEND_EMPTY_MESSAGE')
  })
})

describe('a sticker of another guild', () => {
  it('needs the perk, also in a private channel', async () => {
    const { away, sticker } = await two(plain)
    expectFields(
      await send(guildhall, brian, away.channel, { sticker_ids: [sticker] }),
      field('sticker', 'CUSTOM_STICKERS_REQUIRE_PREMIUM_OUTSIDE_SOURCE'),
    )
    const opened = await guildhall.request('POST', '/v1/users/@me/channels', {
      token: brian.token,
      body: { recipient_id: ada.id },
    })
    expectFields(
      await send(guildhall, brian, String(bodyOf(opened)['id']), { sticker_ids: [sticker] }),
      field('sticker', 'CUSTOM_STICKERS_IN_DMS_REQUIRE_PREMIUM'),
    )
  })

  it('then needs USE_EXTERNAL_STICKERS', async () => {
    const { away, sticker } = await two(perked)
    const post = () => send(perked.guildhall, perked.brian, away.channel, { sticker_ids: [sticker] })
    await everyoneMay(perked.guildhall, perked.ada, away)
    expectRefusal(await post(), 403, 'MISSING_PERMISSIONS')
    await everyoneMay(perked.guildhall, perked.ada, away, 'USE_EXTERNAL_STICKERS')
    expect((await post()).status).toBe(200)
  })
})
