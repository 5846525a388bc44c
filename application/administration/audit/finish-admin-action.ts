import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import { contextWith } from '../../commands/following-context.ts'
import type { AdminAction } from '../../ports/event-store.ts'
import { recordingContext } from './admin-audit-log.ts'
import { chainEntry, type ChainNeeds } from './chain-entry.ts'

/** An administrator's action that has events but no entry in the admin audit log yet. */
export interface UnrecordedAction extends AdminAction {
  readonly reason: string | null
  readonly actedAt: Timestamp
}

/**
 * Records an action whose process died between the events and the entry. The details of the answer are lost, so the metadata only
 * say that the action was interrupted. The events that name the entry show what it did.
 */
export async function finishAdminAction(
  needs: ChainNeeds,
  { commandId, target, ...action }: UnrecordedAction,
  context: CommandContext,
): Promise<void> {
  await chainEntry(needs)(
    {
      ...action,
      targetType: target.type,
      targetId: target.id,
      metadata: { interrupted: 'true' },
      personalMetadata: null,
    },
    recordingContext(contextWith(context, { commandId }), action),
  )
}
