import type { Timestamp } from '../../../domain/kernel/timestamp.js'
import type { CommandContext } from '../../commands/command-context.js'
import { contextWith } from '../../commands/following-context.js'
import type { AdminAction } from '../../ports/event-store.js'
import { recordingContext } from './admin-audit-log.js'
import { chainEntry, type ChainNeeds } from './chain-entry.js'

/** An act of an administrator that has left events, and no entry in the admin audit log yet. */
export interface UnrecordedAction extends AdminAction {
  readonly reason: string | null
  readonly actedAt: Timestamp
}

/**
 * Records an action whose process died between the act and its entry. What the answer would have told is lost with it: the
 * metadata say only that it was interrupted; what it did is in the events that name the entry.
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
