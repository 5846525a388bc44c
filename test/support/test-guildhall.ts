import { randomBytes, randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { pino, type Logger } from 'pino'
import { register as registerUseCase } from '../../application/identity/accounts/registering/register.ts'
import { freshPolicy } from '../../domain/instance/fresh-policy.ts'
import type { InstancePolicy } from '../../domain/instance/policy.ts'
import type { EventStore } from '../../application/ports/event-store.ts'
import type { Ports } from '../../application/ports.ts'
import type { LimitValues } from '../../domain/limits/limit-keys.ts'
import type { ConsolePlace } from '../../adapters/http/console/console-files.ts'
import { openOutbox } from '../../adapters/mail/outbox.ts'
import { openGuildhall, type Guildhall } from '../../process/guildhall-server.ts'
import type { ApplicationId } from '../../domain/ids/ids.ts'
import { countAsStarted } from './started-session.ts'
import { sendRequest } from './http-client.ts'
import { startMailServer, type MailServer } from './mail-server.ts'
import type { PostgresConnection } from '../../adapters/postgres/database.ts'
import type { Settings } from '../../process/settings/settings.ts'
import type { Role } from '../../process/roles/role.ts'
import { appendAccount } from './append-account.ts'
import { laidDatabase } from './test-database.ts'
import { storeSettingsOf, timesOf, type StoreDoubles } from './stores/stores-over.ts'
import { testRequester } from './test-requester.ts'

export interface TestOptions {
  /** Off unless a test is about them. */
  readonly rateLimits?: boolean
  readonly hosted?: boolean
  /** Where people are sent. Default: to the server's own pages. */
  readonly webappUrl?: string
  /** Doubles of the stores. The server reads their clock, and is hosted unless the test says otherwise. */
  readonly stores?: StoreDoubles
  readonly adminApplicationId?: ApplicationId
  /** Whether administrators have the console. Default: they have. */
  readonly console?: boolean
  /** Where its files are. Default: where the product has them. */
  readonly consolePlace?: ConsolePlace
  /** What URLs in answers begin with. Default: where the server listens. */
  readonly publicUrl?: string
  /** Replaces these stock limits. */
  readonly limits?: Partial<LimitValues>
  /** Replaces these sections of a fresh instance's policy. */
  readonly policy?: Partial<InstancePolicy>
  readonly logger?: Logger
  /** Sends traces there. Default: nothing is traced. */
  readonly traces?: Settings['traces']
  /** Gives it a mail server. Without one, addresses count as verified and mails are kept. */
  readonly withMailServer?: boolean
  /** EventStoreDB, or a double of it. Default: the events are in Postgres. */
  readonly eventStoreUrl?: string
  /** Whose X-Forwarded-For is trusted: with 127.0.0.1, a test chooses the address of its requests. Default: nobody's. */
  readonly trustedProxies?: readonly string[]
  readonly corsOrigins?: readonly string[]
  /** Versions that are answered as version 1. Default: none. */
  readonly clientVersions?: readonly string[]
  /** Where host names of addresses are looked up. Default: nowhere. */
  readonly dnsServers?: readonly string[]
  /** Fetches previews of links from these networks too. Default: from nowhere. */
  readonly linkPreviews?: Settings['linkPreviews']
  /** Scans the files of messages. Default: nothing does. */
  readonly fileScanner?: string
  /** An MMDB file. */
  readonly geoIpDatabase?: string
  /** Connects this process with others over NATS. */
  readonly natsServers?: readonly string[]
  /** Whether it has a status listener, in a thread of its own. */
  readonly withStatus?: boolean
  readonly roles?: readonly Role[]
  /** A database that stays, shared with other processes. Default: one of its own, which is dropped at the end. */
  readonly connection?: PostgresConnection
  /** Hashes passwords at the product's cost, for tests of that. Default: at nearly no cost. */
  readonly realHashing?: boolean
  /** How often background work looks for what is due, for tests that wait for it. Default: as often as the product does. */
  readonly looks_ms?: number
  /** A data folder that stays. Default: one of its own, which is removed at the end. */
  readonly dataDir?: string
  /** S3-compatible storage for images. Default: the data folder. */
  readonly mediaUrl?: string
  /** The same for all processes on one database. */
  readonly personalDataKey?: Uint8Array
}

export interface TestAnswer {
  readonly status: number
  readonly headers: Headers
  /** The parsed JSON; undefined for an empty body. */
  readonly body: unknown
}

export interface RequestOptions {
  readonly token?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface TestAccount {
  readonly token: string
  readonly id: string
  /** On an instance with sign-in by username, the account has no address, and this is nobody's. */
  readonly email: string
  readonly password: string
}

/** A mail that the server has written, sent or kept. */
export interface TestMail {
  readonly subject: string
  readonly text: string
}

/** The whole server in this process, on its own database. It checks every reply against its schema. */
export interface TestGuildhall extends Pick<Guildhall, 'url' | 'statusUrl' | 'store' | 'readModels'> {
  /** Throws if no role of the process carries out commands. */
  readonly ports: Ports
  /** Sends one request. `path` begins with a slash. */
  request(method: string, path: string, options?: RequestOptions): Promise<TestAnswer>
  /**
   * Registers a claimed account, by its events or the use case and not over HTTP. The username is drawn if none is given. The
   * account counts as having started a Gateway session, without which nobody can send messages, unless a test is about that.
   */
  register(username?: string, options?: { readonly startsSession?: boolean }): Promise<TestAccount>
  /** Waits for the mail number `count`, from 1, to an address. Default: the newest, which may be an earlier one. */
  mailTo(address: string, count?: number): Promise<TestMail>
  /** Where mails arrive; undefined without one. */
  readonly mailServer: MailServer | undefined
  close(): Promise<void>
}

/** The least that argon2 accepts. */
const cheapHashing = { memoryCost: 8, timeCost: 1 }

export async function startTestGuildhall(options: TestOptions = {}): Promise<TestGuildhall> {
  const { connection, close: dropDatabase } = options.connection
    ? { connection: options.connection, close: () => Promise.resolve() }
    : await laidDatabase()
  // Made by the first write to it.
  const dataDir = options.dataDir ?? path.join(tmpdir(), `guildhall-data-${randomUUID()}`)
  const mailServer = options.withMailServer === true ? await startMailServer() : undefined
  const guildhall = await openGuildhall({
    settings: {
      http: { host: '127.0.0.1', port: 0 },
      ...(options.withStatus === true && { status: { host: '127.0.0.1', port: 0 } }),
      publicUrl: options.publicUrl,
      console: options.console ?? true,
      webappUrl: options.webappUrl,
      gatewayUrl: undefined,
      dataDir,
      mediaUrl: options.mediaUrl,
      eventStoreUrl: options.eventStoreUrl,
      natsServers: options.natsServers,
      serviceName: 'guildhall',
      hosted: options.hosted ?? options.stores !== undefined,
      trustedProxies: options.trustedProxies ?? [],
      corsOrigins: options.corsOrigins ?? [],
      clientVersions: options.clientVersions ?? [],
      adminApplicationId: options.adminApplicationId,
      dnsServers: options.dnsServers ?? [],
      linkPreviews: options.linkPreviews,
      fileScanner: options.fileScanner,
      geoIpDatabase: options.geoIpDatabase,
      rateLimits: options.rateLimits ?? false,
      traces: options.traces,
      smtp: mailServer && { url: mailServer.url, from: { name: 'Test', address: 'chat@example.com' } },
      instancePolicy: { ...freshPolicy, ...options.policy },
      ...(options.stores && { stores: storeSettingsOf(options.stores) }),
    },
    connection,
    personalDataKey: options.personalDataKey ?? randomBytes(32),
    logger: options.logger ?? pino({ level: 'silent' }),
    checkReplies: true,
    ...(options.consolePlace && { consolePlace: options.consolePlace }),
    ...(options.realHashing === true ? {} : { hashingCost: cheapHashing }),
    ...(options.stores && { storeTimes: timesOf(options.stores) }),
    ...(options.looks_ms === undefined ? {} : { looks_ms: options.looks_ms }),
    ...(options.limits ? { limits: options.limits } : {}),
    ...(options.roles ? { roles: options.roles } : {}),
  })
  const request = requestsTo(guildhall.url)
  return {
    url: guildhall.url,
    statusUrl: guildhall.statusUrl,
    get ports() {
      if (!guildhall.ports) throw new Error('No role of this process carries out commands')
      return guildhall.ports
    },
    store: guildhall.store,
    readModels: guildhall.readModels,
    request,
    register: async (username, { startsSession = true } = {}) => {
      if (!guildhall.ports) throw new Error('No role of this process carries out commands')
      const { account, isMailed } = await register(guildhall.ports, guildhall.store.events, username)
      // Mails are sent side by side: only after its arrival is the next one to that address the second.
      if (isMailed) await mailServer?.mailTo(account.email, 1)
      if (startsSession) await countAsStarted(guildhall, account.id)
      return account
    },
    mailServer,
    mailTo: (address, count) => mailServer?.mailTo(address, count) ?? keptMail(guildhall, address, count),
    close: async () => {
      await guildhall.close()
      await mailServer?.close()
      await dropDatabase()
      if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Sends requests to a server, at a URL without a path. */
export function requestsTo(url: string): TestGuildhall['request'] {
  return async (method, path, { token, body, headers = {} } = {}) => {
    const {
      status,
      headers: answered,
      text,
    } = await sendRequest(`${url}${path}`, {
      method,
      headers: { ...(token === undefined ? {} : { authorization: token }), ...headers },
      body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
    })
    const isJson = answered.get('content-type')?.startsWith('application/json') ?? false
    return { status, headers: answered, body: isJson ? JSON.parse(text) : text === '' ? undefined : text }
  }
}

/** A kept mail is there as soon as the request that wrote it is answered. */
async function keptMail({ store }: Guildhall, address: string, count?: number): Promise<TestMail> {
  const outbox = openOutbox(store.database, store.personalDataKey)
  const kept = (await outbox.shown()).filter(({ to }) => to === address).toReversed()
  const mail = kept.at(count === undefined ? -1 : count - 1)
  if (!mail) throw new Error(`${kept.length} mails to ${address} are kept`)
  return mail
}

async function register(
  ports: Ports,
  events: EventStore,
  username?: string,
): Promise<{ readonly account: TestAccount; readonly isMailed: boolean }> {
  const unique = randomBytes(6).toString('hex')
  const account = { email: `${unique}@example.com`, password: `pass ${unique}` }
  const wishes = { username: username ?? `user_${unique}`, globalName: null, dateOfBirth: '1990-12-10', consent: true }
  if (!ports.mail.canSend && isDeepStrictEqual(await ports.instancePolicies.current(), freshPolicy))
    return {
      account: { ...(await appendAccount(ports, events, testRequester(), { ...wishes, ...account })), ...account },
      isMailed: false,
    }
  const noCodes = { inviteCode: null, registrationUrlCode: null }
  const { accountIdentity } = await ports.instancePolicies.current()
  const email = accountIdentity.signIn === 'email' ? account.email : null
  const registered = await registerUseCase(ports)(testRequester(), { ...account, email, ...wishes, ...noCodes })
  if (!('token' in registered)) throw new Error('Whoever registers there awaits approval, and has no session')
  return { account: { token: registered.token, id: registered.user_id, ...account }, isMailed: email !== null }
}
