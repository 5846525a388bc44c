import type { GuildId } from '../../domain/ids/ids.ts'
import type { Timestamp } from '../../domain/kernel/timestamp.ts'

/** Which messages of an account are meant, for an archive or a deletion. */
export interface MessageFilter {
  /** `inaccessible_only`: only messages in places that the account can no longer see. */
  readonly scope: 'selected' | 'inaccessible_only'
  readonly includesDirect: boolean
  readonly includesClosedDirect: boolean
  readonly includesGroups: boolean
  readonly includesGuilds: boolean
  /** Whether `guilds` are the only ones wanted, or those that are not. */
  readonly guildMode: 'exclude' | 'include_only'
  /** At most 500. */
  readonly guilds: readonly GuildId[]
  /** From this time on. */
  readonly from: Timestamp | null
  /** Before this time. */
  readonly until: Timestamp | null
}
