import { z } from 'zod'
import type { GuildId } from '../../../domain/ids/ids.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import { customStatusAt, type ChosenSettings } from '../../../domain/user-settings/settings.ts'
import type { PresentSession } from '../../ports/presence.ts'
import type { AccountRecord } from '../../ports/queries/account-queries.ts'
import { customStatusObject } from './user-settings-object.ts'
import { partialUserObject, partialUserSchema } from './user-objects.ts'
import { timestampOutput, snowflakeOutput } from '../scalars.ts'
import { objectOf, wireObject, type ObjectOf } from '../declaration.ts'

export const presenceStatusSchema = z.object({
  text: z.string().nullable().describe('Null for none.'),
  expires_at: timestampOutput.nullable().describe('In the future; null for never.'),
  emoji_id: snowflakeOutput.nullable().describe('The custom emoji; null for a Unicode emoji or none.'),
  emoji_name: z
    .string()
    .nullable()
    .describe('The Unicode emoji, or the name of the custom one; null if there is none.'),
  emoji_animated: z.boolean().optional().describe('Whether the emoji moves.'),
})

const seenStatusSchema = z.enum(['online', 'idle', 'dnd', 'offline'])

/** A presence as others hear of it. */
export const presenceSchema = wireObject('Presence', {
  user: partialUserSchema,
  status: seenStatusSchema,
  mobile: z.boolean(),
  afk: z.boolean(),
  custom_status: presenceStatusSchema.nullable().describe('Null for none.'),
  guild_id: snowflakeOutput.optional().meta({ description: 'Absent for friends and groups.' }),
})

export type PresenceObject = ObjectOf<typeof presenceSchema>

/** Which session represents the account: one with the first of these statuses. */
const precedence: readonly PresentSession['status'][] = ['dnd', 'online', 'idle', 'invisible']

/** The session that represents an account; undefined without sessions. */
export function leadingSession<Told extends Pick<PresentSession, 'status'>>(
  sessions: readonly Told[],
): Told | undefined {
  return inPrecedence(sessions).at(0)
}

/** The first visible session with its own custom status; undefined if none has one. */
export function sayingSession(sessions: readonly PresentSession[]): PresentSession | undefined {
  return inPrecedence(sessions).find(({ status, customStatus }) => status !== 'invisible' && customStatus !== undefined)
}

function inPrecedence<Told extends Pick<PresentSession, 'status'>>(sessions: readonly Told[]): readonly Told[] {
  return precedence.flatMap((status) => sessions.filter((session) => session.status === status))
}

/** The account, its sessions, and its chosen settings. */
export interface PresenceParts {
  readonly account: AccountRecord
  readonly sessions: readonly PresentSession[]
  readonly chosen: ChosenSettings
  /** Absent in presences of friends. */
  readonly guildId?: GuildId
}

/** A presence. An invisible account looks offline and shows no custom status (rules/gateway#presences). */
export function presenceObject({ account, sessions, chosen, guildId }: PresenceParts, now: Timestamp): PresenceObject {
  const leading = leadingSession(sessions)
  const status = leading === undefined || leading.status === 'invisible' ? 'offline' : leading.status
  const seen = status === 'offline' ? undefined : leading
  const said = sayingSession(sessions)?.customStatus
  return objectOf(presenceSchema, {
    user: partialUserObject(account),
    status,
    mobile: seen?.mobile ?? false,
    afk: seen?.afk ?? false,
    custom_status: seen
      ? customStatusObject(customStatusAt(said === undefined ? chosen : { customStatus: said }, now))
      : null,
    ...(guildId === undefined ? {} : { guild_id: guildId }),
  })
}
