import { describe, expect, it } from 'vitest'
import type { Operation } from '../../../../adapters/http/operation.ts'
import { allOperations } from '../../../../adapters/http/operations/all-operations.ts'
import { bodiesBeyondSchemas, sampleBody } from '../../../abuse/support/sample-body.ts'
import { bodyOf, invite } from '../../support/answers.ts'
import { setFeatures } from '../../support/guilds.ts'
import { openScene } from '../../support/scene.ts'
import { threadsHeader } from '../../support/threads.ts'

/**
 * While a guild is unavailable to everyone, its owner included, its routes and those of its channels answer with 403
 * MISSING_ACCESS; members can still leave, or delete their own messages (rules/guilds#unavailable).
 */

// A separate server: nothing else writes events there, so the test notices a refusal that writes one.
const { guildhall, ada, brian, carol, home } = await openScene({})
const make = async (path: string, body: object): Promise<string> =>
  String(bodyOf(await guildhall.request('POST', path, { token: ada.token, headers: threadsHeader, body }))['id'])
const role = await make(`/v1/guilds/${home.id}/roles`, { name: 'Crew' })
const thread = await make(`/v1/channels/${home.channel}/threads`, { name: 'Talk', type: 11 })
const code = await invite(guildhall, ada, home.channel)
const ids = { guild_id: home.id, channel_id: home.channel, user_id: brian.id, role_id: role, invite_code: code }
await setFeatures(guildhall, home.id, 'UNAVAILABLE_FOR_EVERYONE')

/** Operations that still work, and those that an account writes for itself. */
const elsewhere: readonly string[] = [
  'Leave guild',
  "Bulk delete current user's guild messages",
  'Modify user guild settings',
  // It asks the directory first, and the guild is not listed.
  'Join discovery guild',
  // What an account has read is looked up nowhere.
  'Acknowledge message',
  'Acknowledge pins',
  'Clear read state',
  // These look for an upload of the account, or for an expression, before the guild.
  'Complete attachment uploads',
  'Clone guild emoji',
  'Clone guild sticker',
  'Modify guild emoji',
  'Modify guild sticker',
]
/** A guild channel is not a group. */
const ofGroups: readonly string[] = ['Add group recipient', 'Remove group recipient']
const ofGuilds = allOperations.filter(
  ({ callers, name, path }) =>
    callers.kind === 'account' &&
    /:guild_id|:channel_id/.test(path) &&
    !elsewhere.includes(name) &&
    !ofGroups.includes(name),
)

const bodies = await bodiesBeyondSchemas()

async function ownersAnswer(operation: Operation, channel: string): Promise<string> {
  const { name, method, path, sudo } = operation
  const named: Readonly<Record<string, string>> = { ...ids, channel_id: channel }
  const route = path.replace(/:([a-z_]+)/g, (_, parameter: string) => named[parameter] ?? ada.id)
  const own = bodies[name] ?? sampleBody(operation, ada.id)
  const body = 'none' in sudo ? own : { ...Object(own), password: ada.password }
  const sent = { token: ada.token, headers: threadsHeader, ...(body === undefined ? {} : { body }) }
  const answer = await guildhall.request(method, route, sent)
  const { code: refusal } = Object(answer.body) as { readonly code?: unknown }
  return `${answer.status} ${String(refusal)}`
}

describe('an unavailable guild', () => {
  it('has routes to be tried on', () => {
    expect(ofGuilds.length).toBeGreaterThan(30)
  })

  it.each(ofGuilds)('is closed to everybody, including the owner: $name', async (operation) => {
    const channel = operation.path.includes('/thread-members') ? thread : home.channel
    const { events } = guildhall.store
    const before = await events.end()
    expect(await ownersAnswer(operation, channel)).toBe('403 MISSING_ACCESS')
    expect(await events.end()).toBe(before)
  })

  it('admits nobody', async () => {
    const answer = await guildhall.request('POST', `/v1/invites/${ids.invite_code}`, { token: carol.token })
    expect(answer).toMatchObject({ status: 403, body: { code: 'MISSING_ACCESS' } })
  })
})
