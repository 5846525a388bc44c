import type { UndoStep } from '../../../../application/administration/undo/undo-rule.ts'
import type { Timestamp } from '../../../../domain/kernel/timestamp.ts'
import type { BecomingRequest } from '../../becoming.ts'
import type { Operation } from '../../operation.ts'

/** A step of an undoing, on one kind of thing. */
export type StepOn<On extends UndoStep['on']> = Extract<UndoStep, { readonly on: On }>

/** A request that takes an act, or a part of it, back. */
export interface Inverse extends Pick<BecomingRequest<Operation>, 'params' | 'query' | 'body' | 'wishes' | 'isDone'> {
  readonly operation: string
  /** When the ban or deletion would have ended that the act had replaced, and that does not come back; left out for none. */
  readonly replacedUntil?: Timestamp | null
}
