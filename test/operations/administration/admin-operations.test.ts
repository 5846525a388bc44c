import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AdminCallers } from '../../../adapters/http/callers.ts'
import { actionsOf } from '../../../adapters/http/admin-audit-rule.ts'
import { isSchema, type Operation } from '../../../adapters/http/operation.ts'
import { allOperations } from '../../../adapters/http/operations/all-operations.ts'
import type { Authenticated } from '../../../adapters/http/authentication/credential.ts'
import { isAdminAcl, type AdminAcl } from '../../../domain/admin/acls.ts'
import { applicationId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import { timestamp } from '../../../domain/kernel/timestamp.ts'
import { account, codesOf, openTestServer, type TestServer } from '../../adapters/http/support.ts'
import {
  adminKeyOf,
  administrator,
  auditEntries,
  recordedEntry,
  type RecordedEntry,
} from '../../support/administrators.ts'
import type { TestOptions } from '../../support/test-guildhall.ts'
import type { AdminExample } from '../support/admin-example.ts'
import { adminExamples } from '../support/admin-examples.ts'
import { openServer } from '../support/scene.ts'

type ForAdmins = Operation & { readonly callers: AdminCallers }

const operations = allOperations.filter((operation): operation is ForAdmins => operation.callers.kind === 'admin')
/** The ACLs that are just enough. */
const aclsOf = ({ callers }: ForAdmins): readonly AdminAcl[] =>
  [...callers.acls, ...callers.anyOf.slice(0, 1)].filter(isAdminAcl)
const needsMore = operations.filter((one) => aclsOf(one).some((acl) => acl !== 'admin:authenticate'))
/** With the one that the body of the example asks for, the first. */
const allAclsOf = (one: ForAdmins): readonly AdminAcl[] => [...aclsOf(one), ...one.callers.onceValidated.slice(0, 1)]

describe('operations for administrators', () => {
  it('are all those below /v1/admin, and have ACLs of the registry', () => {
    expect(operations.map(({ name }) => name)).toEqual(
      allOperations.filter(({ path }) => path.startsWith('/v1/admin/')).map(({ name }) => name),
    )
    for (const { name, callers } of operations) {
      const acls = [...callers.acls, ...callers.anyOf, ...callers.onceValidated]
      expect([name, acls.length > 0, acls.filter((acl) => !isAdminAcl(acl))]).toEqual([name, true, []])
    }
  })
  it('have an example each', () => {
    expect(Object.keys(adminExamples).toSorted()).toEqual(operations.map(({ name }) => name).toSorted())
  })
  it('are POST, PUT, PATCH or DELETE where they are recorded as writes', () => {
    for (const { name, method, adminAudit } of operations) {
      if ('none' in adminAudit) continue
      const reads = actionsOf(adminAudit).every((action) => /^(?:list_|get_|search_|check_)/.test(action))
      expect([name, reads || method !== 'GET']).toEqual([name, true])
    }
  })
})

describe('the credential of an operation for administrators', () => {
  const held = { acls: ['admin:authenticate'] }
  const credentials: Readonly<Record<string, Authenticated>> = {
    plain: { account: account('1'), credential: { kind: 'session', tokenHash: 'h' } },
    bare: { account: account('2', held), credential: { kind: 'session', tokenHash: 'h' } },
    all: { account: account('3', { acls: ['*'] }), credential: { kind: 'session', tokenHash: 'h' } },
    bot: { account: account('4', { acls: ['*'], bot: true }), credential: { kind: 'bot' } },
    'narrow key': {
      account: account('5', { acls: ['*'] }),
      credential: { kind: 'admin_key', keyId: '1', acls: held.acls },
    },
    'key of a narrow owner': {
      account: account('6', held),
      credential: { kind: 'admin_key', keyId: '2', acls: ['*'] },
    },
    'key of nobody any more': { account: account('7'), credential: { kind: 'admin_key', keyId: '3', acls: ['*'] } },
    'foreign bearer': bearerOf(false, ['*']),
    'bearer of a member': bearerOf(true, []),
    'narrow bearer': bearerOf(true, held.acls),
  }

  function bearerOf(isAdminApplication: boolean, acls: readonly string[]): Authenticated {
    const scopes = new Set(['identify', 'admin'])
    return {
      account: account('8', { acls }),
      credential: {
        kind: 'bearer',
        applicationId: applicationId(snowflake('9')),
        scopes,
        isAdminApplication,
        expiresAt: timestamp(0),
      },
    }
  }

  // One server for all of them: to open one for each took most of the time.
  let server: TestServer
  let recorded = 0
  beforeAll(async () => {
    server = await openTestServer(operations, {
      resolveCredential: async (authorization) => credentials[authorization ?? ''],
      adminAudit: { record: async () => void (recorded += 1), refused: async () => undefined },
    })
  })
  afterAll(() => server.close())

  /** What an operation answers to each credential. It leaves no audit entry. */
  async function answersTo(operation: Operation, names: readonly string[]) {
    recorded = 0
    const path = operation.path.replace(/:\w+/g, 'not-an-id')
    const answers = await Promise.all(
      names.map(async (token) => [
        token,
        ...(await codesOf(await server.fetch(path, { method: operation.method, ...(token ? { token } : {}) }))),
      ]),
    )
    expect(recorded).toBe(0)
    return answers
  }

  it.each(operations)('is refused before anything else of the request is checked: $name', async (operation) => {
    const names = ['', 'unknown', 'bot', 'foreign bearer', 'plain', 'key of nobody any more', 'bearer of a member']
    expect(await answersTo(operation, names)).toEqual([
      ['', '401 UNAUTHORIZED'],
      ['unknown', '401 UNAUTHORIZED'],
      ['bot', '401 UNAUTHORIZED'],
      ['foreign bearer', '403 ACCESS_DENIED'],
      ['plain', '403 MISSING_PERMISSIONS'],
      ['key of nobody any more', '403 MISSING_PERMISSIONS'],
      ['bearer of a member', '403 MISSING_PERMISSIONS'],
    ])
  })
  it.each(needsMore)('needs the ACL of the operation, on the key and on its owner: $name', async (operation) => {
    const names = ['bare', 'narrow key', 'key of a narrow owner', 'narrow bearer']
    expect(await answersTo(operation, names)).toEqual(names.map((name) => [name, '403 MISSING_ACL']))
  })
})

/** A server, and who acts on it. */
async function openStage(options: TestOptions) {
  const guildhall = await openServer(options)
  const admin = await administrator(guildhall, '*')
  const member = await guildhall.register()
  let seen = -1
  return {
    guildhall,
    admin,
    member,
    /** The entries since the last call. */
    async newEntries(): Promise<readonly RecordedEntry[]> {
      const entries: RecordedEntry[] = []
      for await (const page of guildhall.store.events.readStream('admin_audit-self', seen))
        for (const { revision, type, data } of page) {
          seen = revision
          if (type === 'AdminActionRecorded') entries.push(recordedEntry(data))
        }
      return entries
    },
  }
}

/** The status of an answer that does not end by itself. */
async function statusOfEndless(url: string, headers: Readonly<Record<string, string>>): Promise<number> {
  const leaving = new AbortController()
  const { status } = await fetch(url, { headers, signal: leaving.signal })
  leaving.abort()
  return status
}

describe('what an administrator does', async () => {
  const stages = {
    email: await openStage({}),
    username: await openStage({ policy: { accountIdentity: { signIn: 'username', tagStyle: 'none' } } }),
    hosted: await openStage({ hosted: true }),
  }
  /** Some operations are only for instances with one style of sign-in, others for the hosted service. */
  const stageOf = ({ signIn, hostedOnly }: Operation) => stages[hostedOnly ? 'hosted' : (signIn ?? 'email')]

  const exampleOf = ({ name }: Operation): AdminExample => {
    const example = adminExamples[name]
    if (!example) throw new Error(`${name} has no example`)
    return example
  }

  /** Sends the example of an operation, and returns the entries that it caused. */
  async function entriesOf(operation: ForAdmins, token: string) {
    const { guildhall, admin, newEntries } = stageOf(operation)
    const { path, body } = await exampleOf(operation).succeeds({ guildhall, admin })
    await newEntries()
    const headers = { 'x-audit-log-reason': 'because' }
    if (isSchema(operation.success.schema) && 'isLive' in operation.success.schema) {
      expect(await statusOfEndless(`${guildhall.url}${path}`, { ...headers, authorization: token })).toBe(200)
      return newEntries()
    }
    const answer = await guildhall.request(operation.method, path, {
      token,
      headers,
      ...(body === undefined ? {} : { body }),
    })
    expect([answer.status, answer.body]).toEqual([operation.success.status, answer.body])
    return newEntries()
  }

  const expected = (operation: ForAdmins, credential: string) => {
    const { adminAudit } = operation
    if ('none' in adminAudit) return []
    const { id: adminId } = stageOf(operation).admin
    return [{ action: expect.toBeOneOf([...actionsOf(adminAudit)]), adminId, credential, reason: 'because' }]
  }

  it.each(operations)('leaves exactly one entry if it succeeds, with the ACLs that it needs: $name', async (one) => {
    expect(await entriesOf(one, stageOf(one).admin.token)).toMatchObject(expected(one, 'session'))
  })
  it.each(operations)('needs a key with only its own ACLs: $name', async (one) => {
    const { guildhall, admin } = stageOf(one)
    const key = await adminKeyOf(guildhall, admin, ...allAclsOf(one))
    expect(await entriesOf(one, key)).toMatchObject(expected(one, 'admin_key'))
  })
  it.each(operations.filter((one) => exampleOf(one).refused))('leaves none if it fails: $name', async (one) => {
    const { guildhall, admin, member, newEntries } = stageOf(one)
    const request = exampleOf(one).refused?.({ guildhall, admin })
    await newEntries()
    const { token } = admin
    const answer = await guildhall.request(one.method, request?.path ?? '', {
      token,
      ...(request?.body === undefined ? {} : { body: request.body }),
    })
    expect([answer.status, answer.body]).toEqual([request?.status, answer.body])
    expect((await guildhall.request(one.method, request?.path ?? '', { token: member.token })).status).toBe(403)
    expect(await newEntries()).toEqual([])
  })
  it('is described by metadata whose values are texts of at most 4000 characters', async () => {
    const entries = await Promise.all(Object.values(stages).map(({ guildhall }) => auditEntries(guildhall)))
    for (const { metadata } of entries.flat())
      for (const value of Object.values(metadata))
        expect([typeof value, value.length <= 4000]).toEqual(['string', true])
  })
})
