import type { GuildId } from '../../../domain/ids/ids.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import { customStatusAt, type ChosenSettings } from '../../../domain/user-settings/settings.ts'
import type { PresentSession } from '../../ports/presence.ts'
import type { AccountRecord } from '../../ports/queries/account-queries.ts'
import { customStatusObject } from './user-settings-object.ts'
import { partialUserObject } from './user-objects.ts'

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

export type PresenceObject = ReturnType<typeof presenceObject>

/** A presence. An invisible account looks offline and shows no custom status (rules/gateway#presences). */
export function presenceObject({ account, sessions, chosen, guildId }: PresenceParts, now: Timestamp) {
  const leading = leadingSession(sessions)
  const seen = leading && leading.status !== 'invisible' ? leading : undefined
  const said = sayingSession(sessions)?.customStatus
  return {
    user: partialUserObject(account),
    status: seen?.status ?? 'offline',
    mobile: seen?.mobile ?? false,
    afk: seen?.afk ?? false,
    custom_status: seen
      ? customStatusObject(customStatusAt(said === undefined ? chosen : { customStatus: said }, now))
      : null,
    ...(guildId === undefined ? {} : { guild_id: guildId }),
  }
}
