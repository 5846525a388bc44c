import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { z } from 'zod'
import { createGuild, register, type Person } from '../../../support/load-api.ts'
import { svgBomb } from '../svg-bomb.ts'
import { clientAt, type ClientAt, type Sent } from './client-at.ts'
import { asked } from './ordinary-client.ts'

/** One attacker, with an address and an account of its own. It goes on until the signal aborts. */
export type Attack = (attacker: Attacker, signal: AbortSignal) => Promise<void>

export interface Attacker {
  readonly url: string
  readonly client: ClientAt
  readonly person: Person
  readonly guild: string
}

/** Registers an attacker and founds its guild. */
export async function attackerAt(url: string, address: string, name: string): Promise<Attacker> {
  const client = clientAt(url, address)
  const person = await asked(client, register(name))
  const { id: guild } = await asked(client, createGuild(person, name))
  return { url, client, person, guild }
}

/** Sends this many requests a second, whether or not they are answered. */
async function atRate(perSecond: number, signal: AbortSignal, send: () => Promise<unknown>): Promise<void> {
  const sent: Promise<unknown>[] = []
  while (!signal.aborted) {
    sent.push(send().catch(() => undefined))
    await pause(1000 / perSecond, undefined, { signal }).catch(() => undefined)
  }
  await Promise.all(sent)
}

/** For each issue: what one client did to stop the service. */
export const attacks: Readonly<Record<string, Attack>> = {
  'bodies that are nothing but faults': ({ client, person: { token } }, signal) => {
    const numbers = Array.from({ length: 40_000 }, (_, index) => index)
    const body = { name: 'x', template: { roles: numbers, channels: numbers } }
    return atRate(5, signal, () => client.send('POST', '/v1/guilds', { token, body }))
  },

  'bodies that never come': async ({ url, client, person: { token } }, signal) => {
    const { port, hostname: host } = new URL(url)
    const head = `POST /v1/guilds HTTP/1.1\r\nHost: ${host}\r\nAuthorization: ${token}\r\nContent-Length: 100\r\n\r\n{`
    const open = Array.from({ length: 300 }, () => {
      const socket = connect({ port: Number(port), host, localAddress: client.address })
      return socket.on('error', () => undefined).on('connect', () => socket.write(head))
    })
    await ended(signal)
    for (const socket of open) socket.destroy()
  },

  'guilds as large as a template makes them, and sessions that read nothing of them': async (attacker, signal) => {
    const { url, client, person } = attacker
    await largeGuild(attacker, 500)
    const sockets: WebSocket[] = []
    await atRate(2, signal, async () => {
      const socket = new WebSocket(`${url.replace('http', 'ws')}/gateway?v=1&encoding=json`, {
        localAddress: client.address,
      })
      sockets.push(socket.on('error', () => undefined))
      socket.on('open', () => {
        socket.send(
          JSON.stringify({ op: 2, d: { token: person.token, properties: { os: '', browser: '', device: '' } } }),
        )
        socket.pause()
      })
    })
    for (const socket of sockets) socket.terminate()
  },

  'wrong passwords': ({ client, person: { token }, guild }, signal) =>
    atRate(40, signal, () => client.send('POST', `/v1/guilds/${guild}/delete`, { token, body: { password: 'wrong' } })),

  'connections that ask for nothing': async ({ url, client }, signal) => {
    const { port, hostname: host } = new URL(url)
    const open = Array.from({ length: 600 }, () =>
      connect({ port: Number(port), host, localAddress: client.address }).on('error', () => undefined),
    )
    await ended(signal)
    for (const socket of open) socket.destroy()
  },

  'the costliest reads': ({ client, person: { token }, guild }, signal) =>
    atRate(40, signal, () => client.send('GET', `/v1/guilds/${guild}/channels`, { token })),

  'the page of metrics': ({ client }, signal) => atRate(40, signal, () => client.send('GET', '/_metrics')),

  'bodies of small members that are refused': ({ client, person: { token } }, signal) => {
    const members = Array.from({ length: 80_000 }, (_, index) => [`k${index}`, index])
    const body = JSON.stringify({ ...Object.fromEntries(members), username: 1 })
    return atRate(10, signal, () => client.send('PATCH', '/v1/users/@me', { token, body, type: 'application/json' }))
  },

  'turns of all channels of a guild': async (attacker, signal) => {
    const { client, person } = attacker
    const { token } = person
    const path = `/v1/guilds/${await largeGuild(attacker, 490)}/channels`
    const ids = z
      .array(z.object({ id: z.string() }))
      .parse(JSON.parse((await client.send('GET', path, { token })).body))
    let turned = 0
    await atRate(4, signal, () => {
      turned += 7
      const body = ids.map(({ id }, index) => ({ id, position: (index + turned) % ids.length }))
      return client.send('PATCH', path, { token, body })
    })
  },

  'requests for the documents': ({ client }, signal) =>
    atRate(40, signal, () => client.send('GET', '/v1/openapi.json', { isDropped: true })),

  'requests for health, thousands of them sent ahead': async ({ url, client }, signal) => {
    const { port, hostname: host } = new URL(url)
    const ahead = `GET /_health HTTP/1.1\r\nHost: ${host}\r\n\r\n`.repeat(2000)
    const open = new Set<Socket>()
    // A connection that the server ended is replaced.
    await atRate(20, signal, async () => {
      for (const socket of open) if (socket.destroyed) open.delete(socket)
      if (open.size >= 20) return
      const socket = connect({ port: Number(port), host, localAddress: client.address })
      open.add(socket.on('error', () => undefined).on('connect', () => socket.write(ahead)))
    })
    for (const socket of open) socket.destroy()
  },

  'requests for health': ({ client }, signal) => atRate(100, signal, () => client.send('GET', '/_health')),

  'requests beyond every limit': ({ client, person: { token } }, signal) =>
    atRate(100, signal, () => client.send('GET', '/v1/users/@me', { token })),

  'forms of nothing but parts, for a page': ({ client }, signal) =>
    atRate(20, signal, () => client.send('POST', '/verify', emptyParts(64 * 1024))),

  'forms of nothing but parts, for tokens': ({ client }, signal) =>
    atRate(5, signal, () => client.send('POST', '/v1/oauth2/token', emptyParts(1024 * 1024))),

  'images that take the decoder': ({ client, person: { token } }, signal) => {
    const avatar = `data:image/svg+xml;base64,${svgBomb.toString('base64')}`
    return atRate(1, signal, () => client.send('PATCH', '/v1/users/@me', { token, body: { avatar } }))
  },
}

const withId = z.object({ id: z.string() })

/** Founds a guild with this many channels. Returns its id. */
async function largeGuild({ client, person }: Attacker, size: number): Promise<string> {
  const channels = Array.from({ length: size }, (_, index) => ({
    id: index + 1,
    name: `channel-${index}`,
    type: 0,
    position: index,
  }))
  const template = { name: 'large', roles: [], channels }
  const { body } = await client.send('POST', '/v1/guilds', { token: person.token, body: { name: 'large', template } })
  const { success, data } = withId.safeParse(JSON.parse(body))
  if (!success) throw new Error(`no id in ${body}`)
  return data.id
}

/** A multipart form of empty parts, this large. */
function emptyParts(bytes: number): Sent {
  const part = '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n'
  return { type: 'multipart/form-data; boundary=b', body: `${part.repeat(bytes / part.length)}--b--\r\n` }
}

function ended(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
