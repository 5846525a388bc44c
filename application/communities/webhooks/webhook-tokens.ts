import { timingSafeEqual } from 'node:crypto'
import type { WebhookId } from '../../../domain/ids/ids.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import { alphanumeric, randomText } from '../../commands/random-text.ts'
import type { WebhookRecord } from '../../ports/queries/webhook-queries.ts'
import type { Ports } from '../../ports.ts'

/** The purpose of the sealed box of webhooks' tokens. */
export const webhookSecrets = 'webhook tokens'

const token_chars = 64

type Needs = Pick<Ports, 'webhookBox'>

/** A new token: letters and digits. */
export function newWebhookToken(context: CommandContext): string {
  return randomText(context, alphanumeric, token_chars)
}

/** A token as events store it. */
export function sealedToken({ webhookBox }: Needs, id: WebhookId, token: string): string {
  return webhookBox.seal([id], token).toString('base64')
}

/** The token of a webhook; undefined for a follower. */
export function openToken({ webhookBox }: Needs, { id, token }: WebhookRecord): string | undefined {
  return token === null ? undefined : webhookBox.open([id], Buffer.from(token, 'base64'))
}

/** Whether this is the token of a webhook, compared in constant time. */
export function isTokenOf(needs: Needs, webhook: WebhookRecord, given: string): boolean {
  const token = openToken(needs, webhook)
  if (token === undefined) return false
  const [one, other] = [Buffer.from(token), Buffer.from(given)]
  return one.length === other.length && timingSafeEqual(one, other)
}
