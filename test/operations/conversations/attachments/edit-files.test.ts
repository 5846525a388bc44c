import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { field } from '../../../../domain/kernel/refusal.ts'
import type { TestAccount, TestAnswer } from '../../../support/test-guildhall.ts'
import { bodyOf, expectFields } from '../../support/answers.ts'
import { file, payload, sendForm, type FormPart } from '../../support/forms.ts'
import { messagesPath } from '../../support/messages.ts'
import { openScene } from '../../support/scene.ts'

const dataDir = await mkdtemp(path.join(tmpdir(), 'gh-files-'))
const { guildhall, ada, brian, home } = await openScene({ dataDir, looks_ms: 200 })
afterAll(() => rm(dataDir, { recursive: true, force: true, maxRetries: 10 }))

interface Shown {
  readonly id: string
  readonly filename: string
  readonly url: string
}

const shown = (answer: TestAnswer): readonly Shown[] => bodyOf(answer)['attachments'] as readonly Shown[]
const names = (answer: TestAnswer): readonly string[] => shown(answer).map(({ filename }) => filename)

async function withFiles(by: TestAccount, ...filenames: readonly string[]) {
  const parts = filenames.map((name, index) => file(`files[${index}]`, name, `content of ${name}`))
  const answer = await sendForm(guildhall, by, home.channel, parts)
  return { id: String(bodyOf(answer)['id']), files: shown(answer) }
}

const edit = (by: TestAccount, id: string, body: object): Promise<TestAnswer> =>
  guildhall.request('PATCH', messagesPath(home.channel, id), { token: by.token, body })
const editForm = (by: TestAccount, id: string, ...parts: readonly FormPart[]): Promise<TestAnswer> =>
  sendForm(guildhall, by, home.channel, parts, { method: 'PATCH', path: messagesPath(home.channel, id) })
const remove = (by: TestAccount, id: string, attachment: string): Promise<TestAnswer> =>
  guildhall.request('DELETE', `${messagesPath(home.channel, id)}/attachments/${attachment}`, { token: by.token })
async function isGone(url: string): Promise<void> {
  await expect.poll(async () => (await fetch(url)).status).toBe(404)
}

describe('an edit of a voice message', () => {
  const sound = { id: 0, filename: 'voice.ogg', duration: 3, waveform: 'AAEC' }

  it('may not take its file, nor give it a text, while it is one; nor make one of a message without a file', async () => {
    const spoken = [payload({ flags: 8192, attachments: [sound] }), file('files[0]', 'voice.ogg', 'sound')]
    const id = String(bodyOf(await sendForm(guildhall, ada, home.channel, spoken))['id'])
    const single = 'VOICE_MESSAGES_REQUIRE_SINGLE_ATTACHMENT'
    expectFields(await edit(ada, id, { content: 'x', attachments: [] }), field('attachments', single))
    expectFields(await edit(ada, id, { content: 'x' }), field('content', 'VOICE_MESSAGES_CANNOT_HAVE_CONTENT'))
    expect(bodyOf(await edit(ada, id, { flags: 8192 | 4096 }))['flags']).toBe(8192 | 4096)
    expect(bodyOf(await edit(ada, id, { content: 'x', flags: 0 }))).toMatchObject({ content: 'x', flags: 0 })
    expect(names(await edit(ada, id, { content: 'x' }))).toStrictEqual(['voice.ogg'])
    const { id: plain } = await withFiles(ada, 'a.txt')
    const waveform = 'VOICE_MESSAGES_ATTACHMENT_WAVEFORM_REQUIRED'
    expectFields(await edit(ada, plain, { flags: 8192 }), field('attachments.0.waveform', waveform))
    const text = String(bodyOf(await sendForm(guildhall, ada, home.channel, [payload({ content: 'x' })]))['id'])
    expectFields(await edit(ada, text, { flags: 8192 }), field('attachments', single))
  })
})

describe('an edit', () => {
  it('of the text or the flags leaves the files', async () => {
    const { id, files } = await withFiles(ada, 'a.txt', 'b.txt')
    expect(shown(await edit(ada, id, { content: 'with a text' }))).toStrictEqual(files)
    expect(shown(await edit(ada, id, { flags: 4 }))).toStrictEqual(files)
    expect(shown(await edit(ada, id, { content: '', flags: 4 }))).toStrictEqual(files)
  })

  it('keeps the files that it names, describes them, and drops the others', async () => {
    const { id, files } = await withFiles(ada, 'a.txt', 'b.txt', 'c.txt')
    const [a, b, c] = files
    const list = [{ id: c?.id, description: 'the third' }, { id: a?.id }, { id: '1' }]
    const answer = await edit(ada, id, { attachments: list })
    expect(shown(answer)).toMatchObject([
      { filename: 'c.txt', description: 'the third' },
      { filename: 'a.txt', description: null },
    ])
    expect(bodyOf(answer)['edited_timestamp']).toBeNull()
    await isGone(b?.url ?? '')
    expect((await fetch(a?.url ?? '')).status).toBe(200)
    expect(names(await edit(ada, id, { attachments: [{ id: c?.id }] }))).toStrictEqual(['c.txt'])
    expect(shown(await edit(ada, id, { content: 'x' }))).toMatchObject([{ description: 'the third' }])
  })

  it('that names a file twice keeps it once', async () => {
    const { id, files } = await withFiles(ada, 'a.txt', 'b.txt')
    const list = [{ id: files[1]?.id, title: 'first' }, { id: files[1]?.id }]
    expect(shown(await edit(ada, id, { attachments: list }))).toMatchObject([{ filename: 'b.txt', title: 'first' }])
  })

  it('that gives back the embeds as they were read keeps what they show', async () => {
    const embeds = [{ title: 'A map', image: { url: 'attachment://map.png', description: 'Of the town' } }]
    const parts = [payload({ embeds }), file('files[0]', 'map.png', 'a map'), file('files[1]', 'a.txt', 'a')]
    const sent = bodyOf(await sendForm(guildhall, ada, home.channel, parts))
    const { id, embeds: read, attachments } = sent
    const answer = await edit(ada, String(id), { content: 'Look', embeds: read, attachments })
    expect(answer).toMatchObject({ status: 200, body: { content: 'Look', attachments } })
    expect(bodyOf(answer)['embeds']).toStrictEqual(read)
    const [box] = read as readonly { readonly image: { readonly url: string } }[]
    const again = await edit(ada, String(id), { embeds: read, content: 'Look there' })
    expect(bodyOf(again)['embeds']).toStrictEqual(read)
    expect((await fetch(box?.image.url ?? '')).status).toBe(200)
    await edit(ada, String(id), { embeds: [], content: 'Nothing' })
    await isGone(box?.image.url ?? '')
  })

  it('adds the files of a form', async () => {
    const { id, files } = await withFiles(ada, 'a.txt')
    const added = await editForm(ada, id, file('files[0]', 'b.txt', 'b'))
    expect(names(added)).toStrictEqual(['a.txt', 'b.txt'])
    const list = [{ id: 0, filename: 'd.txt' }, { id: files[0]?.id }]
    const replaced = await editForm(ada, id, payload({ attachments: list }), file('files[0]', 'c.txt', 'c'))
    expect(names(replaced)).toStrictEqual(['a.txt', 'd.txt'])
    await isGone(shown(added)[1]?.url ?? '')
    expect(await (await fetch(shown(replaced)[1]?.url ?? '')).text()).toBe('c')
  })

  it('that leaves nothing is refused, and the files stay', async () => {
    const { id, files } = await withFiles(ada, 'a.txt')
    expect(await edit(ada, id, { attachments: [], content: '' })).toMatchObject({
      status: 400,
      body: { code: 'CANNOT_SEND_EMPTY_MESSAGE' },
    })
    expect((await fetch(files[0]?.url ?? '')).status).toBe(200)
  })

  it('of the message of another changes titles and descriptions alone', async () => {
    const { id, files } = await withFiles(brian, 'a.txt', 'b.txt')
    const described = await edit(ada, id, { attachments: [{ id: files[1]?.id, title: 'The second' }] })
    expect(shown(described)).toMatchObject([
      { filename: 'a.txt', title: null },
      { filename: 'b.txt', title: 'The second' },
    ])
    const renamed = await edit(ada, id, { attachments: [{ id: files[1]?.id, filename: 'c.txt' }] })
    expect(renamed.body).toMatchObject({ errors: [{ code: 'CANNOT_EDIT_ATTACHMENT_METADATA' }] })
    expect(await editForm(ada, id, file('files[0]', 'c.txt', 'c'))).toMatchObject({
      status: 403,
      body: { code: 'CANNOT_EDIT_OTHER_USER_MESSAGE' },
    })
  })
})

describe('one file', () => {
  it('is removed by the author, and the message goes with the last one', async () => {
    const { id, files } = await withFiles(brian, 'a.txt', 'b.txt')
    const [a, b] = files
    expect(await remove(ada, id, a?.id ?? '')).toMatchObject({ status: 403, body: { code: 'MISSING_PERMISSIONS' } })
    expect(await remove(brian, id, '1')).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
    expect((await remove(brian, id, a?.id ?? '')).status).toBe(204)
    await isGone(a?.url ?? '')
    const message = await guildhall.request('GET', messagesPath(home.channel, id), { token: brian.token })
    expect(names(message)).toStrictEqual(['b.txt'])
    expect(bodyOf(message)['edited_timestamp']).not.toBeNull()
    expect((await remove(brian, id, b?.id ?? '')).status).toBe(204)
    expect((await guildhall.request('GET', messagesPath(home.channel, id), { token: brian.token })).status).toBe(404)
    await isGone(b?.url ?? '')
  })
})

describe('changes of one message at once', () => {
  it('remove every file that they were told is removed', async () => {
    const { id, files } = await withFiles(ada, 'a.txt', 'b.txt', 'c.txt', 'd.txt')
    expect((await edit(ada, id, { content: 'with a text' })).status).toBe(200)
    const removed = await Promise.all(files.map((each) => remove(ada, id, each.id)))
    expect(removed.map(({ status }) => status)).toStrictEqual([204, 204, 204, 204])
    const message = await guildhall.request('GET', messagesPath(home.channel, id), { token: ada.token })
    expect(names(message)).toStrictEqual([])
    for (const { url } of files) await isGone(url)
  })

  it('delete the message once nothing is left', async () => {
    const { id, files } = await withFiles(ada, 'a.txt', 'b.txt', 'c.txt')
    const removed = await Promise.all(files.map((each) => remove(ada, id, each.id)))
    expect(removed.map(({ status }) => status)).toStrictEqual([204, 204, 204])
    expect((await guildhall.request('GET', messagesPath(home.channel, id), { token: ada.token })).status).toBe(404)
  })

  it('keep every file that one of them adds', async () => {
    const { id } = await withFiles(ada, 'a.txt')
    const added = ['b.txt', 'c.txt', 'd.txt', 'e.txt']
    await Promise.all(added.map((name) => editForm(ada, id, file('files[0]', name, name))))
    const message = await guildhall.request('GET', messagesPath(home.channel, id), { token: ada.token })
    expect(names(message).toSorted()).toStrictEqual(['a.txt', ...added])
    for (const { filename, url } of shown(message)) expect(await (await fetch(url)).text()).toContain(filename)
  })
})

describe('the files of messages that go together', () => {
  it('go with a bulk deletion, and with their channel', async () => {
    const [one, other] = [await withFiles(ada, 'a.txt'), await withFiles(ada, 'b.txt')]
    await guildhall.request('POST', `/v1/channels/${home.channel}/messages/bulk-delete`, {
      token: ada.token,
      body: { message_ids: [one.id] },
    })
    await isGone(one.files[0]?.url ?? '')
    expect((await fetch(other.files[0]?.url ?? '')).status).toBe(200)
    await guildhall.request('DELETE', `/v1/channels/${home.channel}`, { token: ada.token })
    await isGone(other.files[0]?.url ?? '')
  })
})
