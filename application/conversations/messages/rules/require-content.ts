import { field } from '../../../../domain/kernel/refusal.ts'
import type { AllowedMentions } from '../../../../domain/messages/mentions.ts'
import { lengthOf, visible } from '../../../../domain/text/normalise.ts'
import type { TextPlace } from '../text-places.ts'
import type { Caller } from '../../../caller.ts'
import { reject } from '../../../commands/refused.ts'
import type { Ports } from '../../../ports.ts'

/** The maximum length of a bot's message, whatever the limits. */
const botMessage_chars = 4000

/**
 * Demands a visible text within the length limit of the account, or of everybody in the guild. Refuses with 400
 * CANNOT_SEND_EMPTY_MESSAGE, and with field code CONTENT_EXCEEDS_MAX_LENGTH on `path`, the text's member.
 */
export async function requireContent(
  { limits }: Pick<Ports, 'limits'>,
  { account }: Caller,
  place: TextPlace,
  content: string,
  path = 'content',
): Promise<void> {
  if (visible(content) === '') reject('CANNOT_SEND_EMPTY_MESSAGE')
  const own = await limits.ofAccount(account)
  const there = place.kind === 'guild' ? await limits.ofGuild(place.access.guild) : own
  const length_max = Math.max(own.max_message_length, there.max_message_length, account.bot ? botMessage_chars : 0)
  if (lengthOf(content) > length_max) reject('INVALID_FORM_BODY', field(path, 'CONTENT_EXCEEDS_MAX_LENGTH'))
}

/** A client may allow all mentions of a kind, or list some; both at once is refused. */
export function requireOneWayOfNaming(allowed: AllowedMentions | null, path = 'allowed_mentions'): void {
  if (!allowed || allowed.parse.length === 0) return
  if (allowed.accounts.length === 0 && allowed.roles.length === 0) return
  reject('INVALID_FORM_BODY', field(path, 'PARSE_AND_USERS_OR_ROLES_CANNOT_BE_USED_TOGETHER'))
}
