import { theLog } from '../../../domain/admin-audit/state.ts'
import { entryId, type EntryId } from '../../../domain/ids/ids.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import { deriveId } from '../../commands/derive-id.ts'
import { contextWith } from '../../commands/following-context.ts'
import type { AdminAudit, AdminAuditEntry } from '../../ports/admin-audit.ts'
import type { AdminAction } from '../../ports/event-store.ts'
import { chainEntry, type ChainNeeds } from './chain-entry.ts'

/** How much of one value of an entry's metadata is kept, in characters. */
const metadataValue_max = 4000

/**
 * The admin audit log on top of its aggregate. The context has reserved an entry id for its action, and the action's events name
 * that id. A further entry of the same request gets its own id.
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
    async refused(context, code) {
      const { adminAction } = context
      if (!adminAction) return
      const { entryId: id, adminId } = adminAction
      const command = { type: 'RefuseAdminAction', entryId: id, adminId, ...(code && { code }) } as const
      await needs.aggregates.adminAudit.execute(theLog, command, recordingContext(context, adminAction))
    },
  }
}

function idFor({ action }: Pick<AdminAuditEntry, 'action'>, context: CommandContext): EntryId {
  const { adminAction } = context
  return adminAction?.action === action ? adminAction.entryId : entryId(context.newId())
}

/**
 * The event of an entry has the same id whoever records it: the request, a repeat of the request, or a process manager after a
 * crash. The entry itself has the reason.
 */
export function recordingContext(context: CommandContext, { action }: Pick<AdminAction, 'action'>): CommandContext {
  return contextWith(context, {
    commandId: deriveId(context.commandId, `admin audit ${action}`),
    adminAction: undefined,
    reason: undefined,
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
