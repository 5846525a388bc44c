import { commandOfStep, findUndoing, type UndoableAct } from '../../../../application/administration/undo/undoing.ts'
import type { Ports } from '../../../../application/ports.ts'
import { admin } from '../../callers.ts'
import { operation, type Operation } from '../../operation.ts'
import { undoneObject, undoneReply, undoParams, undoWishes } from '../../schemas/administration/undo.ts'
import { sudoOfSecondFactorsOnDemand } from '../../sudo.ts'
import { adminUserModify } from './buckets.ts'
import { inverseOf, inverseOperations, operationNamed } from './inverses.ts'

const inverseAcls = inverseOperations.flatMap(({ callers }) => (callers.kind === 'admin' ? callers.acls : []))
const inverseRefusals = inverseOperations.flatMap(({ refuses }) => refuses)

const undoEntryOperation = operation({
  name: 'Undo audit log entry',
  description:
    'Takes back an act by the operations that do the opposite, which the caller needs the ACLs for, unless what it changed was changed again. The id of an event takes back an act that leaves no entry.',
  route: 'POST /v1/admin/history/undo/:entry_id',
  callers: admin({ acls: ['audit_log:view'], onceValidated: [...new Set(inverseAcls)] }),
  bucket: adminUserModify,
  params: undoParams,
  body: undoWishes,
  replies: { 200: undoneReply },
  sudo: sudoOfSecondFactorsOnDemand,
  // Those of the operations that it becomes.
  adminAudit: { action: { anyOf: [], of: neverCarriedOut }, target: 'unknown' },
  refuses: [...new Set(['NOT_FOUND' as const, ...inverseRefusals])].filter((code) => code !== 'CONFLICT').toSorted(),
  async becomes(ports, { params: { entry_id: id }, body, ...asker }) {
    const { act, undoing } = await findUndoing(ports)(id, asker)
    const inverses = undoing.steps.map((step) => inverseOf(step, body.notify_user))
    const asOf = onceFor((given: Ports) => given.asOf(undoing.asOf))
    return {
      requests: inverses.map(({ operation: name, replacedUntil: _, ...sent }, index) => ({
        ...sent,
        operation: takingBack(operationNamed(name), act, asOf),
        commandId: commandOfStep(asker.commandId, index),
      })),
      reply: undoneObject({
        entryId: act.entryId,
        operations: inverses.map((inverse) => inverse.operation),
        replacedUntil: inverses.find(({ replacedUntil }) => replacedUntil)?.replacedUntil ?? null,
      }),
    }
  },
  handle: neverCarriedOut,
})

function neverCarriedOut(): never {
  throw new Error('the opposite is carried out in its place')
}

/** The same operation, which names the act that it takes back, and refuses with CONFLICT if that was changed since. */
function takingBack(
  inverse: Operation,
  { entryId }: UndoableAct['act'],
  asOf: (ports: Ports) => Partial<Ports>,
): Operation {
  const { adminAudit } = inverse
  return {
    ...inverse,
    adminAudit:
      'none' in adminAudit || entryId === null
        ? adminAudit
        : {
            ...adminAudit,
            metadata: (request, reply) => ({ ...adminAudit.metadata?.(request, reply), undone_entry_id: entryId }),
          },
    open: (ports) => inverse.open({ ...ports, ...asOf(ports) }),
  }
}

/** The same ports for all requests of one undoing, which may change the same stream one after another. */
function onceFor<Given extends object, Made>(make: (given: Given) => Made): (given: Given) => Made {
  const made = new Map<Given, Made>()
  return (given) => {
    const known = made.get(given) ?? make(given)
    made.set(given, known)
    return known
  }
}

/** Takes entries of the admin audit log back. */
export const undoOperations: readonly Operation[] = [undoEntryOperation]
