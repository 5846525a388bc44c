import type { RecordedEvent } from '../../../application/ports/event-store.js'
import type { AccountRecord } from '../../../application/ports/queries/account-queries.js'
import type { GuildWithMember } from '../../../application/ports/queries/guild-queries.js'
import type { InviteRecord } from '../../../application/ports/queries/invite-queries.js'
import type { UnfinishedStep } from '../../../application/ports/queries/unfinished-queries.js'
import type { AllQueries } from '../../../application/ports.js'
import { account } from '../../../domain/account/account.js'
import type { AccountEvent } from '../../../domain/account/events.js'
import type { AccountState, WebAuthnCredential } from '../../../domain/account/state.js'
import { guildAuditEntryOf, type GuildAuditEntry } from '../../../domain/audit/guild-audit-entry.js'
import type { GuildEvent } from '../../../domain/guild/events.js'
import { guild as guildDecider } from '../../../domain/guild/guild.js'
import type { Guild, GuildState } from '../../../domain/guild/state.js'
import type { AccountId, GuildId } from '../../../domain/ids/ids.js'
import { compareSnowflakes, type Snowflake } from '../../../domain/ids/snowflake.js'
import type { InviteEvent } from '../../../domain/invite/events.js'
import { invite } from '../../../domain/invite/invite.js'
import { admits, expiresAt, type InviteState } from '../../../domain/invite/state.js'
import { categoryOf } from '../../../domain/kernel/streams.js'
import type { MembershipEvent } from '../../../domain/membership/events.js'
import { membership } from '../../../domain/membership/membership.js'
import type { Membership, MembershipState } from '../../../domain/membership/state.js'
import { unfinishedProjection } from '../../../projections/unfinished/projector.js'

/** Read models in memory, folded by the domain's own evolve: enough for what use cases ask, and no slower than it. */
export interface MemoryReadModels {
  readonly queries: AllQueries
  apply(event: RecordedEvent): void
  /** Gives an account members of its record that no event of this build sets, such as flags. */
  setAccount(id: AccountId, members: Partial<AccountRecord>): void
}

/** What the events have come to. */
class Rows {
  readonly accounts = new Map<string, AccountState>()
  readonly overrides = new Map<AccountId, Partial<AccountRecord>>()
  readonly guilds = new Map<string, GuildState>()
  readonly members = new Map<string, MembershipState>()
  readonly invites = new Map<string, InviteState>()
  readonly entries: GuildAuditEntry[] = []
  readonly steps = new Map<string, Readonly<Record<string, unknown>>>()

  apply(event: RecordedEvent): void {
    const { stream } = event
    const entry = guildAuditEntryOf(event)
    if (entry) this.entries.push(entry)
    this.#changeSteps(event)
    // The stream's category says which events it holds.
    switch (categoryOf(stream)) {
      case 'account':
        return void this.accounts.set(
          stream,
          account.evolve(this.accounts.get(stream) ?? account.initial, event as unknown as AccountEvent),
        )
      case 'guild':
        return void this.guilds.set(
          stream,
          guildDecider.evolve(this.guilds.get(stream) ?? guildDecider.initial, event as unknown as GuildEvent),
        )
      case 'membership':
        return void this.members.set(
          stream,
          membership.evolve(this.members.get(stream) ?? membership.initial, event as unknown as MembershipEvent),
        )
      case 'invite':
        return void this.invites.set(
          stream,
          invite.evolve(this.invites.get(stream) ?? invite.initial, event as unknown as InviteEvent),
        )
      default:
        return undefined
    }
  }

  #changeSteps(event: RecordedEvent): void {
    for (const change of unfinishedProjection.project(event)) {
      if (change.change === 'put') this.steps.set(stepKey(change.row), change.row)
      if (change.change === 'remove') this.steps.delete(stepKey(change.key))
      if (change.change !== 'removeWhere') continue
      for (const [key, row] of this.steps) {
        if (Object.entries(change.columns).every(([column, value]) => row[column] === value)) this.steps.delete(key)
      }
    }
  }

  account(id: AccountId): AccountRecord | undefined {
    const state = this.accounts.get(`account-${id}`)
    if (state?.status !== 'registered') return undefined
    const { secondFactors: factors } = state
    return {
      id,
      username: state.username,
      discriminator: state.discriminator,
      profile: state.profile,
      email: state.email,
      emailVerified: state.emailVerified,
      hasPassword: state.passwordHash !== null,
      passwordChangedAt: null,
      dateOfBirth: state.dateOfBirth,
      locale: state.locale,
      flags: '0',
      bot: false,
      acls: state.acls,
      registeredAt: state.registeredAt,
      termsAcceptedAt: null,
      secondFactors: {
        totp: factors.totpSecret !== null,
        passkeys_count: factors.webAuthnCredentials.length,
        usesPasskeys: factors.usesPasskeys,
      },
      ...this.overrides.get(id),
    }
  }

  passkeysOf(state: AccountState | undefined): readonly WebAuthnCredential[] {
    return state?.status === 'registered' ? state.secondFactors.webAuthnCredentials : []
  }

  guild(id: GuildId): Guild | undefined {
    const state = this.guilds.get(`guild-${id}`)
    return state?.status === 'active' ? state : undefined
  }

  membersOf(id: GuildId): readonly Membership[] {
    return this.guild(id) ? this.allMembers().filter(({ guildId }) => guildId === id) : []
  }

  allMembers(): readonly Membership[] {
    return [...this.members.values()].filter((state) => state.status === 'member')
  }

  guildFor(id: GuildId, account: AccountId): GuildWithMember | undefined {
    const guild = this.guild(id)
    const members = this.membersOf(id)
    const member = members.find(({ accountId }) => accountId === account)
    return guild && { guild, member, memberCount: members.length }
  }

  allInvites(): readonly InviteRecord[] {
    const standing = [...this.invites.values()].filter((state) => state.status === 'created')
    return standing.map(({ terms, uses }) => ({ ...terms, uses, expiresAt: expiresAt(terms) }))
  }
}

function stepKey(row: Readonly<Record<string, unknown>>): string {
  return JSON.stringify([row['process'], row['key']])
}

/** Makes empty read models. */
export function memoryReadModels(): MemoryReadModels {
  const rows = new Rows()
  const { accounts, invites, guilds, members, auditLog, passkeys, sessions, unfinished } = {
    ...peopleQueries(rows),
    ...placeQueries(rows),
  }
  return {
    apply: (event) => rows.apply(event),
    setAccount: (id, given) => void rows.overrides.set(id, { ...rows.overrides.get(id), ...given }),
    queries: { accounts, invites, guilds, members, auditLog, passkeys, sessions, unfinished },
  }
}

function peopleQueries(rows: Rows): Pick<AllQueries, 'accounts' | 'members' | 'passkeys' | 'sessions' | 'unfinished'> {
  const guildsOf = (id: AccountId) =>
    rows.allMembers().filter(({ accountId, guildId }) => accountId === id && rows.guild(guildId))
  return {
    accounts: {
      find: async (id) => rows.account(id),
      findMany: async (ids) => ids.flatMap((id) => rows.account(id) ?? []),
      bySession: async (hash) => {
        const states = [...rows.accounts.values()]
        const state = states.find((each) => each.status === 'registered' && each.sessions.includes(hash))
        return state?.status === 'registered' ? rows.account(state.id) : undefined
      },
      byTag: async () => undefined,
    },
    members: {
      find: async (guild, account) => rows.guildFor(guild, account)?.member,
      countOf: async (guild) => rows.membersOf(guild).length,
      guildCountOf: async (account) => guildsOf(account).length,
      guildIdsOf: async (account) => guildsOf(account).map(({ guildId }) => guildId),
    },
    passkeys: {
      ofAccount: async (id) => rows.passkeysOf(rows.accounts.get(`account-${id}`)),
      holderOf: async (credentialId) => {
        const states = [...rows.accounts.values()]
        const state = states.find((each) => rows.passkeysOf(each).some(({ id }) => id === credentialId))
        return state?.status === 'registered' ? state.id : undefined
      },
    },
    // Where and when sessions began is tested over Postgres.
    sessions: { ofAccount: async () => [] },
    unfinished: {
      before: async (instant, limit, after) =>
        [...rows.steps.values()]
          .map(stepOf)
          .filter(({ since }) => since < instant)
          .toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1))
          .filter((step) => after === undefined || orderOf(step) > orderOf(after))
          .slice(0, limit),
      find: async (process, key) => {
        const row = rows.steps.get(stepKey({ process, key }))
        return row && stepOf(row)
      },
    },
  }
}

const stepOf = (row: Readonly<Record<string, unknown>>) =>
  ({ ...row, eventId: row['event_id'], correlationId: row['correlation_id'] }) as unknown as UnfinishedStep

const orderOf = ({ since, process, key }: UnfinishedStep): string => `${since} ${process} ${key}`

function placeQueries(rows: Rows): Pick<AllQueries, 'auditLog' | 'guilds' | 'invites'> {
  const ascending = (a: Snowflake, b: Snowflake): number => compareSnowflakes(a, b)
  const standing = (now: string) =>
    rows.allInvites().filter((record) => admits({ terms: record, uses: record.uses }, now as InviteRecord['createdAt']))
  return {
    auditLog: {
      page: async (guild, { before, after, actorId, actionType, limit }, oldest) =>
        rows.entries
          .filter((entry) => entry.guildId === guild && compareSnowflakes(entry.id, oldest) >= 0)
          .filter(
            ({ id }) =>
              (before === undefined || ascending(id, before) < 0) && (after === undefined || ascending(id, after) > 0),
          )
          .filter(
            (entry) =>
              (actorId === undefined || entry.userId === actorId) &&
              (actionType === undefined || entry.actionType === actionType),
          )
          .toSorted((a, b) => ascending(b.id, a.id))
          .slice(0, limit),
    },
    guilds: {
      find: async (id) => rows.guild(id),
      findFor: async (id, account) => rows.guildFor(id, account),
      findByChannel: async (channel, account) => {
        const active = [...rows.guilds.values()].filter((state) => state.status === 'active')
        const found = active.find(({ channels }) => channels.some(({ id }) => id === channel))
        return found && rows.guildFor(found.id, account)
      },
      ofMember: async (account, { limit }) =>
        rows
          .allMembers()
          .filter(({ accountId }) => accountId === account)
          .toSorted((a, b) => ascending(a.guildId, b.guildId))
          .flatMap((member) => {
            const found = rows.guildFor(member.guildId, account)
            return found ? [{ ...found, member }] : []
          })
          .slice(0, limit),
    },
    invites: {
      find: async (code, now) => standing(now).find((record) => record.code === code),
      ofChannel: async (channel, now) =>
        standing(now)
          .filter(({ channelId }) => channelId === channel)
          .toReversed(),
      ofGuild: async (guild, now) =>
        standing(now)
          .filter(({ guildId }) => guildId === guild)
          .toReversed(),
      countOf: async (guild, now) => standing(now).filter(({ guildId }) => guildId === guild).length,
      equivalent: async ({ channelId, inviterId, maxUses, maxAge, temporary }, now) => {
        const wanted = { channelId, inviterId, maxUses, maxAge, temporary }
        const members = Object.keys(wanted) as (keyof typeof wanted)[]
        return standing(now).find((record) => members.every((member) => record[member] === wanted[member]))
      },
    },
  }
}
