import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Callers } from '../../adapters/http/callers.ts'
import { isSchema, type Operation } from '../../adapters/http/operation.ts'
import { allOperations } from '../../adapters/http/operations/all-operations.ts'

/** The contract's operations as data: a copy of operations.json of the specification. */
const contract = z
  .array(
    z.object({
      name: z.string(),
      method: z.string(),
      path: z.string(),
      credentials: z.array(z.string()),
      success: z.int(),
      bearer_scope: z.string().optional(),
      sudo: z.string().optional(),
      acl: z.array(z.string()).optional(),
      admin_audit_action: z.string().optional(),
      bucket: z
        .object({ name: z.string(), requests: z.int(), window_seconds: z.int(), partition: z.array(z.string()) })
        .optional(),
    }),
  )
  .parse(JSON.parse(readFileSync(new URL('./support/contract-operations.json', import.meta.url), 'utf8')))

/** Create guild refuses bots by itself, with a code of its own. */
const refusedByTheUseCase: Readonly<Record<string, string>> = { 'Create guild': 'bot' }

function credentialsOf(name: string, callers: Callers): readonly string[] {
  switch (callers.kind) {
    case 'public':
      return ['none', 'session', 'bot', 'bearer']
    case 'account': {
      const kinds = ['session', ...(callers.bots ? ['bot'] : []), ...(callers.scope === null ? [] : ['bearer'])]
      return kinds.filter((kind) => kind !== refusedByTheUseCase[name])
    }
    case 'bot':
    case 'bearer':
      return [callers.kind]
    case 'admin':
      return ['session', 'admin_bearer', 'admin_key']
  }
}

/** A store's route reads no account's credential: store B's has its own token. */
const credentialsOfStores: Readonly<Record<string, readonly string[]>> = {
  'Store A notification': ['none'],
  'Store B notification': ['store token'],
}

const sudoOf = (sudo: Operation['sudo']): string => ('none' in sudo ? 'never' : sudo.sudo)

const actionText = ({ action }: Exclude<Operation['adminAudit'], { readonly none: true }>): string =>
  typeof action === 'string' ? action : action.anyOf.join(' | ')

/** The contract states no bucket for it. */
const bucketsOfTheSupplement: Readonly<Record<string, (typeof contract)[number]['bucket']>> = {
  'Modify guild custom invite URL': {
    name: 'guild:vanity_url:update::guild_id',
    requests: 10,
    window_seconds: 60,
    partition: ['user', 'guild'],
  },
}

/** The contract shows no audit entry of it. */
const auditActionsOfTheSupplement: Readonly<Record<string, string>> = { 'Lift ban': 'unban' }

/** Asked by the use case, which knows the target. */
const everyAclOfTheTarget = 'every ACL the target holds'

const built = allOperations.filter(({ name }) => contract.some((each) => each.name === name))

describe('an operation of the contract', () => {
  it('is built: those of guilds, invites and administration that this build has', () => {
    expect(built.map(({ name }) => name).toSorted()).toStrictEqual([
      'Accept invite',
      'Ban user',
      "Bulk delete current user's guild messages",
      'Cancel scheduled message deletion',
      'Cancel user deletion',
      'Change user date of birth',
      'Change user email',
      'Change user username',
      'Claim store A transaction',
      'Claim store B purchase',
      'Clear user profile fields',
      'Create channel invite',
      'Create guild',
      'Create password reset link',
      'Delete all user messages',
      'Delete guild',
      'Delete invite',
      'Delete recovery kit',
      'Delete user WebAuthn credential',
      'Disable user MFA',
      'Get current Admin user',
      'Get guild',
      'Get guild custom invite URL',
      'Get in-app purchase context',
      'Get invite',
      'Get user',
      'Leave guild',
      'Lift ban',
      'List channel invites',
      'List current user guilds',
      'List discovery applications',
      'List discovery categories',
      'List discovery listings',
      'List guild invites',
      'List guilds in a discovery category',
      'List store purchases',
      'List user WebAuthn credentials',
      'List user applications',
      'List user change log',
      'List user direct message channels',
      'List user guilds',
      'List user relationships',
      'List user sessions',
      'List user store purchases',
      'List users',
      'Modify guild',
      'Modify guild custom invite URL',
      'Move discovery listings to a category',
      'Refresh user store purchases',
      'Release store subscription',
      'Remove discovery listing',
      'Remove one user relationship',
      'Remove user relationships by category',
      'Resend verification email',
      'Review discovery application',
      'Schedule user deletion',
      'Send password reset',
      'Set user ACLs',
      'Set user bot status',
      'Set user system status',
      'Set user traits',
      'Shred user messages',
      'Store A notification',
      'Store B notification',
      'Terminate user sessions',
      'Trigger user archive',
      'Update discovery listing',
      'Update user flags',
      'Update user premium flags',
      'Verify user email',
    ])
  })

  it.each(built)(
    'is guarded and limited as the contract says: $name',
    ({ name, method, path, callers, bucket, success, sudo, adminAudit }) => {
      const expected = contract.find((each) => each.name === name)
      expect(method).toBe(expected?.method)
      expect(path.replace(/:(\w+)/g, '{$1}')).toBe(expected?.path)
      expect(success.status).toBe(expected?.success)
      const credentials = credentialsOfStores[name] ?? credentialsOf(name, callers)
      expect(credentials.toSorted()).toStrictEqual(expected?.credentials.toSorted())
      if (callers.kind === 'admin') {
        const acls = callers.anyOf.length > 0 ? [...callers.acls, callers.anyOf.join(' | ')] : callers.acls
        expect(acls).toStrictEqual(
          expected?.acl?.filter((acl) => acl !== everyAclOfTheTarget) ?? ['admin:authenticate'],
        )
        expect('none' in adminAudit ? '' : actionText(adminAudit)).toBe(
          auditActionsOfTheSupplement[name] ?? expected?.admin_audit_action,
        )
      }
      if (callers.kind === 'account') expect(callers.scope).toBe(expected?.bearer_scope ?? null)
      const limit = expected?.bucket ?? bucketsOfTheSupplement[name]
      expect({ name: bucket.name, requests: bucket.requests, window_seconds: bucket.seconds }).toStrictEqual({
        name: limit?.name,
        requests: limit?.requests,
        window_seconds: limit?.window_seconds,
      })
      expect(sudoOf(sudo)).toBe(expected?.sudo?.replace(/^only when .*/, 'on demand') ?? 'never')
      expect(bucket.parameter === null).toBe(limit?.partition.length === 1)
    },
  )
})

describe('operations', () => {
  it('have names and routes of their own, and share a bucket only under one limit', () => {
    expect(new Set(allOperations.map(({ name }) => name)).size).toBe(allOperations.length)
    expect(new Set(allOperations.map(({ method, path }) => `${method} ${path}`)).size).toBe(allOperations.length)
    // Who is told how much of it is left is no part of a limit.
    const limited = allOperations.map(({ bucket }) => ({ ...bucket, tellsStrangers: undefined }))
    const limits = new Map(limited.map((limit) => [limit.name, limit]))
    for (const limit of limited) expect(limits.get(limit.name)).toStrictEqual(limit)
  })

  // Secrets, codes and browser signatures are not texts that people write.
  it('have the content filter read their bodies where these keep what people say, and no others', () => {
    const read = allOperations.filter(
      ({ method, callers, body, keepsNoText, takesForm }) =>
        !['GET', 'DELETE'].includes(method) && callers.kind !== 'admin' && isSchema(body) && !keepsNoText && !takesForm,
    )
    expect(read.map(({ name }) => name).toSorted()).toStrictEqual([
      'Apply for discovery',
      'Create application',
      'Create channel invite',
      'Create guild',
      'Create guild ban',
      'Create guild channel',
      'Create guild emoji',
      'Create guild role',
      'Create guild sticker',
      'Create message',
      'Create several guild emojis',
      'Create several guild stickers',
      'Create webhook',
      'Execute GitHub-compatible webhook',
      'Execute Instatus-compatible webhook',
      'Execute Slack-compatible webhook',
      'Execute webhook',
      'Modify channel',
      'Modify current guild member',
      'Modify current user',
      'Modify friend nickname',
      'Modify guild',
      'Modify guild custom invite URL',
      'Modify guild emoji',
      'Modify guild member',
      'Modify guild role',
      'Modify guild sticker',
      'Modify message',
      'Modify user guild settings',
      'Modify user settings',
      'Modify user settings of private channels',
      'Modify webhook',
      'Modify webhook message',
      'Modify webhook with token',
      'Register',
      'Register WebAuthn credential',
      'Rename WebAuthn credential',
      'Request attachment uploads',
      'Search messages',
      'Set note',
      'Start thread',
      'Start thread from message',
      'Update application',
      'Update bot profile',
      'Update discovery application',
    ])
  })
})
