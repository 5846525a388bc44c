import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { onTestFinished } from 'vitest'
import { commandOrigins } from '../../../adapters/ids/command-origins.ts'
import { snowflakeGenerator } from '../../../adapters/ids/snowflake-generator.ts'
import { credentialsOf, type ResolveCredential } from '../../../adapters/http/authentication/credential.ts'
import { idempotencyOver } from '../../../adapters/http/idempotency/idempotency.ts'
import { memoryIdempotencyRows } from '../../support/memory/memory-idempotency-rows.ts'
import type { Operation } from '../../../adapters/http/operation.ts'
import {
  openHttpServer,
  type HttpServer,
  type HttpServerSettings,
} from '../../../adapters/http/server/open-http-server.ts'
import type { Ports } from '../../../application/ports.ts'
import type { AccountRecord } from '../../../application/ports/queries/account-queries.ts'
import { accountId, applicationId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import { noPremiumFields } from '../../../domain/premium/premium.ts'
import { timestamp } from '../../../domain/kernel/timestamp.ts'

/** Runs after the current test, the last added first. */
export function afterThisTest(clean: () => unknown): void {
  onTestFinished(async () => void (await clean()))
}

export function account(id: string, given: Partial<AccountRecord> = {}): AccountRecord {
  return {
    id: accountId(snowflake(id)),
    username: `user${id}`,
    discriminator: 1,
    globalName: null,
    email: null,
    emailVerified: false,
    emailBounced: false,
    isErased: false,
    hasPassword: true,
    hasSingleSignOn: false,
    dateOfBirth: null,
    locale: 'en-US',
    flags: '0',
    premiumFlags: 0,
    premium: noPremiumFields,
    everyoneHasPremium: false,
    traits: [],
    bot: false,
    system: false,
    acls: [],
    bannedUntil: null,
    deletion: null,
    messageDeletion: null,
    registeredAt: timestamp(0),
    ...given,
  } as AccountRecord
}

export const adaToken = `gld_${'a'.repeat(36)}`
export const bobToken = `gld_${'b'.repeat(36)}`
export const adminToken = `gld_${'c'.repeat(36)}`
export const fastToken = `gld_${'d'.repeat(36)}`
export const freeToken = `gld_${'e'.repeat(36)}`

const sessions = new Map([
  [adaToken, account('1001')],
  [bobToken, account('1002')],
  [adminToken, account('1003', { acls: ['admin:authenticate', 'user:lookup'] })],
  [fastToken, account('1004', { flags: String(1n << 33n) })],
  [freeToken, account('1005', { flags: String(1n << 47n) })],
])

/** The header of a bot. */
export const robot = `Bot 2001.${'r'.repeat(43)}`

/** The header of an application that acts for Ada within these scopes; the application of this name alone is the Admin one. */
export function bearer(...scopes: readonly string[]): string {
  return `Bearer ${scopes.join('-').padEnd(43, '_')}`
}

/** The header of an Admin key of the administrator's that holds only `user:lookup`. */
export const adminKey = `Admin gla_4001_${'k'.repeat(32)}`

/** Credentials as the product resolves them. */
export const resolveCredential: ResolveCredential = credentialsOf({
  sessions: {
    resolve: async (token) => {
      const found = sessions.get(token)
      return found && { account: found, tokenHash: `hash of ${token}` }
    },
  },
  bots: { resolve: async (token) => (robot.endsWith(token) ? { account: account('2001', { bot: true }) } : undefined) },
  accessTokens: {
    resolve: async (token) => {
      if (!token.endsWith('_')) return undefined
      const scopes = new Set(token.replace(/_+$/, '').split('-'))
      const isAdminApplication = scopes.has('admin')
      return {
        account: account('1001'),
        applicationId: applicationId(snowflake('3001')),
        scopes,
        isAdminApplication,
        expiresAt: timestamp(0),
      }
    },
  },
  adminKeys: {
    resolve: async (token) => {
      const found = sessions.get(adminToken)
      if (!adminKey.endsWith(token)) return undefined
      return found && { account: found, keyId: '4001', acls: ['user:lookup'] }
    },
  },
})

export interface TestServer extends HttpServer {
  readonly url: string
  readonly port: number
  /** The lines of the log so far, parsed. */
  readonly logged: readonly Readonly<Record<string, unknown>>[]
  fetch(path: string, init?: RequestInit & { readonly token?: string; readonly json?: unknown }): Promise<Response>
}

/** Ports for operations whose use cases are opened but never run: every port exists, and none can be called. */
export const noPorts: Ports = new Proxy(() => undefined, {
  get: () => noPorts,
  apply: () => {
    throw new Error('a use case was run in a test without ports')
  },
}) as never

export const secret = Buffer.alloc(32, 7)

/** A server on a free port, with everything in memory; it ends with the test. */
export async function startServer(
  operations: readonly Operation[],
  given: Partial<HttpServerSettings> = {},
): Promise<TestServer> {
  const server = await openTestServer(operations, given)
  afterThisTest(() => server.close())
  return server
}

/** The same for several tests, which have to close it. */
export async function openTestServer(
  operations: readonly Operation[],
  given: Partial<HttpServerSettings> = {},
): Promise<TestServer> {
  const logged: Readonly<Record<string, unknown>>[] = []
  const origins = given.origins ?? testOrigins()
  const server = await openHttpServer({
    operations,
    ports: noPorts,
    resolveCredential,
    isSingleSignOnEnforced: async () => false,
    readModels: { reached: async () => undefined },
    origins,
    openDryRun: () => ({
      ports: noPorts,
      adminAudit: { record: async () => undefined, refused: async () => undefined },
      foretold: async () => ({ events: [], letters: [], jobs: [] }),
    }),
    idempotency: idempotencyOver({ rows: memoryIdempotencyRows(), origins, secret, onStoringFailure: () => undefined }),
    rateLimits: 'off',
    contentFilter: { blocks: () => false },
    adminAudit: { record: async () => undefined, refused: async () => undefined },
    logger: pino(
      { level: 'trace' },
      { write: (line: string) => void logged.push(JSON.parse(line) as Record<string, unknown>) },
    ),
    metrics: new Registry(),
    version: '1.2.3-test',
    checkReplies: true,
    ...given,
  })
  const { port }: AddressInfo = await server.listen({ host: '127.0.0.1', port: 0 })
  const url = `http://127.0.0.1:${port}`
  return {
    ...server,
    url,
    port,
    logged,
    fetch: (path, { token, json, ...init } = {}) => {
      const headers = new Headers(init.headers)
      if (token !== undefined) headers.set('authorization', token)
      return fetch(url + path, { ...init, headers, ...(json === undefined ? {} : { body: JSON.stringify(json) }) })
    },
  }
}

export function testOrigins() {
  return commandOrigins({ snowflakes: snowflakeGenerator({ workerId: 1 }) })
}

/** The codes of an answer: its own, and the path and code of each of its entries. */
export async function codesOf(response: Response): Promise<readonly string[]> {
  const body = (await response.json()) as { code: string; errors?: { path: string; code: string }[] }
  return [`${response.status} ${body.code}`, ...(body.errors ?? []).map(({ path, code }) => `${path} ${code}`)]
}
