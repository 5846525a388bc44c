import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { TestAnswer } from '../../../support/test-guildhall.ts'
import { bodyOf } from '../../support/answers.ts'
import { letEveryone, send } from '../../support/messages.ts'
import { openScene } from '../../support/scene.ts'
import { describedFile, namedUpload, uploading } from '../../support/uploads.ts'

const dataDir = await mkdtemp(path.join(tmpdir(), 'gh-uploads-'))
const { guildhall, ada, brian, home } = await openScene({
  dataDir,
  limits: { max_attachment_file_size: 30_000_000 },
})
afterAll(() => rm(dataDir, { recursive: true, force: true, maxRetries: 10 }))

const { ask, plan, uploaded, complete } = uploading(guildhall, home.channel)

const codeOf = ({ status, body }: TestAnswer): unknown => {
  const { code, errors } = body as { code: string; errors?: readonly { path: string; code: string }[] }
  const [first] = errors ?? []
  return first ? `${first.path} ${first.code}` : `${status} ${code}`
}

describe('addresses for uploads are refused', () => {
  it.each<readonly [string, readonly object[]]>([
    ['attachments TOO_FEW', []],
    ['attachments TOO_MANY', Array.from({ length: 11 }, (_, index) => describedFile('a.txt', 1, index))],
    ['attachments.0.filename STRING_LENGTH_INVALID', [describedFile('', 1)]],
    ['attachments.0.file_size VALUE_MUST_BE_INTEGER_IN_RANGE', [describedFile('a.txt', -1)]],
    ['400 FILE_SIZE_TOO_LARGE', [describedFile('a.txt', 1), describedFile('b.txt', 30_000_001)]],
  ])('with %s', async (code, attachments) => {
    const answer = await ask(ada, attachments)
    if (code.startsWith('400')) expect(codeOf(answer)).toBe(code)
    else expect(codeOf(answer)).toContain(code.split(' ')[0])
  })

  it('to whom may not send files there', async () => {
    for (const permission of ['SEND_MESSAGES', 'ATTACH_FILES'] as const) {
      await letEveryone(guildhall, ada, home, home.channel, { deny: [permission] })
      expect(codeOf(await ask(brian, [describedFile('a.txt', 1)]))).toBe('403 MISSING_PERMISSIONS')
    }
    await letEveryone(guildhall, ada, home, home.channel, {})
    expect(codeOf(await ask(brian, [describedFile('a.txt', 1)], '1'))).toBe('404 UNKNOWN_CHANNEL')
  })
})

describe('an upload is not found', () => {
  it('by another account, another credential, and in another channel', async () => {
    const { email, password } = ada
    const login = await guildhall.request('POST', '/v1/auth/login', { body: { email, password } })
    const elsewhere = { token: String(bodyOf(login)['token']) }
    const planned = await uploaded(ada, 'a.txt', Buffer.from('a'))
    const notFound = 'attachments.0.upload_filename UPLOADED_ATTACHMENT_NOT_FOUND'
    expect(codeOf(await send(guildhall, brian, home.channel, { attachments: [namedUpload(planned)] }))).toBe(notFound)
    expect(codeOf(await send(guildhall, elsewhere, home.channel, { attachments: [namedUpload(planned)] }))).toBe(
      notFound,
    )
    const other = await guildhall.request('POST', `/v1/guilds/${home.id}/channels`, {
      token: ada.token,
      body: { name: 'other', type: 0 },
    })
    const otherChannel = String(bodyOf(other)['id'])
    expect(codeOf(await send(guildhall, ada, otherChannel, { attachments: [namedUpload(planned)] }))).toBe(notFound)
    const twice = { attachments: [namedUpload(planned), namedUpload(planned, { id: 1 })] }
    expect(codeOf(await send(guildhall, ada, home.channel, twice))).toBe(notFound.replace('.0.', '.1.'))
    const unsent = await plan(ada, 'b.txt', 3)
    expect(codeOf(await send(guildhall, ada, home.channel, { attachments: [namedUpload(unsent)] }))).toBe(notFound)
    expect((await send(guildhall, ada, home.channel, { attachments: [namedUpload(planned)] })).status).toBe(200)
  })

  it('to complete it, if it is no such one', async () => {
    const single = await uploaded(ada, 'a.txt', Buffer.from('a'))
    const large = await plan(ada, 'b.bin', 11 * 1024 * 1024)
    const notFound = 'uploads.0.upload_filename UPLOADED_ATTACHMENT_NOT_FOUND'
    expect(codeOf(await complete(ada, { ...single, upload_id: single.upload_filename }))).toBe(notFound)
    expect(codeOf(await complete(brian, large))).toBe(notFound)
    expect(codeOf(await complete(ada, { ...large, upload_id: 'other' }))).toBe(notFound)
    expect(codeOf(await complete(ada, large))).toBe('parts NO_UPLOADED_PARTS_TO_FINALIZE')
    expect(codeOf(await complete(ada, large))).toBe(notFound)
  })

  it('and needs a name, a size and a type in the message', async () => {
    const { upload_filename } = await uploaded(ada, 'a.txt', Buffer.from('a'))
    const answer = await send(guildhall, ada, home.channel, { attachments: [{ id: 0, upload_filename }] })
    expect(codeOf(answer)).toBe('message_data INVALID_MESSAGE_DATA')
  })
})
