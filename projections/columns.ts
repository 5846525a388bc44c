import { z } from 'zod'
import { rowOf } from '../application/sql/row-of.ts'
import type { FoundAccounts } from '../application/ports/queries/account-search-queries.ts'
import type { AccountId, ApplicationId, ChannelId, EntryId, GuildId, InviteCode, RoleId } from '../domain/ids/ids.ts'
import type { Timestamp } from '../domain/kernel/timestamp.ts'

/**
 * How columns of read models are read: an int8 is a decimal string, a timestamptz is ISO text with milliseconds. Values that the
 * projectors wrote are branded, not validated again: these readers run for every row of every answer.
 */
export const textColumn = <Text extends string>() => z.custom<Text>((value) => typeof value === 'string')

export const accountIdColumn = textColumn<AccountId>()
export const applicationIdColumn = textColumn<ApplicationId>()
export const guildIdColumn = textColumn<GuildId>()
export const channelIdColumn = textColumn<ChannelId>()
export const roleIdColumn = textColumn<RoleId>()
export const entryIdColumn = textColumn<EntryId>()
export const inviteCodeColumn = textColumn<InviteCode>()
export const instantColumn = textColumn<Timestamp>()

/** Reads `ids`, an array of ids as text, and `total`, an int4. */
export const foundAccountsRow = rowOf(({ ids, total }: FoundAccounts): FoundAccounts => ({ ids, total }))

/** A count(*), cast to int4. */
export const countRow = rowOf(({ count }: { readonly count: number }) => count)
