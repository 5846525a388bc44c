import { randomBytes } from 'node:crypto'
import http from 'node:http'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { afterAll, describe, expect, it } from 'vitest'
import type { TestAccount, TestAnswer } from '../../../support/test-guildhall.ts'
import { bodyOf } from '../../support/answers.ts'
import { file, payload, sendForm, type FormPart } from '../../support/forms.ts'
import { letEveryone, send } from '../../support/messages.ts'
import { openScene } from '../../support/scene.ts'

const dataDir = await mkdtemp(path.join(tmpdir(), 'gh-files-'))
const { guildhall, ada, brian, home } = await openScene({
  dataDir,
  looks_ms: 200,
  limits: { max_attachment_file_size: 1_000_000 },
})
afterAll(() => rm(dataDir, { recursive: true, force: true, maxRetries: 10 }))

const sendBy = (by: TestAccount, ...parts: readonly FormPart[]): Promise<TestAnswer> =>
  sendForm(guildhall, by, home.channel, parts)

interface SentAttachment {
  readonly id: string
  readonly url: string
  readonly [member: string]: unknown
}

const attachmentsOf = (answer: TestAnswer): readonly SentAttachment[] =>
  bodyOf(answer)['attachments'] as readonly SentAttachment[]

async function contentAt(url: string): Promise<Buffer> {
  const answer = await fetch(url)
  expect(answer.status).toBe(200)
  return Buffer.from(await answer.arrayBuffer())
}

const codeOf = ({ status, body }: TestAnswer): unknown => {
  const { code, errors } = body as { code: string; errors?: readonly { path: string; code: string }[] }
  const [first] = errors ?? []
  return first ? `${first.path} ${first.code}` : `${status} ${code}`
}

const received = (): Promise<string[]> => readdir(path.join(dataDir, 'media', 'received')).catch(() => [])

describe('files of a message', () => {
  it('come with it, under their names, with what it says of them, in the order of their numbers', async () => {
    const answer = await sendBy(
      ada,
      file('files[2]', 'notes.txt', 'the second'),
      payload({
        content: 'Look',
        attachments: [{ id: 2, filename: 'named.txt', description: 'Notes', flags: 8 | 64 }],
      }),
      file('files[0]', '../dir/Äöü 木.bin', 'the first'),
    )
    expect(answer.status).toBe(200)
    const [first, second] = attachmentsOf(answer)
    expect(first).toStrictEqual({
      id: expect.stringMatching(/^\d+$/),
      filename: 'Äöü 木.bin',
      title: null,
      description: null,
      content_type: 'application/octet-stream',
      content_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      size: 9,
      url: expect.stringContaining(`/media/attachments/${home.channel}/`),
      proxy_url: first?.url,
      flags: 0,
      expires_at: null,
    })
    expect(second).toMatchObject({ filename: 'named.txt', description: 'Notes', flags: 8, content_type: 'text/plain' })
    expect((await contentAt(first?.url ?? '')).toString()).toBe('the first')
    expect((await contentAt(second?.url ?? '')).toString()).toBe('the second')
    const again = await guildhall.request(
      'GET',
      `/v1/channels/${home.channel}/messages/${String(bodyOf(answer)['id'])}`,
      {
        token: brian.token,
      },
    )
    expect(attachmentsOf(again)).toStrictEqual(attachmentsOf(answer))
  })

  it('are a message without a text, and may be empty', async () => {
    const answer = await sendBy(ada, file('files[0]', 'empty.txt', ''))
    expect(attachmentsOf(answer)).toMatchObject([{ filename: 'empty.txt', size: 0 }])
    expect(await contentAt(attachmentsOf(answer)[0]?.url ?? '')).toHaveLength(0)
  })

  it('are ten at once', async () => {
    const contents = Array.from({ length: 10 }, () => randomBytes(200_000))
    const parts = contents.map((bytes, index) => file(`files[${index}]`, `${index}.bin`, bytes))
    const answer = await sendBy(ada, ...parts)
    const sent = attachmentsOf(answer)
    expect(sent.map(({ filename }) => filename)).toStrictEqual(contents.map((_, index) => `${index}.bin`))
    for (const [index, { url }] of sent.entries())
      expect((await contentAt(url)).equals(contents[index] ?? Buffer.alloc(0))).toBe(true)
  })

  it('say how large pictures are, and lose where they were taken', async () => {
    const taken = await sharp(randomBytes(40 * 30 * 3), { raw: { width: 40, height: 30, channels: 3 } })
      .withExif({ IFD0: { Artist: 'Guglielmo' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    const answer = await sendBy(ada, file('files[0]', 'photo.jpg', taken), file('files[1]', 'fake.png', 'no picture'))
    const [photo, fake] = attachmentsOf(answer)
    expect(photo).toMatchObject({ width: 30, height: 40, content_type: 'image/jpeg' })
    expect(photo?.['placeholder']).toEqual(expect.stringMatching(/^[A-Za-z0-9+/=]{20,}$/))
    expect((await contentAt(photo?.url ?? '')).includes('Guglielmo')).toBe(false)
    expect(fake).not.toHaveProperty('width')
  })

  it('have own fields that win over payload_json, and fields of other names are ignored', async () => {
    const answer = await sendBy(
      ada,
      payload({ content: 'of the payload', tts: false }),
      ['content', 'of the field'],
      ['tts', 'true'],
      ['flags', '4096'],
      ['nonce', '12'],
      ['other', 'x'],
      file('attachment', 'ignored.txt', 'x'),
      file('file', 'a.txt', 'a'),
      file('file1', 'b.txt', 'b'),
    )
    expect(answer).toMatchObject({
      status: 200,
      body: { content: 'of the field', tts: true, flags: 4096, nonce: '12' },
    })
    expect(attachmentsOf(answer).map(({ filename }) => filename)).toStrictEqual(['a.txt', 'b.txt'])
  })

  it('are shown by an embed alone that names one', async () => {
    const answer = await sendBy(
      ada,
      payload({ embeds: [{ title: 'Map', image: { url: 'attachment://map.png' } }] }),
      file(
        'files[0]',
        'map.png',
        await sharp({ create: { width: 3, height: 2, channels: 3, background: 'red' } })
          .png()
          .toBuffer(),
      ),
    )
    expect(attachmentsOf(answer)).toStrictEqual([])
    const [embed] = bodyOf(answer)['embeds'] as readonly { image: { url: string } }[]
    expect(embed?.image).toMatchObject({ width: 3, height: 2, content_type: 'image/png' })
    await contentAt(embed?.image.url ?? '')
  })
})

describe('a form with files is refused', () => {
  const a = file('files[0]', 'a.txt', 'a')
  it.each<readonly [string, readonly FormPart[]]>([
    ['payload_json INVALID_JSON_IN_PAYLOAD_JSON', [['payload_json', '{'], a]],
    ['payload_json INVALID_JSON_IN_PAYLOAD_JSON', [['payload_json', '[]'], a]],
    ['payload_json INVALID_JSON_IN_PAYLOAD_JSON', [file('payload_json', 'x.json', '{}')]],
    ['files[x] INVALID_FILE_FIELD_NAME', [file('files[x]', 'a.txt', 'a')]],
    ['files[] INVALID_FILE_FIELD_NAME', [file('files[]', 'a.txt', 'a')]],
    ['files[-1] FILE_INDEX_EXCEEDS_MAXIMUM', [file('files[-1]', 'a.txt', 'a')]],
    ['files[10] FILE_INDEX_EXCEEDS_MAXIMUM', [file('files[10]', 'a.txt', 'a')]],
    ['files[10001] FILE_INDEX_EXCEEDS_MAXIMUM', [file('files[10001]', 'a.txt', 'a')]],
    ['files[0] MULTIPLE_FILES_FOR_INDEX_NOT_ALLOWED', [a, a]],
    ['file0 DUPLICATE_FILE_INDEX', [a, file('file0', 'b.txt', 'b')]],
    ['attachments.0 NO_FILE_FOR_ATTACHMENT_METADATA', [payload({ attachments: [{ id: 1, filename: 'b' }] }), a]],
    [
      'attachments DUPLICATE_ATTACHMENT_IDS_NOT_ALLOWED',
      [
        payload({
          attachments: [
            { id: 0, filename: 'a' },
            { id: '0', filename: 'b' },
          ],
        }),
        a,
      ],
    ],
    ['content INVALID_FORMAT', [payload({ content: 1 }), a]],
    ['attachments.0.description INVALID_FORMAT', [payload({ attachments: [{ id: 0, description: 1 }] }), a]],
    ['400 FILE_SIZE_TOO_LARGE', [file('files[0]', 'a.bin', randomBytes(1_000_001))]],
    ['400 CANNOT_SEND_EMPTY_MESSAGE', [payload({})]],
  ])('with %s', async (code, parts) => {
    expect(codeOf(await sendBy(ada, ...parts))).toBe(code)
    expect(await received()).toStrictEqual([])
  })

  it('if it cannot be read as one', async () => {
    for (const [type, body] of [
      ['multipart/form-data', 'x'],
      ['multipart/form-data; boundary=b', 'nothing'],
      [
        'multipart/form-data; boundary=b',
        '--b\r\nContent-Disposition: form-data; name="files[0]"; filename="a"\r\n\r\nhalf',
      ],
    ] as const) {
      const answer = await fetch(`${guildhall.url}/v1/channels/${home.channel}/messages`, {
        method: 'POST',
        headers: { authorization: ada.token, 'content-type': type },
        body,
      })
      expect(await answer.json()).toMatchObject({ errors: [{ code: 'FAILED_TO_PARSE_MULTIPART_FORM_DATA' }] })
    }
    await expect.poll(received).toStrictEqual([])
  })

  it('without ATTACH_FILES', async () => {
    await letEveryone(guildhall, ada, home, home.channel, { deny: ['ATTACH_FILES'] })
    const answer = await sendBy(brian, payload({ content: 'x' }), a)
    expect(answer).toMatchObject({ status: 403, body: { code: 'MISSING_PERMISSIONS' } })
    expect((await send(guildhall, brian, home.channel, 'x')).status).toBe(200)
    await letEveryone(guildhall, ada, home, home.channel, {})
  })

  it('and JSON that describes a file has none', async () => {
    const answer = await send(guildhall, ada, home.channel, { content: 'x', attachments: [{ id: 0, filename: 'a' }] })
    expect(codeOf(answer)).toBe('attachments.0 NO_FILE_FOR_ATTACHMENT_METADATA')
  })
})

describe('a voice message', () => {
  const sound = { id: 0, filename: 'voice.ogg', duration: 3, waveform: 'AAEC' }
  const spoken = file('files[0]', 'voice.ogg', 'sound')
  it('is one file with its duration and waveform', async () => {
    const answer = await sendBy(ada, payload({ flags: 8192, attachments: [sound] }), spoken)
    expect(answer).toMatchObject({ status: 200, body: { flags: 8192 } })
    expect(attachmentsOf(answer)).toMatchObject([{ duration: 3, waveform: 'AAEC', content_type: 'audio/ogg' }])
  })
  const wrong: readonly (readonly [string, object, ...FormPart[]])[] = [
    ['attachments VOICE_MESSAGES_REQUIRE_SINGLE_ATTACHMENT', {}, spoken, file('files[1]', 'b.ogg', 'x')],
    ['attachments VOICE_MESSAGES_REQUIRE_SINGLE_ATTACHMENT', { content: 'x' }],
    [
      'attachments.0.waveform VOICE_MESSAGES_ATTACHMENT_WAVEFORM_REQUIRED',
      { attachments: [{ id: 0, duration: 3 }] },
      spoken,
    ],
    [
      'attachments.0.duration VOICE_MESSAGES_ATTACHMENT_DURATION_REQUIRED',
      { attachments: [{ id: 0, waveform: 'AAEC' }] },
      spoken,
    ],
    ['content VOICE_MESSAGES_CANNOT_HAVE_CONTENT', { content: 'x', attachments: [sound] }, spoken],
    ['embeds VOICE_MESSAGES_CANNOT_HAVE_EMBEDS', { embeds: [{ title: 'x' }], attachments: [sound] }, spoken],
    [
      'attachments.0.duration VOICE_MESSAGES_DURATION_EXCEEDS_LIMIT',
      { attachments: [{ ...sound, duration: 1201 }] },
      spoken,
    ],
    [
      'attachments.0 VOICE_MESSAGES_ATTACHMENT_MUST_BE_AUDIO',
      { attachments: [{ ...sound, filename: 'a.txt' }] },
      spoken,
    ],
  ]
  it.each(wrong.map(([code, body, ...parts]) => [code, { body, parts }] as const))(
    'is refused with %s',
    async (code, { body, parts }) => {
      expect(codeOf(await sendBy(ada, payload({ flags: 8192, ...body }), ...parts))).toBe(code)
    },
  )
})

describe('files that no message has', () => {
  const kept = async (): Promise<number> => {
    const { rows } = await guildhall.store.database.pool.query('select id from messages.attachments')
    return rows.length
  }

  it('of a client that goes away half way, leave nothing', async () => {
    const before = await kept()
    const request = http.request(`${guildhall.url}/v1/channels/${home.channel}/messages`, {
      method: 'POST',
      headers: {
        authorization: ada.token,
        'content-type': 'multipart/form-data; boundary=b',
        'content-length': 900_000,
      },
    })
    request.on('error', () => undefined)
    request.write('--b\r\nContent-Disposition: form-data; name="files[0]"; filename="a"\r\n\r\n')
    request.write(randomBytes(100_000))
    await expect.poll(async () => (await received()).length, { timeout: 20_000 }).toBe(1)
    request.destroy()
    await expect.poll(received).toStrictEqual([])
    expect(await kept()).toBe(before)
  })

  it('of a deleted message go', async () => {
    const answer = await sendBy(ada, file('files[0]', 'a.txt', 'a'))
    const [{ url } = { url: '' }] = attachmentsOf(answer)
    await contentAt(url)
    await guildhall.request('DELETE', `/v1/channels/${home.channel}/messages/${String(bodyOf(answer)['id'])}`, {
      token: ada.token,
    })
    await expect.poll(async () => (await fetch(url)).status).toBe(404)
  })
})
