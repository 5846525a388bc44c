import { describe, expect, it } from 'vitest'
import type { Operation } from '../../adapters/http/operation.ts'
import { allOperations } from '../../adapters/http/operations/all-operations.ts'
import { sessionTokenHash } from '../../application/identity/tokens/session-token.ts'
import { accountId } from '../../domain/ids/ids.ts'
import { snowflake } from '../../domain/ids/snowflake.ts'
import { timestamp } from '../../domain/kernel/timestamp.ts'
import { applicationsPath, asBot, newApplication } from '../operations/support/applications.ts'
import { openServer } from '../operations/support/scene.ts'

/** A credential that identifies nobody gets the same bytes, whatever is wrong with it. */

// Only the hosted service has every operation.
const guildhall = await openServer('hosted')
const loggedOut = await guildhall.register()
await guildhall.request('POST', '/v1/auth/logout', { token: loggedOut.token })
const ended = await guildhall.register()
const body = { session_id_hashes: [sessionTokenHash(ended.token)], password: ended.password }
await guildhall.request('POST', '/v1/auth/sessions/logout', { token: ended.token, body })
const ada = await guildhall.register()
const engine = await newApplication(guildhall, ada)
const reset = { token: ada.token, body: { password: ada.password } }
await guildhall.request('POST', `${applicationsPath}/${engine.id}/bot/reset-token`, reset)
const ticket = await guildhall.ports.tickets.issue({ name: 'mfa', form: 'base64url' }, {}, 60)
const proof = { accountId: accountId(snowflake(ended.id)), tokenHash: 'x', credentialVersion: 0 }
const expiredProof = await guildhall.ports.sudoProofs.issue(proof, timestamp(Date.now() - 3_600_000))
const credentials: readonly (readonly [string, string | undefined])[] = [
  ['missing', undefined],
  ['empty', ''],
  ['malformed', 'gld_short'],
  ['malformed, in the form of another kind', `gla_1_${'a'.repeat(32)}`],
  ['unknown', `gld_${'a'.repeat(36)}`],
  ['unknown, behind Bearer', `Bearer gld_${'a'.repeat(36)}`],
  ['unknown bot', `Bot 1.${'a'.repeat(43)}`],
  ['a bot token that was reset', asBot(engine)],
  ['a client secret', `Bearer ${engine.clientSecret}`],
  ['a session that was logged out', loggedOut.token],
  ['a session that was ended', ended.token],
  ['a session that was ended, behind Bearer', `Bearer ${ended.token}`],
  ['the hash of a session', sessionTokenHash(loggedOut.token)],
  ['an MFA ticket', ticket],
  ['a sudo proof that has expired', expiredProof],
]

/** The credentials for every operation: none, and an invalid token of each kind. */
const ofEachKind = ['missing', 'unknown', 'unknown bot', 'a client secret', 'a session that was logged out']

const guarded = allOperations.filter(({ callers }) => callers.kind !== 'public')

/** A request in which only the credential is wrong, as far as 401 comes before everything else. */
async function answerOf({ method, path }: Operation, credential: string | undefined): Promise<string> {
  const response = await fetch(`${guildhall.url}${path.replace(/:[a-z_]+/g, '1')}`, {
    method,
    headers: { 'x-request-id': 'the-same', ...(credential === undefined ? {} : { authorization: credential }) },
    ...(method === 'GET' ? {} : { body: '{}' }),
  })
  const { date: _date, ...headers } = Object.fromEntries(response.headers)
  return JSON.stringify([response.status, headers, await response.text()])
}

/** One operation for bots has its own code. Those of threads do not exist for callers without access to threads. */
function refusalOf({ callers, needsThreads }: Operation): string {
  if (needsThreads) return '404,.*NOT_FOUND'
  return `401,.*${callers.kind === 'bot' ? callers.otherwise : 'UNAUTHORIZED'}`
}

/**
 * What decides how a credential is read. The first operation of each class is called with every credential, the others with one
 * of each kind.
 */
const classOf = ({ callers, method, needsThreads }: Operation): string =>
  JSON.stringify([{ ...callers, acls: undefined, anyOf: undefined }, method, needsThreads])
const firstOfEach = new Set(new Map(guarded.toReversed().map((operation) => [classOf(operation), operation])).values())

describe.each(guarded)('$method $path', (operation) => {
  it('answers with the same bytes and headers, whatever is wrong with the credential', async () => {
    const asked = credentials.filter(([name]) => firstOfEach.has(operation) || ofEachKind.includes(name))
    const answers = await Promise.all(asked.map(([, credential]) => answerOf(operation, credential)))
    expect(new Set(answers).size).toBe(1)
    expect(answers[0]).toMatch(new RegExp(`^\\[${refusalOf(operation)}`))
  })
})

it('there are operations that need a credential', () => {
  expect(guarded.length).toBeGreaterThan(10)
})
