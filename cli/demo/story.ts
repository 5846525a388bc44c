import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { EventStore } from '../../application/ports/event-store.ts'
import type { Cast, Credentials } from './cast-file.ts'
import { gatewayClient, type GatewayClient } from './gateway-client.ts'
import { AnsweredError, httpClient, noBody, type HttpClient } from './http-client.ts'
import { recentEvents } from './recent-events.ts'
import type { Timeline } from './timeline.ts'

export interface StorySettings {
  /** The base of the server's URLs. */
  readonly server: string
  readonly timeline: Timeline
  /** The accounts of earlier runs. */
  readonly cast: Cast
  /** The history, if it can be read: on the server's own machine. */
  readonly store?: EventStore
}

const discovery = z.object({ endpoints: z.object({ gateway: z.string() }) })
const signedIn = z.object({ token: z.string(), user_id: z.string() })
const guild = z.object({ id: z.string(), channels: z.array(z.object({ id: z.string(), type: z.int() })).optional() })
const invite = z.object({ code: z.string() })
const auditLog = z.object({
  audit_log_entries: z.array(
    z.object({ action_type: z.int(), target_id: z.string().nullable(), user_id: z.string().nullable() }),
  ),
})
const textChannel = 0
const badRequest = 400

interface Person {
  readonly password: string
  readonly http: HttpClient
  readonly gateway: GatewayClient
}

/**
 * Plays the story of one guild through real HTTP and a real websocket: two people register, or sign in to the accounts of an
 * earlier run; one founds a guild and invites the other, who joins and leaves. Rejects if a step fails. Either way all
 * connections are closed in the end.
 */
export async function playStory(settings: StorySettings): Promise<void> {
  const people: Person[] = []
  try {
    await play(settings, people)
  } finally {
    for (const { gateway } of people) gateway.close()
  }
}

/** Adds each person to `people` as they arrive. */
async function play(settings: StorySettings, people: Person[]): Promise<void> {
  const { timeline, store } = settings
  const history = store && (await recentEvents(store, timeline))

  timeline.chapter('Two people register, or sign in again, and each opens a Gateway session.')
  const ada = await arrive('Ada', settings, people)
  const brian = await arrive('Brian', settings, people)
  await history?.show()

  timeline.chapter('Ada founds a guild.')
  const { channel, id } = await found(ada)
  await history?.show()

  timeline.chapter('Ada makes an invite to its general channel.')
  const { code } = await ada.http.call('POST', `/v1/channels/${channel}/invites`, invite, {
    max_uses: 10,
    max_age: 86_400,
  })
  await ada.gateway.waitFor('INVITE_CREATE')
  await ada.gateway.waitFor('GUILD_AUDIT_LOG_ENTRY_CREATE')
  await history?.show()

  timeline.chapter('Brian looks at the invite and accepts it.')
  await brian.http.call('GET', `/v1/invites/${code}`, invite)
  await brian.http.call('POST', `/v1/invites/${code}`, invite, {})
  await Promise.all([ada.gateway.waitFor('GUILD_MEMBER_ADD'), brian.gateway.waitFor('GUILD_CREATE')])
  await history?.show()

  timeline.chapter("The guild's audit log, as Ada reads it.")
  const { audit_log_entries: entries } = await ada.http.call('GET', `/v1/guilds/${id}/audit-logs`, auditLog)
  for (const entry of entries)
    timeline.add(
      'audit',
      'guild',
      `action_type=${entry.action_type} target_id=${String(entry.target_id)} user_id=${String(entry.user_id)}`,
    )

  timeline.chapter('Brian leaves, and Ada deletes the guild.')
  await brian.http.call('DELETE', `/v1/users/@me/guilds/${id}`, noBody)
  await Promise.all([ada.gateway.waitFor('GUILD_MEMBER_REMOVE'), brian.gateway.waitFor('GUILD_DELETE')])
  await ada.http.call('POST', `/v1/guilds/${id}/delete`, noBody, { password: ada.password })
  await ada.gateway.waitFor('GUILD_DELETE')
  await history?.show()

  timeline.chapter('That is the whole way: request, event, read model, dispatch, audit entry.')
}

async function arrive(name: string, settings: StorySettings, people: Person[]): Promise<Person> {
  const { server, timeline } = settings
  const http = httpClient(server, name, timeline)
  const { endpoints } = await http.call('GET', '/.well-known/guildhall', discovery)
  const { token, password } = (await signIn(name, http, settings)) ?? (await register(name, http, settings))
  http.signIn(token)
  const person = { password, http, gateway: await gatewayClient(endpoints.gateway, token, name, timeline) }
  people.push(person)
  return person
}

interface SignedIn {
  readonly token: string
  readonly password: string
}

/** Undefined if no earlier run has registered this person, or if the account is gone since. */
async function signIn(name: string, http: HttpClient, { cast }: StorySettings): Promise<SignedIn | undefined> {
  const credentials = await cast.credentialsOf(name)
  if (!credentials) return undefined
  try {
    const { token } = await http.call('POST', '/v1/auth/login', signedIn, credentials)
    return { token, password: credentials.password }
  } catch (error) {
    if (error instanceof AnsweredError && error.status === badRequest) return undefined
    throw error
  }
}

async function register(name: string, http: HttpClient, { cast }: StorySettings): Promise<SignedIn> {
  const unique = randomBytes(6).toString('hex')
  const credentials: Credentials = {
    email: `${name.toLowerCase()}.${unique}@example.com`,
    password: randomBytes(16).toString('base64url'),
  }
  const about = { username: name, date_of_birth: '1990-12-10', consent: true }
  const { token } = await http.call('POST', '/v1/auth/register', signedIn, { ...credentials, ...about })
  await cast.keep(name, credentials)
  return { token, password: credentials.password }
}

async function found({ http, gateway }: Person): Promise<{ readonly id: string; readonly channel: string }> {
  const { id } = await http.call('POST', '/v1/guilds', guild, { name: 'The Analytical Engine' })
  await gateway.waitFor('GUILD_CREATE')
  const { channels } = await http.call('GET', `/v1/guilds/${id}`, guild)
  const channel = channels?.find(({ type }) => type === textChannel)
  if (!channel) throw new Error(`Guild ${id} has no text channel`)
  return { id, channel: channel.id }
}
