import type { ChannelId } from '../../../../domain/ids/ids.ts'
import { showsAnything, type Embed } from '../../../../domain/messages/embeds.ts'
import type { Requester } from '../../../caller.ts'
import { Refused } from '../../../commands/refused.ts'
import { askedPictures, type AskedPictures } from '../by-token/asked-pictures.ts'
import { nobody, postByWebhook, type ExecutedMessage, type ExecutingNeeds } from '../by-token/execute-webhook.ts'
import { requireByToken, type NamedByToken } from '../by-token/require-by-token.ts'
import { githubEmbed } from './github-embed.ts'
import { githubPayload } from './github-payload.ts'
import { instatusEmbed } from './instatus-embed.ts'
import { slackEmbed, type SlackMessage } from './slack-message.ts'
import { webAddress } from './web-address.ts'

/** A webhook by its token, and the thread that the message is to go to. */
export interface ServiceTarget extends NamedByToken {
  readonly threadId: ChannelId | undefined
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

/**
 * Posts what a delivery of GitHub tells of, by the name of GitHub. Does nothing for one that tells of nothing here, and for one whose
 * message an earlier try posted. Refuses as `executeSlackWebhook` (rules/webhooks#services).
 */
export function executeGithubWebhook(ports: ExecutingNeeds) {
  return async (requester: Requester, target: ServiceTarget, event: string | null, body: unknown): Promise<void> => {
    await requireByToken(ports, target)
    const { data: payload } = githubPayload.safeParse(body)
    const embed = payload && event !== null ? githubEmbed(event, payload) : undefined
    if (!embed) return
    const sent = { ...said, username: 'GitHub', embeds: [embed] }
    await post({ ...ports, pictures: noPictures }, requester, target, sent).catch(unlessGone)
  }
}

/**
 * Posts what a message of Instatus tells of, by its name. Does nothing for one that tells of nothing here. Refuses as
 * `executeSlackWebhook` (rules/webhooks#services).
 */
export function executeInstatusWebhook(ports: ExecutingNeeds) {
  return async (requester: Requester, target: ServiceTarget, body: unknown): Promise<void> => {
    await requireByToken(ports, target)
    const embed = instatusEmbed(body)
    const sent = { ...said, username: 'Instatus', embeds: embed ? [embed] : [] }
    if (embed) await post({ ...ports, pictures: noPictures }, requester, target, sent).catch(unlessGone)
  }
}

function unlessGone(error: unknown): void {
  if (!(error instanceof Refused) || error.refusal.code !== 'GONE') throw error
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
  newPost: null,
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
