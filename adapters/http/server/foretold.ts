import type { OpenDryRun } from '../../../application/dry-runs/dry-run.ts'
import { waitingForNothing } from '../../../application/dry-runs/holding-ports.ts'
import type { Ports } from '../../../application/ports.ts'
import type { CommandOrigins } from '../../../application/ports/command-origins.ts'
import { dryRunObject } from '../../../application/administration/dry-runs/foretold-object.ts'
import { jsonAnswer, notStored, type Answer } from '../answer.ts'
import { carryOut, type CarryOutParts, type CheckedRequest } from './carry-out.ts'
import { sudoChecks } from './sudo-mode.ts'

interface Parts extends CarryOutParts {
  readonly openDryRun: OpenDryRun
  readonly origins: CommandOrigins
  readonly ports: Pick<Ports, 'allowances'>
}

/**
 * Carries requests out, one after another, with ports that change nothing, and answers with what they would have done, and with the
 * status of the last. What would be refused is refused (rules/administration#dry-runs). An Idempotency-Key means nothing: what the request would do may change. Proofs of
 * sudo mode are asked for and not used up, but guesses count.
 */
export async function foretold(parts: Parts, requests: readonly CheckedRequest[]): Promise<Answer> {
  const dryRun = parts.openDryRun()
  const { ports, adminAudit } = dryRun
  const checks = sudoChecks({ ...ports, allowances: parts.ports.allowances })
  const held = { ...parts, adminAudit, readModels: waitingForNothing, sudoChecks: checks }
  let status = 200
  for (const request of requests) {
    const { answer } = await carryOut(
      held,
      { ...request, handle: request.operation.open(ports) },
      parts.origins.fresh(),
    )
    if (answer.status >= 400) return answer
    status = answer.status
  }
  return jsonAnswer(200, dryRunObject(ports, status, await dryRun.foretold()), notStored)
}
