import { theLog } from '../../../domain/admin-audit/state.js'
import { entryId, type EntryId } from '../../../domain/ids/ids.js'
import type { CommandContext } from '../../commands/command-context.js'
import { deriveId } from '../../commands/derive-id.js'
import { contextWith } from '../../commands/following-context.js'
import type { AdminAudit, AdminAuditEntry } from '../../ports/admin-audit.js'
import type { AdminAction } from '../../ports/event-store.js'
import { chainEntry, type ChainNeeds } from './chain-entry.js'

/** In characters (reference identity 8.4). */
const metadataValue_max = 4000

/**
 * The admin audit log over its aggregate. The id of an entry is the one that the context has set aside for its action, under
 * which the events of the act name it; a further entry of the same request has one of its own.
 */
export function adminAuditLog(needs: ChainNeeds): AdminAudit {
  const chain = chainEntry(needs)
  return {
    record: ({ target, metadata, personalMetadata, ...entry }, context) =>
      chain(
        {
          ...entry,
          entryId: idFor(entry, context),
          targetType: target.type,
          targetId: target.id,
          metadata: cut(metadata),
          personalMetadata: personalMetadata ? cut(personalMetadata) : null,
          reason: context.reason ?? null,
          actedAt: context.now,
        },
        recordingContext(context, entry),
      ),
    async refused(context) {
      const { adminAction } = context
      if (!adminAction) return
      const { entryId: id, adminId } = adminAction
      const command = { type: 'RefuseAdminAction', entryId: id, adminId } as const
      await needs.aggregates.adminAudit.execute(theLog, command, recordingContext(context, adminAction))
    },
  }
}

function idFor({ action }: Pick<AdminAuditEntry, 'action'>, context: CommandContext): EntryId {
  const { adminAction } = context
  return adminAction?.action === action ? adminAction.entryId : entryId(context.newId())
}

/** The event of an entry has the same id whoever records it: the request, its repetition, or a process manager after a crash. */
export function recordingContext(context: CommandContext, { action }: Pick<AdminAction, 'action'>): CommandContext {
  return contextWith(context, {
    commandId: deriveId(context.commandId, `admin audit ${action}`),
    adminAction: undefined,
  })
}

function cut(metadata: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(metadata).map(([name, value]) => [
      name,
      value.length <= metadataValue_max ? value : Array.from(value).slice(0, metadataValue_max).join(''),
    ]),
  )
}
