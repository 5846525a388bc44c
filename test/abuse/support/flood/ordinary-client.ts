import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import type { Client } from '../../../gateway/support/client.ts'
import { openSession } from '../../../support/cluster/witness.ts'
import { acceptInvite, register, type ApiRequest } from '../../../support/load-api.ts'
import { clientAt, type Answered, type ClientAt } from './client-at.ts'

/** A client that reads and writes in a channel, and holds a socket. */
export interface OrdinaryClient {
  /** Goes on until the signal aborts. Returns each answer. */
  live(signal: AbortSignal): Promise<readonly Answered[]>
  /** The ends of its session, and those of its writes that its session did not hear of. */
  missed(): Promise<readonly string[]>
  close(): void
}

const pace_ms = 1000
const withId = z.object({ id: z.string() })

/** Registers a person, lets it into the guild of an invite, and opens its session. */
export async function ordinaryClient(
  url: string,
  { address, name, code, channel }: { readonly [Name in 'address' | 'name' | 'code' | 'channel']: string },
): Promise<OrdinaryClient> {
  const client = clientAt(url, address)
  const person = await asked(client, register(name))
  await asked(client, acceptInvite(person, code))
  const session = await openSession(url, person, address)
  const written: string[] = []
  const { token } = person

  async function turn(): Promise<readonly Answered[]> {
    const messages = `/v1/channels/${channel}/messages`
    const sent = await client.send('POST', messages, { token, body: { content: 'Good morning' } })
    if (sent.status < 300) written.push(withId.parse(JSON.parse(sent.body)).id)
    return [
      sent,
      await client.send('GET', '/v1/users/@me', { token }),
      await client.send('GET', `${messages}?limit=50`, { token }),
    ]
  }

  return {
    async live(signal) {
      const answers: Answered[] = []
      while (!signal.aborted) {
        answers.push(...(await turn()))
        await pause(pace_ms, undefined, { signal }).catch(() => undefined)
      }
      return answers
    },
    missed: () => missedBy(session, written),
    close() {
      session.socket.terminate()
      client.close()
    },
  }
}

async function missedBy(session: Client, written: readonly string[]): Promise<readonly string[]> {
  const last = written.at(-1)
  await session.until(({ t, d }) => t === 'MESSAGE_CREATE' && d['id'] === last, `message ${last}`)
  const told = new Set(session.dispatches.filter(({ t }) => t === 'MESSAGE_CREATE').map(({ d }) => d['id']))
  return written.filter((id) => !told.has(id))
}

/** The answer of a request that must succeed. */
export async function asked<Answer>(
  client: ClientAt,
  { method, path, token, body, parse }: ApiRequest<Answer>,
): Promise<Answer> {
  const { status, body: answer } = await client.send(method, path, { ...(token !== undefined && { token }), body })
  if (status >= 300) throw new Error(`${method} ${path} was answered with ${status}: ${answer}`)
  return parse(answer === '' ? undefined : JSON.parse(answer))
}
