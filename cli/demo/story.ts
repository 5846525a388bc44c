import { randomBytes } from 'node:crypto'
import { ApiError, dataOf, type Api } from '../../client/api.ts'
import type { EventStore } from '../../application/ports/event-store.ts'
import type { Cast, Credentials } from './cast-file.ts'
import { recentEvents } from './recent-events.ts'
import { openSession, type Session } from './session.ts'
import type { Timeline } from './timeline.ts'
import { toldApi } from './told-api.ts'

export interface StorySettings {
  /** The base of the server's URLs. */
  readonly server: string
  readonly timeline: Timeline
  /** The accounts of earlier runs. */
  readonly cast: Cast
  /** The history, if it can be read: on the server's own machine. */
  readonly store?: EventStore
}

const textChannel = 0
const badRequest = 400

interface Person {
  readonly password: string
  readonly api: Api
  readonly gateway: Session
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
  const params = { path: { channel_id: channel } }
  const terms = { max_uses: 10, max_age: 86_400 }
  const { code } = await dataOf(ada.api.POST('/v1/channels/{channel_id}/invites', { params, body: terms }))
  await ada.gateway.waitFor('INVITE_CREATE')
  await ada.gateway.waitFor('GUILD_AUDIT_LOG_ENTRY_CREATE')
  await history?.show()

  timeline.chapter('Brian looks at the invite and accepts it.')
  const invited = { params: { path: { invite_code: code } } }
  await dataOf(brian.api.GET('/v1/invites/{invite_code}', invited))
  await dataOf(brian.api.POST('/v1/invites/{invite_code}', invited))
  await Promise.all([ada.gateway.waitFor('GUILD_MEMBER_ADD'), brian.gateway.waitFor('GUILD_CREATE')])
  await history?.show()

  timeline.chapter("The guild's audit log, as Ada reads it.")
  const there = { params: { path: { guild_id: id } } }
  const { audit_log_entries: entries } = await dataOf(ada.api.GET('/v1/guilds/{guild_id}/audit-logs', there))
  for (const entry of entries)
    timeline.add(
      'audit',
      'guild',
      `action_type=${entry.action_type} target_id=${String(entry.target_id)} user_id=${String(entry.user_id)}`,
    )

  timeline.chapter('Brian leaves, and Ada deletes the guild.')
  await dataOf(brian.api.DELETE('/v1/users/@me/guilds/{guild_id}', there))
  await Promise.all([ada.gateway.waitFor('GUILD_MEMBER_REMOVE'), brian.gateway.waitFor('GUILD_DELETE')])
  await dataOf(ada.api.POST('/v1/guilds/{guild_id}/delete', { ...there, body: { password: ada.password } }))
  await ada.gateway.waitFor('GUILD_DELETE')
  await history?.show()

  timeline.chapter('That is the whole way: request, event, read model, dispatch, audit entry.')
}

async function arrive(name: string, settings: StorySettings, people: Person[]): Promise<Person> {
  const { server, timeline } = settings
  const stranger = toldApi(server, name, timeline)
  const { token, password } = (await signIn(name, stranger, settings)) ?? (await register(name, stranger, settings))
  const api = toldApi(server, name, timeline, token)
  const person = { password, api, gateway: await openSession(server, token, name, timeline) }
  people.push(person)
  return person
}

interface SignedIn {
  readonly token: string
  readonly password: string
}

/** Undefined if no earlier run has registered this person, or if the account is gone since. */
async function signIn(name: string, api: Api, { cast }: StorySettings): Promise<SignedIn | undefined> {
  const credentials = await cast.credentialsOf(name)
  if (!credentials) return undefined
  try {
    const answer = await dataOf(api.POST('/v1/auth/login', { body: credentials }))
    return { token: tokenIn(answer), password: credentials.password }
  } catch (error) {
    if (error instanceof ApiError && error.status === badRequest) return undefined
    throw error
  }
}

async function register(name: string, api: Api, { cast }: StorySettings): Promise<SignedIn> {
  const unique = randomBytes(6).toString('hex')
  const credentials: Credentials = {
    email: `${name.toLowerCase()}.${unique}@example.com`,
    password: randomBytes(16).toString('base64url'),
  }
  const about = { username: name, date_of_birth: '1990-12-10', consent: true }
  try {
    const answer = await dataOf(api.POST('/v1/auth/register', { body: { ...credentials, ...about } }))
    await cast.keep(name, credentials)
    return { token: tokenIn(answer), password: credentials.password }
  } catch (error) {
    if (error instanceof ApiError && error.retryAfter_seconds !== undefined)
      throw new Error(`${error.message} ${waitHint(error.retryAfter_seconds)}`, { cause: error })
    throw error
  }
}

/** Registering is limited to 3 accounts an hour for each address, and a first run of the story needs two. */
function waitHint(seconds: number): string {
  return `Try again in ${Math.ceil(seconds / 60)} minutes, or start the server with RATE_LIMITS=off.`
}

/** What signing in answers besides a token asks for more than a password. */
function tokenIn(answer: { readonly token?: string } | object): string {
  if ('token' in answer && answer.token !== undefined) return answer.token
  throw new Error('The instance asks for more than a password')
}

async function found({ api, gateway }: Person): Promise<{ readonly id: string; readonly channel: string }> {
  const { id } = await dataOf(api.POST('/v1/guilds', { body: { name: 'The Analytical Engine' } }))
  await gateway.waitFor('GUILD_CREATE')
  const { channels } = await dataOf(api.GET('/v1/guilds/{guild_id}', { params: { path: { guild_id: id } } }))
  const channel = channels?.find(({ type }) => type === textChannel)
  if (!channel) throw new Error(`Guild ${id} has no text channel`)
  return { id, channel: channel.id }
}
