import { beforeEach, describe, expect, it } from 'vitest'
import { field } from '../../../../domain/kernel/refusal.ts'
import type { TestAccount } from '../../../support/test-guildhall.ts'
import { bodyOf, expectFields, expectRefusal, listOf } from '../../support/answers.ts'
import { letEveryone, messagesPath } from '../../support/messages.ts'
import { openScene } from '../../support/scene.ts'

const { guildhall, ada, brian, home } = await openScene()
beforeEach(() => letEveryone(guildhall, ada, home, home.channel, {}))

const create = (author: TestAccount, body: object) =>
  guildhall.request('POST', messagesPath(home.channel), { token: author.token, body })
const edit = (editor: TestAccount, id: string, body: object) =>
  guildhall.request('PATCH', messagesPath(home.channel, id), { token: editor.token, body })
const get = async (id: string) =>
  bodyOf(await guildhall.request('GET', messagesPath(home.channel, id), { token: ada.token }))
const written = async (body: object) => String(bodyOf(await create(brian, body))['id'])

const whole = {
  title: 'Release',
  description: 'What is new',
  url: 'https://example.org/release',
  color: 0x336699,
  timestamp: '2026-11-29T10:00:00+01:00',
  author: { name: 'Ada', url: 'https://example.org/ada', icon_url: 'https://example.org/ada.png' },
  footer: { text: 'End', icon_url: 'https://example.org/end.png' },
  image: { url: 'https://example.org/image.png', description: 'A picture' },
  thumbnail: { url: 'http://example.org/thumbnail.png' },
  fields: [
    { name: 'one', value: '1', inline: true },
    { name: 'two', value: '' },
  ],
}

describe('a message with embeds', () => {
  it('shows them in its answer, to readers and in lists, without any text', async () => {
    const answer = bodyOf(await create(brian, { embeds: [whole, { description: 'second' }] }))
    const embeds = [
      {
        ...whole,
        type: 'rich',
        timestamp: '2026-11-29T09:00:00.000Z',
        author: { ...whole.author, proxy_icon_url: whole.author.icon_url },
        footer: { ...whole.footer, proxy_icon_url: whole.footer.icon_url },
        image: { ...whole.image, proxy_url: whole.image.url, flags: 0 },
        thumbnail: { ...whole.thumbnail, proxy_url: whole.thumbnail.url, flags: 0 },
        fields: [
          { name: 'one', value: '1', inline: true },
          { name: 'two', value: '', inline: false },
        ],
      },
      { type: 'rich', description: 'second', color: 0 },
    ]
    expect(answer).toMatchObject({ content: '', embeds, attachments: [] })
    expect((await get(String(answer['id'])))['embeds']).toStrictEqual(embeds)
    const list = listOf(await guildhall.request('GET', messagesPath(home.channel), { token: ada.token }))
    expect(list[0]?.['embeds']).toStrictEqual(embeds)
  })

  it('keeps nothing of what is named by halves, and is empty if nothing is left', async () => {
    const halves = { author: { url: 'https://example.org' }, image: {}, footer: { text: '' }, title: '', color: 7 }
    expect(bodyOf(await create(brian, { embeds: [{ ...halves, description: 'text' }] }))['embeds']).toStrictEqual([
      { type: 'rich', description: 'text', color: 7 },
    ])
    for (const embeds of [[], [halves], [{}], [{ title: '\u200b' }], null])
      expectRefusal(await create(brian, { embeds }), 400, 'CANNOT_SEND_EMPTY_MESSAGE')
    expect(bodyOf(await create(brian, { content: 'text', embeds: [halves] }))['embeds']).toStrictEqual([])
  })

  it.each([
    [{ title: 'x'.repeat(257) }],
    [{ description: 'x'.repeat(4097) }],
    [{ title: 'x', url: 'javascript:alert(1)' }],
    [{ title: 'x', url: `https://example.org/${'x'.repeat(2048)}` }],
    [{ title: 'x', url: 'attachment://a.png' }],
    [{ title: 'x', color: 0x1000000 }],
    [{ title: 'x', color: -1 }],
    [{ title: 'x', timestamp: 'yesterday' }],
    [{ author: { name: 'x'.repeat(257) } }],
    [{ author: { name: 'x', icon_url: 'data:image/png;base64,AAAA' } }],
    [{ footer: { text: 'x'.repeat(2049) } }],
    [{ image: { url: 'ftp://example.org/a.png' } }],
    [{ title: 'x', fields: Array.from({ length: 26 }, () => ({ name: 'x', value: 'x' })) }],
    [{ title: 'x', fields: [{ name: '', value: 'x' }] }],
    [{ title: 'x', fields: [{ name: 'x', value: 'x'.repeat(1025) }] }],
    ['text'],
  ])('is refused as a whole for %o', async (embed) => {
    const fault = field('message_data', 'INVALID_MESSAGE_DATA')
    expectFields(await create(brian, { content: 'text', embeds: [embed] }), fault)
    expectFields(await create(brian, { content: 'text', embeds: 'text' }), fault)
  })

  it('may have ten, and 6000 characters in all of them together', async () => {
    const many = (count: number, description: string) => Array.from({ length: count }, () => ({ description }))
    bodyOf(await create(brian, { embeds: many(10, 'x'.repeat(600)) }))
    expectFields(await create(brian, { embeds: many(11, 'x') }), field('embeds', 'TOO_MANY_EMBEDS'))
    for (const embeds of [
      many(2, 'x'.repeat(3001)),
      [{ ...many(1, 'x'.repeat(4096))[0], footer: { text: 'x'.repeat(1905) } }],
    ])
      expectFields(await create(brian, { embeds }), field('embeds', 'EMBEDS_EXCEED_MAX_CHARACTERS'))
  })

  it('may name only pictures of its own request', async () => {
    const embeds = [{ title: 'x' }, { image: { url: 'attachment://a.png' }, thumbnail: { url: 'attachment://b.png' } }]
    const code = 'CANNOT_REFERENCE_ATTACHMENTS_WITHOUT_ATTACHMENTS'
    expectFields(
      await create(brian, { embeds }),
      field('embeds.1.image.url', code),
      field('embeds.1.thumbnail.url', code),
    )
  })

  it('needs EMBED_LINKS in a guild, when it is written and when embeds are added', async () => {
    const id = await written({ content: 'text' })
    await letEveryone(guildhall, ada, home, home.channel, { deny: ['EMBED_LINKS'] })
    const embeds = [{ title: 'x' }]
    expectRefusal(await create(brian, { content: 'text', embeds }), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await edit(brian, id, { embeds }), 403, 'MISSING_PERMISSIONS')
    bodyOf(await create(brian, { content: 'text', embeds: [] }))
    expect(await get(id)).toMatchObject({ embeds: [] })
  })

  it('hides them while it suppresses embeds, and shows them again after', async () => {
    const id = await written({ content: 'text', embeds: [{ title: 'x' }] })
    expect(bodyOf(await edit(ada, id, { flags: 4 }))).toMatchObject({ flags: 4, embeds: [] })
    expect(bodyOf(await edit(brian, id, { flags: 0 }))['embeds']).toMatchObject([{ title: 'x' }])
  })
})

describe('an edit', () => {
  it('replaces all embeds, and moves the time of the edit only with the text', async () => {
    const id = await written({ content: 'text', embeds: [{ title: 'one' }, { title: 'two' }] })
    const embeds = [{ title: 'three' }]
    expect(bodyOf(await edit(brian, id, { embeds }))).toMatchObject({ content: 'text', embeds, edited_timestamp: null })
    const changed = bodyOf(await edit(brian, id, { content: 'other', embeds: [] }))
    expect(changed).toMatchObject({ content: 'other', embeds: [], edited_timestamp: expect.any(String) })
  })

  it('that says nothing, or would leave nothing, is refused', async () => {
    const id = await written({ embeds: [{ title: 'one' }] })
    for (const body of [{}, { embeds: [] }, { content: '' }, { flags: 0, embeds: [] }])
      expectRefusal(await edit(brian, id, body), 400, 'CANNOT_SEND_EMPTY_MESSAGE')
    bodyOf(await edit(brian, id, { flags: 0 }))
    expect(await get(id)).toMatchObject({ embeds: [{ title: 'one' }] })
  })

  it("of another's message may not touch its embeds, whoever asks", async () => {
    const id = await written({ content: 'text', embeds: [{ title: 'one' }] })
    for (const embeds of [[], [{ title: 'two' }]])
      expectRefusal(await edit(ada, id, { embeds, flags: 0 }), 403, 'CANNOT_EDIT_OTHER_USER_MESSAGE')
  })
})
