import { defaultLayout } from '../../../domain/guild/layout.ts'
import { randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import { guild as guildAggregate } from '../../../domain/guild/guild.ts'
import { initialSettings, type GuildSettings } from '../../../domain/guild/state.ts'
import type { Channel } from '../../../domain/guild/channel.ts'
import {
  accountId,
  channelId,
  guildId,
  inviteCode,
  roleId,
  type AccountId,
  type GuildId,
  type RoleId,
} from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import type { DomainEvent } from '../../../domain/kernel/decider.ts'
import type { InviteTerms } from '../../../domain/invite/events.ts'
import type { PermissionName } from '../../../domain/permissions/permission-bits.ts'
import type { RecordedEvent } from '../../../application/ports/event-store.ts'
import type { AccountRecord } from '../../../application/ports/queries/account-queries.ts'
import type { PresenceExchange } from '../../../application/ports/presence.ts'
import { openGateway, type Gateway } from '../../../gateway/gateway.ts'
import type { GatewayLimits } from '../../../gateway/limits.ts'
import type { ExpectedHandovers } from '../../../gateway/sessions/expected-handovers.ts'
import { memoryMessages } from '../../application/support/memory-messages.ts'
import { Client, type Payload } from './client.ts'
import { allowing, identifyOf, joined, plainRole, sometime, start } from './facts.ts'
import { manualClock, type ManualClock } from './manual-clock.ts'
import { queriesOf } from './queries.ts'
import { hashOf, ReadModels } from './read-models.ts'
import { Typists } from './typists.ts'

export interface StageOptions {
  readonly limits?: Partial<GatewayLimits>
  readonly rateLimits?: boolean
  readonly presenceExchange?: PresenceExchange
  readonly handovers?: ExpectedHandovers
  readonly clientVersions?: readonly string[]
}

export interface Account {
  readonly id: AccountId
  readonly token: string
  readonly tokenHash: string
}

/** A guild of the test, with its default layout. */
export interface Place {
  readonly id: GuildId
  readonly owner: Account
  readonly general: Channel['id']
}

/** A Gateway on a real HTTP server, and the world around it: accounts, read models and a bus. */
export class Stage {
  readonly models = new ReadModels()
  readonly messages = memoryMessages()
  readonly typists = new Typists()
  readonly clock: ManualClock = manualClock()
  /** What the Gateway logged as an error. */
  readonly errors: unknown[] = []
  readonly gateway: Gateway
  readonly #server: Server
  readonly #clients: Client[] = []
  #handle: ((events: readonly RecordedEvent[]) => void) | undefined
  #ids = 1000
  #marks = 60

  constructor(server: Server, { limits, rateLimits, presenceExchange, ...told }: StageOptions) {
    this.#server = server
    const tell = (fields: unknown, message: string): void => {
      this.errors.push({ fields, message })
    }
    this.gateway = openGateway({
      server,
      bus: {
        subscribe: (handle) => {
          this.#handle = handle
          return () => {
            this.#handle = undefined
          }
        },
      },
      sessionTokens: this.models.sessionTokens,
      botTokens: this.models.botTokens,
      snapshots: this.models.snapshots,
      queries: queriesOf(this.models),
      lastMessages: (channels) => this.messages.messages.lastOf(channels),
      messages: {
        findMany: (places) => this.messages.messages.findMany(places),
        reactionsOf: (accounts, places) => this.messages.reactions.of(accounts, places),
        fileAddress: ({ channelId, id, filename }) => `https://chat.example/media/${channelId}/${id}/${filename}`,
        notices: this.messages.notices,
        from: 0n,
        since: () => Promise.resolve(this.models.position),
      },
      threads: this.models.threadLookups,
      typing: this.typists,
      clock: this.clock,
      randomBytes,
      log: { debug: () => undefined, warn: () => undefined, error: tell },
      rateLimits: rateLimits ?? true,
      ...(limits ? { limits } : {}),
      ...(presenceExchange ? { presenceExchange } : {}),
      ...told,
    })
  }

  get port(): number {
    const address = this.#server.address()
    return typeof address === 'object' && address ? address.port : 0
  }

  newId() {
    this.#ids += 1
    return snowflake((BigInt(this.#ids) << 22n).toString())
  }

  account(changes: Partial<AccountRecord> = {}): Account {
    const id = accountId(this.newId())
    const token = this.models.register(id, changes)
    return { id, token, tokenHash: hashOf(token) }
  }

  /** Records facts: the read models contain them, but the bus has not delivered them yet. */
  commit(...facts: readonly DomainEvent[]): readonly RecordedEvent[] {
    return facts.map(({ type, data }) => {
      const position = this.models.position + 3n
      const metadata = {
        eventId: position.toString(),
        at: sometime,
        actor: { kind: 'system', name: 'test' } as const,
        correlationId: 'correlation',
        causationId: 'causation',
      }
      const event = { stream: 'guild-1', revision: 0, position, type, data, metadata } as const
      this.models.apply(event)
      return event
    })
  }

  publish(events: readonly RecordedEvent[]): void {
    this.#handle?.(events)
  }

  happen(...facts: readonly DomainEvent[]): void {
    this.publish(this.commit(...facts))
  }

  /** Founds a guild in which everyone gets the named permissions in addition to the default ones. */
  found(
    owner: Account,
    { extras = 0, everyone = [] }: { extras?: number; everyone?: readonly PermissionName[] } = {},
  ): Place {
    const id = guildId(this.newId())
    const ids = [1, 2, 3, 4].map(() => channelId(this.newId()))
    const [
      textCategory = channelId(this.newId()),
      voiceCategory = textCategory,
      text = textCategory,
      voice = textCategory,
    ] = ids
    const layout = defaultLayout(id, { textCategory, voiceCategory, text, voice })
    const command = {
      type: 'CreateGuild',
      guildId: id,
      name: 'Home',
      ownerId: owner.id,
      features: [],
      layout,
      now: start,
    } as const
    const decision = guildAggregate.decide(guildAggregate.initial, command)
    if (decision.outcome === 'refused') throw new Error(decision.refusal.code)
    const facts = decision.events.map((event) =>
      event.type === 'RoleCreated'
        ? { type: event.type, data: { ...event.data, role: allowing(event.data.role, everyone) } }
        : event,
    )
    this.models.extras.set(id, extras)
    this.happen(...facts)
    this.happen(joined(id, owner.id))
    return { id, owner, general: text }
  }

  /** A role of the guild that grants permissions. */
  role(place: Place, ...permissions: readonly PermissionName[]): RoleId {
    const role = plainRole(roleId(this.newId()), ...permissions)
    this.happen({ type: 'RoleCreated', data: { guildId: place.id, role } })
    return role.id
  }

  invite(place: Place, inviter: Account, changes: Partial<InviteTerms> = {}): InviteTerms {
    const code = inviteCode(`code${this.newId()}`)
    const plain = { code, guildId: place.id, channelId: place.general, inviterId: inviter.id, maxUses: 5, maxAge: 3600 }
    return { ...plain, temporary: false, createdAt: sometime, ...changes }
  }

  url(query = 'v=1'): string {
    return `ws://127.0.0.1:${this.port}/gateway?${query}`
  }

  connect(query?: string, from?: string): Client {
    const client = new Client(this.url(query), {}, { from, isSilent: true })
    this.#clients.push(client)
    return client
  }

  /** Connects and waits for Hello. */
  async greet(from?: string): Promise<Client> {
    const client = this.connect(undefined, from)
    await client.op(10)
    return client
  }

  async identify(account: Account, more: object = {}, from?: string): Promise<Client> {
    const client = await this.greet(from)
    client.send(2, identifyOf(account, more))
    await client.dispatch('READY')
    return client
  }

  async resume(account: Pick<Account, 'token'>, sessionId: string, seq: number): Promise<Client> {
    const client = await this.greet()
    client.send(6, { token: account.token, session_id: sessionId, seq })
    return client
  }

  /**
   * Changes a setting of the guild, which everybody in it hears of, and waits until each client did. Returns what each client
   * heard since the last call, without the change itself.
   */
  async heard(place: Place, ...clients: readonly Client[]): Promise<readonly (readonly string[])[]> {
    return (await this.told(place, ...clients)).map((payloads) => payloads.map(({ t, op }) => t ?? `op ${op}`))
  }

  async told(place: Place, ...clients: readonly Client[]): Promise<readonly (readonly Payload[])[]> {
    const mark = this.mark(place)
    return Promise.all(
      clients.map(async (client) => {
        const payloads = await client.until(
          ({ t, d }) => t === 'GUILD_UPDATE' && d['afk_timeout'] === mark,
          `mark ${mark}`,
        )
        return payloads.filter((payload) => !isMark(client, payload))
      }),
    )
  }

  mark(place: Place): number {
    this.#marks += 1
    const settings: Partial<GuildSettings> = { afkTimeout: this.#marks }
    this.happen({ type: 'GuildSettingsChanged', data: { guildId: place.id, settings } })
    return this.#marks
  }

  /** Lets the process do everything that it can do now. */
  async turn(): Promise<void> {
    for (let count = 0; count < 3; count += 1) await new Promise((resolve) => setImmediate(resolve))
  }

  /** Waits until the Gateway has handled what was published. */
  async handled(): Promise<void> {
    do await this.turn()
    while (this.gateway.stats().queuedEvents > 0)
  }

  /** Waits for a fact about the Gateway. */
  async stats(isSo: (stats: ReturnType<Gateway['stats']>) => boolean): Promise<void> {
    while (!isSo(this.gateway.stats())) await this.turn()
  }

  async end(): Promise<void> {
    this.gateway.close()
    for (const { socket } of this.#clients) socket.terminate()
    this.#server.closeAllConnections()
    await new Promise((resolve) => {
      this.#server.close(resolve)
    })
  }
}

export async function openStage(options: StageOptions = {}): Promise<Stage> {
  const server = createServer()
  const stage = new Stage(server, options)
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return stage
}

/** Whether a payload contains a mark: the first change to a timeout that no guild begins with. */
function isMark({ payloads }: Client, payload: Payload): boolean {
  const timeoutOf = ({ t, d }: Payload): unknown =>
    t === 'GUILD_UPDATE' ? d['afk_timeout'] : initialSettings.afkTimeout
  if (timeoutOf(payload) === initialSettings.afkTimeout) return false
  return payloads.find((one) => timeoutOf(one) === timeoutOf(payload)) === payload
}
