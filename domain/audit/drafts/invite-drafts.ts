import type { InviteEvent, InviteTerms } from '../../invite/events.ts'
import { auditActions } from '../audit-actions.ts'
import { created, deleted, type AuditDraft, type AuditValue, type DraftsOf } from '../audit-entry.ts'

/** An invite that is created or deleted has an entry with its whole record; its uses have none. */
export const inviteDrafts: DraftsOf<InviteEvent> = {
  InviteCreated: (data) => [
    { ...aboutInvite(data), actionType: auditActions.INVITE_CREATE, changes: created(inviteValues(data, 0)) },
  ],
  InviteDeleted: (data) => [
    { ...aboutInvite(data), actionType: auditActions.INVITE_DELETE, changes: deleted(inviteValues(data, data.uses)) },
  ],
}

function aboutInvite(terms: InviteTerms): Pick<AuditDraft, 'guildId' | 'targetId' | 'options'> {
  const { code, guildId, channelId, inviterId, maxAge, maxUses, temporary } = terms
  const options = { channel_id: channelId, inviter_id: inviterId, max_age: maxAge, max_uses: maxUses, temporary }
  return { guildId, targetId: code, options }
}

function inviteValues(terms: InviteTerms, uses: number): Readonly<Record<string, AuditValue>> {
  return {
    code: terms.code,
    channel_id: terms.channelId,
    guild_id: terms.guildId,
    inviter_id: terms.inviterId,
    uses,
    max_uses: terms.maxUses,
    max_age: terms.maxAge,
    temporary: terms.temporary,
    created_at: terms.createdAt,
  }
}
