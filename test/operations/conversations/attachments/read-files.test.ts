import { mkdir, writeFile } from 'node:fs/promises'
import http from 'node:http'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { attachmentFile } from '../../../../adapters/media/attachments/stored-at.ts'
import { attachmentForm } from '../../../../adapters/media/byte-store.ts'
import { s3Store } from '../../../../adapters/media/s3-store.ts'
import { attachmentId, channelId } from '../../../../domain/ids/ids.ts'
import { nextSnowflake, snowflake } from '../../../../domain/ids/snowflake.ts'
import { timestamp } from '../../../../domain/kernel/timestamp.ts'
import { startObjectStorage } from '../../../adapters/media/support/object-storage.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'
import { startTestGuildhall, type TestGuildhall } from '../../../support/test-guildhall.ts'

const channel = channelId(snowflake('1500000000000000000'))
let sequence = 0

type Put = (name: string, bytes: Buffer) => Promise<void>

async function onDisk(): Promise<{ readonly guildhall: TestGuildhall; readonly put: Put }> {
  const dataDir = await temporaryFolder('attachments')
  const guildhall = await startTestGuildhall({ dataDir })
  const put: Put = async (name, bytes) => {
    const file = path.join(dataDir, 'media', `${name}.file`)
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(file, bytes)
  }
  return { guildhall, put }
}

async function inS3(): Promise<{ readonly guildhall: TestGuildhall; readonly put: Put }> {
  const { url } = await startObjectStorage()
  const guildhall = await startTestGuildhall({ mediaUrl: url })
  const store = s3Store(url, attachmentForm)
  onTestFinished(() => store.close())
  return { guildhall, put: (name, bytes) => store.put(name, bytes) }
}

const newName = (filename: string) => {
  sequence += 1
  return { channelId: channel, id: attachmentId(nextSnowflake({ ms: 0, sequence }, Date.now(), sequence).id), filename }
}

function addressOf({ ports }: TestGuildhall, name: ReturnType<typeof newName>): string {
  return ports.attachmentAddresses.addressOf(name, timestamp(Date.now()))
}

async function ask(method: string, url: string, range?: string) {
  const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
    const headers = range === undefined ? {} : { range }
    http.request(url, { method, headers }, resolve).on('error', reject).end()
  })
  return { status: response.statusCode, headers: response.headers, body: await text(response) }
}

describe.each([
  ['on disk', onDisk],
  ['in S3', inS3],
] as const)('a file %s', (_, open) => {
  it('is sent whole, in a range, or with its headers alone', async () => {
    const { guildhall, put } = await open()
    onTestFinished(() => guildhall.close())
    const name = newName('notes.txt')
    await put(attachmentFile(name), Buffer.from('0123456789'))
    const url = addressOf(guildhall, name)

    const whole = await ask('GET', url)
    expect(whole).toMatchObject({ status: 200, body: '0123456789' })
    expect(whole.headers).toMatchObject({
      'content-type': 'text/plain',
      'content-length': '10',
      'content-disposition': 'attachment; filename="notes.txt"',
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      'access-control-allow-origin': '*',
      'x-robots-tag': 'noindex',
    })
    expect(whole.headers['cache-control']).toMatch(/^public, max-age=86[34][0-9]{2}$/)

    const head = await ask('HEAD', url)
    expect(head).toMatchObject({ status: 200, body: '', headers: { 'content-length': '10' } })

    for (const [range, body, told] of [
      ['bytes=2-4', '234', 'bytes 2-4/10'],
      ['bytes=7-', '789', 'bytes 7-9/10'],
      ['bytes=-1', '9', 'bytes 9-9/10'],
      ['bytes=8-99', '89', 'bytes 8-9/10'],
    ] as const)
      expect(await ask('GET', url, range)).toMatchObject({ status: 206, body, headers: { 'content-range': told } })
    expect(await ask('HEAD', url, 'bytes=2-4')).toMatchObject({ status: 206, headers: { 'content-length': '3' } })

    for (const range of ['bytes=10-', 'bytes=-0'])
      expect(await ask('GET', url, range)).toMatchObject({ status: 416, headers: { 'content-range': 'bytes */10' } })
    for (const range of ['bytes=0-1,3-4', 'lines=1-2', 'bytes=4-2', 'bytes=-'])
      expect(await ask('GET', url, range)).toMatchObject({ status: 200, body: '0123456789' })
  })

  it('is sent empty if it is, and not at all once it is gone', async () => {
    const { guildhall, put } = await open()
    onTestFinished(() => guildhall.close())
    const name = newName('empty')
    expect(await ask('GET', addressOf(guildhall, name))).toMatchObject({ status: 404 })
    await put(attachmentFile(name), Buffer.alloc(0))
    expect(await ask('GET', addressOf(guildhall, name))).toMatchObject({ status: 200, body: '' })
    expect(await ask('GET', addressOf(guildhall, name), 'bytes=0-')).toMatchObject({ status: 416 })
  })
})

it('browsers show images and videos, and keep everything else, by a name in UTF-8', async () => {
  const { guildhall, put } = await onDisk()
  onTestFinished(() => guildhall.close())
  for (const [filename, disposition] of [
    ['map.png', 'inline; filename="map.png"'],
    ['map.svg', 'attachment; filename="map.svg"'],
    ['film.mp4', 'inline; filename="film.mp4"'],
    ['page.html', 'attachment; filename="page.html"'],
    ["l'été.png", `inline; filename="l__t_.png"; filename*=UTF-8''l%27%C3%A9t%C3%A9.png`],
  ] as const) {
    const name = newName(filename)
    await put(attachmentFile(name), Buffer.from('x'))
    const url = addressOf(guildhall, name)
    expect((await ask('GET', url)).headers['content-disposition']).toBe(disposition)
    const kept = await ask('GET', `${url}&download=true`)
    expect(kept.headers['content-disposition']).toBe(disposition.replace('inline', 'attachment'))
  }
})

it('an address without a good signature is refused in plain text', async () => {
  const { guildhall, put } = await onDisk()
  onTestFinished(() => guildhall.close())
  const name = newName('map.png')
  await put(attachmentFile(name), Buffer.from('x'))
  const url = addressOf(guildhall, name)
  for (const wrong of [
    url.replace(/\?.*/, ''),
    url.replace('map.png', 'map.svg'),
    url.replace(/ex=.{8}/, 'ex=00000001'),
  ]) {
    const answer = await ask('GET', wrong)
    expect(answer).toMatchObject({
      status: 403,
      headers: { 'content-type': 'text/plain', 'cache-control': 'no-store' },
    })
  }
})

it('addresses are renewed in their order, and those of others stay', async () => {
  const guildhall = await startTestGuildhall()
  onTestFinished(() => guildhall.close())
  const { token } = await guildhall.register()
  const url = addressOf(guildhall, newName('map.png'))
  const foreign = 'https://elsewhere.example/media/attachments/1/2/map.png'
  const renew = (urls: readonly string[], by: string | undefined = token) =>
    guildhall.request('POST', '/v1/attachments/refresh-urls', {
      ...(by === '' ? {} : { token: by }),
      body: { attachment_urls: urls },
    })
  expect(await renew([foreign, url.replace(/\?.*/, '')])).toMatchObject({
    status: 200,
    body: {
      refreshed_urls: [
        { original: foreign, refreshed: foreign },
        { original: url.replace(/\?.*/, ''), refreshed: url },
      ],
    },
  })
  expect((await renew([])).status).toBe(400)
  expect((await renew(Array.from({ length: 51 }, () => url))).status).toBe(400)
  expect((await renew([url], '')).status).toBe(401)
})
