import { describe, expect, it } from 'vitest'
import { bodyOf, invite } from '../../support/answers.ts'
import { addBot, asBot, newApplication } from '../../support/applications.ts'
import { placeOf } from '../../support/members.ts'
import { asBearer, newClient, tokensFor } from '../../support/oauth2.ts'
import { setFlags, unclaimed } from '../../support/relationships.ts'
import { openScene } from '../../support/scene.ts'

/** Every kind of credential on 15 operations of guilds and invites (rules/http-and-limits#credentials). */

type Caller = (typeof callers)[number]
const callers = [
  'nobody',
  'an unknown token',
  'a bot token by a scheme in lower case',
  'an Admin key',
  'who disabled the account',
  'a bearer with the scope',
  'a bearer without',
  'a bot',
  'a member',
  'a member as Bearer',
  'a limited member',
  'an unclaimed stranger',
  'an unverified stranger',
] as const

const { guildhall, ada } = await openScene()
const place = await placeOf(guildhall, ada)
const [member, limited, gone] = [await place.member(), await place.member(), await place.member()]
await setFlags(guildhall, limited, 'ACCOUNT_LIMITED')
await guildhall.request('POST', '/v1/users/@me/disable', { token: gone.token, body: { password: gone.password } })
const [client, robot] = [await newClient(guildhall, ada), await newApplication(guildhall, ada)]
await addBot(guildhall, robot, place)
const tokenWith = async (scope: string) => asBearer(await tokensFor(guildhall, member, client, scope))
const signUp = { body: { password: 'a password', consent: true } }
const unverified = bodyOf(await guildhall.request('POST', '/v1/auth/register', signUp))
/** The Authorization header of each caller. */
const headers: Readonly<Record<Caller, string | undefined>> = {
  nobody: undefined,
  'an unknown token': `gld_${'x'.repeat(36)}`,
  'a bot token by a scheme in lower case': asBot(robot).replace('Bot', 'bot'),
  'an Admin key': `Admin gla_1_${'x'.repeat(32)}`,
  'who disabled the account': gone.token,
  'a bearer with the scope': await tokenWith('guilds'),
  'a bearer without': await tokenWith('identify'),
  'a bot': asBot(robot),
  'a member': member.token,
  'a member as Bearer': `Bearer ${member.token}`,
  'a limited member': limited.token,
  'an unclaimed stranger': (await unclaimed(guildhall)).token,
  'an unverified stranger': String(unverified['token']),
}

const own = '/v1/users/@me/guilds'
/** `code` is a new invite of Ada's. */
const operations: Readonly<Record<string, (code: string) => readonly [string, string, object?]>> = {
  'Create guild': () => ['POST', '/v1/guilds', { name: 'Home' }],
  'List current user guilds': () => ['GET', own],
  'Get guild': () => ['GET', `/v1/guilds/${place.id}`],
  'Modify guild': () => ['PATCH', `/v1/guilds/${place.id}`, {}],
  'Delete guild': () => ['POST', `/v1/guilds/${place.id}/delete`, {}],
  'Leave guild': () => ['DELETE', `${own}/1`],
  'Bulk delete': () => ['POST', `${own}/${place.id}/messages/bulk-delete-mine`, {}],
  'Get vanity': () => ['GET', `/v1/guilds/${place.id}/vanity-url`],
  'Modify vanity': () => ['PATCH', `/v1/guilds/${place.id}/vanity-url`, {}],
  'Get invite': (code) => ['GET', `/v1/invites/${code}`],
  'Accept invite': (code) => ['POST', `/v1/invites/${code}`],
  'Create invite': () => ['POST', `/v1/channels/${place.channel}/invites`, {}],
  'List channel invites': () => ['GET', `/v1/channels/${place.channel}/invites`],
  'List guild invites': () => ['GET', `/v1/guilds/${place.id}/invites`],
  'Delete invite': (code) => ['DELETE', `/v1/invites/${code}`],
}
type Outcomes = Readonly<Record<string, string>>
const everywhere = (outcome: string): Outcomes =>
  Object.fromEntries(Object.keys(operations).map((name) => [name, outcome]))

const unknown: Outcomes = { ...everywhere('401 UNAUTHORIZED'), 'Get invite': '200' }
const bearer: Outcomes = { ...everywhere('403 ACCESS_DENIED'), 'Get invite': '200' }
const ofMember: Outcomes = {
  ...everywhere('403 MISSING_PERMISSIONS'),
  'Create guild': '200',
  'List current user guilds': '200',
  'Get guild': '200',
  'Delete guild': '403 SUDO_MODE_REQUIRED',
  'Leave guild': '404 UNKNOWN_MEMBER',
  'Bulk delete': '403 SUDO_MODE_REQUIRED',
  'Get invite': '200',
  'Accept invite': '200',
  'Create invite': '200',
}
/** A stranger joins by Accept invite, and may then create invites like every member. */
const ofStranger: Outcomes = { ...ofMember, 'Get guild': '403 MISSING_PERMISSIONS' }
const expected: Readonly<Record<Caller, Outcomes>> = {
  nobody: unknown,
  'an unknown token': unknown,
  'a bot token by a scheme in lower case': unknown,
  'an Admin key': unknown,
  'who disabled the account': unknown,
  'a bearer with the scope': { ...bearer, 'List current user guilds': '200', 'Get guild': '200' },
  'a bearer without': {
    ...bearer,
    'List current user guilds': '403 MISSING_OAUTH_SCOPE',
    'Get guild': '403 MISSING_OAUTH_SCOPE',
  },
  'a bot': {
    ...ofMember,
    'Create guild': '400 BOTS_CANNOT_CREATE_GUILDS',
    'Delete guild': '403 MISSING_PERMISSIONS',
    'Bulk delete': '202',
    'Accept invite': '403 ACCESS_DENIED',
  },
  'a member': ofMember,
  'a member as Bearer': ofMember,
  'a limited member': { ...ofMember, 'Create guild': '403 ACCOUNT_LIMITED' },
  // An account without any means of proof needs no proof.
  'an unclaimed stranger': {
    ...ofStranger,
    'Create guild': '400 UNCLAIMED_ACCOUNT_CANNOT_CREATE_GUILDS',
    'Delete guild': '403 MISSING_PERMISSIONS',
    'Bulk delete': '403 MISSING_PERMISSIONS',
  },
  'an unverified stranger': { ...ofStranger, 'Create guild': '403 GUILD_CREATION_EMAIL_VERIFICATION_REQUIRED' },
}

describe('the operations of guilds and invites', () => {
  it.each(callers)('answer %s as the contract says, a refused credential without a challenge', async (caller) => {
    const token = headers[caller]
    const outcomes: Record<string, string> = {}
    // The last operation deletes it.
    const code = await invite(guildhall, ada, place.channel)
    for (const [name, requestOf] of Object.entries(operations)) {
      const [method, path, body] = requestOf(code)
      const sent = { ...(token === undefined ? {} : { token }), ...(body ? { body } : {}) }
      const { status, body: answered, headers: carried } = await guildhall.request(method, path, sent)
      const { code: refusal } = Object(answered) as { readonly code?: unknown }
      outcomes[name] = status < 400 ? String(status) : `${status} ${String(refusal)}`
      expect(carried.get('www-authenticate')).toBeNull()
      expect(carried.get('cache-control')).toBe(answered === undefined ? null : 'no-cache')
    }
    expect(outcomes).toStrictEqual(expected[caller])
  })
})
