import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { expectFields, expectRefusal } from '../operations/support/answers.ts'
import { stillImage } from '../operations/support/pictures.ts'
import { field } from '../../domain/kernel/refusal.ts'
import { openScene } from '../operations/support/scene.ts'
import type { TestAnswer } from '../support/test-guildhall.ts'

/** Bodies far larger than any image, sent to the guild operations that accept one. */

const scene = await openScene({})

const MiB = 1024 * 1024
const image_MiB = 16
/** The longest text of an icon, in characters. */
const icon_characters_max = 139_810_136

const routes = (): readonly (readonly [string, string])[] => [
  ['POST', '/v1/guilds'],
  ['PATCH', `/v1/guilds/${scene.home.id}`],
]

/** Announces a body of this length, and sends none of it. Returns the status line. */
async function announced(method: string, path: string, length: number): Promise<string> {
  const { hostname, port } = new URL(scene.guildhall.url)
  const socket: Socket = connect(Number(port), hostname)
  try {
    return await new Promise((resolve, reject) => {
      socket.on('error', reject)
      socket.on('data', (data) => resolve(data.toString()))
      socket.write(
        `${method} ${path} HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: ${scene.ada.token}\r\n` +
          `content-type: application/json\r\ncontent-length: ${length}\r\n\r\n{`,
      )
    })
  } finally {
    socket.destroy()
  }
}

/** Sends the head of a request and the first byte of its body. */
async function begun(method: string, path: string, length: number): Promise<Socket> {
  const { hostname, port } = new URL(scene.guildhall.url)
  const socket: Socket = connect(Number(port), hostname)
  const head = `${method} ${path} HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: ${scene.ada.token}\r\n`
  await new Promise((resolve) => socket.write(`${head}content-length: ${length}\r\n\r\n{`, resolve))
  return socket
}

/** The number of requests that the server reports as open. */
async function inFlight(): Promise<number> {
  const { body } = await scene.guildhall.request('GET', '/_metrics')
  return Number(/^guildhall_http_requests_open (\d+)/m.exec(String(body))?.[1])
}

/**
 * Streams `{"icon":"AAAA…` without a length, until it is complete or the server answers; also returns how much the server read.
 */
async function streamed(method: string, path: string, bytes: number) {
  const chunk = Buffer.alloc(256 * 1024, 'A')
  let sent_bytes = 0
  const answer = await new Promise<TestAnswer>((resolve, reject) => {
    const headers = { authorization: scene.ada.token, 'content-type': 'application/json' }
    let answered = false
    const outgoing = request(`${scene.guildhall.url}${path}`, { method, headers }, (incoming) => {
      answered = true
      const parts: Buffer[] = []
      incoming.on('data', (part: Buffer) => parts.push(part))
      incoming.on('end', () => {
        const body: unknown = JSON.parse(Buffer.concat(parts).toString())
        resolve({ status: incoming.statusCode ?? 0, headers: new Headers(), body })
        outgoing.destroy()
      })
    })
    outgoing.on('error', (error) => (answered ? undefined : reject(error)))
    outgoing.write('{"name":"x","icon":"')
    const more = (): void => {
      if (outgoing.destroyed || answered) return
      if (sent_bytes >= bytes) return void outgoing.end('"}')
      sent_bytes += chunk.length
      outgoing.write(chunk, () => setImmediate(more))
    }
    more()
  })
  return { answer, sent_bytes }
}

describe('a body far larger than any image', () => {
  it('is refused by its Content-Length, before any of it arrives', async () => {
    for (const [method, path] of routes()) {
      const answer = await announced(method, path, icon_characters_max)
      expect(answer).toMatch(/^HTTP\/1\.1 400 /)
      expect(answer).toContain('BASE64_LENGTH_INVALID')
    }
  })

  it('is refused while it arrives, once it is larger than any image', async () => {
    for (const [method, path] of routes()) {
      const { answer, sent_bytes } = await streamed(method, path, 100 * MiB)
      expectFields(answer, field('body', 'BASE64_LENGTH_INVALID'))
      expect(sent_bytes).toBeLessThan(2 * image_MiB * MiB)
    }
  })

  it('does not keep others from sending theirs', async () => {
    const { guildhall, ada, carol, home } = scene
    const long = Promise.all(Array.from({ length: 4 }, () => streamed('PATCH', `/v1/guilds/${home.id}`, 100 * MiB)))
    const body = { name: 'x', icon: await stillImage() }
    expect((await guildhall.request('POST', '/v1/guilds', { token: carol.token, body })).status).toBe(200)
    await long
    const name = 'x'.repeat(2 * MiB)
    expectFields(
      await guildhall.request('PATCH', `/v1/guilds/${home.id}`, { token: ada.token, body: { name } }),
      field('name', 'STRING_LENGTH_INVALID'),
    )
  })

  it('is read one at a time for one account, beside those of others', async () => {
    const { guildhall, ada, brian, home } = scene
    const before = await inFlight()
    const slow = await begun('PATCH', `/v1/guilds/${home.id}`, 1000)
    await expect.poll(inFlight).toBe(before + 1)
    let isAnswered = false
    const next = guildhall.request('PATCH', `/v1/guilds/${home.id}`, { token: ada.token, body: {} })
    const noted = next.then(() => (isAnswered = true))
    for (let round = 0; round < 5; round += 1) {
      const other = await guildhall.request('PATCH', `/v1/guilds/${home.id}`, { token: brian.token, body: {} })
      expectRefusal(other, 403, 'MISSING_PERMISSIONS')
    }
    expect(isAnswered).toBe(false)
    slow.destroy()
    await noted
    expect((await next).status).toBe(200)
  })

  it('is refused to callers without a credential before its length matters', async () => {
    const answer = await scene.guildhall.request('POST', '/v1/guilds', { body: { name: 'x'.repeat(2 * MiB) } })
    expectRefusal(answer, 401, 'UNAUTHORIZED')
  })
})
