import type { ChannelId } from '../../../../domain/ids/ids.ts'
import { showsAnything, type Embed } from '../../../../domain/messages/embeds.ts'
import type { Requester } from '../../../caller.ts'
import type { Ports } from '../../../ports.ts'
import { askedPictures, type AskedPictures } from '../by-token/asked-pictures.ts'
import { nobody, postByWebhook, type ExecutedMessage, type ExecutingNeeds } from '../by-token/execute-webhook.ts'
import { requireByToken, type NamedByToken } from '../by-token/require-by-token.ts'
import { githubEmbed } from './github-embed.ts'
import { githubPayload } from './github-payload.ts'
import { slackEmbed, type SlackMessage } from './slack-message.ts'
import { webAddress } from './web-address.ts'

/** A webhook by its token, and the thread that the message is to go to. */
export interface ServiceTarget extends NamedByToken {
  readonly threadId: ChannelId | undefined
}

/** A delivery of GitHub: what happened, and the id of the delivery, as its headers say; null where they are missing. */
export interface Delivery {
  readonly event: string | null
  readonly id: string | null
}

/**
 * Posts a message that is in the form of Slack. Nobody is mentioned. Refuses as `executeWebhook`, and with 400
 * WEBHOOK_SERVICE_FORUM_UNSUPPORTED in a forum without a thread (rules/webhooks#services).
 */
export function executeSlackWebhook(ports: ExecutingNeeds) {
  const pictures = askedPictures(ports)
  return async (requester: Requester, target: ServiceTarget, message: SlackMessage): Promise<void> => {
    const { text, username, icon, attachments } = message
    const embeds = attachments.map(slackEmbed).filter(showsAnything)
    const shown = { username, avatarUrl: webAddress(icon) ?? null }
    const sent = { ...said, ...shown, content: text, embeds, hasForeignEmbeds: true }
    await post({ ...ports, pictures }, requester, target, sent)
  }
}

/** How long a delivery is remembered, so that GitHub may send it again: 24 hours. */
const onceADay = { requests: 1, seconds: 86_400 } as const

/**
 * Posts what a delivery of GitHub tells of, by the name of GitHub, once in 24 hours. Does nothing for one that tells of nothing here.
 * Refuses as `executeSlackWebhook` (rules/webhooks#services).
 */
export function executeGithubWebhook(ports: ExecutingNeeds & Pick<Ports, 'allowances'>) {
  return async (requester: Requester, target: ServiceTarget, { event, id }: Delivery, body: unknown): Promise<void> => {
    await requireByToken(ports, target)
    const { data: payload } = githubPayload.safeParse(body)
    const embed = payload && event !== null ? githubEmbed(event, payload) : undefined
    if (!embed) return
    const key = `${target.id} ${id ?? ''}`
    const isFirst = id === null || (await ports.allowances.take('github deliveries', key, onceADay)).allowed
    if (!isFirst) return
    try {
      const sent = { ...said, username: 'GitHub', embeds: [embed] }
      await post({ ...ports, pictures: noPictures }, requester, target, sent)
    } catch (error) {
      // GitHub sends again what was refused.
      if (id !== null) await ports.allowances.reset('github deliveries', key)
      throw error
    }
  }
}

const said = {
  content: '',
  nonce: null,
  flags: 0,
  attachments: [],
  stickerIds: [],
  allowedMentions: nobody,
  reference: null,
  username: null,
  avatarUrl: null,
} as const satisfies Omit<ExecutedMessage, 'embeds'>

/** Deliveries ask for none. */
const noPictures: AskedPictures = async () => undefined

async function post(
  ports: ExecutingNeeds & { readonly pictures: AskedPictures },
  requester: Requester,
  { threadId, ...named }: ServiceTarget,
  message: ExecutedMessage & { readonly embeds: readonly Embed[] },
): Promise<void> {
  const webhook = await requireByToken(ports, named)
  await postByWebhook(ports, requester, webhook, { threadId, inForum: 'WEBHOOK_SERVICE_FORUM_UNSUPPORTED' }, message)
}
