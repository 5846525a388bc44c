import { createHash, randomBytes } from 'node:crypto'
import http from 'node:http'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { afterAll, describe, expect, it } from 'vitest'
import type { TestAnswer } from '../../../support/test-guildhall.ts'
import { bodyOf } from '../../support/answers.ts'
import { file, payload, sendForm } from '../../support/forms.ts'
import { letEveryone, messagesPath, send } from '../../support/messages.ts'
import { openScene } from '../../support/scene.ts'
import { describedFile, namedUpload, plansOf, putChunked, putPiece, uploading } from '../../support/uploads.ts'

const dataDir = await mkdtemp(path.join(tmpdir(), 'gh-uploads-'))
const { guildhall, ada, brian, home } = await openScene({
  dataDir,
  looks_ms: 200,
  limits: { max_attachment_file_size: 30_000_000 },
})
afterAll(() => rm(dataDir, { recursive: true, force: true, maxRetries: 10 }))

const { ask, plan, uploaded, complete } = uploading(guildhall, home.channel)

interface Shown {
  readonly id: string
  readonly url: string
}
const shown = (answer: TestAnswer): readonly Shown[] => bodyOf(answer)['attachments'] as readonly Shown[]
const contentAt = async (url: string): Promise<Buffer> => Buffer.from(await (await fetch(url)).arrayBuffer())
const codeOf = ({ status, body }: TestAnswer): unknown => {
  const { code, errors } = body as { code: string; errors?: readonly { path: string; code: string }[] }
  const [first] = errors ?? []
  return first ? `${first.path} ${first.code}` : `${status} ${code}`
}
const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
const received = (): Promise<string[]> => readdir(path.join(dataDir, 'media', 'received')).catch(() => [])
const rows = async (table: string): Promise<number> =>
  (await guildhall.store.database.pool.query(`select from messages.${table} where due_at is not null`)).rows.length

describe('a file that is uploaded before its message', () => {
  it('comes in one piece to the address that its plan names, and the message takes it', async () => {
    const answer = await ask(ada, [describedFile('notes.txt', 5, 7), describedFile('map.png', 10 * 1024 * 1024)])
    expect(answer.status).toBe(200)
    const [first, second] = plansOf(answer)
    expect(first).toStrictEqual({
      id: 7,
      filename: 'notes.txt',
      upload_filename: expect.any(String),
      file_size: 5,
      content_type: 'text/plain',
      upload_mode: 'singlepart',
      upload_url: expect.stringContaining('/v1/relay/'),
    })
    expect(second).toMatchObject({ content_type: 'image/png', upload_mode: 'singlepart' })
    if (!first) throw new Error('There is no plan')
    expect(await putPiece(first.upload_url, Buffer.from('first'))).toBe(200)
    const message = await send(guildhall, ada, home.channel, {
      attachments: [namedUpload(first, { filename: 'named.txt', description: 'Notes', flags: 8 })],
    })
    expect(message.status).toBe(200)
    const [attachment] = shown(message)
    expect(attachment).toMatchObject({
      filename: 'named.txt',
      description: 'Notes',
      flags: 8,
      size: 5,
      content_type: 'text/plain',
      content_hash: hashOf(Buffer.from('first')),
    })
    expect((await contentAt(attachment?.url ?? '')).toString()).toBe('first')
    expect(await received()).toStrictEqual([])
  })

  it('comes in parts above 10 MiB, which are put together in their order', async () => {
    const bytes = randomBytes(24 * 1024 * 1024 + 5)
    const planned = await plan(ada, 'large.bin', bytes.length)
    expect(planned).toMatchObject({ upload_mode: 'multipart', part_size: 10 * 1024 * 1024 })
    expect(planned.parts.map(({ part_number }) => part_number)).toStrictEqual([1, 2, 3])
    for (const { part_number, upload_url } of planned.parts.toReversed()) {
      const from = (part_number - 1) * planned.part_size
      expect(await putPiece(upload_url, bytes.subarray(from, from + planned.part_size))).toBe(200)
    }
    const early = await send(guildhall, ada, home.channel, { attachments: [namedUpload(planned)] })
    expect(codeOf(early)).toBe('attachments.0.upload_filename UPLOADED_ATTACHMENT_NOT_FOUND')
    expect(await complete(ada, planned)).toMatchObject({
      status: 200,
      body: { uploads: [{ upload_filename: planned.upload_filename }] },
    })
    expect((await complete(ada, planned)).status).toBe(200)
    const message = await send(guildhall, ada, home.channel, { attachments: [namedUpload(planned)] })
    expect(shown(message)).toMatchObject([{ size: bytes.length, content_hash: hashOf(bytes) }])
    expect(hashOf(await contentAt(shown(message)[0]?.url ?? ''))).toBe(hashOf(bytes))
  })

  it('says how large a picture is, loses where it was taken, and an embed may show it', async () => {
    const taken = await sharp(randomBytes(40 * 30 * 3), { raw: { width: 40, height: 30, channels: 3 } })
      .withExif({ IFD0: { Artist: 'Guglielmo' } })
      .jpeg()
      .toBuffer()
    // What follows the end of the picture, as cameras write videos there.
    const whole = Buffer.concat([taken, randomBytes(700_000)])
    const planned = await uploaded(ada, 'photo.jpg', whole)
    const embeds = [{ image: { url: 'attachment://photo.jpg' } }]
    const message = await send(guildhall, ada, home.channel, { embeds, attachments: [namedUpload(planned)] })
    expect(shown(message)).toStrictEqual([])
    const [embed] = bodyOf(message)['embeds'] as readonly { image: { url: string; width: number; height: number } }[]
    expect(embed?.image).toMatchObject({ width: 40, height: 30 })
    expect((await contentAt(embed?.image.url ?? '')).includes('Guglielmo')).toBe(false)
    const sentWithForm = await sendForm(guildhall, ada, home.channel, [file('files[0]', 'photo.jpg', whole)])
    expect(shown(sentWithForm)).toMatchObject([{ width: 40, height: 30 }])
  })

  it('may be sent again until a message has it: the last one counts', async () => {
    const planned = await uploaded(ada, 'a.txt', Buffer.from('first'))
    expect(await putPiece(planned.upload_url, Buffer.from('again'))).toBe(200)
    const message = await send(guildhall, ada, home.channel, { attachments: [namedUpload(planned)] })
    const [attachment] = shown(message)
    expect(await putPiece(planned.upload_url, Buffer.from('later'))).toBe(404)
    expect((await contentAt(attachment?.url ?? '')).toString()).toBe('again')
  })

  it('stands behind the files of the form, and an edit adds it', async () => {
    const planned = await uploaded(ada, 'b.txt', Buffer.from('b'))
    const message = await sendForm(guildhall, ada, home.channel, [
      payload({ attachments: [namedUpload(planned, { id: 5 })] }),
      file('files[0]', 'a.txt', 'a'),
    ])
    expect(shown(message)).toMatchObject([{ filename: 'a.txt' }, { filename: 'b.txt' }])
    const more = await uploaded(ada, 'c.txt', Buffer.from('c'))
    const [a] = shown(message)
    const edited = await guildhall.request('PATCH', messagesPath(home.channel, String(bodyOf(message)['id'])), {
      token: ada.token,
      body: { attachments: [{ id: a?.id }, namedUpload(more, { id: 1 })] },
    })
    expect(shown(edited)).toMatchObject([{ filename: 'a.txt' }, { filename: 'c.txt' }])
    expect((await contentAt(shown(edited)[1]?.url ?? '')).toString()).toBe('c')
  })

  it('is spent by one of many messages at once', async () => {
    const planned = await uploaded(ada, 'a.txt', Buffer.from('a'))
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => send(guildhall, ada, home.channel, { attachments: [namedUpload(planned)] })),
    )
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toStrictEqual([
      200, 400, 400, 400, 400,
    ])
    const refused = answers.find(({ status }) => status === 400)
    expect(refused && codeOf(refused)).toMatch(/upload_filename UPLOADED_ATTACHMENT_NOT_FOUND$/)
  })

  it('is found again by a message that is repeated with its nonce, and by its Idempotency-Key', async () => {
    const planned = await uploaded(ada, 'a.txt', Buffer.from('a'))
    const body = { nonce: 'n-17', attachments: [namedUpload(planned)] }
    const first = await send(guildhall, ada, home.channel, body)
    const again = await send(guildhall, ada, home.channel, body)
    expect(again.status).toBe(200)
    expect(bodyOf(again)['id']).toBe(bodyOf(first)['id'])
  })

  it('is in the first message for all of several tries with its nonce at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const planned = await uploaded(ada, 'a.txt', Buffer.from('a'))
      const body = { nonce: `at-once-${round}`, attachments: [namedUpload(planned)] }
      const answers = await Promise.all(Array.from({ length: 4 }, () => send(guildhall, ada, home.channel, body)))
      expect(answers.map(({ status }) => status)).toStrictEqual([200, 200, 200, 200])
      expect(new Set(answers.map((answer) => bodyOf(answer)['id'])).size).toBe(1)
      expect(answers.map((answer) => shown(answer).length)).toStrictEqual([1, 1, 1, 1])
      // With another nonce it is another message, which finds the upload spent.
      const other = await send(guildhall, ada, home.channel, { ...body, nonce: `other-${round}` })
      expect(codeOf(other)).toBe('attachments.0.upload_filename UPLOADED_ATTACHMENT_NOT_FOUND')
    }
  })

  it('stays for another try of a message that slow mode refuses', async () => {
    await guildhall.request('PATCH', `/v1/channels/${home.channel}`, {
      token: ada.token,
      body: { rate_limit_per_user: 600 },
    })
    await letEveryone(guildhall, ada, home, home.channel, { deny: ['BYPASS_SLOWMODE'] })
    await send(guildhall, brian, home.channel, 'first')
    const planned = await uploaded(brian, 'a.txt', Buffer.from('a'))
    const slowed = await send(guildhall, brian, home.channel, { attachments: [namedUpload(planned)] })
    expect(codeOf(slowed)).toBe('400 SLOWMODE_RATE_LIMITED')
    await guildhall.request('PATCH', `/v1/channels/${home.channel}`, {
      token: ada.token,
      body: { rate_limit_per_user: 0 },
    })
    expect((await send(guildhall, brian, home.channel, { attachments: [namedUpload(planned)] })).status).toBe(200)
    await letEveryone(guildhall, ada, home, home.channel, {})
  })

  it('that no message takes is gone with its parts', async () => {
    const planned = await uploaded(ada, 'a.txt', Buffer.from('a'))
    const large = await plan(ada, 'b.bin', 11 * 1024 * 1024)
    expect(await putPiece(large.parts[1]?.upload_url ?? '', Buffer.alloc(1024 * 1024))).toBe(200)
    const parts = path.join(dataDir, 'media', 'uploads', home.channel, large.upload_filename)
    expect(await readdir(parts)).toHaveLength(1)
    for (const table of ['uploads', 'attachments'])
      await guildhall.store.database.pool.query(
        `update messages.${table} set due_at = due_at - interval '31 minutes' where due_at is not null`,
      )
    await expect.poll(() => rows('uploads')).toBe(0)
    await expect.poll(() => rows('attachments')).toBe(0)
    await expect.poll(() => readdir(parts).catch(() => 'gone')).toBe('gone')
    const message = await send(guildhall, ada, home.channel, { attachments: [namedUpload(planned)] })
    expect(codeOf(message)).toBe('attachments.0.upload_filename UPLOADED_ATTACHMENT_NOT_FOUND')
    expect(await putPiece(planned.upload_url, Buffer.from('a'))).toBe(404)
  })
})

describe('an address of an upload', () => {
  it('takes exactly the length that was said', async () => {
    const { upload_url: url } = await plan(ada, 'a.txt', 5)
    expect(await putPiece(url, Buffer.from('four'))).toBe(400)
    expect(await putPiece(url, Buffer.from('longer'))).toBe(413)
    for (const [text, status] of [
      ['four', 400],
      ['longer', 413],
      ['right', 200],
    ] as const)
      expect(await putChunked(url, text)).toBe(status)
    expect(await received()).toStrictEqual([])
  })

  it('is good for itself alone, as it was signed', async () => {
    const one = new URL((await plan(ada, 'a.txt', 1)).upload_url)
    const other = new URL((await plan(ada, 'b.txt', 1)).upload_url)
    const token = one.searchParams.get('t') ?? ''
    const at = (key: string, t: string): string => `${one.origin}/v1/relay/${key}?t=${t}`
    const own = one.pathname.split('/').at(-1) ?? ''
    expect(await putPiece(at(own, ''), Buffer.from('x'))).toBe(401)
    expect(await putPiece(at(own, `${token.slice(0, -2)}AA`), Buffer.from('x'))).toBe(401)
    expect(await putPiece(at(other.pathname.split('/').at(-1) ?? '', token), Buffer.from('x'))).toBe(403)
    expect(await putPiece(at(own, token), Buffer.from('x'))).toBe(200)
  })

  it('leaves nothing of a client that goes away half way', async () => {
    const { upload_url: url } = await plan(ada, 'a.bin', 900_000)
    const request = http.request(url, { method: 'PUT', headers: { 'content-length': 900_000 } })
    request.on('error', () => undefined)
    request.write(randomBytes(100_000))
    await expect.poll(async () => (await received()).length, { timeout: 20_000 }).toBe(1)
    request.destroy()
    await expect.poll(received).toStrictEqual([])
  })
})
