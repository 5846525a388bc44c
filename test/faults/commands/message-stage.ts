import { z } from 'zod'
import { Client } from '../../gateway/support/client.ts'
import { identifyOf } from '../../gateway/support/facts.ts'
import { call, createGuild, getGuild, register, type ApiRequest, type Person } from '../../support/load-api.ts'

const withId = z.object({ id: z.string() })

/** A person with a session, and a channel where only they write. */
export interface Author extends Person {
  readonly channel: string
}

export async function newAuthor(apiUrl: string, gatewayUrl: string, username: string): Promise<Author> {
  const author = await call(apiUrl, register(username))
  await startSession(gatewayUrl, author)
  const { id } = await call(apiUrl, createGuild(author, 'Here'))
  return { ...author, channel: (await call(apiUrl, getGuild(author, id))).textChannel }
}

/** Starts a Gateway session: an account cannot send messages before its first one. */
export async function startSession(url: string, { token }: Person): Promise<void> {
  const client = new Client(`${url.replace('http', 'ws')}/gateway?v=1`)
  await client.op(10)
  client.send(2, identifyOf({ token }))
  await client.dispatch('READY')
  client.socket.terminate()
}

export function sendMessage({ token }: Person, channel: string, content: string): ApiRequest<{ readonly id: string }> {
  return {
    method: 'POST',
    path: `/v1/channels/${channel}/messages`,
    token,
    body: { content },
    parse: (answer) => withId.parse(answer),
  }
}

export function deleteMessage({ token }: Person, channel: string, id: string): ApiRequest<void> {
  return { method: 'DELETE', path: `/v1/channels/${channel}/messages/${id}`, token, parse: () => undefined }
}

/** The ids of a channel's messages, newest first. */
export function listMessages({ token }: Person, channel: string): ApiRequest<readonly string[]> {
  return {
    method: 'GET',
    path: `/v1/channels/${channel}/messages?limit=100`,
    token,
    parse: (answer) =>
      z
        .array(withId)
        .parse(answer)
        .map(({ id }) => id),
  }
}
