import { jwtSudoProofs } from '../../../adapters/authentication/jwt-sudo-proofs.ts'
import { otplibTotp } from '../../../adapters/authentication/otplib-totp.ts'
import { createHash, randomBytes } from 'node:crypto'
import { inProcessDeferredTasks } from '../../../adapters/jobs/in-process-deferred-tasks.ts'
import { inProcessReservations } from '../../../adapters/reservations/in-process-reservations.ts'
import { inProcessLocks } from '../../../adapters/locks/in-process-locks.ts'
import { everyEvent, refusingWithoutCause } from '../../support/causes.ts'
import { memoryEventStore } from '../../support/memory/memory-event-store.ts'
import { memorySnapshots } from '../../support/memory/memory-snapshots.ts'
import { memoryMail } from '../../support/memory/memory-mail.ts'
import { simplewebauthnPasskeys } from '../../../adapters/passkeys/simplewebauthn-passkeys.ts'
import { memoryPersonalDataKeys } from '../../support/memory/memory-keys.ts'
import { memoryTickets } from '../../support/memory/memory-tickets.ts'
import { legiblePasswords } from './legible-passwords.ts'
import { quietPorts } from './quiet-ports.ts'
import { register } from '../../../application/identity/accounts/registering/register.ts'
import type { Caller, Requester } from '../../../application/caller.ts'
import { commandContext, type CommandSource } from '../../../application/commands/command-context.ts'
import { uuid7 } from '../../../application/commands/derive-id.ts'
import { createGuild } from '../../../application/communities/guilds/create-guild.ts'
import {
  instanceSecrets,
  policiesOverSettings,
} from '../../../application/administration/instance/policies-over-settings.ts'
import { limitsInForce } from '../../../application/caches/limits-in-force.ts'
import { blocklistSecrets } from '../../../application/content-rules/entry-ids.ts'
import { protectedAddresses } from '../../../application/administration/network-bans/protected-addresses.ts'
import { ofStores } from './of-stores.ts'
import { sealedBox } from '../../../application/secrets/sealed-box.ts'
import { openAggregates } from '../../../process/aggregates.ts'
import { freshPolicy } from '../../../domain/instance/fresh-policy.ts'
import { createChannelInvite } from '../../../application/communities/invites/create-channel-invite.ts'
import type { InviteWishes } from '../../../application/communities/invites/invite-wishes.ts'
import type { EventStore, RecordedEvent } from '../../../application/ports/event-store.ts'
import { beforeAll } from '../../../domain/kernel/position.ts'
import type { OpenIdProvider } from '../../../application/ports/openid-provider.ts'
import type { Letter } from '../../../application/ports/mail.ts'
import type { AccountRecord } from '../../../application/ports/queries/account-queries.ts'
import type { Ports } from '../../../application/ports.ts'
import {
  accountId,
  channelId,
  guildId,
  inviteCode,
  type AccountId,
  type ChannelId,
  type GuildId,
  type InviteCode,
} from '../../../domain/ids/ids.ts'
import { stockLimits } from '../../../domain/limits/limit-config.ts'
import { nextSnowflake, snowflake, type SnowflakeClock } from '../../../domain/ids/snowflake.ts'
import { unparsed } from '../../../domain/kernel/parsed.ts'
import { timestamp, type Timestamp } from '../../../domain/kernel/timestamp.ts'
import { unlimited } from './allowances.ts'
import { memoryMessages } from './memory-messages.ts'
import { nothingBeside } from './nothing.ts'
import { plainInstance } from './plain-instance.ts'
import { memoryReadModels, type MemoryReadModels } from './read-models.ts'
import type { WorldOptions } from './world-options.ts'

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
  const memory = refusingWithoutCause(memoryEventStore({ keys }))
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
      events: store,
      queries: readModels.queries,
      messages: messages.messages,
      reactions: messages.reactions,
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
      ...nothingBeside,
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
    events: () => everyEvent(memory),
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
