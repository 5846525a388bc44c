import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { administrator } from '../../../support/administrators.ts'
import { bodyOf, expectRefusal, listOf } from '../../support/answers.ts'
import { placeOf, type Place } from '../../support/members.ts'
import { movingImage, stillImage } from '../../support/pictures.ts'
import { openServer } from '../../support/scene.ts'
import type { Hook } from '../../support/webhooks.ts'

const guildhall = await openServer({ linkPreviews: ['127.0.0.0/8'] })
const ada = await guildhall.register()
const red = Buffer.from(await stillImage(), 'base64')
const moving = Buffer.from(await movingImage(), 'base64')
const listed = Buffer.from(await stillImage('lime'), 'base64')

let base = ''
const asked: string[] = []
const late: ServerResponse[] = []
const server = createServer(({ url = '' }, answer) => {
  asked.push(url)
  if (url.startsWith('/red')) answer.setHeader('content-type', 'image/png').end(red)
  else if (url === '/moving') answer.setHeader('content-type', 'image/gif').end(moving)
  else if (url === '/listed') answer.setHeader('content-type', 'image/png').end(listed)
  else if (url === '/text') answer.setHeader('content-type', 'image/png').end('no picture')
  else if (url === '/late') late.push(answer)
  else answer.writeHead(404).end()
})
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

/** Ada's guild with a webhook that has an image; every test has its own. */
let home: Place
let hook: Hook
let own: string
beforeEach(async () => {
  home = await placeOf(guildhall, ada)
  const body = { name: 'Build', avatar: await stillImage('navy') }
  const path = `/v1/channels/${home.channel}/webhooks`
  const made = bodyOf(await guildhall.request('POST', path, { token: ada.token, body }))
  hook = { id: String(made['id']), token: String(made['token']) }
  own = String(made['avatar'])
  asked.length = 0
})

const post = (body: object, end = '?wait=1') =>
  guildhall.request('POST', `/v1/webhooks/${hook.id}/${hook.token}${end}`, { body })
const avatarOf = (message: Readonly<Record<string, unknown>> | undefined) =>
  (message?.['author'] as { readonly avatar: unknown } | undefined)?.avatar
const shown = async (path: string) => avatarOf(bodyOf(await post({ content: 'hello', avatar_url: `${base}${path}` })))
const statusOf = async (hash: unknown) =>
  (await fetch(`${guildhall.url}/media/avatars/${hook.id}/${String(hash)}`)).status

it('a message of a webhook is shown with the picture at an address, kept as avatars are', async () => {
  const hash = await shown('/red')
  expect(hash).toMatch(/^[0-9a-f]{32}$/)
  expect(hash).not.toBe(own)
  expect(await statusOf(hash)).toBe(200)
  const animated = await shown('/moving')
  expect(animated).toMatch(/^a_[0-9a-f]{32}$/)
  expect([await statusOf(animated), await statusOf(String(animated).slice(2))]).toStrictEqual([200, 200])
  expect(avatarOf(bodyOf(await post({ content: 'again' })))).toBe(own)
})

it('an address is asked once for many messages, and once for those of the same moment', async () => {
  const hashes = await Promise.all(Array.from({ length: 5 }, () => shown('/red?1')))
  expect(new Set([...hashes, await shown('/red?1')]).size).toBe(1)
  expect(asked).toStrictEqual(['/red?1'])
  await Promise.all([shown('/absent'), shown('/absent')])
  expect(await shown('/absent')).toBe(own)
  expect(asked).toStrictEqual(['/red?1', '/absent'])
})

it.each(['/absent', '/text'])('a message is sent with the own image where there is no picture at %s', async (path) => {
  expect(await shown(path)).toBe(own)
})

it('nobody inside the network is asked, and no listed picture is shown', async () => {
  expect(avatarOf(bodyOf(await post({ content: 'x', avatar_url: 'http://169.254.169.254/' })))).toBe(own)
  const admin = await administrator(guildhall, '*')
  const body = { sha256_hex: createHash('sha256').update(listed).digest('hex') }
  const path = '/v1/admin/blocklists/file-sha/entries'
  expect((await guildhall.request('POST', path, { token: admin.token, body })).status).toBe(204)
  expect(await shown('/listed')).toBe(own)
})

it('a message does not wait for a picture that is late, and the next one has it', async () => {
  expect(await shown('/late')).toBe(own)
  expect(late).toHaveLength(1)
  late[0]?.setHeader('content-type', 'image/png').end(red)
  await expect.poll(() => shown('/late')).not.toBe(own)
  expect(asked).toStrictEqual(['/late'])
})

it('nothing is fetched for a message that is refused, or at what is no address', async () => {
  expectRefusal(await post({ avatar_url: `${base}/red?2` }), 400, 'CANNOT_SEND_EMPTY_MESSAGE')
  for (const avatar_url of ['ftp://example.com/a.png', 'no address', `${base}/${'x'.repeat(2048)}`])
    expect((await post({ content: 'x', avatar_url })).status).toBe(400)
  expect(asked).toStrictEqual([])
})

it('a message in the form of Slack is shown with the picture of its icon_url', async () => {
  expect((await post({ text: 'hello', icon_url: `${base}/red?3` }, '/slack')).status).toBe(200)
  expect((await post({ text: 'again', icon_url: 'no address' }, '/slack')).status).toBe(200)
  const path = `/v1/channels/${home.channel}/messages`
  const [again, hello] = listOf(await guildhall.request('GET', path, { token: ada.token }))
  expect(avatarOf(again)).toBe(own)
  expect(avatarOf(hello)).toMatch(/^[0-9a-f]{32}$/)
  expect(avatarOf(hello)).not.toBe(own)
})
