import { lacking } from '../../../domain/permissions/authority.ts'
import { forumRequiresTag } from '../../../domain/guild/channel.ts'
import { field } from '../../../domain/kernel/refusal.ts'
import type { ChannelAccess } from '../../access/guild-access.ts'
import { reject } from '../../commands/refused.ts'

/**
 * Demands that a forum post may have these tags. Refuses with field code INVALID_FORMAT for a tag that the forum does
 * not have, and for no tag if the forum requires one; with 403 MISSING_PERMISSIONS for a tag that only moderators give.
 */
export function requireTags({ channel, can }: ChannelAccess, tags: readonly string[]): void {
  const { forum } = channel
  const isFault = tags.some((id) => !forum?.availableTags.some((tag) => tag.id === id))
  const isMissing = tags.length === 0 && ((forum?.flags ?? 0) & forumRequiresTag) !== 0
  if (isFault || isMissing) reject('INVALID_FORM_BODY', field('applied_tags', 'INVALID_FORMAT'))
  const moderated = forum?.availableTags.some(({ id, moderated: byModerators }) => byModerators && tags.includes(id))
  if (moderated === true && !can('MANAGE_THREADS')) reject(lacking('MANAGE_THREADS'))
}
