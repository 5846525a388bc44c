import { noGuildExpressions, noRelationships, noWebhooks } from './nobody.ts'
import { beforeAll } from '../../../domain/kernel/position.ts'
import type { RecordedEvent } from '../../../application/ports/event-store.ts'
import type { AccountRecord } from '../../../application/ports/queries/account-queries.ts'
import type { InviteRecord } from '../../../application/ports/queries/invite-queries.ts'
import type { PremiumQueries } from '../../../application/ports/queries/premium-queries.ts'
import type { AllQueries } from '../../../application/ports.ts'
import type { AccountId } from '../../../domain/ids/ids.ts'
import { compareSnowflakes, type Snowflake } from '../../../domain/ids/snowflake.ts'
import { admits } from '../../../domain/invite/state.ts'
import { memoryGuildBans } from './guild-bans.ts'
import { memoryHistory } from './memory-history.ts'
import { memoryRegistrations } from './registrations.ts'
import { memoryUserSettings } from './user-settings.ts'
import { Rows } from './rows.ts'

/** Read models in memory, computed by the domain's own evolve. They have only what use cases query, and are never behind. */
export interface MemoryReadModels {
  readonly queries: AllQueries
  apply(event: RecordedEvent): void
  /** Gives an account members of its record that no event of this build sets, such as flags. */
  setAccount(id: AccountId, members: Partial<AccountRecord>): void
}

/** Makes empty read models. */
export function memoryReadModels(): MemoryReadModels {
  const rows = new Rows()
  const applied: RecordedEvent[] = []
  const { accounts, erasures, invites, guilds, members, auditLog, passkeys, sessions, unfinished } = {
    ...peopleQueries(rows),
    ...placeQueries(rows),
  }
  // Premium that is over is found with Postgres.
  const premium: PremiumQueries = { over: async () => [], byStoreToken: async (hash) => rows.accountOfToken(hash) }
  return {
    apply(event) {
      applied.push(event)
      rows.apply(event)
    },
    setAccount: (id, given) => void rows.overrides.set(id, { ...rows.overrides.get(id), ...given }),
    queries: {
      accounts,
      erasures,
      invites,
      guilds,
      members,
      auditLog,
      passkeys,
      sessions,
      unfinished,
      applications: rows.applications.queries((id) => rows.account(id)),
      ...unaskedQueries,
      history: memoryHistory(applied),
      premium,
      guildBans: memoryGuildBans(rows),
      reports: rows.reports.queries,
      registrations: memoryRegistrations(rows.accounts, rows.registrationUrls),
      userSettings: memoryUserSettings(rows.settings, rows.guildSettings),
    } as AllQueries,
  }
}

type Asked =
  | 'accounts'
  | 'applications'
  | 'auditLog'
  | 'erasures'
  | 'guildBans'
  | 'guilds'
  | 'history'
  | 'invites'
  | 'members'
  | 'passkeys'
  | 'premium'
  | 'registrations'
  | 'reports'
  | 'sessions'
  | 'unfinished'
  | 'userSettings'

/** Queries that are missing here are not used by any use case that is tested with these read models. */
const unaskedQueries: Partial<Omit<AllQueries, Asked>> = {
  // Threads are tested with Postgres.
  threads: {
    find: async () => undefined,
    findMany: async () => [],
    activeOf: async () => [],
    activeInGuildsOf: async () => [],
    activeJoinedBy: async () => [],
    countActive: async () => 0,
    archivedOf: async () => [],
    ownArchivedOf: async () => [],
    search: async () => ({ found: [], total: 0 }),
    idsUnder: async () => [],
    membership: async () => undefined,
    membershipsOf: async () => [],
    members: async () => [],
    memberPreviews: async () => new Map(),
    joinedIn: async () => [],
    perhapsIdle: async () => [],
  },
  // Direct messages and groups are tested with Postgres.
  privateChannels: {
    find: async () => undefined,
    findMany: async () => [],
    between: async () => undefined,
    openFor: async () => [],
    directOf: async () => [],
    openCountOf: async () => 0,
    shareGroup: async () => false,
    groupCountOf: async () => 0,
  },
  adminAudit: { find: async () => undefined, search: async () => ({ entries: [], total_count: 0 }) },
  adminKeys: { find: async () => undefined, ofAccount: async () => [] },
  positions: { held: async () => beforeAll },
  networkBans: { page: async () => [], holding: async () => [], changes: async () => 0 },
  // Nothing is listed.
  blocklists: {
    page: async () => [],
    findMany: async () => [],
    newestOf: async () => [],
    changes: async () => 0,
  },
  // Nobody bought any.
  gifts: { createdBy: async () => [] },
  images: { named: async () => [] },
  expressions: noGuildExpressions,
  webhooks: noWebhooks,
  // The directory is listed with Postgres.
  discovery: {
    find: async () => undefined,
    ofStatus: async () => [],
    ofCategory: async () => [],
    countOf: async () => 0,
    guildFacts: async () => undefined,
  },
  relationships: noRelationships,
  oauth2: {
    token: async () => undefined,
    family: async () => undefined,
    authorization: async () => undefined,
    authorizationsOf: async () => [],
  },
}

function peopleQueries(
  rows: Rows,
): Pick<AllQueries, 'accounts' | 'erasures' | 'members' | 'passkeys' | 'sessions' | 'unfinished'> {
  const guildsOf = (id: AccountId) =>
    rows.allMembers().filter(({ accountId, guildId }) => accountId === id && rows.guild(guildId))
  return {
    accounts: {
      find: async (id) => rows.account(id),
      findMany: async (ids) => ids.flatMap((id) => rows.account(id) ?? []),
      findManyAsStored: async (ids) => ids.flatMap((id) => rows.account(id) ?? []),
      bySession: async (hash) => {
        const states = [...rows.accounts.values()]
        const state = states.find((each) => each.status === 'registered' && each.sessions.includes(hash))
        return state?.status === 'registered' ? rows.account(state.id) : undefined
      },
      holdersOfAllAcls: async () => {
        const states = [...rows.accounts.values()]
        return states.flatMap((each) => (each.status === 'registered' && each.acls.includes('*') ? each.id : []))
      },
      byTag: async () => undefined,
    },
    members: {
      find: async (guild, account) => rows.guildFor(guild, account)?.member,
      page: async (guild, { after, limit }) =>
        rows
          .membersOf(guild)
          .filter(({ accountId }) => after === undefined || compareSnowflakes(accountId, after) > 0)
          .slice(0, limit),
      // Lists of members are tested at the Gateway.
      roll: async () => [],
      temporary: async () => rows.allMembers().filter(({ temporary }) => temporary),
      among: async (guild, accounts) => rows.membersOf(guild).filter(({ accountId }) => accounts.includes(accountId)),
      amongGuilds: async (guilds, accounts) =>
        guilds.flatMap((guild) => rows.membersOf(guild).filter(({ accountId }) => accounts.includes(accountId))),
      // Searches by name and by invite are tested with Postgres.
      wanted: async () => [],
      named: async () => [],
      admissionOf: async () => undefined,
      countOf: async (guild) => rows.membersOf(guild).length,
      guildCountOf: async (account) => guildsOf(account).length,
      ofAccount: async (account) => guildsOf(account).toReversed(),
      sharedGuilds: async (one, other) => {
        const others = guildsOf(other).map(({ guildId }) => guildId)
        const shared = guildsOf(one).filter(({ guildId }) => others.includes(guildId))
        return shared.map(({ guildId }) => ({ guildId, nick: null, memberCount: rows.membersOf(guildId).length }))
      },
    },
    passkeys: {
      ofAccount: async (id) => rows.passkeysOf(rows.accounts.get(`account-${id}`)),
      holderOf: async (credentialId) => {
        const states = [...rows.accounts.values()]
        const state = states.find((each) => rows.passkeysOf(each).some(({ id }) => id === credentialId))
        return state?.status === 'registered' ? state.id : undefined
      },
    },
    // Due deletions are tested with Postgres, and so are the origins and times of sessions.
    erasures: {
      due: async () => [],
      dueMessageDeletions: async () => [],
      overdueOwners: async () => 0,
      scheduled: async () => [],
    },
    sessions: {
      ofAccount: async () => [],
      endedOf: async () => [],
      lastAddressesOf: async () => new Map(),
      recentOf: async () => [],
      withLastAddress: async () => ({ ids: [], total: 0 }),
    },
    unfinished: rows.unfinished.queries,
  }
}

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
      findMany: async (guild, ids) => rows.entries.filter((each) => each.guildId === guild && ids.includes(each.id)),
    },
    guilds: {
      find: async (id) => rows.guild(id),
      findFor: async (id, account) => rows.guildFor(id, account),
      findByChannel: async (channel, account) => {
        const active = [...rows.guilds.values()].filter((state) => state.status === 'active')
        const found = active.find(({ channels }) => channels.some(({ id }) => id === channel))
        return found && rows.guildFor(found.id, account)
      },
      findForNewcomer: async (id, newcomer, now) => {
        const found = rows.guildFor(id, newcomer.accountId)
        const keptOutBy = found?.member ? undefined : await memoryGuildBans(rows).keepingOut(id, newcomer, now)
        return found && { ...found, keptOutBy }
      },
      namesOf: async () => [],
      // What administrators read is tried over Postgres.
      summariesOf: async () => [],
      betweenCursors: async () => [],
      channelNamesOf: async () => [],
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
      custom: async (code) => rows.customUrls().find((url) => url.code === code),
      customOf: async (guild) => rows.customUrls().find(({ guildId }) => guildId === guild),
      customCodes: async () => undefined,
      mayBeCustom: async () => true,
      isGivenInAnyCase: async (code) => rows.allInvites().some((record) => record.code.toLowerCase() === code),
      ofPrivateChannel: async () => [],
      equivalentInPrivate: async () => undefined,
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
