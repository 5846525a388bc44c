import { jwtSudoProofs } from '../../../adapters/authentication/jwt-sudo-proofs.js'
import { otplibTotp } from '../../../adapters/authentication/otplib-totp.js'
import { createHash, randomBytes } from 'node:crypto'
import { inProcessDeferredTasks } from '../../../adapters/jobs/in-process-deferred-tasks.js'
import { inProcessReservations } from '../../../adapters/reservations/in-process-reservations.js'
import { inProcessLocks } from '../../../adapters/locks/in-process-locks.js'
import { memoryEventStore } from '../../support/memory/memory-event-store.js'
import { memorySnapshots } from '../../support/memory/memory-snapshots.js'
import { memoryMail } from '../../support/memory/memory-mail.js'
import { simplewebauthnPasskeys } from '../../../adapters/passkeys/simplewebauthn-passkeys.js'
import { memoryPersonalDataKeys } from '../../support/memory/memory-keys.js'
import { memoryTickets } from '../../support/memory/memory-tickets.js'
import { legiblePasswords } from './legible-passwords.js'
import { quietPorts } from './quiet-ports.js'
import { register } from '../../../application/identity/accounts/registering/register.js'
import type { Caller, Requester } from '../../../application/caller.js'
import { commandContext, type CommandSource } from '../../../application/commands/command-context.js'
import { uuid7 } from '../../../application/commands/derive-id.js'
import { createGuild } from '../../../application/communities/guilds/create-guild.js'
import {
  instanceSecrets,
  policiesOverSettings,
} from '../../../application/administration/instance/policies-over-settings.js'
import { limitsInForce } from '../../../application/caches/limits-in-force.js'
import { blocklistSecrets } from '../../../application/content-rules/entry-ids.js'
import { protectedAddresses } from '../../../application/administration/network-bans/protected-addresses.js'
import { ofStores } from './of-stores.js'
import { sealedBox } from '../../../application/secrets/sealed-box.js'
import { openAggregates } from '../../../process/aggregates.js'
import { freshPolicy } from '../../../application/administration/instance/fresh-policy.js'
import { createChannelInvite } from '../../../application/communities/invites/create-channel-invite.js'
import type { InviteWishes } from '../../../application/communities/invites/invite-wishes.js'
import { beforeAll, type EventStore, type RecordedEvent } from '../../../application/ports/event-store.js'
import type { OpenIdProvider } from '../../../application/ports/openid-provider.js'
import type { Letter } from '../../../application/ports/mail.js'
import type { AccountRecord } from '../../../application/ports/queries/account-queries.js'
import type { Ports } from '../../../application/ports.js'
import {
  accountId,
  channelId,
  guildId,
  inviteCode,
  type AccountId,
  type ChannelId,
  type GuildId,
  type InviteCode,
} from '../../../domain/ids/ids.js'
import { stockLimits } from '../../../domain/limits/limit-config.js'
import { nextSnowflake, snowflake, type SnowflakeClock } from '../../../domain/ids/snowflake.js'
import { unparsed } from '../../../domain/kernel/parsed.js'
import { timestamp, type Timestamp } from '../../../domain/kernel/timestamp.js'
import { unlimited } from './allowances.js'
import { memoryMessages } from './memory-messages.js'
import { noArchives, noAuthorMessages, noBackgroundJobs, noImages } from './nothing.js'
import { plainInstance } from './plain-instance.js'
import { memoryReadModels, type MemoryReadModels } from './read-models.js'
import type { WorldOptions } from './world-options.js'

/** One process of the service with a store in memory, and its users. */
export interface World {
  readonly ports: Ports
  readonly readModels: MemoryReadModels
  readonly store: EventStore
  /** Every event so far, oldest first. */
  events(): Promise<readonly RecordedEvent[]>
  /** A request without an account. */
  requester(source?: Partial<CommandSource>): Requester
  /** A request of an account, as it is now. */
  as(id: AccountId, source?: Partial<CommandSource>): Promise<Caller>
  /** Registers an account with an address and a password. */
  newcomer(name?: string): Promise<AccountId>
  /** Founds a guild and creates an invite to its general channel. */
  guildOf(
    owner: AccountId,
    wishes?: Partial<InviteWishes>,
  ): Promise<{ readonly id: GuildId; readonly channel: ChannelId; readonly code: InviteCode }>
  /** The letters that were sent, oldest first. */
  readonly letters: readonly Letter[]
  readonly present: Set<AccountId>
  setAccount(id: AccountId, members: Partial<AccountRecord>): void
  /** Makes the process die instead of appending an event of this type. */
  dieBefore(type: string): void
  /** Makes the process die instead of the act after this many: an append, a word to a store, or a job. */
  dieAfter(acts_count: number): void
  /** Another process on the same store: nothing that was in memory is left. */
  restart(): void
  readonly now: Timestamp
  /** Lets time pass. */
  wait(ms: number): void
}

export class Died extends Error {}

const plainWishes: InviteWishes = { maxUses: 0, maxAge: 0, unique: true, temporary: false }

const noProvider: OpenIdProvider = {
  authorizationUrl: async () => unparsed('SSO_MISCONFIGURED'),
  redeem: async () => unparsed('SSO_MISCONFIGURED'),
}

export function world(options: WorldOptions = {}): World {
  const keys = memoryPersonalDataKeys()
  const memory = memoryEventStore({ keys })
  const readModels = memoryReadModels()
  const mail = memoryMail(options.canSendMail ?? false)
  const messages = memoryMessages()
  const tickets = memoryTickets(() => now_ms)
  const deferred = inProcessDeferredTasks((error) => {
    throw error
  })
  const present = new Set<AccountId>()
  let clock: SnowflakeClock = { ms: 0, sequence: 0 }
  let now_ms = Date.UTC(2026, 4, 1, 12)
  let applied = beforeAll
  let deadly: string | undefined
  let actsLeft_count = Infinity
  let names = 0

  const act = (): void => {
    if (actsLeft_count <= 0) throw new Died('too many acts')
    actsLeft_count -= 1
  }
  const shops = options.shops?.({ act, now: () => timestamp(now_ms) })
  const store: EventStore = {
    ...memory,
    append: (stream, expected, events) => {
      act()
      if (events.some(({ type }) => type === deadly)) throw new Died(deadly)
      return memory.append(stream, expected, events)
    },
  }

  async function catchUp(): Promise<void> {
    for await (const page of memory.readAll(applied)) {
      for (const event of page) {
        if (event.position <= applied) continue
        readModels.apply(event)
        applied = event.position
      }
    }
  }

  function process(): Ports {
    const snapshots = memorySnapshots({ keys })
    const settings = { store, snapshots }
    const aggregates = openAggregates(settings)
    return {
      aggregates,
      queries: readModels.queries,
      messages: messages.messages,
      authorMessages: noAuthorMessages,
      images: noImages,
      readModels: {
        reached: async () => {
          if (options.lag_ms !== undefined)
            await new Promise((resolve) => setTimeout(resolve, Math.random() * (options.lag_ms ?? 0)))
          await catchUp()
        },
      },
      locks: inProcessLocks(),
      reservations: inProcessReservations(),
      limits: limitsInForce({
        aggregates,
        premium: { ...freshPolicy, ...options.policy }.premium,
        hosted: options.instance?.hosted ?? false,
        now_ms: () => now_ms,
        clock: () => timestamp(now_ms),
        defaults: {
          premium: stockLimits.premium,
          get default() {
            return { ...stockLimits.default, ...options.limits }
          },
        },
      }),
      allowances: options.allowances ?? unlimited,
      presence: {
        isPresent: async (id) => present.has(id),
        hearsAll: () => true,
        onlineCounts: async (guilds) => new Map(guilds.map((id) => [id, 0])),
      },
      sessionHandovers: { expect: () => undefined },
      reminders: { remind: () => undefined },
      deferred,
      sessionActivity: { note: () => undefined, forget: () => undefined, lastUsed: async () => new Map() },
      personalDataKeys: keys,
      snapshots,
      ...quietPorts,
      sudoProofs: jwtSudoProofs(Buffer.alloc(32, 3)),
      totp: otplibTotp(),
      passkeys: simplewebauthnPasskeys(),
      passwords: legiblePasswords,
      tickets,
      mail,
      addressHash: (address) => createHash('sha256').update(address).digest('hex'),
      identityHash: (issuer, subject) => createHash('sha256').update(`${issuer} ${subject}`).digest('hex'),
      openIdProvider: options.openIdProvider ?? noProvider,
      blocklistBox: sealedBox(new Uint8Array(32), blocklistSecrets),
      ...ofStores,
      ...shops,
      isProtectedAddress: protectedAddresses([]),
      backgroundJobs: noBackgroundJobs,
      ...noArchives,
      adminAuditHash: (text) => createHash('sha256').update(text).digest('hex'),
      instance: { ...plainInstance, ...options.instance },
      testMailServer: async () => undefined,
      instancePolicies: policiesOverSettings({
        aggregates,
        settings: { ...freshPolicy, ...options.policy },
        secrets: sealedBox(new Uint8Array(32), instanceSecrets),
      }),
    }
  }

  function requester(source: Partial<CommandSource> = {}): Requester {
    const commandId = source.commandId ?? uuid7(now_ms, randomBytes(10))
    const context = commandContext({
      commandId,
      correlationId: `request ${commandId}`,
      causationId: commandId,
      actor: { kind: 'system', name: 'anonymous' },
      reason: undefined,
      now: timestamp(now_ms),
      mayRepeat: false,
      isKeyed: false,
      newId: () => {
        const next = nextSnowflake(clock, now_ms, 1)
        clock = next.clock
        return next.id
      },
      randomBytes: (count) => randomBytes(count),
      ...source,
    })
    return {
      context,
      ip: '192.0.2.1',
      userAgent: 'test',
      capabilities: new Set(),
      locale: 'en-US',
      authorization: null,
    }
  }

  let ports = process()
  const self: World = {
    get ports() {
      return ports
    },
    get now() {
      return timestamp(now_ms)
    },
    readModels,
    store: memory,
    letters: mail.letters,
    present,
    requester,
    setAccount: readModels.setAccount,
    dieBefore: (type) => void (deadly = type),
    dieAfter: (acts_count) => void (actsLeft_count = acts_count),
    wait: (ms) => void (now_ms += ms),
    restart: () => {
      deadly = undefined
      actsLeft_count = Infinity
      ports = process()
    },
    async events() {
      const all: RecordedEvent[] = []
      for await (const page of memory.readAll(beforeAll)) all.push(...page)
      return all
    },
    async as(id, source) {
      await catchUp()
      const record = await readModels.queries.accounts.find(id)
      if (!record) throw new Error(`Nobody is ${id}`)
      const { state } = await ports.aggregates.account.load(id)
      const newest = state.status === 'registered' ? state.sessions.at(-1) : undefined
      const session = { kind: 'session', tokenHash: newest ?? `session of ${id}` } as const
      const credential = record.bot ? ({ kind: 'bot' } as const) : session
      return { ...requester({ actor: { kind: 'account', id }, ...source }), account: record, credential }
    },
    async newcomer(name) {
      names += 1
      const username = name ?? `person_${names}`
      const nothing = { globalName: null, dateOfBirth: null, inviteCode: null, registrationUrlCode: null }
      const wishes = { ...nothing, email: `${username}@example.com`, username, password: 'a password', consent: true }
      return (await register(ports)(requester(), wishes)).user_id
    },
    async guildOf(owner, wishes = {}) {
      const founding = { name: 'Home', emptyFeatures: false, icon: null, template: null }
      const made = await createGuild(ports)(await self.as(owner), founding)
      const channel = channelId(snowflake(made.system_channel_id ?? '0'))
      const { code } = await createChannelInvite(ports)(await self.as(owner), channel, { ...plainWishes, ...wishes })
      return { id: guildId(snowflake(made.id)), channel, code: inviteCode(code) }
    },
  }
  return self
}

export const stranger = accountId(snowflake('99'))
