import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { isSchema, type Operation } from '../../adapters/http/operation.ts'
import { allOperations } from '../../adapters/http/operations/all-operations.ts'
import { openServer } from '../operations/support/scene.ts'
import { backupCode, protect, sudoProofOf } from '../support/authenticator.ts'
import type { TestAnswer } from '../support/test-guildhall.ts'
import { codeFor, exchange, newClient } from '../operations/support/oauth2.ts'

const guildhall = await openServer()

/** Members that have such a name but hold nothing that anybody could misuse. */
const harmless: ReadonlySet<string> = new Set([
  // Of invites and guilds, which anybody may pass on.
  'code',
  'vanity_url_code',
  'invite_code',
  'reported_guild_invite_code',
  // Numbers, and names of settings and of changes.
  'key',
  'deletion_reason_code',
  'country_code',
  'next_page_token',
  'authenticator_types',
  'token_type',
  'verify_key',
  'hcaptcha_site_key',
  'turnstile_site_key',
  'public_vapid_key',
  'token_url',
  'limit_keys',
  'bot_require_code_grant',
])
const named = /(?:^|_)(?:token|secret|key|code|codes|ticket|proof|state)$/

/** All members that a reply may have, at any depth, except those of a few fixed values. */
function membersOf(schema: z.ZodType): readonly string[] {
  const names = new Set<string>()
  z.toJSONSchema(schema, {
    unrepresentable: 'any',
    override: ({ jsonSchema: { properties = {} } }) => {
      for (const [name, member] of Object.entries(properties))
        if (typeof member !== 'object' || (member.type !== 'boolean' && !member.enum)) names.add(name)
    },
  })
  return [...names]
}

const replyOf = ({ success }: Operation): z.ZodType | undefined =>
  isSchema(success.schema) ? success.schema : undefined
const isStored = ({ headers }: TestAnswer): boolean => headers.get('cache-control') !== 'no-store'

describe('an answer that holds a token, key, code or secret', () => {
  it('is declared to hold one, by every operation whose reply has a member with such a name', () => {
    const undeclared = allOperations.filter((operation) => {
      const reply = replyOf(operation)
      const members = reply ? membersOf(reply).filter((name) => named.test(name) && !harmless.has(name)) : []
      return members.length > 0 && !operation.success.holdsSecret
    })
    expect(undeclared.map(({ name }) => name)).toStrictEqual([])
    expect(allOperations.filter(({ success }) => success.holdsSecret).length).toBeGreaterThan(20)
  })

  it('is never stored: session tokens', async () => {
    const body = {
      email: 'stored@example.com',
      username: 'stored',
      password: 'a long password',
      date_of_birth: '2000-01-01',
    }
    expect(isStored(await guildhall.request('POST', '/v1/auth/register', { body: { ...body, consent: true } }))).toBe(
      false,
    )
    const ada = await guildhall.register()
    const { email, password } = ada
    expect(isStored(await guildhall.request('POST', '/v1/auth/login', { body: { email, password } }))).toBe(false)
    expect(isStored(await guildhall.request('GET', '/v1/users/@me', { token: ada.token }))).toBe(true)
  })

  it('is never stored: backup codes, and sudo proofs in a header', async () => {
    const ada = await guildhall.register()
    const safe = await protect(guildhall, ada)
    const body = { regenerate: false, mfa_method: 'totp', mfa_code: backupCode(safe, 0) }
    const codes = await guildhall.request('POST', '/v1/users/@me/mfa/backup-codes', { token: safe.token, body })
    expect(isStored(codes)).toBe(false)
    const forgotten = await guildhall.request('DELETE', '/v1/users/@me/authorized-ips', {
      token: safe.token,
      body: { mfa_method: 'totp', mfa_code: backupCode(safe, 1) },
    })
    expect(sudoProofOf(forgotten)).not.toBeNull()
    expect(isStored(forgotten)).toBe(false)
  })

  it('is never stored: credentials of applications', async () => {
    const ada = await guildhall.register()
    const engine = await newClient(guildhall, ada)
    expect(isStored(await exchange(guildhall, engine, await codeFor(guildhall, ada, engine)))).toBe(false)
    const body = { password: ada.password }
    const path = `/v1/oauth2/applications/${engine.id}/bot/reset-token`
    expect(isStored(await guildhall.request('POST', path, { token: ada.token, body }))).toBe(false)
  })
})
