import { z } from 'zod'
import { patience_ms } from './pace.ts'

/** The requests of a load, and how their answers are parsed. Shared by the fault tests and the bench. */
export interface ApiRequest<Answer = unknown> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly token?: string
  readonly body?: Readonly<Record<string, unknown>>
  /** Parses the body of a successful answer. */
  readonly parse: (body: unknown) => Answer
}

export interface Person {
  readonly id: string
  readonly token: string
}

export interface FoundedGuild {
  readonly id: string
  readonly textChannel: string
}

export interface InviteWishes {
  readonly max_uses: number
  readonly max_age: number
}

const registered = z.object({ token: z.string(), user_id: z.string() })
const withId = z.object({ id: z.string() })
const withChannels = z.object({ id: z.string(), channels: z.array(z.object({ id: z.string(), type: z.int() })) })
const withCode = z.object({ code: z.string() })
const textChannelType = 0
export const password = 'correct horse battery staple'

export function register(username: string): ApiRequest<Person> {
  const body = {
    email: `${username}@example.com`,
    username,
    password,
    date_of_birth: '1990-12-10',
    consent: true,
  }
  return {
    method: 'POST',
    path: '/v1/auth/register',
    body,
    parse: (answer) => {
      const { user_id: id, token } = registered.parse(answer)
      return { id, token }
    },
  }
}

export function currentUser({ token }: Person): ApiRequest<{ readonly id: string }> {
  return { method: 'GET', path: '/v1/users/@me', token, parse: (answer) => withId.parse(answer) }
}

export function createGuild({ token }: Person, name: string): ApiRequest<{ readonly id: string }> {
  return { method: 'POST', path: '/v1/guilds', token, body: { name }, parse: (answer) => withId.parse(answer) }
}

export function getGuild({ token }: Person, id: string): ApiRequest<FoundedGuild> {
  return {
    method: 'GET',
    path: `/v1/guilds/${id}`,
    token,
    parse: (answer) => {
      const { channels } = withChannels.parse(answer)
      const text = channels.find(({ type }) => type === textChannelType)
      if (!text) throw new Error(`Guild ${id} has no text channel`)
      return { id, textChannel: text.id }
    },
  }
}

/** Always a new invite, never an equivalent one. */
export function createInvite(
  { token }: Person,
  channel: string,
  wishes: InviteWishes,
): ApiRequest<{ readonly code: string }> {
  const body = { ...wishes, temporary: false, unique: true }
  return {
    method: 'POST',
    path: `/v1/channels/${channel}/invites`,
    token,
    body,
    parse: (answer) => withCode.parse(answer),
  }
}

export function acceptInvite({ token }: Person, code: string): ApiRequest<{ readonly code: string }> {
  return { method: 'POST', path: `/v1/invites/${code}`, token, body: {}, parse: (answer) => withCode.parse(answer) }
}

export function leaveGuild({ token }: Person, guild: string): ApiRequest<void> {
  return { method: 'DELETE', path: `/v1/users/@me/guilds/${guild}`, token, parse: () => undefined }
}

const listing = { description: 'A place for chess', category_type: 0 }

/** Applies to the guild directory; a guild with VERIFIED is listed at once. */
export function applyForDiscovery({ token }: Person, guild: string): ApiRequest<void> {
  return { method: 'POST', path: `/v1/guilds/${guild}/discovery`, token, body: listing, parse: () => undefined }
}

export function withdrawDiscovery({ token }: Person, guild: string): ApiRequest<void> {
  return { method: 'DELETE', path: `/v1/guilds/${guild}/discovery`, token, parse: () => undefined }
}

/** An answer, whatever its status. */
export interface ApiAnswer {
  readonly status: number
  readonly body: unknown
}

/** Sends a request. Rejects only if no complete answer arrived. */
export async function send(url: string, request: ApiRequest, idempotencyKey?: string): Promise<ApiAnswer> {
  const { method, path, token, body } = request
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: token }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(patience_ms),
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
}

/** Sends a request that has to succeed, and parses its answer. */
export async function call<Answer>(url: string, request: ApiRequest<Answer>): Promise<Answer> {
  const { status, body } = await send(url, request)
  if (status < 200 || status > 299)
    throw new Error(`${request.method} ${request.path}: ${status} ${JSON.stringify(body)}`)
  return request.parse(body)
}
