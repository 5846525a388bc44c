import { describe, expect, it } from 'vitest'
import type { Operation } from '../../adapters/http/operation.ts'
import { allOperations } from '../../adapters/http/operations/all-operations.ts'
import { bodyOf, invite } from '../operations/support/answers.ts'
import { asBot, newApplication } from '../operations/support/applications.ts'
import { openScene } from '../operations/support/scene.ts'
import { bodiesBeyondSchemas, sampleBody } from './support/sample-body.ts'

/** An account that was never in a guild, and one that has left it, on every route of the guild, its channels and its threads. */

interface Stranger {
  readonly token: string
  readonly password: string
}

const knowingThreads = { 'x-service-features': 'channel_threads' }

const scene = await openScene({})
const { guildhall, ada, brian, carol, home } = scene
const make = async (path: string, body: object): Promise<string> =>
  String(bodyOf(await guildhall.request('POST', path, { token: ada.token, headers: knowingThreads, body }))['id'])
const role = await make(`/v1/guilds/${home.id}/roles`, { name: 'Crew' })
const thread = await make(`/v1/channels/${home.channel}/threads`, { name: 'Talk', type: 11 })
const code = await invite(guildhall, ada, home.channel)
const ids: Readonly<Record<string, string>> = {
  guild_id: home.id,
  channel_id: home.channel,
  user_id: ada.id,
  role_id: role,
  invite_code: code,
}
await guildhall.request('DELETE', `/v1/users/@me/guilds/${home.id}`, { token: brian.token })
const strangers: readonly Stranger[] = [carol, brian]
const robot: Stranger = { token: asBot(await newApplication(guildhall, carol)), password: '' }

const bodies = await bodiesBeyondSchemas()

/** What an account writes for itself, whether or not it is in the guild: what it has read is looked up nowhere. */
const ofNoGuild = ['Modify user guild settings', 'Acknowledge message', 'Clear read state', 'Acknowledge pins']
const ofGuilds = allOperations.filter(
  ({ callers, name, path }) =>
    (callers.kind === 'account' || callers.kind === 'bot') &&
    /:guild_id|:channel_id/.test(path) &&
    !ofNoGuild.includes(name),
)
const ofChannels = ofGuilds.filter(({ path }) => path.includes(':channel_id'))

/** The answers of single operations instead of 403 MISSING_PERMISSIONS. */
const otherwise: Readonly<Record<string, string>> = {
  'Leave guild': '404 UNKNOWN_MEMBER',
  // A guild channel is no group.
  'Add group recipient': '404 UNKNOWN_CHANNEL',
  'Remove group recipient': '404 UNKNOWN_CHANNEL',
  // An expression is looked for before its guild.
  'Clone guild emoji': '404 UNKNOWN_EMOJI',
  'Modify guild emoji': '404 UNKNOWN_EMOJI',
  'Clone guild sticker': '404 UNKNOWN_STICKER',
  'Modify guild sticker': '404 UNKNOWN_STICKER',
  // An upload is looked for among the account's own.
  'Complete attachment uploads': '400 INVALID_FORM_BODY',
  // The guild is in no directory.
  'Join discovery guild': '400 DISCOVERY_NOT_DISCOVERABLE',
}

async function answerTo(operation: Operation, { token, password }: Stranger, channel: string): Promise<string> {
  const { name, method, path, sudo } = operation
  const named: Readonly<Record<string, string>> = { ...ids, channel_id: channel }
  const route = path.replace(/:([a-z_]+)/g, (_, parameter: string) => named[parameter] ?? scene.ada.id)
  const own = bodies[name] ?? sampleBody(operation, scene.ada.id)
  const body = 'none' in sudo ? own : { ...Object(own), password }
  const sent = { token, headers: knowingThreads, ...(body === undefined ? {} : { body }) }
  const answer = await scene.guildhall.request(method, route, sent)
  const { code } = Object(answer.body) as { readonly code?: unknown }
  return `${answer.status} ${String(code)}`
}

/** What strangers are answered in a place. Nothing may be written for them. */
async function answersIn(operation: Operation, channel: string): Promise<readonly string[]> {
  const { events } = scene.guildhall.store
  const before = await events.end()
  const answers: string[] = []
  for (const stranger of operation.callers.kind === 'bot' ? [robot] : strangers) {
    answers.push(await answerTo(operation, stranger, channel))
  }
  expect(await events.end()).toBe(before)
  return [...new Set(answers)]
}

describe('a stranger, or one who has left, on the routes of a guild', () => {
  it('has routes to be tried on', () => {
    expect(ofGuilds.length).toBeGreaterThan(30)
  })

  it.each(ofGuilds)('is refused, and nothing is written: $name', async (operation) => {
    const place = operation.path.includes('/thread-members') ? thread : scene.home.channel
    expect(await answersIn(operation, place)).toStrictEqual([otherwise[operation.name] ?? '403 MISSING_PERMISSIONS'])
  })

  it.each(ofChannels)('is refused on a thread too: $name', async (operation) => {
    const [answer, ...others] = await answersIn(operation, thread)
    expect(others).toStrictEqual([])
    expect(['403 MISSING_PERMISSIONS', '404 UNKNOWN_CHANNEL', otherwise[operation.name]]).toContain(answer)
  })
})
