import { z } from 'zod'
import { rowOf } from '../application/ports/database.js'
import type {
  AccountId,
  AdminKeyId,
  ApplicationId,
  ChannelId,
  EntryId,
  GuildId,
  InviteCode,
  RegistrationUrlId,
  RoleId,
} from '../domain/ids/ids.js'
import type { Timestamp } from '../domain/kernel/timestamp.js'

/**
 * How columns of read models are read: an int8 is a decimal string, a timestamptz is ISO text with milliseconds. Values that the
 * projectors wrote are branded, not validated again: these readers run for every row of every answer.
 */
const isText = (value: unknown): boolean => typeof value === 'string'

export const accountIdColumn = z.custom<AccountId>(isText)
export const adminKeyIdColumn = z.custom<AdminKeyId>(isText)
export const applicationIdColumn = z.custom<ApplicationId>(isText)
export const guildIdColumn = z.custom<GuildId>(isText)
export const channelIdColumn = z.custom<ChannelId>(isText)
export const roleIdColumn = z.custom<RoleId>(isText)
export const entryIdColumn = z.custom<EntryId>(isText)
export const inviteCodeColumn = z.custom<InviteCode>(isText)
export const registrationUrlIdColumn = z.custom<RegistrationUrlId>(isText)
export const instantColumn = z.custom<Timestamp>(isText)

/** A count(*), cast to int4. */
export const countRow = rowOf(({ count }: { readonly count: number }) => count)
