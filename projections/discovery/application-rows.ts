import { rowOf } from '../../application/sql/row-of.ts'
import { sql } from '../../application/sql/sql.ts'
import type { DiscoveryRecord, DiscoveryWithGuild } from '../../application/ports/queries/discovery-queries.ts'
import type { DirectoryLanguage } from '../../domain/discovery-application/listing.ts'
import type { DiscoveryStatus } from '../../domain/discovery-application/state.ts'
import type { GuildId } from '../../domain/ids/ids.ts'
import type { Timestamp } from '../../domain/kernel/timestamp.ts'
import { summaryOf, type CountColumns, type SummaryColumns } from '../guilds/guild-rows.ts'
import { isWholeOf } from './whole-streams.ts'

/** The result of `applicationColumns`. */
interface ApplicationColumns {
  readonly applicant_id: GuildId
  readonly status: DiscoveryStatus
  readonly description: string
  readonly category_type: number
  readonly primary_language: DirectoryLanguage
  readonly custom_tags: readonly string[]
  readonly applied_at: Timestamp
  readonly reviewed_at: Timestamp | null
  readonly review_reason: string | null
  readonly removed_at: Timestamp | null
  readonly removal_reason: string | null
}

/** For discovery.applications as a. */
export const applicationColumns = sql.fragment`
  a.guild_id as applicant_id, a.status, a.description, a.category_type, a.primary_language, a.custom_tags, a.applied_at,
  a.reviewed_at, a.review_reason, a.removed_at, a.removal_reason`

type NoGuild = { readonly [Column in keyof SummaryColumns]: null }

export const applicationRow = rowOf(applicationOf)
export const withGuildRow = rowOf(
  (row: ApplicationColumns & CountColumns & (SummaryColumns | NoGuild)): DiscoveryWithGuild => ({
    application: applicationOf(row),
    guild: row.guild_id === null ? undefined : summaryOf(row),
  }),
)
/** The guild of each application in a, if that can be read. */
export const joinedGuilds = sql.fragment`
  left join guilds.guilds g on g.id = a.guild_id
  left join members.member_counts n on n.guild_id = g.id`

/** Each application with its guild, if that can be read. */
export const withGuilds = sql.fragment`discovery.applications a ${joinedGuilds}`

/** For discovery.applications as a. */
export const isWhole = isWholeOf(sql.fragment`a.guild_id`)

function applicationOf(row: ApplicationColumns): DiscoveryRecord {
  return {
    guildId: row.applicant_id,
    status: row.status,
    listing: {
      description: row.description,
      categoryType: row.category_type,
      primaryLanguage: row.primary_language,
      customTags: row.custom_tags,
    },
    appliedAt: row.applied_at,
    reviewedAt: row.reviewed_at,
    reviewReason: row.review_reason,
    removedAt: row.removed_at,
    removalReason: row.removal_reason,
  }
}
