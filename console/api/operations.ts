import operationsAsData from '../../dist/console-api/operations.json'
import type { AdminOperations } from '../../client/admin.ts'
import type { Schema } from '../acts/schema.ts'

/** An operation of the Admin API by its id, as its document has it. */
export type OperationId = keyof AdminOperations

/** What the console knows of an operation of the Admin API. */
export interface Operation {
  readonly method: string
  /** With `{name}` for each path parameter. */
  readonly path: string
  readonly summary: string
  readonly description: string
  /** The ACLs that it needs, and those of which it needs one. */
  readonly acls: readonly string[]
  readonly anyOf: readonly string[]
  /** What the admin audit log calls it. */
  readonly action?: string
  /** Where it takes `dry_run`, if it can say what it would do. In the query it answers a DryRun, in the body its own reply. */
  readonly dryRun?: 'query' | 'body'
  readonly query?: readonly { readonly name: string; readonly required?: boolean; readonly schema: Schema }[]
  /** The values that a parameter of the query of a read may have, where they are few. */
  readonly choices?: Readonly<Record<string, readonly string[]>>
  /** How many a list passes over at most. */
  readonly offset_max?: number
  readonly body?: Schema
  readonly isBodyRequired?: boolean
}

const known = operationsAsData as unknown as Readonly<Record<OperationId, Operation>>

export function operationOf(id: OperationId): Operation {
  return known[id]
}

/** Whether who holds these ACLs may call an operation. `*` stands for all of them. */
export function mayCall(held: readonly string[], id: OperationId): boolean {
  const { acls, anyOf } = operationOf(id)
  return acls.every((acl) => holds(held, acl)) && (anyOf.length === 0 || anyOf.some((acl) => holds(held, acl)))
}

export function holds(held: readonly string[], acl: string): boolean {
  return held.includes('*') || held.includes(acl)
}
