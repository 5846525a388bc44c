import { createHash } from 'node:crypto'
import { guild as guildAggregate } from '../../../domain/guild/guild.ts'
import type { GuildEvent } from '../../../domain/guild/events.ts'
import type { GuildState } from '../../../domain/guild/state.ts'
import type { GuildExpressionsEvent } from '../../../domain/guild-expressions/events.ts'
import { guildExpressions } from '../../../domain/guild-expressions/guild-expressions.ts'
import { noExpressions, type Expressions } from '../../../domain/guild-expressions/state.ts'
import { accountId, guildId, type AccountId, type ChannelId, type GuildId } from '../../../domain/ids/ids.ts'
import { compareSnowflakes, snowflake } from '../../../domain/ids/snowflake.ts'
import { timestamp } from '../../../domain/kernel/timestamp.ts'
import type { GuildAuditEntry } from '../../../domain/audit/audit-entry.ts'
import { guildAuditEntriesOf } from '../../../domain/audit/guild-audit-entry.ts'
import { membership } from '../../../domain/membership/membership.ts'
import type { MembershipEvent } from '../../../domain/membership/events.ts'
import type { Membership, MembershipState } from '../../../domain/membership/state.ts'
import type { RecordedEvent } from '../../../application/ports/event-store.ts'
import type { AccountQueries, AccountRecord } from '../../../application/ports/queries/account-queries.ts'
import type { AuditLogQueries } from '../../../application/ports/queries/audit-log-queries.ts'
import type { MemberQueries } from '../../../application/ports/queries/member-queries.ts'
import type {
  PrivateChannel,
  PrivateChannelQueries,
} from '../../../application/ports/queries/private-channel-queries.ts'
import type { Relationship } from '../../../application/ports/queries/relationship-queries.ts'
import type { PasskeyQueries, PasskeyRecord } from '../../../application/ports/queries/passkey-queries.ts'
import { newProfile } from '../../../domain/account/profile.ts'
import type { SessionSnapshot, SessionSnapshots } from '../../../application/ports/queries/session-snapshot.ts'
import type {
  UserGuildSettingsRecord,
  UserSettingsQueries,
} from '../../../application/ports/queries/user-settings-queries.ts'
import type { UserGuildSettingsEvent } from '../../../domain/user-guild-settings/events.ts'
import { userGuildSettingsId } from '../../../domain/user-guild-settings/state.ts'
import { userGuildSettings } from '../../../domain/user-guild-settings/user-guild-settings.ts'
import type { UserSettingsEvent } from '../../../domain/user-settings/events.ts'
import type { ChosenSettings } from '../../../domain/user-settings/settings.ts'
import type { UserSettingsState } from '../../../domain/user-settings/state.ts'
import { userSettings } from '../../../domain/user-settings/user-settings.ts'
import type { BotTokens } from '../../../application/ports/credentials.ts'
import { deletedAccount } from '../../../application/wire-objects/identity/deleted-account.ts'
import type { FoundThread, ThreadLookups } from '../../../application/ports/thread-lookups.ts'
import type { SessionTokens } from '../../../application/ports/session-tokens.ts'

type Question = 'token' | 'snapshot' | 'accounts' | 'members' | 'roll'

/** The answers of the read models' queries, from plain data that events change by the domain's own rules. */
export class ReadModels {
  readonly accounts = new Map<AccountId, AccountRecord>()
  readonly passkeys = new Map<AccountId, readonly PasskeyRecord[]>()
  readonly guilds = new Map<GuildId, GuildState>()
  readonly expressions = new Map<GuildId, Expressions>()
  /** By guild and account, in the order of joining. */
  readonly members = new Map<string, MembershipState>()
  readonly entries = new Map<string, GuildAuditEntry>()
  /** Members without an account in the test, which make a guild large. */
  readonly extras = new Map<GuildId, number>()
  readonly tokens = new Map<string, AccountId>()
  /** The current threads; events do not change them. */
  readonly threads = new Map<ChannelId, FoundThread>()
  /** The current members of private threads. Nobody asks for those of other threads. */
  readonly threadPartakers = new Map<ChannelId, readonly AccountId[]>()
  readonly goneThreads = new Set<ChannelId>()
  readonly relationships = new Map<AccountId, readonly Relationship[]>()
  readonly privateChannels = new Map<AccountId, readonly PrivateChannel[]>()
  readonly settings = new Map<AccountId, UserSettingsState>()
  /** By account and guild. */
  readonly guildSettings = new Map<string, UserGuildSettingsRecord>()
  position = 0n
  /** Runs between a query and its answer. */
  delay: (question: Question) => Promise<void> = () => Promise.resolve()

  /** Holds back the answer to the next query of a kind until the test releases it. */
  hold(kind: Question): { readonly asked: Promise<void>; readonly answer: () => void } {
    let answer: () => void = () => undefined
    const asked = new Promise<void>((resolve) => {
      this.delay = (question) => {
        if (question !== kind) return Promise.resolve()
        this.delay = () => Promise.resolve()
        resolve()
        return new Promise((release) => {
          answer = release
        })
      }
    })
    return {
      asked,
      answer: () => {
        answer()
      },
    }
  }

  /** Holds back the answers to all queries of a kind until the test releases them. */
  holdAll(kind: Question): { readonly answer: () => void } {
    const held: (() => void)[] = []
    this.delay = (question) => (question === kind ? new Promise((go) => held.push(go)) : Promise.resolve())
    return {
      answer: () => {
        this.delay = () => Promise.resolve()
        for (const go of held) go()
      },
    }
  }

  register(id: AccountId, changes: Partial<AccountRecord> = {}): string {
    this.accounts.set(id, { ...plainAccount, id, username: `user${id}`, ...changes })
    const token = `gld_${id.padStart(36, 'x')}`
    this.tokens.set(token, id)
    return token
  }

  apply(event: RecordedEvent): void {
    const { type, data, position } = event
    this.position = position
    for (const entry of guildAuditEntriesOf(event)) this.entries.set(entry.id, entry)
    if (type === 'SessionEnded' && 'tokenHash' in data) {
      for (const token of this.tokens.keys()) if (hashOf(token) === data.tokenHash) this.tokens.delete(token)
    }
    this.#applySettings({ type, data } as UserSettingsEvent | UserGuildSettingsEvent)
    if (!('guildId' in data)) return
    const guild = data.guildId as GuildId
    if (type.startsWith('Member')) this.#applyMember(guild, { type, data } as MembershipEvent)
    const state = this.guilds.get(guild) ?? guildAggregate.initial
    if (/^(?:Guild|Role|Channel)/.test(type))
      this.guilds.set(guild, guildAggregate.evolve(state, { type, data } as GuildEvent))
    if (!/^(?:Emoji|Sticker)/.test(type)) return
    const held = { status: 'kept', ...(this.expressions.get(guild) ?? noExpressions) } as const
    const next = guildExpressions.evolve(held, { type, data } as GuildExpressionsEvent)
    if (next.status === 'kept') this.expressions.set(guild, next)
  }

  #applySettings(event: UserSettingsEvent | UserGuildSettingsEvent): void {
    if (event.type === 'UserSettingsChanged') {
      const { accountId } = event.data
      this.settings.set(accountId, userSettings.evolve(this.settings.get(accountId) ?? userSettings.initial, event))
    }
    if (event.type === 'UserGuildSettingsChanged') {
      const { accountId, forGuild: guildId } = event.data
      const key = userGuildSettingsId(accountId, guildId)
      const before = this.guildSettings.get(key)
      const state = before ? { status: 'changed' as const, ...before } : userGuildSettings.initial
      const { settings, version } = userGuildSettings.evolve(state, event)
      this.guildSettings.set(key, { guildId, settings, version })
    }
  }

  #applyMember(guild: GuildId, event: MembershipEvent): void {
    const key = `${guild} ${event.data.accountId}`
    const next = membership.evolve(this.members.get(key) ?? membership.initial, event)
    if (event.type === 'MemberJoined') this.members.delete(key)
    this.members.set(key, next)
  }

  readonly auditLogQueries: Pick<AuditLogQueries, 'findMany'> = {
    findMany: (_, ids) => Promise.resolve(ids.flatMap((id) => this.entries.get(id) ?? [])),
  }

  readonly sessionTokens: SessionTokens = {
    resolve: async (token) => {
      const account = this.accounts.get(this.tokens.get(token) as AccountId)
      await this.delay('token')
      return account && { account, tokenHash: hashOf(token) }
    },
  }

  /** Bots' tokens are among the other tokens. */
  readonly botTokens: BotTokens = { resolve: () => Promise.resolve(undefined) }

  readonly snapshots: SessionSnapshots = {
    take: async (account) => {
      const taken = this.#snapshot(account)
      await this.delay('snapshot')
      return taken
    },
  }

  readonly accountQueries: AccountQueries = {
    find: (id) => Promise.resolve(this.accounts.get(id)),
    findMany: async (ids) => {
      const found = ids.flatMap((id) => this.accounts.get(id) ?? [])
      await this.delay('accounts')
      return found
    },
    findManyAsStored: async (ids) => ids.flatMap((id) => this.accounts.get(id) ?? []),
    bySession: () => Promise.resolve(undefined),
    holdersOfAllAcls: () => Promise.resolve([]),
    byTag: () => Promise.resolve(undefined),
  }

  readonly memberQueries: Pick<MemberQueries, 'among' | 'amongGuilds' | 'find' | 'named' | 'ofAccount'> = {
    named: async (guild, text, limit) => {
      const namesakes = this.#standing().filter(({ guildId, accountId, nick }) => {
        const account = this.accounts.get(accountId)
        const name = nick ?? account?.profile.globalName ?? account?.username ?? ''
        return guildId === guild && name.toLowerCase().startsWith(text.toLowerCase())
      })
      return namesakes
        .map(({ accountId }) => accountId)
        .toSorted(compareSnowflakes)
        .slice(0, limit)
    },
    among: async (guild, accounts) => {
      const members = await Promise.all(accounts.map((account) => this.memberQueries.find(guild, account)))
      await this.delay('members')
      return members.filter((member) => member !== undefined)
    },
    amongGuilds: async (guilds, accounts) =>
      (await Promise.all(guilds.map((guild) => this.memberQueries.among(guild, accounts)))).flat(),
    find: (guild, account) => {
      const member = this.members.get(`${guild} ${account}`)
      return Promise.resolve(member?.status === 'member' ? member : undefined)
    },
    ofAccount: async (account) => this.#standing().filter(({ accountId }) => accountId === account),
  }

  readonly #standing = () => [...this.members.values()].filter((member) => member.status === 'member')

  readonly userSettingsQueries: UserSettingsQueries = {
    find: (id) => Promise.resolve(this.#chosenBy(id)),
    findMany: (ids) => Promise.resolve(new Map(ids.map((id) => [id, this.#chosenBy(id)]))),
    findForGuild: (id, guild) => Promise.resolve(this.guildSettings.get(userGuildSettingsId(id, guild))),
  }

  #chosenBy(id: AccountId): ChosenSettings {
    return (this.settings.get(id) ?? userSettings.initial).chosen
  }

  /** At first nobody is shown any. */
  readonly threadLookups: ThreadLookups = {
    find: (id) => Promise.resolve(this.threads.get(id)),
    heardBy: (ids) => {
      const standing = ids.filter((id) => !this.goneThreads.has(id))
      const heard = (id: ChannelId) => ({ guildId: anyGuild, members: this.threadPartakers.get(id) ?? null })
      return Promise.resolve(new Map(standing.map((id) => [id, heard(id)])))
    },
    activeFor: () => Promise.resolve([]),
    talliesOf: () => Promise.resolve(new Map()),
  }

  readonly privateChannelQueries: Pick<PrivateChannelQueries, 'find' | 'findMany'> = {
    find: () => Promise.resolve(undefined),
    findMany: (ids) => Promise.resolve([...this.privateChannels.values()].flat().filter(({ id }) => ids.includes(id))),
  }

  readonly passkeyQueries: PasskeyQueries = {
    ofAccount: (id) => Promise.resolve(this.passkeys.get(id) ?? []),
    holderOf: () => Promise.resolve(undefined),
  }

  #snapshot(id: AccountId): SessionSnapshot | undefined {
    const account = this.accounts.get(id)
    if (!account) return undefined
    const guilds = [...this.members.values()].flatMap((member) => {
      const guild = member.status === 'member' && member.accountId === id && this.guilds.get(member.guildId)
      if (!guild || guild.status !== 'active' || member.status !== 'member') return []
      const expressions = this.expressions.get(guild.id) ?? noExpressions
      return [{ guild, member, memberCount: this.memberCount(guild.id), expressions }]
    })
    const ofGuilds = [null, ...guilds.map(({ guild }) => guild.id)]
    return {
      position: this.position,
      account,
      settings: this.#chosenBy(id),
      guildSettings: ofGuilds.flatMap((guild) => this.guildSettings.get(userGuildSettingsId(id, guild)) ?? []),
      passkeys: this.passkeys.get(id) ?? [],
      relationships: this.relationships.get(id) ?? [],
      privateChannels: this.privateChannels.get(id) ?? [],
      guilds: guilds.toReversed(),
    }
  }

  staysOf(id: AccountId): readonly Membership[] {
    return [...this.members.values()].flatMap((member) =>
      member.status === 'member' && member.accountId === id ? [member] : [],
    )
  }

  memberCount(guild: GuildId): number {
    const members = [...this.members.values()].filter((one) => one.status === 'member' && one.guildId === guild)
    return members.length + (this.extras.get(guild) ?? 0)
  }
}

const anyGuild = guildId(snowflake('1'))
export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}

const plainAccount: AccountRecord = {
  ...deletedAccount(accountId(snowflake('1'))),
  username: 'somebody',
  discriminator: 7,
  profile: newProfile(null),
  email: 'somebody@example.test',
  emailVerified: true,
  isErased: false,
  hasPassword: true,
  dateOfBirth: '1990-01-01',
  registeredAt: timestamp(Date.UTC(2026, 0, 1)),
}
