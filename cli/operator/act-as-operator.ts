import { contextWith } from '../../application/commands/following-context.ts'
import type { CommandContext } from '../../application/commands/command-context.ts'
import { Refused } from '../../application/commands/refused.ts'
import type { AdminAuditTarget } from '../../application/ports/admin-audit.ts'
import { beforeAll } from '../../domain/kernel/position.ts'
import type { Aggregates } from '../../application/ports.ts'
import { auditChainHash } from '../../adapters/personal-data/audit-chain-hash.ts'
import { systemAccountId } from '../../domain/account/system-account.ts'
import { entryId } from '../../domain/ids/ids.ts'
import { openAggregates } from '../../process/aggregates.ts'
import { newOperatorId, operatorContext } from '../commands/operator-context.ts'
import type { Store } from '../../process/store.ts'
import { operatorAuditLog } from './operator-audit-log.ts'

/** An act of the command line that is no operation of the Admin API on one account. */
export interface OperatorAct<Result> {
  /** As the Admin API names it, where it has the same act. */
  readonly action: string
  /** Id `0` if there is none, or if only the act makes it. */
  readonly target: AdminAuditTarget
  /** For the entry; left out for none. */
  readonly reason?: string | undefined
  readonly run: (context: CommandContext, aggregates: Aggregates) => Promise<Result>
  /** What the entry says besides. */
  readonly metadata?: (result: Result) => Readonly<Record<string, string>>
}

/** Without an id: all of its kind, or what the act is about to make. */
export const noTargetId = '0'

const credential = 'command_line'
const adminId = systemAccountId

/**
 * Carries out an act of the operator, with one entry in the admin audit log. The events name the entry: a worker records it if
 * this process dies in between. Rejects as `run` does, and then leaves no entry.
 */
export async function actAsOperator<Result>(
  { events, snapshots, personalDataKey }: Pick<Store, 'events' | 'snapshots' | 'personalDataKey'>,
  { action, target, reason, run, metadata }: OperatorAct<Result>,
): Promise<Result> {
  const aggregates = openAggregates({ store: events, snapshots })
  const log = operatorAuditLog({ aggregates, adminAuditHash: auditChainHash(personalDataKey) })
  const plain = operatorContext()
  const { commandId } = plain
  const adminAction = { entryId: entryId(newOperatorId()), commandId, adminId, credential, action, target } as const
  const context = contextWith(plain, { adminAction, ...(reason !== undefined && { reason }) })
  try {
    const result = await run(context, aggregates)
    await log.record({ action, adminId, credential, target, metadata: metadata?.(result) ?? {} }, context)
    return result
  } catch (error) {
    if (error instanceof Refused && context.written > beforeAll) await log.refused(context, error.refusal.code)
    throw error
  }
}
