import { field } from '../../../../domain/kernel/refusal.ts'
import type { AllowedMentions } from '../../../../domain/messages/mentions.ts'
import { lengthOf, visible } from '../../../../domain/text/normalise.ts'
import type { TextPlace } from '../text-places.ts'
import type { Caller } from '../../../caller.ts'
import { reject } from '../../../commands/refused.ts'
import type { Ports } from '../../../ports.ts'
import type { SentMessage } from '../sent-message.ts'
import { requireEmbedsWithin } from './require-embeds.ts'

/** The maximum length of a bot's message, whatever the limits. */
const botMessage_chars = 4000

/** What a message must have something of, to be one. */
type Shown = Pick<SentMessage, 'content' | 'embeds'> & {
  readonly files?: readonly unknown[]
  readonly stickerIds?: readonly unknown[]
}

/** Whether a message shows nothing. */
export function isEmpty({ content, embeds, files = [], stickerIds = [] }: Shown): boolean {
  const shown_count = embeds.length + files.length + stickerIds.length
  return visible(content) === '' && shown_count === 0
}

/** Refuses a message that shows nothing with 400 CANNOT_SEND_EMPTY_MESSAGE. */
export function requireSomething(shown: Shown): void {
  if (isEmpty(shown)) reject('CANNOT_SEND_EMPTY_MESSAGE')
}

/**
 * Demands that a message shows something, in a text and embeds within the limits. Refuses in this order: 400
 * CANNOT_SEND_EMPTY_MESSAGE, as `requireLength` and `requireEmbedsWithin` do, and with field code
 * PARSE_AND_USERS_OR_ROLES_CANNOT_BE_USED_TOGETHER. `at`: where the message is in the body.
 */
export async function requireForm(
  ports: Pick<Ports, 'limits'>,
  caller: Caller,
  place: TextPlace,
  sent: Shown & Pick<SentMessage, 'allowedMentions'> & { readonly hasForeignEmbeds?: boolean },
  at = '',
): Promise<void> {
  requireSomething(sent)
  await requireLength(ports, caller, place, sent.content, `${at}content`)
  await requireEmbedsWithin(ports, caller, place, sent.embeds, { path: `${at}embeds`, ...sent })
  requireOneWayOfNaming(sent.allowedMentions, `${at}allowed_mentions`)
}

/**
 * Demands a text within the length limit of the account, or of everybody in the guild. Refuses with field code
 * CONTENT_EXCEEDS_MAX_LENGTH on `path`, the text's member.
 */
export async function requireLength(
  { limits }: Pick<Ports, 'limits'>,
  { account }: Caller,
  place: TextPlace,
  content: string,
  path: string,
): Promise<void> {
  const own = await limits.ofAccount(account)
  const there = place.kind === 'guild' ? await limits.ofGuild(place.access.guild) : own
  const length_max = Math.max(own.max_message_length, there.max_message_length, account.bot ? botMessage_chars : 0)
  if (lengthOf(content) > length_max) reject('INVALID_FORM_BODY', field(path, 'CONTENT_EXCEEDS_MAX_LENGTH'))
}

/** A client may allow all mentions of a kind, or list some; both at once is refused. */
function requireOneWayOfNaming(allowed: AllowedMentions | null, path: string): void {
  if (!allowed || allowed.parse.length === 0) return
  if (allowed.accounts.length === 0 && allowed.roles.length === 0) return
  reject('INVALID_FORM_BODY', field(path, 'PARSE_AND_USERS_OR_ROLES_CANNOT_BE_USED_TOGETHER'))
}
