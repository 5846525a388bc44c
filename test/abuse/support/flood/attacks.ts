import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { createGuild, register, type Person } from '../../../support/load-api.js'
import { svgBomb } from '../svg-bomb.js'
import { clientAt, type ClientAt } from './client-at.js'
import { asked } from './ordinary-client.js'

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
    const channels = Array.from({ length: 500 }, (_, index) => ({
      id: String(index + 1),
      name: `channel-${index}`,
      type: 0,
    }))
    await client.send('POST', '/v1/guilds', { token: person.token, body: { name: 'large', template: { channels } } })
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

  'images that take the decoder': ({ client, person: { token } }, signal) => {
    const avatar = `data:image/svg+xml;base64,${svgBomb.toString('base64')}`
    return atRate(1, signal, () => client.send('PATCH', '/v1/users/@me', { token, body: { avatar } }))
  },
}

function ended(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
