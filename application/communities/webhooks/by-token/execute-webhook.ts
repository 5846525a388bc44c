import { messageId, type ChannelId } from '../../../../domain/ids/ids.ts'
import type { AllowedMentions } from '../../../../domain/messages/mentions.ts'
import type { Requester } from '../../../caller.ts'
import { reject } from '../../../commands/refused.ts'
import { sendIn, type Sent, type SendingNeeds } from '../../../conversations/messages/create-message.ts'
import { messageView } from '../../../conversations/messages/message-views.ts'
import type { SentMessage } from '../../../conversations/messages/sent-message.ts'
import type { Ports } from '../../../ports.ts'
import type { WebhookRecord } from '../../../ports/queries/webhook-queries.ts'
import type { MessageObject } from '../../../wire-objects/conversations/message-objects.ts'
import { askedPictures, type AskedPictures } from './asked-pictures.ts'
import { requireByToken, type NamedByToken } from './require-by-token.ts'
import { webhookPlace, type WebhookTarget, type WritingWebhook } from './webhook-place.ts'
import type { WebhookPost } from './webhook-post.ts'

export type ExecutingNeeds = SendingNeeds & Pick<Ports, 'blocklistBox' | 'images' | 'webhookBox'>

/** What a webhook is to say. */
export interface ExecutedMessage extends Omit<SentMessage, 'tts'> {
  /** 1-80 characters; null for the webhook's own name. */
  readonly username: string | null
  /** Where the picture of the author is; null for the webhook's own. */
  readonly avatarUrl: string | null
  /** The post that it begins in a forum; null for none. */
  readonly newPost: Omit<WebhookPost, 'messageId'> | null
  /** Whether another service wrote its embeds. */
  readonly hasForeignEmbeds?: boolean
}

/** A webhook mentions nobody unless it is told whom it may. */
export const nobody: AllowedMentions = { parse: [], accounts: [], roles: [], repliedUser: false }

/**
 * Has a webhook post a message. The same nonce within 5 minutes gives the first message again. Refuses as `requireByToken` and
 * `webhookPlace` do, then as `sendIn`; 410 GONE for a message that the same command sent before and that was deleted
 * (rules/webhooks#execute).
 */
export function executeWebhook(ports: ExecutingNeeds) {
  const pictures = askedPictures(ports)
  return async (
    requester: Requester,
    named: NamedByToken,
    {
      threadId,
      wait,
      ...message
    }: ExecutedMessage & { readonly threadId: ChannelId | undefined; readonly wait: boolean },
  ): Promise<MessageObject | undefined> => {
    const webhook = await requireByToken(ports, named)
    const target = { threadId, inForum: 'WEBHOOK_FORUM_TARGET_REQUIRED' } as const
    const { caller, sent } = await postByWebhook({ ...ports, pictures }, requester, webhook, target, message)
    if (!wait) return undefined
    return messageView(ports, caller, sent.message, { nonce: message.nonce })
  }
}

/** Posts a message as a webhook where the target says. No picture that is not there in time keeps it back. */
export async function postByWebhook(
  { pictures, ...ports }: ExecutingNeeds & { readonly pictures: AskedPictures },
  requester: Requester,
  webhook: WebhookRecord,
  target: WebhookTarget,
  { username, avatarUrl, newPost, allowedMentions, ...message }: ExecutedMessage,
): Promise<{ readonly caller: WritingWebhook['caller']; readonly sent: Sent }> {
  const id = messageId(requester.context.newId())
  const post = newPost ? { ...newPost, messageId: id } : undefined
  const { caller, place } = await webhookPlace(ports, requester, webhook, { ...target, post })
  const earlier = caller.context.mayRepeat ? await ports.messages.postedBefore(place.channelId, id) : undefined
  if (earlier === 'gone') return reject('GONE')
  if (earlier) return { caller, sent: { place, message: earlier } }
  await place.sending.check?.()
  const author = async () => {
    const picture = avatarUrl === null ? undefined : await pictures(caller, webhook, avatarUrl)
    return { name: username ?? webhook.name, avatar: picture ?? webhook.avatar }
  }
  const outgoing = { ...message, id, tts: false, allowedMentions: allowedMentions ?? nobody, webhook: author }
  const sent = (await sendIn(ports, caller, place, outgoing)) ?? reject('GONE')
  return { caller, sent }
}
