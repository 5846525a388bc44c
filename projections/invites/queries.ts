import type { Queries } from '../../application/ports/database.ts'
import { rowOf } from '../../application/sql/row-of.ts'
import { sql } from '../../application/sql/sql.ts'
import type {
  CustomCodesRecord,
  CustomUrlRecord,
  EquivalentTerms,
  GroupInviteRecord,
  InviteQueries,
  InviteRecord,
} from '../../application/ports/queries/invite-queries.ts'
import type { AccountId, ChannelId, GuildId, InviteCode } from '../../domain/ids/ids.ts'
import type { Timestamp } from '../../domain/kernel/timestamp.ts'
import { countRow } from '../columns.ts'
import { openClaims } from '../unfinished/queries.ts'

interface InviteColumns<Guild> {
  readonly code: InviteCode
  readonly channel_id: ChannelId
  readonly inviter_id: AccountId
  readonly uses: number
  readonly max_uses: number
  readonly max_age: number
  readonly temporary: boolean
  readonly created_at: Timestamp
  readonly expires_at: Timestamp | null
  readonly guild_id: Guild
}

/** An invite to a guild. */
const inviteRow = rowOf((row: InviteColumns<GuildId>): InviteRecord => recordOf(row))
/** An invite to a private channel. */
const groupInviteRow = rowOf((row: InviteColumns<null>): GroupInviteRecord => recordOf(row))
const anyInviteRow = rowOf((row: InviteColumns<GuildId> | InviteColumns<null>): InviteRecord | GroupInviteRecord =>
  row.guild_id === null ? recordOf(row) : recordOf(row),
)

function recordOf<Guild extends GuildId | null>(row: InviteColumns<Guild>) {
  return {
    code: row.code,
    guildId: row.guild_id,
    channelId: row.channel_id,
    inviterId: row.inviter_id,
    uses: row.uses,
    maxUses: row.max_uses,
    maxAge: row.max_age,
    temporary: row.temporary,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  }
}

/** Named one by one, so that a prepared statement survives the swap to a table with more columns. */
const inviteColumns = sql.fragment`
  code, guild_id, channel_id, inviter_id, uses, max_uses, max_age, temporary, created_at, expires_at`

interface CustomUrlColumns {
  readonly code: InviteCode
  readonly guild_id: GuildId
  readonly uses: number
}

const customUrlRow = rowOf(({ code, guild_id: guildId, uses }: CustomUrlColumns): CustomUrlRecord => ({
  code,
  guildId,
  uses,
}))

interface CustomCodesColumns {
  readonly position: string
  readonly codes: readonly InviteCode[] | null
}

const customCodesRow = rowOf(({ position, codes }: CustomCodesColumns): CustomCodesRecord | undefined =>
  codes === null ? undefined : { position: BigInt(position), codes },
)

/** Can still admit: the read side of `admits` in domain/invite/state.ts. */
const admitting = (now: Timestamp) =>
  sql.fragment`(expires_at is null or expires_at > ${now}) and (max_uses = 0 or uses < max_uses)`

const newestFirst = sql.fragment`order by created_at desc, code`

/** The newest invite with exactly this creator, channel and terms. */
const matching = ({ channelId, inviterId, maxUses, maxAge, temporary }: EquivalentTerms, now: Timestamp) =>
  sql.fragment`
    channel_id = ${channelId} and inviter_id = ${inviterId} and max_uses = ${maxUses} and max_age = ${maxAge}
    and temporary = ${temporary} and ${admitting(now)} ${newestFirst} limit 1`

/** Queries over the invites read model. */
export function inviteQueries(database: Queries): InviteQueries {
  return {
    find: (code, now) =>
      database.maybeOne(
        sql.type(anyInviteRow)`select ${inviteColumns} from invites.invites where code = ${code} and ${admitting(now)}`,
      ),
    ...customUrlQueries(database),
    ofChannel: (channel, now) =>
      database.any(sql.type(inviteRow)`
        select ${inviteColumns} from invites.invites
        where channel_id = ${channel} and guild_id is not null and ${admitting(now)} ${newestFirst}`),
    ofPrivateChannel: (channel, now) =>
      database.any(sql.type(groupInviteRow)`
        select ${inviteColumns} from invites.invites
        where channel_id = ${channel} and guild_id is null and ${admitting(now)} ${newestFirst}`),
    ofGuild: (guild, now) =>
      database.any(sql.type(inviteRow)`
        select ${inviteColumns} from invites.invites where guild_id = ${guild} and ${admitting(now)} ${newestFirst}`),
    countOf: (guild, now) =>
      database.one(sql.type(countRow)`
        select (
          (select count(*) from invites.invites where guild_id = ${guild} and ${admitting(now)})
          + (select count(code) from invites.custom_urls where guild_id = ${guild})
        )::int4 as count`),
    equivalent: async (terms, now) => {
      const [newest] = await database.any(sql.type(inviteRow)`
        select ${inviteColumns} from invites.invites where guild_id is not null and ${matching(terms, now)}`)
      return newest
    },
    equivalentInPrivate: async (terms, now) => {
      const [newest] = await database.any(sql.type(groupInviteRow)`
        select ${inviteColumns} from invites.invites where guild_id is null and ${matching(terms, now)}`)
      return newest
    },
  }
}

function customUrlQueries(
  database: Queries,
): Pick<InviteQueries, 'custom' | 'customOf' | 'customCodes' | 'mayBeCustom' | 'isGivenInAnyCase'> {
  return {
    custom: (code: InviteCode) =>
      database.maybeOne(sql.type(customUrlRow)`
        select code, guild_id, uses from invites.custom_urls where code = ${code}`),
    customOf: (guild: GuildId) =>
      database.maybeOne(sql.type(customUrlRow)`
        select code, guild_id, uses from invites.custom_urls where guild_id = ${guild} and code is not null`),
    // A claim is open until its guild holds the code by it, or it is returned: at one position, every claim that counts is in one
    // of the two.
    customCodes: (length: number, limit: number) =>
      database.one(sql.type(customCodesRow)`
        select min(c.position)::text as position, case when min(c.position) = max(c.position) then array(
          select each.code from (select code from invites.custom_urls union all ${openClaims}) each
          where length(each.code) = ${length} limit ${limit}
        ) end as codes
        from read_models.checkpoints c where c.schema in ('invites', 'unfinished')`),
    // Only a cache knows without a statement.
    mayBeCustom: async () => true,
    isGivenInAnyCase: async (code: InviteCode) =>
      (await database.one(sql.type(countRow)`
        select count(*)::int4 as count from invites.invites where lower(code) = ${code}`)) > 0,
  }
}
