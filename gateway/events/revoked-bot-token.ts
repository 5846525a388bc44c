import type { RecordedEvent } from '../../application/ports/event-store.ts'
import type { ApplicationEvent } from '../../domain/application/events.ts'
import { botOf, type AccountId } from '../../domain/ids/ids.ts'

/** A bot token that is no longer valid. */
export interface RevokedBotToken {
  readonly bot: AccountId
  /** base64url SHA-256. */
  readonly tokenHash: string
}

const revoking: ReadonlySet<string> = new Set([
  'BotTokenReset',
  'ApplicationDeleted',
] satisfies ApplicationEvent['type'][])

/** The bot token that an event revokes, if any. */
export function revokedBotTokenIn({ type, data }: RecordedEvent): RevokedBotToken | undefined {
  if (!revoking.has(type)) return undefined
  // The codec has checked that the data matches the type, and type names are unique.
  const { applicationId, revokedTokenHash } = data as Extract<
    ApplicationEvent,
    { readonly type: 'BotTokenReset' | 'ApplicationDeleted' }
  >['data']
  return { bot: botOf(applicationId), tokenHash: revokedTokenHash }
}
