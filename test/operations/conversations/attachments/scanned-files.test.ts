import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { clamdDouble, infection } from '../../../adapters/file-scanners/scanner-doubles.ts'
import type { TestAnswer } from '../../../support/test-guildhall.ts'
import { bodyOf } from '../../support/answers.ts'
import { file, payload, sendForm } from '../../support/forms.ts'
import { messagesPath, send } from '../../support/messages.ts'
import { openScene } from '../../support/scene.ts'
import { namedUpload, putPiece, uploading } from '../../support/uploads.ts'

const dataDir = await mkdtemp(path.join(tmpdir(), 'gh-scanned-'))
let scanner = await clamdDouble()
const { port } = scanner
const { guildhall, ada, home } = await openScene({ dataDir, fileScanner: `clamd://127.0.0.1:${port}`, looks_ms: 200 })
afterAll(async () => {
  await scanner.close()
  await rm(dataDir, { recursive: true, force: true, maxRetries: 10 })
})

const { plan, uploaded, complete } = uploading(guildhall, home.channel)
const newestId = async (): Promise<unknown> => {
  const answer = await guildhall.request('GET', `${messagesPath(home.channel)}?limit=1`, { token: ada.token })
  return (answer.body as readonly { readonly id: string }[])[0]?.id
}
const stored = async (): Promise<number> =>
  (await guildhall.store.database.pool.query('select from messages.attachments')).rows.length
const received = (): Promise<string[]> => readdir(path.join(dataDir, 'media', 'received')).catch(() => [])
const codeOf = ({ status, body }: TestAnswer): unknown => {
  const { code, errors } = body as { code: string; errors?: readonly { path: string; code: string }[] }
  const [first] = errors ?? []
  return first ? `${first.path} ${first.code}` : `${status} ${code}`
}

describe('a file in which the scanner finds something', () => {
  it('is refused with its message, and leaves nothing', async () => {
    const answer = await sendForm(guildhall, ada, home.channel, [
      payload({ content: 'Look' }),
      file('files[0]', 'a.txt', 'clean'),
    ])
    expect(answer.status).toBe(200)
    const before = { newest: await newestId(), stored: await stored() }
    const refused = await sendForm(guildhall, ada, home.channel, [
      payload({ content: 'Look' }),
      file('files[0]', 'a.txt', 'clean'),
      file('files[3]', 'b.exe', `x${infection}x`),
    ])
    expect(codeOf(refused)).toBe('attachments.1 INFECTED_FILE')
    expect({ newest: await newestId(), stored: await stored() }).toStrictEqual(before)
    expect(await received()).toStrictEqual([])
    const edited = await sendForm(guildhall, ada, home.channel, [file('files[0]', 'b.exe', infection)], {
      method: 'PATCH',
      path: messagesPath(home.channel, String(bodyOf(answer)['id'])),
    })
    expect(codeOf(edited)).toBe('attachments.0 INFECTED_FILE')
    expect(await stored()).toBe(before.stored)
  })

  it('is refused when it is uploaded, in one piece and in parts', async () => {
    const single = await plan(ada, 'b.exe', infection.length)
    expect(await putPiece(single.upload_url, Buffer.from(infection))).toBe(422)
    const message = await send(guildhall, ada, home.channel, { attachments: [namedUpload(single)] })
    expect(codeOf(message)).toBe('attachments.0.upload_filename UPLOADED_ATTACHMENT_NOT_FOUND')
    // Neither part holds the whole of what is found.
    const bytes = Buffer.alloc(11 * 1024 * 1024)
    bytes.write(infection, 10 * 1024 * 1024 - 5)
    const large = await plan(ada, 'c.bin', bytes.length)
    for (const { part_number, upload_url } of large.parts) {
      const from = (part_number - 1) * large.part_size
      expect(await putPiece(upload_url, bytes.subarray(from, from + large.part_size))).toBe(200)
    }
    expect(codeOf(await complete(ada, large))).toBe('uploads.0.upload_filename INFECTED_FILE')
    expect(codeOf(await complete(ada, large))).toBe('uploads.0.upload_filename UPLOADED_ATTACHMENT_NOT_FOUND')
    await expect
      .poll(() => readdir(path.join(dataDir, 'media', 'uploads', home.channel, large.upload_filename)).catch(() => []))
      .toStrictEqual([])
    expect(await received()).toStrictEqual([])
  })
})

it('while the scanner is away, files are refused and everything else goes on', async () => {
  await scanner.close()
  const before = await newestId()
  const refused = await sendForm(guildhall, ada, home.channel, [file('files[0]', 'a.txt', 'clean')])
  expect(codeOf(refused)).toBe('503 SERVICE_UNAVAILABLE')
  const planned = await plan(ada, 'a.txt', 5)
  expect(await putPiece(planned.upload_url, Buffer.from('clean'))).toBe(503)
  expect(await newestId()).toBe(before)
  expect((await send(guildhall, ada, home.channel, 'without a file')).status).toBe(200)
  await expect
    .poll(async () => ((await (await fetch(`${guildhall.url}/_ready`)).json()) as { without: string[] }).without, {
      timeout: 20_000,
    })
    .toStrictEqual(['file scanner'])
  scanner = await clamdDouble(port)
  expect((await sendForm(guildhall, ada, home.channel, [file('files[0]', 'a.txt', 'clean')])).status).toBe(200)
  await uploaded(ada, 'a.txt', Buffer.from('clean'))
})
