import { webhookId, type WebhookId } from '../../../../domain/ids/ids.ts'
import { parseSnowflake } from '../../../../domain/ids/snowflake.ts'
import { contextWith } from '../../../commands/following-context.ts'
import { reject } from '../../../commands/refused.ts'
import type { Requester } from '../../../caller.ts'
import type { WebhookRecord } from '../../../ports/queries/webhook-queries.ts'
import type { Ports } from '../../../ports.ts'
import { isTokenOf } from '../webhook-tokens.ts'

/** What the path of an operation by token names. */
export interface NamedByToken {
  readonly id: WebhookId
  readonly token: string
}

/**
 * The webhook whose token was shown. Refuses with 404 UNKNOWN_WEBHOOK: one that does not exist, a follower, and a wrong token look the
 * same (rules/webhooks#by-token).
 */
export async function requireByToken(
  ports: Pick<Ports, 'queries' | 'webhookBox'>,
  { id, token }: NamedByToken,
): Promise<WebhookRecord> {
  const webhook = await ports.queries.webhooks.find(id)
  return webhook && isTokenOf(ports, webhook, token) ? webhook : reject('UNKNOWN_WEBHOOK')
}

/** The same for the id as it was sent, which may be none. */
export async function requireShownToken(
  ports: Pick<Ports, 'queries' | 'webhookBox'>,
  given: string,
  token: string,
): Promise<WebhookRecord> {
  const parsed = parseSnowflake(given)
  return parsed.ok ? requireByToken(ports, { id: webhookId(parsed.id), token }) : reject('UNKNOWN_WEBHOOK')
}

/** The request as the webhook's own: whoever sent it, with whatever credential, did so by the token alone. */
export function asWebhook<Sender extends Requester>(sender: Sender, id: WebhookId): Sender {
  const actor = { kind: 'system', name: `webhook ${id}` } as const
  return { ...sender, context: contextWith(sender.context, { actor, reason: undefined }) }
}
