import type { Requester } from '../../../caller.ts'
import type { Ports } from '../../../ports.ts'
import { tokenWebhookObject, type TokenWebhookObject } from '../../../wire-objects/communities/webhook-objects.ts'
import { removeWebhook, writeChanges, type ChangingNeeds, type WebhookChanges } from '../change-webhook.ts'
import { asWebhook, requireByToken, type NamedByToken } from './require-by-token.ts'

type Needs = Pick<Ports, 'queries' | 'webhookBox'>

/** The webhook of a token, without its creator. Refuses as `requireByToken` (rules/webhooks#by-token). */
export function getWebhookByToken(ports: Needs) {
  return async (_requester: Requester, named: NamedByToken): Promise<TokenWebhookObject> =>
    tokenWebhookObject(await requireByToken(ports, named), named.token)
}

/**
 * Renames the webhook of a token, or gives it another image, by the limits of its creator; no audit log has it. Refuses as
 * `requireByToken` and `storedAvatar` (rules/webhooks#by-token).
 */
export function changeWebhookByToken(ports: Needs & ChangingNeeds) {
  return async (
    requester: Requester,
    named: NamedByToken,
    { name, avatar }: WebhookChanges,
  ): Promise<TokenWebhookObject> => {
    const webhook = await requireByToken(ports, named)
    const changing = { asAccount: webhook.creatorId, byToken: true }
    const changed = await writeChanges(ports, asWebhook(requester, webhook.id), webhook, { name, avatar }, changing)
    return tokenWebhookObject(changed, named.token)
  }
}

/** Deletes the webhook of a token; no audit log has it. Refuses as `requireByToken` (rules/webhooks#by-token). */
export function deleteWebhookByToken(ports: Needs & Pick<Ports, 'aggregates'>) {
  return async (requester: Requester, named: NamedByToken): Promise<void> => {
    const webhook = await requireByToken(ports, named)
    await removeWebhook(ports, asWebhook(requester, webhook.id), webhook, { byToken: true })
  }
}
